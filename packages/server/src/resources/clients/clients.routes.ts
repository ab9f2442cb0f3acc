import { type Route, route } from '../../http/route.ts';
import { createClient, deleteClient, getClient, listClients, updateClient } from './clients.service.ts';

export const clientRoutes: readonly Route[] = [
  route('clients.list', { handle: (ctx, { query }) => listClients(ctx, query) }),
  route('clients.create', {
    errors: ['SLUG_IN_USE', 'QUOTA_EXCEEDED'],
    handle: (ctx, { body }) => createClient(ctx, body),
  }),
  route('clients.get', {
    errors: ['CLIENT_NOT_FOUND'],
    handle: (ctx, { path }) => getClient(ctx, path.client_id),
  }),
  route('clients.update', {
    errors: ['CLIENT_NOT_FOUND', 'SLUG_IN_USE', 'DOMAIN_IN_USE'],
    handle: (ctx, { path, body }) => updateClient(ctx, path.client_id, body),
  }),
  route('clients.delete', {
    errors: ['CLIENT_NOT_FOUND'],
    handle: (ctx, { path }) => deleteClient(ctx, path.client_id),
  }),
];
