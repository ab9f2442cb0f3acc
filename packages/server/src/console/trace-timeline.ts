import {
  type IdKind,
  isId,
  TRACE_SUBJECTS,
  type TraceAttempt,
  type TraceChange,
  type TraceEntry,
  type TraceEvent,
  type TraceGrant,
  type TraceRequest,
} from '@plat/contract';
import { type Html, type HtmlValue, html, isolated } from '../http/html.ts';
import type { RequestBodies } from '../resources/requests/request-bodies.ts';
import { type ActorNames, shownName } from './actor-names.ts';
import { ACTOR_WORDS, answerBadge, badge, CREDENTIAL_WORDS, statusBadge } from './parts/badge.ts';
import { changesTable } from './parts/changes-table.ts';
import { codeBlock, jsonBlock } from './parts/code.ts';
import { phases } from './parts/phases.ts';
import { clock, date, duration, instant, laterDate } from './parts/time.ts';
import { bodyBlocks, sameRequest } from './request-pages.ts';
import { isTestEvent, TEST_EVENT_WORDS } from './test-event.ts';

/** The page around an entry. */
interface Frame {
  readonly entries: readonly TraceEntry[];
  /** Returns the address of the trace of an id. */
  readonly hrefOf: (id: string) => string;
  readonly now: number;
  /** Bodies that the request log kept, by request id. */
  readonly bodies: ReadonlyMap<string, RequestBodies>;
  readonly actors: ActorNames;
}

/** Shows the entries of a trace: a timeline for each first cause, the newest first, with a branch for each endpoint. */
export function timelines(frame: Frame): readonly Html[] {
  const byId = new Map(frame.entries.map((entry) => [entry.id, entry]));
  const rootOf = (entry: TraceEntry): TraceEntry => {
    const cause = entry.caused_by === null || entry.kind === 'grant' ? undefined : byId.get(entry.caused_by);
    return cause && cause !== entry ? rootOf(cause) : entry;
  };
  return [...Map.groupBy(frame.entries, rootOf)].map(([root, chain]) => timeline(root, chain, frame));
}

function timeline(root: TraceEntry, chain: readonly TraceEntry[], frame: Frame): Html {
  const attempts = chain.filter((entry) => entry.kind === 'attempt');
  const steps = chain.filter((entry) => entry.kind !== 'attempt');
  const branches = [...Map.groupBy(attempts, ({ delivery }) => delivery.endpoint_id).values()];
  return html`<ol class="tl">
${steps.map((entry) => step(entry, root, frame))}${branches.map((branch, i) => fork(branch, i === branches.length - 1, root, frame))}</ol>
`;
}

function step(entry: Exclude<TraceEntry, TraceAttempt>, root: TraceEntry, frame: Frame): Html {
  return html`<li class="tl-item" id="${entry.id}"><span class="tl-rail"></span><span class="tl-node${isBad(entry) && ' bad'}"></span>${when(entry, root)}<div class="tl-body">
${body(entry, frame)}</div></li>
`;
}

function isBad(entry: TraceEntry): boolean {
  return entry.kind === 'request' ? Boolean(entry.request?.error) : entry.kind === 'grant' && entry.step === 'reused';
}

function body(entry: Exclude<TraceEntry, TraceAttempt>, frame: Frame): Html {
  switch (entry.kind) {
    case 'request':
      return requestBody(entry, frame);
    case 'change':
      return changeBody(entry, frame);
    case 'event':
      return eventBody(entry, frame);
    case 'replay': {
      const { select, status, scheduled_count: count } = entry.replay;
      return html`${head('Replay', `${select} events`, badge(status))}<p class="tl-text">${count} scheduled. ${idLink(entry.id, frame)}</p>`;
    }
    case 'grant':
      return grantBody(entry, frame);
  }
}

