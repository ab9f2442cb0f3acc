import type { AppEvent, AppEventType, AppTrace } from '@plat/contract';
import { appTraceOf } from '../resources/trace/trace.service.ts';
import { replayEvent } from '../resources/webhook-deliveries/replay.service.ts';
import { getDelivery, listDeliveries } from '../resources/webhook-deliveries/webhook-deliveries.service.ts';
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from '../resources/webhook-endpoints/webhook-endpoints.service.ts';
import { getEvent, listEvents } from '../resources/webhook-events/webhook-events.service.ts';
import {
  cancelReplay,
  createReplay,
  getReplay,
  listReplays,
} from '../resources/webhook-replays/webhook-replays.service.ts';
import { asApp, changeAsApp } from './as-app.ts';
import { type DeveloperRoute, developerRoute } from './developer-route.ts';

/** The webhook operations of /v1, for the endpoints and events of an app (decision 064). */
export const appWebhookRoutes: readonly DeveloperRoute[] = [
  developerRoute('apps.webhooks.endpoints.list', {
    handle: async (ctx, { path, query }) => listEndpoints<AppEventType>(await asApp(ctx, path.app_id), query),
  }),
  developerRoute('apps.webhooks.endpoints.create', {
    handle: async (ctx, { path, body }) => createEndpoint(await changeAsApp(ctx, path.app_id), body),
  }),
  developerRoute('apps.webhooks.endpoints.get', {
    handle: async (ctx, { path }) => getEndpoint<AppEventType>(await asApp(ctx, path.app_id), path.endpoint_id),
  }),
  developerRoute('apps.webhooks.endpoints.update', {
    handle: async (ctx, { path, body }) =>
      updateEndpoint<AppEventType>(await changeAsApp(ctx, path.app_id), path.endpoint_id, body),
  }),
  developerRoute('apps.webhooks.endpoints.delete', {
    handle: async (ctx, { path }) => deleteEndpoint(await changeAsApp(ctx, path.app_id), path.endpoint_id),
  }),
  developerRoute('apps.webhooks.endpoints.rotate_secret', {
    handle: async (ctx, { path, body }) =>
      rotateSecret<AppEventType>(await changeAsApp(ctx, path.app_id), path.endpoint_id, body),
  }),

  developerRoute('apps.webhooks.events.list', {
    handle: async (ctx, { path, query }) => listEvents<AppEvent>(await asApp(ctx, path.app_id), query),
  }),
  developerRoute('apps.webhooks.events.get', {
    handle: async (ctx, { path }) => getEvent<AppEvent>(await asApp(ctx, path.app_id), path.event_id),
  }),
  developerRoute('apps.webhooks.events.replay', {
    async handle(ctx, { path, body }) {
      const url = `/developer/v1/apps/${path.app_id}/webhooks/events/${path.event_id}/replay`;
      return replayEvent<AppEventType>(await changeAsApp(ctx, path.app_id), path.event_id, body, url);
    },
  }),

  developerRoute('apps.webhooks.deliveries.list', {
    handle: async (ctx, { path, query }) => listDeliveries<AppEventType>(await asApp(ctx, path.app_id), query),
  }),
  developerRoute('apps.webhooks.deliveries.get', {
    handle: async (ctx, { path }) => getDelivery<AppEventType>(await asApp(ctx, path.app_id), path.delivery_id),
  }),

  developerRoute('apps.trace.get', {
    async handle(ctx, { path, query }) {
      const trace = await appTraceOf(await asApp(ctx, path.app_id), path.id, query);
      // All events of an app are of its types, and a trace of it has no other parts.
      return trace as unknown as AppTrace;
    },
  }),

  developerRoute('apps.webhooks.replays.list', {
    handle: async (ctx, { path, query }) => listReplays<AppEventType>(await asApp(ctx, path.app_id), query),
  }),
  developerRoute('apps.webhooks.replays.create', {
    handle: async (ctx, { path, body }) => createReplay<AppEventType>(await changeAsApp(ctx, path.app_id), body),
  }),
  developerRoute('apps.webhooks.replays.get', {
    handle: async (ctx, { path }) => getReplay<AppEventType>(await asApp(ctx, path.app_id), path.replay_id),
  }),
  developerRoute('apps.webhooks.replays.cancel', {
    handle: async (ctx, { path }) => cancelReplay<AppEventType>(await changeAsApp(ctx, path.app_id), path.replay_id),
  }),
];
