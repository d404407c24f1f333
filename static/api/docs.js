// Shows the schema of the REST API.
"use strict";

const place = document.getElementById("docs");

SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  // Nothing is asked of another host, the badge of an online validator included.
  validatorUrl: null,
});
