import { type Route, route } from '../../http/route.ts';
import { cancelReplay, createReplay, getReplay, listReplays } from './webhook-replays.service.ts';

export const webhookReplayRoutes: readonly Route[] = [
  route('webhooks.replays.list', {
    handle: (ctx, { query }) => listReplays(ctx, query),
  }),
  route('webhooks.replays.create', {
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'UNPROCESSABLE'],
    handle: (ctx, { body }) => createReplay(ctx, body),
  }),
  route('webhooks.replays.get', {
    errors: ['WEBHOOK_REPLAY_NOT_FOUND'],
    handle: (ctx, { path }) => getReplay(ctx, path.replay_id),
  }),
  route('webhooks.replays.cancel', {
    errors: ['WEBHOOK_REPLAY_NOT_FOUND', 'UNPROCESSABLE'],
    handle: (ctx, { path }) => cancelReplay(ctx, path.replay_id),
  }),
];
