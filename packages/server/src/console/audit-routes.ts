import { type AuditEvent, type AuditEventListParams, type IdKind, isId, TRACE_SUBJECTS } from '@plat/contract';
import { SCHEMAS } from '@plat/contract/schemas';
import { accountIdOf } from '../accounts/session.ts';
import { type Html, type HtmlValue, html, isolated } from '../http/html.ts';
import { getAuditEvent, listAuditEvents } from '../resources/audit/audit.service.ts';
import { type ActorNames, readActorNames, shownName } from './actor-names.ts';
import { auditExport } from './audit-export.ts';
import type { SignedInPage } from './layout.ts';
import { namedObject } from './named-object.ts';
import type { PageCall, PageRoute } from './page-route.ts';
import { ACTOR_WORDS } from './parts/badge.ts';
import { changesTable } from './parts/changes-table.ts';
import { codeBlock, commands, curlOf } from './parts/code.ts';
import { emptyState, noMatch } from './parts/empty.ts';
import { copyId, kv, shortId } from './parts/kv.ts';
import {
  apiQuery,
  type Filter,
  filterBar,
  filterQuery,
  isFiltered,
  listParams,
  pager,
  platOptions,
  queryOf,
  TIMES,
} from './parts/list.ts';
import { pane } from './parts/pane.ts';
import { table } from './parts/table.ts';
import { ago, instant } from './parts/time.ts';

const PATH = '/audit';

const FILTERS: readonly Filter[] = [
  { name: 'action', label: 'Action', placeholder: 'client.created' },
  { name: 'actor_id', label: 'Actor', placeholder: 'usr_…' },
  { name: 'target_id', label: 'Target', placeholder: 'cli_…' },
  { name: 'session_id', label: 'Sign-in', placeholder: 'ses_…' },
  ...TIMES,
];

/** The audit trail: who changed what, with the values before and after. */
export const auditRoutes: readonly PageRoute[] = [
  {
    room: 'audit',
    method: 'GET',
    path: PATH,
    async handle(call) {
      return { page: await auditPage(call, null) };
    },
  },
  ...(['csv', 'ndjson'] as const).map(
    (format): PageRoute => ({
      room: 'audit',
      method: 'GET',
      path: `${PATH}/export.${format}`,
      handle: async (call) => auditExport(call.ctx, format, paramsOf(call)),
    }),
  ),
  {
    room: 'audit',
    method: 'GET',
    path: `${PATH}/:id`,
    async handle(call) {
      return { page: await auditPage(call, await getAuditEvent(call.ctx, call.id)) };
    },
  },
];

function paramsOf(call: PageCall): AuditEventListParams {
  return listParams<AuditEventListParams>(SCHEMAS.AuditEventListParams, call, FILTERS);
}

async function auditPage(call: PageCall, selected: AuditEvent | null): Promise<SignedInPage> {
  const { ctx, base, prefix, query, refused, now } = call;
  const list = await listAuditEvents(ctx, paramsOf(call));
  const shown = selected ? [...list.data, selected] : list.data;
  const names = await readActorNames(
    call,
    shown.map(({ actor }) => actor),
  );
  const own = base + prefix + PATH;
  const kept = queryOf(query, FILTERS);
  const filtered = filterQuery(query, FILTERS);
  const about = { own, query, refused, filters: FILTERS, nouns: 'entries' };
  return {
    title: 'Audit',
    here: prefix + PATH,
    lede: 'Every change of this tenant, newest first. Entries cannot be changed.',
    actions:
      list.data.length > 0 &&
      html`<a class="btn" href="${own}/export.csv${filtered}">Save as CSV</a><a class="btn" href="${own}/export.ndjson${filtered}">Save as NDJSON</a>`,
    selected: selected?.action,
    pane: selected && (await auditPane(call, selected, names)),
    body: html`${filterBar(about)}
${
  list.data.length === 0
    ? isFiltered(query, FILTERS)
      ? noMatch({ one: 'entry', many: 'entries', own })
      : emptyState({
          title: 'No changes yet',
          words: 'Every change by a person, an app or the platform appears here. Make one:',
          command: { label: 'plat', text: 'plat clients create --name Acme' },
        })
    : auditTable(call, list.data, { names, kept, selected: selected?.id })
}
${pager(about, list)}
${commands(`plat audit events list${platOptions(query, FILTERS, now)}`, curlOf(`/audit/events${apiQuery(query, FILTERS, now)}`))}`,
  };
}

