import { type Route, route } from '../../http/route.ts';
import { replay, replayCreate, replayList } from './webhook-replays.schemas.ts';
import { cancelReplay, createReplay, getReplay, listReplays } from './webhook-replays.service.ts';

export const webhookReplayRoutes: readonly Route[] = [
  route('webhooks.replays.list', {
    query: replayList,
    response: replay,
    handle: (ctx, { query }) => listReplays(ctx, query),
  }),
  route('webhooks.replays.create', {
    body: replayCreate,
    response: replay,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'UNPROCESSABLE'],
    handle: (ctx, { body }) => createReplay(ctx, body),
  }),
  route('webhooks.replays.get', {
    response: replay,
    errors: ['WEBHOOK_REPLAY_NOT_FOUND'],
    handle: (ctx, { path }) => getReplay(ctx, path.replay_id),
  }),
  route('webhooks.replays.cancel', {
    response: replay,
    errors: ['WEBHOOK_REPLAY_NOT_FOUND', 'UNPROCESSABLE'],
    handle: (ctx, { path }) => cancelReplay(ctx, path.replay_id),
  }),
];