function requestBody({ id, request }: TraceRequest, frame: Frame): Html {
  if (!request) {
    return html`${head('Request', 'Not in the request log', null)}<p class="tl-text">${idLink(id, frame)} A page of the console, or a call that the log does not keep.</p>`;
  }
  const { method, path, query, status, error, credential, ip, user_agent: agent, duration_ms: ms } = request;
  const bodies = frame.bodies.get(id);
  const title = isolated(query === null ? `${method} ${path}` : `${method} ${path}?${query}`);
  const from = [ip && `from ${ip}`, agent && `with ${agent}`].filter(Boolean).join(' ');
  const fields = error?.errors?.map((one) => html`<li><code>${one.path}</code> ${one.message}</li>`);
  return html`${head('Request', title, statusBadge(status))}
<p class="tl-text">${CREDENTIAL_WORDS[credential.type]} ${idLink(credential.id, frame)} ${from}. Answered in ${duration(ms)}.</p>
${error && html`<p class="tl-text"><code>${error.code}</code> ${error.message}</p>`}${fields && html`<ul class="tl-text">${fields}</ul>`}
<details class="more"><summary>Request</summary><dl class="kv"><dt>Id</dt><dd>${idLink(id, frame)}</dd><dt>Operation</dt><dd>${request.operation ?? 'none'}</dd>${
    request.idempotency_key !== null && html`<dt>Idempotency key</dt><dd class="mono">${request.idempotency_key}</dd>`
  }</dl>${bodies && bodyBlocks(bodies)}${codeBlock({ label: `curl for ${id}`, text: sameRequest(request) })}</details>`;
}

function changeBody({ id, change }: TraceChange, frame: Frame): Html {
  const { action, target, actor, changes, session_id: signIn } = change;
  const by = html`${ACTOR_WORDS[actor.type]} ${shownName(frame.actors, actor.id)}${actor.id !== null && idLink(actor.id, frame)}`;
  return html`${head('Change', html`<span class="mono">${action}</span>`, null)}
<p class="tl-text">${idLink(target.id, frame)} by ${by}${signIn !== null && html` in the sign-in ${idLink(signIn, frame)}`}</p>${changesTable(changes)}
<p class="tl-text">Audit entry ${idLink(id, frame)}</p>`;
}

function eventBody({ id, event }: TraceEvent, frame: Frame): Html {
  const isTest = isTestEvent(event);
  return html`${head('Event', html`<span class="mono">${event.type}</span>`, isTest && badge('Test event'))}
<p class="tl-text">${idLink(id, frame)}${isTest && ` ${TEST_EVENT_WORDS}`}</p>
<details class="more"><summary>Payload</summary>${jsonBlock(`Payload of ${id}`, event)}</details>`;
}

function grantBody({ id, step: name, reason, ip, app_id, generation }: TraceGrant, frame: Frame): Html {
  const words = [reason?.replaceAll('_', ' '), generation !== null && `generation ${generation}`, ip && `from ${ip}`];
  return html`${head('Grant', name, null)}<p class="tl-text">${words.filter(Boolean).join(', ')} ${idLink(id, frame)} of ${idLink(app_id, frame)}</p>`;
}

/** The attempts at one endpoint. The last made one decides on the badge. */
function fork(attempts: readonly TraceAttempt[], isLast: boolean, root: TraceEntry, frame: Frame): Html {
  const [first] = attempts;
  if (!first) return html``;
  const last = attempts.findLast(({ delivery }) => delivery.status !== 'pending');
  const isDue = attempts.some(({ delivery }) => delivery.status === 'pending');
  const state = !last
    ? badge('Scheduled')
    : last.delivery.status === 'succeeded'
      ? badge('Delivered', 'good')
      : badge(isDue ? 'Retrying' : 'Failed', isDue ? 'warn' : 'bad');
  const { endpoint_id: id } = first.delivery;
  const name = first.endpoint?.url ?? 'Deleted endpoint';
  return html`<li class="tl-item tl-fork${isLast && ' tl-last-fork'}"><span class="tl-rail"></span><span class="tl-hook"></span><span class="tl-node"></span><span class="tl-stem"></span><div class="tl-body">
<div class="tl-head"><span class="tl-kind">Endpoint</span><h3><a href="${frame.hrefOf(id)}">${name}</a></h3>${state}</div>${
    first.endpoint?.paused_until &&
    html`<p class="tl-text">Paused until ${instant(first.endpoint.paused_until)} after repeated failures.</p>`
  }</div></li>
${attempts.map((attempt, i) => attemptItem(attempt, { isLast, isEnd: i === attempts.length - 1 }, root, frame))}`;
}

