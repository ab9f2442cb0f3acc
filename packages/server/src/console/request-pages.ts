import { LIMITS, type LoggedRequest, OPERATIONS } from '@plat/contract';
import { ERROR_REFERENCE } from '@plat/contract/error-reference';
import { curlCommand, idempotencyOptions, jsonOptions, WITH_API_KEY } from '../http/call-code.ts';
import { type Html, html, isolated } from '../http/html.ts';
import type { Page } from '../http/route.ts';
import type { RequestBodies } from '../resources/requests/request-bodies.ts';
import { mayEnter } from './access.ts';
import { type ActorNames, shownName } from './actor-names.ts';
import { type Kept, keepsAll, reachOf } from './last-use.ts';
import type { SignedInPage } from './layout.ts';
import type { PageCall } from './page-route.ts';
import { CREDENTIAL_WORDS, statusBadge } from './parts/badge.ts';
import { codeBlock, commands, curlOf, jsonBlock, jsonIn } from './parts/code.ts';
import { emptyState, noMatch } from './parts/empty.ts';
import { copyId, kv, mono, shortId } from './parts/kv.ts';
import {
  apiQuery,
  type Filter,
  filterBar,
  filterQuery,
  isFiltered,
  pager,
  platOptions,
  type Query,
  queryOf,
  type RefusedFilters,
  TIMES,
} from './parts/list.ts';
import { referenceOf } from './parts/look-up.ts';
import { pane, problem, referenceText } from './parts/pane.ts';
import { type Column, table } from './parts/table.ts';
import { ago, duration, instant } from './parts/time.ts';

export const REQUESTS_PATH = '/requests';
export const TAIL_PATH = `${REQUESTS_PATH}/tail`;

const choices = (values: readonly string[]) => values.map((value) => ({ value, words: value }));

