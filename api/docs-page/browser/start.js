/* global SwaggerUIBundle */
// Every address is relative, so that the page also works behind a proxy that adds a prefix.
SwaggerUIBundle({
  dom_id: '#reference',
  url: 'openapi.json',
  layout: 'BaseLayout',
  presets: [SwaggerUIBundle.presets.apis],
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  filter: true,
  // A key typed in here lives as long as the page.
  persistAuthorization: false,
  validatorUrl: null,
});
