const EVENTS = ['client.created', 'client.updated', 'client.deleted'];

/** Returns the endpoint for a URL, and creates it if there is none. Its secret is stored, because it is shown once. */
export async function ensureEndpoint(platform, database, url) {
  const { endpoints } = platform.webhooks;
  const found = await endpointOf(endpoints, url);
  if (found !== undefined && database.setting('endpoint') === found.id) return found;
  // An endpoint of an earlier database gets a new secret.
  const endpoint = await (found ? endpoints.rotateSecret(found.id) : endpoints.create({ url, events: EVENTS }));
  database.setSetting('secret', endpoint.secret);
  database.setSetting('endpoint', endpoint.id);
  return endpoint;
}

async function endpointOf(endpoints, url) {
  for await (const endpoint of endpoints.list()) if (endpoint.url === url) return endpoint;
  return undefined;
}
