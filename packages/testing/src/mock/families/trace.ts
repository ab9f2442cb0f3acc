import {
  ID_PREFIXES,
  type IdKind,
  isId,
  LIMITS,
  orderTrace,
  type Scope,
  TRACE_PARTS,
  TRACE_SUBJECTS,
  type TraceEntry,
  type TracePart,
  type TraceSubject,
  traceProblems,
} from '@plat/contract';
import { DELIVERY_ERROR_REFERENCE, ERROR_REFERENCE } from '@plat/contract/error-reference';
import type { Answers, Call } from '../call.ts';
import { lacksScope } from '../gate.ts';
import { Refusal } from '../refusal.ts';
import { entriesOf, isAbout } from '../trace-entries.ts';

/** The trace. The mock has no OAuth grants, and sends no attempts. */
export const trace: Answers<'trace.get'> = {
  'trace.get': (call) => {
    const { path, query, world, credential, baseUrl } = call;
    const { scopes } = credential;
    const { limit = LIMITS.page.default, starting_after: cursor } = query;
    const withheld = PARTS.filter(([, scope]) => !scopes.includes(scope)).map(([part, scope]) => ({ part, scope }));
    if (withheld.length === PARTS.length) throw lacksScope(baseUrl, TRACE_PARTS.requests);
    if (cursor !== undefined && !KINDS.some((kind) => isId(kind, cursor))) throw new Refusal('INVALID_CURSOR');
    const subject = subjectOf(call);
    const hidden = new Set(withheld.map(({ part }) => part));
    const all = entriesOf(world);
    const own = all.filter((entry) => isAbout(subject, entry) && !hidden.has(PART_OF[entry.kind]));
    if (own.length === 0 && cursor === undefined && !hasObject(call, subject)) throw new Refusal('TRACE_NOT_FOUND');
    const older = own
      .filter(({ id }) => cursor === undefined || id.slice(4) < cursor.slice(4))
      .sort((a, b) => (a.id.slice(4) < b.id.slice(4) ? 1 : -1));
    const seeds = older.slice(0, limit);
    const entries = orderTrace(withChains(subject, all, seeds).filter(({ kind }) => !hidden.has(PART_OF[kind])));
    const next_cursor = older.length > limit ? (seeds.at(-1)?.id ?? null) : null;
    return {
      object: 'trace',
      id: path.id,
      subject,
      problems: traceProblems(entries, subject, TEXTS),
      entries,
      has_more: next_cursor !== null,
      next_cursor,
      truncated: [],
      withheld,
    };
  },
};

const TEXTS = { ...ERROR_REFERENCE, ...DELIVERY_ERROR_REFERENCE };
const PARTS = Object.entries(TRACE_PARTS) as [TracePart, Scope][];
const KINDS = Object.keys(ID_PREFIXES) as IdKind[];
const PART_OF: Readonly<Record<TraceEntry['kind'], TracePart>> = {
  request: 'requests',
  change: 'changes',
  event: 'events',
  attempt: 'attempts',
  replay: 'replays',
  grant: 'grants',
};

/** Returns the seeds with their causes and effects. */
function withChains(subject: TraceSubject, all: readonly TraceEntry[], seeds: readonly TraceEntry[]): TraceEntry[] {
  const byId = new Map(all.map((entry) => [entry.id, entry]));
  const rootOf = (entry: TraceEntry): string => {
    const cause = entry.caused_by === null ? undefined : byId.get(entry.caused_by);
    return cause ? rootOf(cause) : entry.id;
  };
  const roots = new Set(seeds.map(rootOf));
  const events = new Set(all.filter((entry) => roots.has(rootOf(entry))).map(({ id }) => id));
  // A replay is a later cause of further attempts.
  for (const entry of all)
    if (entry.kind === 'attempt' && events.has(entry.delivery.event_id)) roots.add(rootOf(entry));
  // Only the attempts of the endpoint belong to its trace.
  const isShown = (entry: TraceEntry) =>
    entry.kind !== 'attempt' || subject.type !== 'webhook_endpoint' || isAbout(subject, entry);
  return all.filter((entry) => roots.has(rootOf(entry)) && isShown(entry));
}

/** @throws {@link Refusal} TRACE_NOT_FOUND, INSUFFICIENT_SCOPE */
function subjectOf({ path: { id }, world, credential: { scopes }, baseUrl }: Call<'trace.get'>): TraceSubject {
  const type = TRACE_SUBJECTS.find((kind) => isId(kind, id));
  if (type !== undefined) return { type, id };
  if (id.includes('@')) {
    if (!scopes.includes('users:read')) throw lacksScope(baseUrl, 'users:read');
    const user = [...world.users.values()].find(({ email }) => email.toLowerCase() === id.toLowerCase());
    if (user) return { type: 'user', id: user.id };
  } else if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id)) {
    if (!scopes.includes('clients:read') && !scopes.includes('groups:read')) throw lacksScope(baseUrl, 'clients:read');
    for (const [kind, rows] of [
      ['client', world.clients],
      ['group', world.groups],
    ] as const) {
      const found = scopes.includes(`${kind}s:read`) && [...rows.values()].find(({ slug }) => slug === id);
      if (found) return { type: kind, id: found.id };
    }
  }
  throw new Refusal('TRACE_NOT_FOUND');
}

function hasObject({ world }: Call<'trace.get'>, { id }: TraceSubject): boolean {
  const { clients, groups, locations, users, roles, invoices, payments, endpoints } = world;
  const tables = [clients, groups, locations, users, roles, invoices, payments, endpoints];
  return id === world.tenant.id || tables.some((rows) => rows.has(id));
}
