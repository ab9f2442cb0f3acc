import type { Trace, TraceEntry, TraceProblem } from '@plat/contract';
import { type Html, type HtmlValue, html, isolated } from '../http/html.ts';
import type { RequestBodies } from '../resources/requests/request-bodies.ts';
import { ACCESS } from './access.ts';
import type { ActorNames } from './actor-names.ts';
import type { SignedInPage } from './layout.ts';
import type { NamedObject } from './named-object.ts';
import { badge } from './parts/badge.ts';
import { codeBlock, curlOf } from './parts/code.ts';
import { emptyState } from './parts/empty.ts';
import { referenceText } from './parts/pane.ts';
import { ROOM_OF_PART } from './room-scopes.ts';
import { isTestEvent } from './test-event.ts';
import { timelines } from './trace-timeline.ts';

export interface TraceView {
  readonly trace: Trace;
  /** Address of the page, without its query. */
  readonly path: string;
  /** Address of the endpoints, to which an id is added. */
  readonly endpointsPath: string;
  /** Hidden field of forms; null if the account may not send events again. */
  readonly csrf: HtmlValue;
  readonly mayResend: boolean;
  /** Bodies that the request log kept, by request id. */
  readonly bodies: ReadonlyMap<string, RequestBodies>;
  readonly now: number;
  /** The object of the trace, if it has a page. */
  readonly object: NamedObject | null;
  /** Names of the actors of the changes. */
  readonly actors: ActorNames;
  /** Commands that show the same trace. */
  readonly commands: Html;
}

/** The trace of an id: failures with cause and fix, then the timelines. */
export function tracePage(view: TraceView): SignedInPage {
  const { trace, path, now, object } = view;
  const { subject, entries, problems } = trace;
  const hrefOf = (id: string) => `${path}?id=${encodeURIComponent(id)}`;
  const [first, ...others] = problems;
  const state = problems.length > 0 ? badge(`${problems.length} failing`, 'bad') : null;
  return {
    title: `Trace of ${titleOf(trace)}`,
    jump: trace.id,
    badges: state && html` ${state}`,
    meta: html`${object && html`<span>${isolated(object.name)}</span>`}<span class="mono">${subject.id}</span>`,
    actions: object && html`<a class="btn" href="${object.href}">Open ${object.words}</a>`,
    body: html`${first && problem(first, view)}
<div class="cols section">
<section aria-labelledby="timeline"${isInProgress(entries, now) && html` data-refresh`}><h2 class="sr" id="timeline">Timeline</h2>
${entries.length === 0 ? emptyState({ title: 'Nothing is recorded', words: 'The object exists, and its history is empty.' }) : timelines({ entries, hrefOf, now, bodies: view.bodies, actors: view.actors })}
${trace.next_cursor !== null && html`<p><a class="btn" href="${hrefOf(trace.id)}&amp;starting_after=${trace.next_cursor}">Show older causes</a></p>`}
</section>
<aside aria-labelledby="in-trace"><h2 id="in-trace">In this trace</h2>
<dl class="kv section-kv">${counts(trace).map(([name, count]) => html`<dt>${name}</dt><dd>${count}</dd>`)}</dl>
${others.length > 0 && html`<h2>Further failures</h2><ul>${others.map(({ entry_id, code }) => html`<li><a href="#${entry_id}">${code}</a> <span class="mono">${entry_id}</span></li>`)}</ul>`}
${withheld(trace)}
${view.commands}
<p class="hint section">Anyone with the same access can open this page by its address.</p></aside>
</div>`,
  };
}

/** Attempts that are due later are not waited for, in ms. */
const SOON_MS = 60_000;

/** True while attempts are due: the script then loads the page again. */
function isInProgress(entries: Trace['entries'], now: number): boolean {
  const isDue = ({ at }: TraceEntry) => Date.parse(at) - now < SOON_MS;
  return entries.some((entry) => entry.kind === 'attempt' && entry.delivery.status === 'pending' && isDue(entry));
}

function titleOf({ id, subject, entries }: Trace): string {
  const event = entries.find((entry) => entry.kind === 'event');
  if (event?.kind === 'event' && subject.type === 'request' && isTestEvent(event.event)) return 'a test event';
  if ((subject.type === 'event' || subject.type === 'webhook_delivery') && event?.kind === 'event')
    return event.event.type;
  const request = entries.find((entry) => entry.id === subject.id);
  if (request?.kind === 'request' && request.request) return `${request.request.method} ${request.request.path}`;
  return id === subject.id ? `${subject.type.replaceAll('_', ' ')}` : id;
}

