import { LIMITS } from '@plat/contract';
import { changeAsApp } from '../developer/as-app.ts';
import { ApiError } from '../kernel/api-error.ts';
import { findOwnApp } from '../oauth/apps.service.ts';
import { appTraceOf } from '../resources/trace/trace.service.ts';
import { APPS_PATH, appTracePathOf } from './app-pages.ts';
import { webhooksPathOf } from './app-webhook-pages.ts';
import { csrfField } from './layout.ts';
import type { PageRoute } from './page-route.ts';
import { commands } from './parts/code.ts';
import { replayPosted } from './replay-event.ts';
import { tracePage, untracedPage } from './trace-pages.ts';

const PATH = appTracePathOf(':id');

/** Traces of the events, deliveries, endpoints and replays of an app, for its developer. */
export const appTraceRoutes: readonly PageRoute<'developer'>[] = [
  {
    room: 'apps',
    method: 'GET',
    path: PATH,
    async handle({ session, ctx, base, query, id: appId, now }) {
      const app = await findOwnApp(ctx.db, session.developerId, appId, null);
      const text = (query['id'] ?? '').trim().slice(0, LIMITS.email.max);
      const cursor = query['starting_after'];
      const shown = {
        here: APPS_PATH,
        below: [
          { path: APPS_PATH, words: 'OAuth apps' },
          { path: webhooksPathOf(app), words: `Webhooks of ${app.name}` },
        ],
      };
      if (text === '') return { page: { ...untracedPage(''), ...shown } };
      try {
        const params = cursor === undefined ? {} : { starting_after: cursor };
        const trace = await appTraceOf({ ...ctx, tenantId: app.id }, text, params);
        const page = tracePage({
          trace: { ...trace, withheld: [] },
          path: base + appTracePathOf(app.id),
          endpointsPath: base + webhooksPathOf(app),
          csrf: csrfField(session),
          mayResend: true,
          bodies: new Map(),
          object: null,
          actors: new Map(),
          now,
          commands: commands(`plat apps trace get ${app.id} ${trace.id}`),
        });
        return { page: { ...page, ...shown } };
      } catch (error) {
        if (!isUntraced(error)) throw error;
        return { status: 404, page: { ...untracedPage(text), ...shown } };
      }
    },
  },
  {
    room: 'apps',
    method: 'POST',
    path: `${PATH}/replay`,
    async handle({ id: appId, fields, write }) {
      const { event_id: eventId = '' } = fields;
      await write(async (ctx) => replayPosted(await changeAsApp(ctx, appId), eventId, fields));
      return { goTo: `${appTracePathOf(appId)}?${new URLSearchParams({ id: eventId })}` };
    },
  },
];

/** True for the refusal of an id of which nothing is recorded. */
export function isUntraced(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'TRACE_NOT_FOUND';
}
