import { LIMITS, maskSecrets } from '@plat/contract';
import { shellWord } from '../http/shell-word.ts';
import { readBodies } from '../resources/requests/request-bodies.ts';
import { appOfObject } from '../resources/trace/app-of-object.ts';
import { traceOf } from '../resources/trace/trace.service.ts';
import { mayEnter } from './access.ts';
import { readActorNames } from './actor-names.ts';
import { appTracePathOf } from './app-pages.ts';
import { isUntraced } from './app-trace-routes.ts';
import { CREDENTIAL_PATH } from './credential-pages.ts';
import { WEBHOOKS_PATH } from './endpoint-pages.ts';
import { csrfField } from './layout.ts';
import { namedObject } from './named-object.ts';
import type { PageRoute } from './page-route.ts';
import { commands, curlOf } from './parts/code.ts';
import { TRACE_PATH as PATH } from './places.ts';
import { replayPosted } from './replay-event.ts';
import { scopesOfRooms, traceParts } from './room-scopes.ts';
import { enteredSecretPage, tracePage, untracedPage } from './trace-pages.ts';

/** The trace of any id. The jump box of every page leads here. */
export const traceRoutes: readonly PageRoute[] = [
  {
    room: 'trace',
    method: 'GET',
    path: PATH,
    async handle(call) {
      const { session, ctx, base, prefix, query, now } = call;
      const text = (query['id'] ?? '').trim().slice(0, LIMITS.email.max);
      const here = prefix + PATH;
      if (maskSecrets(text) !== text) {
        const checkPath = mayEnter(session, 'key', 'read') ? base + prefix + CREDENTIAL_PATH : null;
        return { status: 404, page: { here, ...enteredSecretPage(checkPath) } };
      }
      if (text === '') return { page: { here, ...untracedPage('') } };
      // The sandbox has the changes of an app's endpoint, and the app its deliveries.
      const app = session.kind === 'developer' && (await appOfObject(ctx, session.developerId, text));
      if (app) return { goTo: `${appTracePathOf(app)}?id=${text}` };
      const cursor = query['starting_after'];
      try {
        const trace = await traceOf(
          ctx,
          text,
          scopesOfRooms(session),
          cursor === undefined ? {} : { starting_after: cursor },
          traceParts(session),
        );
        const mayResend = mayEnter(session, 'webhooks', 'change');
        // A trace shows requests only to those who may read the log.
        const requests = trace.entries.filter(({ kind }) => kind === 'request').map(({ id }) => id);
        const changes = trace.entries.flatMap((entry) => (entry.kind === 'change' ? [entry.change.actor] : []));
        const [bodies, object, actors] = await Promise.all([
          readBodies(ctx, requests),
          namedObject(call, trace.subject),
          readActorNames(call, changes),
        ]);
        const shown = commands(`plat trace ${shellWord(trace.id)}`, curlOf(`/trace/${encodeURIComponent(trace.id)}`));
        const page = tracePage({
          ...{ trace, path: base + here, endpointsPath: base + prefix + WEBHOOKS_PATH },
          ...{ csrf: csrfField(session), mayResend, bodies, object, actors, now, commands: shown },
        });
        return { page: { here, ...page } };
      } catch (error) {
        if (!isUntraced(error)) throw error;
        const search = new URLSearchParams({ search: text.slice(0, LIMITS.name.max) });
        const searchPath = mayEnter(session, 'clients', 'read') ? `${base}${prefix}/clients?${search}` : null;
        return { status: 404, page: { here, ...untracedPage(text, searchPath) } };
      }
    },
  },
  {
    room: 'webhooks',
    method: 'POST',
    path: `${PATH}/replay`,
    async handle({ change, prefix, fields }) {
      const { event_id: eventId = '' } = fields;
      await change((made) => replayPosted(made, eventId, fields));
      return { goTo: `${prefix}${PATH}?${new URLSearchParams({ id: eventId })}` };
    },
  },
];
