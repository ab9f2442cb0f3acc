import { type Route, route } from '../../http/route.ts';
import { cancelReplay, createReplay, getReplay, listReplays } from './webhook-replays.service.ts';

export const webhookReplayRoutes: readonly Route[] = [
  route('webhooks.replays.list', {
    handle: (ctx, { query }) => listReplays(ctx, query),
  }),
  route('webhooks.replays.create', {
    handle: (ctx, { body }) => createReplay(ctx, body),
  }),
  route('webhooks.replays.get', {
    handle: (ctx, { path }) => getReplay(ctx, path.replay_id),
  }),
  route('webhooks.replays.cancel', {
    handle: (ctx, { path }) => cancelReplay(ctx, path.replay_id),
  }),
];
