"""REST API: thin views over the services in `companion.tables` and `companion.journal`."""
