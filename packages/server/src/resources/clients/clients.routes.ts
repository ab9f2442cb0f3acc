import { type Route, route } from '../../http/route.ts';
import { createClient, deleteClient, getClient, listClients, updateClient } from './clients.service.ts';

export const clientRoutes: readonly Route[] = [
  route('clients.list', { handle: (ctx, { query }) => listClients(ctx, query) }),
  route('clients.create', {
    handle: (ctx, { body }) => createClient(ctx, body),
  }),
  route('clients.get', {
    handle: (ctx, { path }) => getClient(ctx, path.client_id),
  }),
  route('clients.update', {
    handle: (ctx, { path, body }) => updateClient(ctx, path.client_id, body),
  }),
  route('clients.delete', {
    handle: (ctx, { path }) => deleteClient(ctx, path.client_id),
  }),
];