/** A failure with its cause, its fix and the buttons that apply it. */
function problem(
  { entry_id, code, cause, fix }: TraceProblem,
  { trace, path, endpointsPath, csrf, mayResend }: TraceView,
): Html {
  const entry = trace.entries.find(({ id }) => id === entry_id);
  const attempt = entry?.kind === 'attempt' ? entry : undefined;
  const verdict = attempt
    ? `${nameOf(attempt.endpoint?.url)} has not received this event`
    : entry?.kind === 'request'
      ? `The request was refused: ${code}`
      : code.replaceAll('_', ' ');
  const words = attempt?.delivery.response_body || attempt?.delivery.error;
  const eventId = attempt?.delivery.event_id ?? (entry?.kind === 'event' ? entry.id : undefined);
  const again = (
    label: string,
    look: string,
    endpointId?: string,
  ) => html`<form method="post" action="${path}/replay">${csrf}
<input type="hidden" name="event_id" value="${eventId}">${endpointId !== undefined && html`<input type="hidden" name="endpoint_id" value="${endpointId}">`}
<button type="submit" class="btn ${look}">${label}</button></form>`;
  const endpoint = attempt?.endpoint;
  const first =
    endpoint?.status === 'disabled'
      ? html`<a class="btn btn-primary" href="${endpointsPath}/${endpoint.id}">Open endpoint</a>`
      : endpoint && again('Resend to this endpoint', 'btn-primary', endpoint.id);
  return html`<section class="notice bad" aria-labelledby="verdict">
<h2 id="verdict">${verdict}</h2>
<dl class="kv"><dt>Cause</dt><dd>${referenceText(cause)}${words && html` <code>${words}</code>`}</dd>
<dt>Fix</dt><dd>${referenceText(fix)}</dd></dl>
${
  mayResend && eventId !== undefined && html`<div class="actions">${first}${again('Replay to all endpoints', '')}</div>`
}
</section>`;
}

/** Endpoints of one host differ in their paths. The query may have a secret. */
function nameOf(url: string | undefined): string {
  const parsed = url === undefined ? null : URL.parse(url);
  return parsed ? `${parsed.host}${parsed.pathname === '/' ? '' : parsed.pathname}` : 'The endpoint';
}

function counts({ entries }: Trace): readonly (readonly [string, number])[] {
  const count = (kind: string) => entries.filter((entry) => entry.kind === kind).length;
  const rows = [
    ['Requests', count('request')],
    ['Changes', count('change')],
    ['Events', count('event')],
    ['Attempts', count('attempt')],
    ['Replays', count('replay')],
    ['Steps of grants', count('grant')],
  ] as const;
  return rows.filter(([, n]) => n > 0);
}

const ROLES = ['owner', 'member', 'viewer'] as const;

function withheld({ withheld: parts, truncated }: Trace): Html {
  const hidden = parts.map(({ part }) => (part === 'grants' ? 'steps of grants' : part)).join(', ');
  const seers = ROLES.filter((role) => parts.every(({ part }) => ACCESS[ROOM_OF_PART[part]][role] !== 'none'));
  return html`${hidden !== '' && html`<p class="hint">Hidden from your role: ${hidden}. Roles with access: ${seers.join(', ')}.</p>`}${
    truncated.length > 0 && html`<p class="hint">Only the newest are shown: ${truncated.join(', ')}.</p>`
  }`;
}

/** A key or a token in the place of an id. It is not shown again. */
export function enteredSecretPage(checkPath: string | null): SignedInPage {
  return {
    title: "Don't enter secrets here",
    body: html`<p>The history of your browser now has this secret. If others can read that history, replace the secret.</p>
${
  checkPath === null
    ? html`<p>A key or an access token is valid if the API accepts it:</p>
${codeBlock({ label: 'curl', text: curlOf('/me') })}`
    : html`<p><a class="btn btn-primary" href="${checkPath}">Check a key or token</a></p>`
}`,
  };
}

/**
 * Text without a trace.
 * @param searchPath address of the clients whose names contain the text
 */
export function untracedPage(text: string, searchPath: string | null = null): SignedInPage {
  return {
    title: text === '' ? 'Trace' : 'Nothing is recorded about it',
    jump: text,
    body: html`<p>Enter a complete id of any kind, the e-mail address of a user, or the slug of a client or group. The id of a request is in the header <code>X-Request-Id</code> of its response.</p>
${text !== '' && searchPath !== null && html`<p><a class="btn" href="${searchPath}">Search the names of clients</a></p>`}
${codeBlock({ label: 'plat', text: 'plat trace <id>' })}`,
  };
}
