import { type Route, route } from '../../http/route.ts';
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from './webhook-endpoints.service.ts';

export const webhookEndpointRoutes: readonly Route[] = [
  route('webhooks.endpoints.list', {
    handle: (ctx, { query }) => listEndpoints(ctx, query),
  }),
  route('webhooks.endpoints.create', {
    handle: (ctx, { body }) => createEndpoint(ctx, body),
  }),
  route('webhooks.endpoints.get', {
    handle: (ctx, { path }) => getEndpoint(ctx, path.endpoint_id),
  }),
  route('webhooks.endpoints.update', {
    handle: (ctx, { path, body }) => updateEndpoint(ctx, path.endpoint_id, body),
  }),
  route('webhooks.endpoints.delete', {
    handle: (ctx, { path }) => deleteEndpoint(ctx, path.endpoint_id),
  }),
  route('webhooks.endpoints.rotate_secret', {
    handle: (ctx, { path, body }) => rotateSecret(ctx, path.endpoint_id, body),
  }),
];
