import type { Api } from '../support/api.ts';

/** Name of a picture → path of the page, in the sandbox of a developer. */
export const PAGES: Readonly<Record<string, (api: Api) => Promise<string> | string>> = {
  overview: () => '/console',
  requests: () => '/console/requests',
  'requests-inspector': async (api) => `/console/requests/${await firstOf(api, '/v1/requests?outcome=failed')}`,
  trace: async (api) => `/console/trace?id=${await firstOf(api, '/v1/webhooks/events')}`,
  events: async (api) => `/console/events/${await firstOf(api, '/v1/webhooks/events')}`,
  webhooks: () => '/console/webhooks',
  endpoint: async (api) => `/console/webhooks/${await firstOf(api, '/v1/webhooks/endpoints')}`,
  audit: async (api) => `/console/audit/${await firstOf(api, '/v1/audit/events')}`,
  explorer: () => '/console/explorer?operation=clients.create',
  'explorer-response': () => '/console/explorer?operation=clients.list&run=1&in.limit=2',
  'explorer-refused': () => '/console/explorer?operation=clients.get&run=1&path.client_id=cli_unknown',
  components: () => '/console/_components',
};

async function firstOf(api: Api, path: string): Promise<string> {
  const { body } = await api(path);
  return body.data[0].id;
}
