// The peer: oidc-provider with its memory adapter, opaque tokens, and rotation of each refresh token.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js';
import { serveParent } from '../lib/child.ts';
import type { Supply } from './supply.ts';

const APP = { client_id: 'bench', client_secret: 'b'.repeat(57) };
const ACCOUNT = 'owner';
const SCOPE = 'me:read';

// Its own store keeps the latest 1,000 entries, and evicts grants that are in use.
const store = new Map<string, unknown>();
const provider = new Provider('http://127.0.0.1', {
  adapter: (model) => new MemoryAdapter(model, store),
  clients: [
    {
      ...APP,
      redirect_uris: ['https://app.example/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  scopes: [SCOPE, 'offline_access'],
  features: { introspection: { enabled: true, allowedPolicy: () => true }, devInteractions: { enabled: false } },
  findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  rotateRefreshToken: true,
  ttl: { AccessToken: 3600, RefreshToken: 90 * 86_400, Grant: 365 * 86_400 },
});

/** Creates grants with an access and a refresh token each. Without the scope `openid` no id token is signed. */
async function supply(count: number): Promise<Supply> {
  const client = await provider.Client.find(APP.client_id);
  if (!client) throw new Error('the client is configured');
  const tokens: Supply['tokens'][number][] = [];
  for (let i = 0; i < count; i++) {
    const grant = new provider.Grant({ accountId: ACCOUNT, clientId: APP.client_id });
    grant.addOIDCScope(SCOPE);
    const token = { accountId: ACCOUNT, client, grantId: await grant.save(), scope: SCOPE, gty: 'authorization_code' };
    const access = await new provider.AccessToken(token).save();
    tokens.push({ access, refresh: await new provider.RefreshToken(token).save() });
  }
  return { ...APP, tokens };
}

const server = createServer(provider.callback());
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveParent<Supply | number>(port, (count) => supply(Number(count)));
});
