import { LIMITS } from '@plat/contract';
import { ApiError } from '../kernel/api-error.ts';
import { readBodies } from '../resources/requests/request-bodies.ts';
import { traceOf } from '../resources/trace/trace.service.ts';
import { replayEvent } from '../resources/webhook-deliveries/replay.service.ts';
import { mayEnter } from './access.ts';
import { csrfField } from './layout.ts';
import type { PageRoute } from './page-route.ts';
import { scopesOfRooms } from './room-scopes.ts';
import { tracePage, untracedPage } from './trace-pages.ts';

const PATH = '/trace';

/** The trace of any id. The jump box of every page leads here. */
export const traceRoutes: readonly PageRoute[] = [
  {
    room: 'trace',
    method: 'GET',
    path: PATH,
    async handle({ session, ctx, base, prefix, query, now }) {
      const text = (query['id'] ?? '').trim().slice(0, LIMITS.email.max);
      const here = prefix + PATH;
      if (text === '') return { page: { here, ...untracedPage('') } };
      const cursor = query['starting_after'];
      try {
        const trace = await traceOf(
          ctx,
          text,
          scopesOfRooms(session),
          cursor === undefined ? {} : { starting_after: cursor },
        );
        const mayResend = mayEnter(session, 'webhooks', 'change');
        // A trace shows requests only to those who may read the log.
        const requests = trace.entries.filter(({ kind }) => kind === 'request').map(({ id }) => id);
        const bodies = await readBodies(ctx, requests);
        return {
          page: { here, ...tracePage({ trace, path: base + here, csrf: csrfField(session), mayResend, bodies, now }) },
        };
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'TRACE_NOT_FOUND') throw error;
        return { status: 404, page: { here, ...untracedPage(text) } };
      }
    },
  },
  {
    room: 'webhooks',
    method: 'POST',
    path: `${PATH}/replay`,
    async handle({ change, prefix, fields }) {
      const { event_id: eventId = '', endpoint_id: endpointId } = fields;
      await change((made) => replayEvent(made, eventId, endpointId === undefined ? {} : { endpoint_id: endpointId }));
      return { goTo: `${prefix}${PATH}?${new URLSearchParams({ id: eventId })}` };
    },
  },
];
