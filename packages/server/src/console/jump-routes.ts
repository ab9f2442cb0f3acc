import { ID_PATTERN, ID_PREFIXES, type IdKind } from '@plat/contract';
import { html } from '../http/html.ts';
import type { PageRoute } from './page-route.ts';

/** Page of an object by the kind of its id, below the prefix of the rooms. */
const PLACE_OF: { readonly [K in IdKind]?: string } = {
  request: '/requests/',
  event: '/events/',
  webhook_endpoint: '/webhooks/',
  webhook_delivery: '/webhooks/deliveries/',
  audit_event: '/audit/',
};

const KINDS = new Map(Object.entries(PLACE_OF).map(([kind, path]) => [ID_PREFIXES[kind as IdKind], path]));
const ANY_ID = new RegExp(`^([a-z]{3})_${ID_PATTERN}$`);

/** The jump box: leads from an id to its page. */
export const jumpRoutes: readonly PageRoute[] = [
  {
    room: 'home',
    method: 'GET',
    path: '/jump',
    async handle({ base, prefix, query }) {
      const id = (query['id'] ?? '').trim();
      const place = KINDS.get(ANY_ID.exec(id)?.[1] as (typeof ID_PREFIXES)[IdKind]);
      if (place !== undefined) return { goTo: `${prefix}${place}${id}` };
      // Every other object is the target of audit entries.
      if (ANY_ID.test(id)) return { goTo: `${prefix}/audit?target_id=${id}` };
      return {
        status: id === '' ? 200 : 404,
        page: {
          title: id === '' ? 'Jump to an id' : 'Nothing has this id',
          jump: id,
          body: html`<p>Enter a complete id, such as a request id from the header <code>X-Request-Id</code>, or an id from an event.</p>
<p><a class="btn" href="${base}${prefix}/requests">All requests</a></p>`,
        },
      };
    },
  },
];
