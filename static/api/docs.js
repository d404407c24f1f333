// Renders the OpenAPI schema of the REST API.
"use strict";

const container = document.getElementById("docs");

SwaggerUIBundle({
  url: container.dataset.schema,
  domNode: container,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  // No badge of the online validator: pages make no requests to other hosts.
  validatorUrl: null,
});