export const REQUEST_FILTERS: readonly Filter[] = [
  {
    name: 'outcome',
    label: 'Outcome',
    choices: [
      { value: 'failed', words: 'Refused or failed' },
      { value: 'succeeded', words: 'Succeeded' },
    ],
  },
  { name: 'method', label: 'Method', choices: choices(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']) },
  { name: 'operation', label: 'Operation', choices: choices(Object.keys(OPERATIONS)) },
  { name: 'code', label: 'Code', placeholder: 'SLUG_IN_USE' },
  { name: 'credential_id', label: 'Credential', placeholder: 'key_…' },
  ...TIMES,
];

interface Shown {
  readonly base: string;
  readonly prefix: string;
  readonly query: Query;
  readonly now: number;
}

interface ListShown extends Shown, Kept {
  readonly refused: RefusedFilters;
  readonly list: Page<LoggedRequest>;
  readonly selected: string | null;
  /** Name of the selected entry. */
  readonly name?: string;
  readonly pane: Html | null;
}

export function requestsPage(page: ListShown): SignedInPage {
  const { base, prefix, query, refused, now, list, selected, name, pane: shown } = page;
  const own = base + prefix + REQUESTS_PATH;
  const about = { own, query, refused, filters: REQUEST_FILTERS, nouns: 'requests' };
  // Beside a selected entry, and on an older page, a list does not move.
  const isPast = ['starting_after', 'ending_before', 'created_before'].some((name) => query[name]);
  const isLive = selected === null && !isPast;
  return {
    title: 'Requests',
    here: prefix + REQUESTS_PATH,
    lede: html`Calls to <code>/v1</code>, newest first. Each has the id of its response header <code>X-Request-Id</code>.`,
    selected: name,
    pane: shown,
    body: html`${filterBar(about)}
${
  list.data.length === 0
    ? html`${isLive && liveBar(base + prefix + TAIL_PATH, query, undefined)}${noRequests(page, isFiltered(query, REQUEST_FILTERS), own)}`
    : html`${isLive && liveBar(base + prefix + TAIL_PATH, query, list.data[0])}${requestsTable({ base, prefix, now }, list.data, { kept: keptQuery(query), selected })}`
}
${pager(about, list)}
${commands(`plat requests list${platOptions(query, REQUEST_FILTERS, now)}`, curlOf(`/requests${apiQuery(query, REQUEST_FILTERS, now)}`))}`,
  };
}

/** The filters and the cursor of the list, for the links of its rows. */
export function keptQuery(query: Query): string {
  return queryOf(query, REQUEST_FILTERS);
}

/** Lists requests. The links keep the query of the list. */
export function requestsTable(
  shown: Pick<Shown, 'base' | 'prefix' | 'now'>,
  items: readonly LoggedRequest[],
  { kept = '', selected = null }: { readonly kept?: string; readonly selected?: string | null } = {},
): Html {
  const rows = requestRows(shown, kept);
  return table({ caption: 'Requests, newest first', items, isCurrent: ({ id }) => id === selected, ...rows });
}

/** Columns and ids of the rows, which the live tail renders too. */
export function requestRows({ base, prefix, now }: Pick<Shown, 'base' | 'prefix' | 'now'>, kept: string) {
  const own = base + prefix + REQUESTS_PATH;
  const columns: readonly Column<LoggedRequest>[] = [
    { words: 'Time', look: 'nowrap muted', cell: ({ created_at }) => ago(created_at, now) },
    {
      words: 'Request',
      isHead: true,
      look: 'grow',
      cell: (request) =>
        html`<a class="row-link mono" href="${own}/${request.id}${kept}"><span class="method">${request.method}</span> ${targetOf(request)}</a>`,
    },
    { words: 'Status', cell: ({ status }) => statusBadge(status) },
    { words: 'Code', look: 'wide mono soft nowrap brief', cell: ({ error }) => error?.code },
    {
      words: 'Credential',
      look: 'wide spare nowrap soft mono',
      cell: ({ credential }) => shortId(credential.id),
    },
    { words: 'Duration', look: 'num nowrap wide', cell: ({ duration_ms }) => duration(duration_ms) },
  ];
  return { columns, rowId: ({ id }: LoggedRequest) => id };
}

/** Control of the live tail, which the script shows. */
function liveBar(path: string, query: Query, newest: LoggedRequest | undefined): Html {
  return html`<p class="live" data-tail="${path}${filterQuery(query, REQUEST_FILTERS)}" data-after="${newest?.id}" hidden><span role="status"></span><button type="button" class="btn">Pause</button></p>
`;
}

function noRequests(kept: Kept, filtered: boolean, own: string): Html {
  if (filtered) return noMatch({ one: 'request', many: 'requests', own });
  if (!keepsAll(kept)) {
    return emptyState({ title: 'No requests in the log', words: `It keeps ${reachOf(kept)}.` });
  }
  return emptyState({
    title: 'No requests yet',
    words: 'Every call to the API appears here within a second. Make the first one:',
    command: { label: 'curl', text: curlOf('/me') },
  });
}

function targetOf({ path, query }: LoggedRequest): string {
  return query === null ? path : `${path}?${query}`;
}

export function requestPane(
  { base, prefix, query, session }: Shown & Pick<PageCall, 'session'>,
  request: LoggedRequest,
  bodies: RequestBodies | undefined,
  callers: ActorNames,
): Html {
  const own = base + prefix + REQUESTS_PATH;
  const { id, method, status, error, credential, operation, created_at, duration_ms } = request;
  return pane({
    title: html`${method} ${targetOf(request)}`,
    isMono: true,
    listPath: own + keptQuery(query),
    listWords: 'All requests',
    meta: html`${statusBadge(status)}${error && html` <span class="mono">${error.code}</span>`} <span>${duration(duration_ms)}</span>`,
    body: html`${refusalOf(request)}
<div class="actions"><a class="btn" href="${base}${prefix}/trace?id=${id}">Open trace</a></div>
${kv([
  ['Request', copyId(id)],
  ['Time', instant(created_at)],
  ['Operation', operation === null ? 'None: the path is unknown' : mono(operation)],
  [
    'Credential',
    html`${CREDENTIAL_WORDS[credential.type]} ${shownName(callers, credential.id)}<a class="mono" href="${own}?credential_id=${credential.id}">${credential.id}</a>`,
  ],
  ['App', credential.app_id && html`${shownName(callers, credential.app_id)}${mono(credential.app_id)}`],
  [
    'From',
    [request.ip, request.user_agent === null ? null : isolated(request.user_agent)].flatMap((part) =>
      part === null ? [] : [part, ' '],
    ),
  ],
  ['Idempotency key', request.idempotency_key === null ? null : mono(request.idempotency_key)],
  ['Replayed', request.idempotent_replayed ? 'Yes: the response is that of the first request with this key' : null],
  [
    'Changes',
    method === 'GET' || error !== null
      ? 'None'
      : mayEnter(session, 'audit', 'read')
        ? // The actor of an access token is its app.
          html`<a href="${base}${prefix}/audit?actor_id=${credential.app_id ?? credential.id}">Audit entries of this caller</a>`
        : null,
  ],
])}
${bodies && bodyBlocks(bodies)}${!bodies && error && jsonBlock('Response body', { code: error.code, message: error.message, ...(error.errors && { errors: error.errors }) })}
<h3>As a command</h3>
${codeBlock({ label: 'This request as curl', text: sameRequest(request) })}${codeBlock({ label: 'This request as plat', text: `plat requests get ${id}` })}`,
  });
}

/** Shows the bodies that the log kept, and how much of them. */
export function bodyBlocks({ request, requestBytes, response, responseBytes }: RequestBodies): Html {
  return html`${request !== null && bodyBlock('Request body', request, requestBytes)}${response !== null && bodyBlock('Response body', response, responseBytes)}`;
}

function bodyBlock(label: string, text: string, bytes: number): Html {
  if (bytes > LIMITS.requestBodies.bytes) {
    return codeBlock({ label: `${label}, the first ${LIMITS.requestBodies.bytes} of ${bytes} bytes`, text });
  }
  const value = jsonIn(text);
  return value === undefined ? codeBlock({ label, text }) : jsonBlock(label, value);
}

/** In the place of a request that the log does not have, or not any more: the reason, and what else is recorded. */
export function goneRequestPane(call: PageCall): Html {
  const { base, prefix, query, id } = call;
  return pane({
    title: id,
    isMono: true,
    listPath: base + prefix + REQUESTS_PATH + keptQuery(query),
    listWords: 'All requests',
    meta: 'Not in the request log',
    body: html`<div class="flow"><p>The request log has no entry with this id, or no longer.</p>
<ul class="bullets"><li>It keeps ${reachOf(call)}.</li>
<li>It has calls of this tenant to <code>/v1</code> only, and no pages of the console.</li></ul>
<p>Its changes, events and deliveries may still be recorded:</p></div>
<div class="actions"><a class="btn" href="${base}${prefix}/trace?id=${id}">Open trace</a></div>`,
  });
}

/** Cause and fix of a refused request, in words before the evidence. */
function refusalOf({ error, status }: LoggedRequest): Html | null {
  if (error === null) {
    return status === null
      ? problem(
          'bad',
          'The connection ended before the response',
          'The caller or a proxy closed the connection.',
          'Send the request again with the same Idempotency-Key.',
        )
      : null;
  }
  const { cause, fix } = referenceOf(ERROR_REFERENCE, error.code);
  const fields = error.errors?.map(
    ({ path, message }) => html`<li>${path !== '' && html`<code>${path}</code> `}${message}</li>`,
  );
  return problem(
    (status ?? 500) >= 500 ? 'bad' : 'warn',
    error.message,
    html`${referenceText(cause)}${fields && fields.length > 0 && html`<ul class="bullets">${fields}</ul>`}`,
    referenceText(fix),
  );
}

/** Returns a curl command for the request. The log has no bodies. */
export function sameRequest({
  method,
  path,
  query,
  idempotency_key: key,
}: Pick<LoggedRequest, 'method' | 'path' | 'query' | 'idempotency_key'>): string {
  const hasBody = method === 'POST' || method === 'PATCH' || method === 'PUT';
  return curlCommand(method, query === null ? path : `${path}?${query}`, [
    WITH_API_KEY,
    ...idempotencyOptions(key),
    ...jsonOptions(hasBody ? '{ … }' : null),
  ]);
}
