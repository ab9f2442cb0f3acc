// Shows the openapi.json beside this page with the viewer that the page has loaded.
const here = new URL('.', document.baseURI);
const answer = await fetch(new URL('openapi.json', here));
const spec = await answer.json();

globalThis.SwaggerUIBundle({
  spec: {
    ...spec,
    info: { ...spec.info, description: `${spec.info.description}\n\nThis page as data: [openapi.json](openapi.json)` },
    // Requests go to the address of the page, under any name of the server.
    servers: [{ url: here.href.replace(/\/$/, '') }],
  },
  dom_id: '#reference',
  deepLinking: true,
  filter: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  defaultModelRendering: 'example',
  defaultModelExpandDepth: 3,
  displayOperationId: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // Sends no request to third parties.
  validatorUrl: null,
});
