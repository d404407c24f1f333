"""Running the application: the server process, request and connection limits, logging of rejections."""
