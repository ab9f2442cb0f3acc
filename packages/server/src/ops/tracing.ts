import type { Logger } from 'pino';
import type { Config, TracingConfig } from '../config/config.ts';
import { type Span, type SpanKind, traceWith } from '../kernel/trace.ts';
import type { VersionInfo } from './version-info.ts';
import { within } from './within.ts';

/** The SDK that exports the spans of this process. */
export interface Tracing {
  /** Exports the last spans. */
  stop(): Promise<void>;
}

/** Time for the last export when the process ends, in ms. */
const LAST_EXPORT_MS = 3_000;

/** Loads the OpenTelemetry SDK, and exports spans over OTLP from now on. Resolves to null when no endpoint is configured. */
export async function startTracing(
  { tracing }: Pick<Config, 'tracing'>,
  kind: 'server' | 'worker',
  { version, commit }: VersionInfo,
  log: Logger,
): Promise<Tracing | null> {
  if (tracing === null) return null;
  const [api, sdk, resources, exporter] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    openExporter(tracing),
  ]);
  const { context, diag, DiagLogLevel, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } = api;
  const warn = (text: string): void => log.warn({ otel: text }, 'a trace could not be exported');
  const ignore = (): void => undefined;
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
  const own = resources.resourceFromAttributes({
    'service.name': `plat-${kind}`,
    'service.version': version,
    ...(commit !== null && { 'vcs.ref.head.revision': commit }),
  });
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
  const given = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new sdk.TracerProvider({
    resource: resources.defaultResource().merge(own).merge(given),
    sampler: samplerOf(sdk, tracing),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('plat-server', version);
  const kinds: Readonly<Record<SpanKind, number>> = {
    internal: SpanKind.INTERNAL,
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    producer: SpanKind.PRODUCER,
  };

  traceWith({
    start({ name, kind: spanKind, attributes, parent }): Span {
      const span = tracer.startSpan(name, { kind: kinds[spanKind], attributes }, contextOf(parent));
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`,
        end({ name: lastName, attributes: last, error } = {}) {
          if (lastName !== undefined) span.updateName(lastName);
          if (last) span.setAttributes(last);
          if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
          span.end();
        },
      };
    },
  });
  return {
    async stop() {
      traceWith(null);
      const ended = provider.shutdown().catch(() => undefined);
      await within(LAST_EXPORT_MS, ended, undefined);
      diag.disable();
    },
  };

  function contextOf(parent: string | null): ReturnType<typeof context.active> {
    if (parent === null) return ROOT_CONTEXT;
    const [, traceId = '', spanId = '', flags = '00'] = parent.split('-');
    return trace.setSpanContext(ROOT_CONTEXT, {
      traceId,
      spanId,
      traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
      isRemote: true,
    });
  }
}

/** Both read endpoint, headers, timeout, compression and certificates from the `OTEL_` variables. */
async function openExporter({ protocol }: TracingConfig) {
  if (protocol === 'http/json') {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    return new OTLPTraceExporter();
  }
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

function samplerOf(sdk: typeof import('@opentelemetry/sdk-trace'), { sampler, ratio }: TracingConfig) {
  const root = sampler.endsWith('always_on')
    ? new sdk.AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new sdk.AlwaysOffSampler()
      : new sdk.TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root;
}

/** Returns the code of an error, or else the first line of its message. Messages of databases contain values. */
function messageOf(error: unknown): string {
  const { code, original } = Object(error);
  const known = code ?? original?.code;
  if (known !== undefined) return String(known);
  return (error instanceof Error ? error.message : String(error)).split('\n', 1).join('');
}
