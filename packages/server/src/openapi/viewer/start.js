// Shows openapi.json, which lies beside this page, with the viewer that was loaded before.
const here = new URL('.', document.baseURI);
const answer = await fetch(new URL('openapi.json', here));
const spec = await answer.json();

globalThis.SwaggerUIBundle({
  spec: {
    ...spec,
    info: { ...spec.info, description: `${spec.info.description}\n\nThis page as data: [openapi.json](openapi.json)` },
    // Calls go to where the page came from, whichever name of the server that was.
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
  // Nothing is asked of third parties.
  validatorUrl: null,
});
