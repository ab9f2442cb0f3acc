import type { Change } from '../change.ts';
import { ApiError } from '../kernel/api-error.ts';
import { replayEvent } from '../resources/webhook-deliveries/replay.service.ts';

/**
 * Sends an event again as a form requests it: to one endpoint, or to all that subscribe to its type.
 * @throws {@link ApiError} UNPROCESSABLE without such an endpoint
 */
export async function replayPosted(
  change: Change,
  eventId: string,
  { endpoint_id }: Readonly<Record<string, string>>,
): Promise<void> {
  const { data } = await replayEvent(change, eventId, endpoint_id === undefined ? {} : { endpoint_id });
  if (data.length === 0) throw new ApiError('UNPROCESSABLE', 'No enabled endpoint subscribes to this type');
}