function attemptItem(
  entry: TraceAttempt,
  { isLast, isEnd }: { readonly isLast: boolean; readonly isEnd: boolean },
  root: TraceEntry,
  frame: Frame,
): Html {
  const { delivery, sent } = entry;
  const isPending = delivery.status === 'pending';
  const node = isPending ? 'next' : delivery.status === 'succeeded' ? 'good' : 'bad';
  const look = `${isLast ? ' tl-last' : ''}${isEnd ? ' tl-end' : ''}`;
  const isFailed = node === 'bad';
  const waits = Math.max(0, Date.parse(entry.at) - frame.now);
  return html`<li class="tl-item tl-branch${look}" id="${entry.id}"><span class="tl-rail"></span><span class="tl-line"></span><span class="tl-node ${node}"></span>${when(entry, root)}<div class="tl-body">
<div class="tl-head"><h3>Attempt ${delivery.attempt}</h3>${isPending ? badge('Scheduled') : answerBadge(delivery.response_status, delivery.error_class)}<span class="muted">${
    isPending
      ? waits === 0
        ? 'due'
        : `in ${duration(waits)}`
      : delivery.duration_ms !== null && duration(delivery.duration_ms)
  }</span></div>
${isFailed && html`<p class="tl-text"><code>${isolated(delivery.response_body || (delivery.error ?? ''))}</code></p>`}
<p class="tl-text">${idLink(entry.id, frame)}</p>
${sent && html`<details class="more"><summary>Sent headers, signature and response</summary>${attemptDetails(entry, sent, frame)}</details>`}</div></li>
`;
}

function attemptDetails({ delivery }: TraceAttempt, sent: NonNullable<TraceAttempt['sent']>, { entries }: Frame): Html {
  const event = entries.find((entry) => entry.kind === 'event' && entry.id === delivery.event_id);
  const body = event?.kind === 'event' ? JSON.stringify(event.event) : '<the event payload without white space>';
  const headers = (list: readonly { readonly name: string; readonly value: string }[]) =>
    list.map(({ name, value }) => `${name}: ${value}`).join('\n');
  const { response_status: status, response_headers, response_body: response } = delivery;
  return html`${delivery.timings && phases(delivery.timings)}
${delivery.remote_address && html`<dl class="kv"><dt>Address</dt><dd class="mono">${delivery.remote_address}</dd></dl>`}
${codeBlock({ label: `Sent headers of ${delivery.id}`, text: headers(sent.headers) })}
${codeBlock({ label: `Signed text of ${delivery.id}`, text: `${sent.signed_at}.${body}` })}
${status !== null && codeBlock({ label: `Response to ${delivery.id}`, text: `HTTP ${status}\n${headers(response_headers ?? [])}\n\n${response ?? ''}` })}`;
}

function head(kind: string, title: HtmlValue, state: HtmlValue): Html {
  return html`<div class="tl-head"><span class="tl-kind">${kind}</span><h3>${title}</h3>${state}</div>`;
}

/** The time of an entry, with its distance from the first cause. The first entry of the timeline and those of other days have the date. */
function when(entry: TraceEntry, root: TraceEntry): Html {
  const distance = duration(Math.max(0, Date.parse(entry.at) - Date.parse(root.at)));
  const below = entry === root ? date(root.at) : html`+${distance}${laterDate(entry.at, root.at)}`;
  return html`<div class="tl-when"><b>${clock(entry.at)}</b>${below}</div>`;
}

/** Links an id to its trace. Developers and other actors outside the tenant have none. */
function idLink(id: string, { hrefOf }: Frame): Html {
  if (!TRACE_SUBJECTS.some((kind: IdKind) => isId(kind, id))) return html`<span class="mono">${id}</span>`;
  return html`<a class="mono" href="${hrefOf(id)}">${id}</a>`;
}
