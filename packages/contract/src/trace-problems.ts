import type { DeliveryProblemCode } from './delivery-error-reference.ts';
import type { ErrorCode } from './errors.ts';
import type { TraceAttempt, TraceProblem, TraceSubject } from './generated.ts';
import type { TraceEntry } from './trace.ts';

/** Cause and fix of each code: `{ ...ERROR_REFERENCE, ...DELIVERY_ERROR_REFERENCE }` of `@plat/contract/error-reference`. */
export type ProblemTexts = Readonly<Record<ErrorCode | DeliveryProblemCode, Pick<TraceProblem, 'cause' | 'fix'>>>;

/** Returns the failures of a trace that no later attempt has cured, in the order of the entries. */
export function traceProblems(
  entries: readonly TraceEntry[],
  subject: TraceSubject,
  texts: ProblemTexts,
): TraceProblem[] {
  const problem = (entry_id: string, code: keyof ProblemTexts): TraceProblem[] => {
    // A newer version may have recorded a code that this one has no texts for.
    if (!Object.hasOwn(texts, code)) return [];
    const { cause, fix } = texts[code];
    return [{ entry_id, code, cause, fix }];
  };
  const attempts = entries.filter((entry) => entry.kind === 'attempt');
  const current = currentFailures(attempts);
  return entries.flatMap((entry): TraceProblem[] => {
    switch (entry.kind) {
      case 'request':
        return entry.request?.error ? problem(entry.id, entry.request.error.code) : [];
      case 'attempt':
        return current.has(entry.id) ? problem(entry.id, entry.delivery.error_class ?? 'other') : [];
      case 'event':
        return subject.id === entry.id && attempts.length === 0 ? problem(entry.id, 'no_endpoint') : [];
      case 'grant':
        return entry.step === 'reused' ? problem(entry.id, 'INVALID_GRANT') : [];
      default:
        return [];
    }
  });
}

/** The last made attempt of each event at each endpoint, if it failed. */
function currentFailures(attempts: readonly TraceAttempt[]): ReadonlySet<string> {
  const last = new Map<string, TraceAttempt>();
  for (const attempt of attempts) {
    const { event_id, endpoint_id, status } = attempt.delivery;
    const key = `${event_id} ${endpoint_id}`;
    if (status !== 'pending' && attempt.id > (last.get(key)?.id ?? '')) last.set(key, attempt);
  }
  return new Set([...last.values()].filter(({ delivery }) => delivery.status !== 'succeeded').map(({ id }) => id));
}
