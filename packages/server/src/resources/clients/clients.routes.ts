import { type Route, route } from '../../http/route.ts';
import { client, clientCreate, clientList, clientUpdate, deletedClient } from './clients.schemas.ts';
import { createClient, deleteClient, getClient, listClients, updateClient } from './clients.service.ts';

export const clientRoutes: readonly Route[] = [
  route('clients.list', { query: clientList, response: client, handle: (ctx, { query }) => listClients(ctx, query) }),
  route('clients.create', {
    body: clientCreate,
    response: client,
    errors: ['SLUG_IN_USE', 'QUOTA_EXCEEDED'],
    handle: (ctx, { body }) => createClient(ctx, body),
  }),
  route('clients.get', {
    response: client,
    errors: ['CLIENT_NOT_FOUND'],
    handle: (ctx, { path }) => getClient(ctx, path.client_id),
  }),
  route('clients.update', {
    body: clientUpdate,
    response: client,
    errors: ['CLIENT_NOT_FOUND', 'SLUG_IN_USE', 'DOMAIN_IN_USE'],
    handle: (ctx, { path, body }) => updateClient(ctx, path.client_id, body),
  }),
  route('clients.delete', {
    response: deletedClient,
    errors: ['CLIENT_NOT_FOUND'],
    handle: (ctx, { path }) => deleteClient(ctx, path.client_id),
  }),
];
