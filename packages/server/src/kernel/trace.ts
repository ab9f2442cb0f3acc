import { AsyncLocalStorage } from 'node:async_hooks';

/** Names and values that describe a span. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export type SpanKind = 'internal' | 'server' | 'client' | 'producer';

/** A step of a trace, until it ends. */
export interface Span {
  /** W3C trace context of this span, for the steps that follow it. */
  readonly traceparent: string;
  /** @param error the reason why the step failed */
  end(result?: { readonly name?: string; readonly attributes?: Attributes; readonly error?: unknown }): void;
}

export interface NewSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  /** W3C trace context of the step before; null: the span begins a trace. */
  readonly parent: string | null;
}

/** Creates spans, and exports them. */
export interface Tracer {
  start(span: NewSpan): Span;
}

/** The request and the step that code runs in, without a parameter. */
interface Surroundings {
  readonly requestId: string | null;
  /** W3C trace context of the current step. */
  readonly traceparent: string | null;
}

// As with metrics, spans describe the process. Without a tracer, each step costs one comparison.
let tracer: Tracer | null = null;
const surroundings = new AsyncLocalStorage<Surroundings>();

/** Sends the spans of this process to a tracer; null: to none. */
export function traceWith(next: Tracer | null): void {
  tracer = next;
}

export function isTracing(): boolean {
  return tracer !== null;
}

/** Starts a span that may begin a trace. Null without a tracer. */
export function startSpan(span: NewSpan): Span | null {
  return tracer?.start(span) ?? null;
}

/** Starts a span below the current one. Null without a tracer, and outside of a trace. */
export function startChild(name: string, kind: SpanKind = 'internal', attributes: Attributes = {}): Span | null {
  if (!tracer) return null;
  const parent = currentTraceparent();
  return parent === null ? null : tracer.start({ name, kind, attributes, parent });
}

/** Runs work as a span below the current one. */
export async function traced<T>(name: string, work: () => Promise<T>): Promise<T> {
  const span = startChild(name);
  if (!span) return work();
  try {
    const result = await inTrace(span.traceparent, work);
    span.end();
    return result;
  } catch (error) {
    span.end({ error });
    throw error;
  }
}

/** Runs a function inside of a request. */
export function inRequest<T>(requestId: string, traceparent: string | null, run: () => T): T {
  return surroundings.run({ requestId, traceparent }, run);
}

/** Runs a function as a step of a trace. */
export function inTrace<T>(traceparent: string, run: () => T): T {
  return surroundings.run({ requestId: surroundings.getStore()?.requestId ?? null, traceparent }, run);
}

/** Returns the W3C trace context of the current step; null outside of a trace. */
export function currentTraceparent(): string | null {
  return surroundings.getStore()?.traceparent ?? null;
}

/** Returns the fields by which the log lines of a request are found. */
export function logFields(): { readonly req_id?: string; readonly trace_id?: string } {
  const store = surroundings.getStore();
  if (!store) return {};
  return { ...(store.requestId !== null && { req_id: store.requestId }), ...traceField(store.traceparent) };
}

/** Returns the field of a log line for a trace; none outside of one. */
export function traceField(traceparent: string | null): { readonly trace_id?: string } {
  return traceparent === null ? {} : { trace_id: traceparent.slice(3, 35) };
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/;

/**
 * Reads a `traceparent` header (W3C Trace Context, section 3.2). Of a later version, the fields of version 00 are kept.
 * Null for anything else.
 */
export function readTraceparent(header: string | readonly string[] | undefined): string | null {
  if (typeof header !== 'string' || !TRACEPARENT.test(header)) return null;
  if (header.startsWith('00') && header.length !== 55) return null;
  return `00${header.slice(2, 55)}`;
}
