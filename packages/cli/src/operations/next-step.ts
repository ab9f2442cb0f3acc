import type { OperationName } from '@plat/contract';
import { isObject } from '../terminal/value.ts';

/** Returns the suggested next step after an operation; null if there is none. */
export function nextStep(
  operation: OperationName,
  input: Readonly<Record<string, unknown>>,
  answer: unknown,
): string | null {
  if (operation !== 'webhooks.endpoints.update' || input['status'] !== 'enabled' || !isObject(answer)) return null;
  const { id, missed_since: since } = answer;
  if (typeof id !== 'string' || typeof since !== 'string') return null;
  const replay = `plat webhooks replays create --endpoint-id ${id} --since ${since} --select undelivered`;
  return `Events since ${since} did not arrive, because it was disabled. To send them now: ${replay}`;
}
