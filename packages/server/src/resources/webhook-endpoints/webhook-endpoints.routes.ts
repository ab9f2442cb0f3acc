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
    errors: ['WEBHOOK_URL_IN_USE', 'WEBHOOK_ENDPOINT_LIMIT'],
    handle: (ctx, { body }) => createEndpoint(ctx, body),
  }),
  route('webhooks.endpoints.get', {
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
    handle: (ctx, { path }) => getEndpoint(ctx, path.endpoint_id),
  }),
  route('webhooks.endpoints.update', {
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_URL_IN_USE'],
    handle: (ctx, { path, body }) => updateEndpoint(ctx, path.endpoint_id, body),
  }),
  route('webhooks.endpoints.delete', {
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
    handle: (ctx, { path }) => deleteEndpoint(ctx, path.endpoint_id),
  }),
  route('webhooks.endpoints.rotate_secret', {
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
    handle: (ctx, { path, body }) => rotateSecret(ctx, path.endpoint_id, body),
  }),
];