/** Lists audit entries. The links keep the query of the list. */
export function auditTable(
  { base, prefix, now }: Pick<PageCall, 'base' | 'prefix' | 'now'>,
  items: readonly AuditEvent[],
  {
    names,
    kept,
    selected,
  }: { readonly names: ActorNames; readonly kept: string; readonly selected?: string | undefined },
): Html {
  return table({
    caption: 'Audit entries, newest first',
    items,
    isCurrent: ({ id }) => id === selected,
    columns: [
      { words: 'Time', look: 'nowrap muted', cell: ({ created_at }) => ago(created_at, now) },
      {
        words: 'Action',
        isHead: true,
        look: 'grow',
        cell: ({ id, action }) =>
          html`<a class="row-link mono" href="${base}${prefix}${PATH}/${id}${kept}">${action}</a>`,
      },
      { words: 'Actor', look: 'nowrap soft', cell: ({ actor }) => actorOf(actor, names) },
      { words: 'Target', look: 'wide spare nowrap soft mono', cell: ({ target }) => shortId(target.id) },
    ],
  });
}

async function auditPane(call: PageCall, entry: AuditEvent, names: ActorNames): Promise<Html> {
  const { base, prefix, query, session } = call;
  const own = base + prefix + PATH;
  const { id, action, actor, target, changes, request_id: request, session_id: signIn, ip, created_at } = entry;
  const all = (name: 'actor_id' | 'target_id' | 'session_id', value: string) =>
    html`<a class="mono" href="${own}?${name}=${value}">${value}</a>`;
  // A page of the console has a request id too, but only calls of /v1 are in the request log.
  const isCall = actor.type === 'api_key' || actor.type === 'oauth_app';
  const kind = TRACE_SUBJECTS.find((one: IdKind) => isId(one, target.id));
  const object = kind === undefined ? null : await namedObject(call, { type: kind, id: target.id });
  const targetName = object && html`<a href="${object.href}">${isolated(object.name)}</a> `;
  return pane({
    title: action,
    isMono: true,
    listPath: own + queryOf(query, FILTERS),
    listWords: 'All entries',
    meta: html`<span>${ACTOR_WORDS[actor.type]}</span> ${instant(created_at)}`,
    body: html`${changesTable(changes)}
${kv([
  ['Entry', copyId(id)],
  [
    'Actor',
    actor.id === null
      ? ACTOR_WORDS[actor.type]
      : html`${ACTOR_WORDS[actor.type]} ${shownName(names, actor.id)}${all('actor_id', actor.id)}${actor.id === accountIdOf(session) && ' (you)'}`,
  ],
  ['Target', html`${target.type.replaceAll('_', ' ')} ${targetName}${all('target_id', target.id)}`],
  [
    'Request',
    request === null
      ? null
      : html`<a class="mono" href="${base}${prefix}/${isCall ? 'requests/' : 'trace?id='}${request}">${request}</a>`,
  ],
  ['Sign-in', signIn === null ? null : all('session_id', signIn)],
  ['Address', ip],
])}
<h3>As a command</h3>
${codeBlock({ label: 'This entry as plat', text: `plat audit events get ${id}` })}`,
  });
}

function actorOf({ type, id }: AuditEvent['actor'], names: ActorNames): HtmlValue {
  const name = names.get(id ?? '');
  if (name !== undefined) return html`${ACTOR_WORDS[type]} <span class="wide muted">${isolated(name)}</span>`;
  return html`${ACTOR_WORDS[type]}${id !== null && html` <span class="wide mono muted">${shortId(id)}</span>`}`;
}
