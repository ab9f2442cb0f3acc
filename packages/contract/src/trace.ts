import type { AppEvent } from './app-events.ts';
import type { PlatformEvent } from './events.ts';
import type {
  AppTraceAttempt,
  AppTraceReplay,
  TraceAttempt,
  TraceChange,
  TraceGrant,
  TracePart,
  TraceProblem,
  TraceReplay,
  TraceRequest,
  TraceSubject,
  TraceWithheld,
} from './generated.ts';

/** An event in a trace. */
export interface TraceEvent {
  /** Always `event`. */
  readonly kind: 'event';
  /** Id of the event. */
  readonly id: string;
  /** Time of the event. ISO 8601. */
  readonly at: string;
  /** Id of the change or request that led to the event; null if the trace has none. */
  readonly caused_by: string | null;
  /** The event. Its JSON without white space is the body of each delivery. */
  readonly event: PlatformEvent;
}

/** An event of an app in a trace. */
export interface AppTraceEvent extends Omit<TraceEvent, 'event'> {
  /** The event. Its JSON without white space is the body of each delivery. */
  readonly event: AppEvent;
}

/** One step of a trace. `kind` selects its type. */
export type TraceEntry = TraceRequest | TraceChange | TraceEvent | TraceAttempt | TraceReplay | TraceGrant;

/** One step of the trace of an app. `kind` selects its type. */
export type AppTraceEntry = AppTraceEvent | AppTraceAttempt | AppTraceReplay;

/** All that is recorded about an id: requests, changes, events, attempts, replays and steps of grants. */
export interface Trace {
  /** Always `trace`. */
  readonly object: 'trace';
  /** The id, e-mail address or slug of the request. */
  readonly id: string;
  /** The object that the trace starts from. */
  readonly subject: TraceSubject;
  /** Failures that no later attempt has cured, in the order of the entries. */
  readonly problems: readonly TraceProblem[];
  /** Entries with the same first cause are together, in the order of time. The newest cause is first. */
  readonly entries: readonly TraceEntry[];
  /** True if older causes follow. */
  readonly has_more: boolean;
  /** Value of `starting_after` for the older causes; null if none follow. */
  readonly next_cursor: string | null;
  /** Parts of which only the newest entries fit into the page. */
  readonly truncated: readonly TracePart[];
  /** Parts that are left out because the credential lacks their scope. */
  readonly withheld: readonly TraceWithheld[];
}

/** The events, attempts and replays of an app that are recorded about an id. */
export interface AppTrace extends Omit<Trace, 'entries' | 'withheld'> {
  /** Entries with the same first cause are together, in the order of time. The newest cause is first. */
  readonly entries: readonly AppTraceEntry[];
}
