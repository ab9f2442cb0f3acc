import { LIMITS, type PlatformEvent } from '@plat/contract';
import { newDeliveryId } from '../webhooks/delivery-id.ts';
import { type EventAnswer, postEvent, wasAccepted } from '../webhooks/post-event.ts';

/** One attempt to hand an event to the local application. */
export interface ForwardAttempt {
  readonly event: PlatformEvent;
  /** 1 for the first. */
  readonly attempt: number;
  readonly answer: EventAnswer;
  readonly outcome: 'delivered' | 'retrying' | 'failed';
}

interface Forwarding {
  readonly to: string;
  readonly secret: string;
  readonly now: () => number;
  /** Told of each attempt; of a row of them that found nobody, of the first. */
  readonly tell: (attempt: ForwardAttempt) => Promise<void>;
  /** Lets time go by; what it throws ends it. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Attempts at an application that answers, and at one that goes down each time. */
const MAX_ANSWERED = 4;
const MAX_BROKEN = 10;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 2000;
/** A restart takes seconds: whoever comes back is noticed soon. */
const ABSENT_WAIT_MS = 500;

/**
 * Hands an event to the local application as the platform does. An application that is not there is waited for; one
 * that refuses the event is asked four times.
 * @returns whether it took the event
 */
export async function forward(event: PlatformEvent, { to, secret, now, tell, pause }: Forwarding): Promise<boolean> {
  // The event's own text: the API writes it into its lists as it was committed, and JSON keeps the order.
  const body = JSON.stringify(event);
  const failures = { absent: 0, broken: 0, answered: 0 };
  let wasAbsent = false;
  for (let attempt = 1; ; attempt++) {
    const at = now();
    const answer = await postEvent({
      url: to,
      body,
      eventType: event.type,
      eventId: event.id,
      deliveryId: newDeliveryId(),
      secrets: [secret],
      now: at,
      timeoutMs: LIMITS.webhook.timeoutSeconds * 1000,
    });
    if (wasAccepted(answer)) {
      await tell({ event, attempt, answer, outcome: 'delivered' });
      return true;
    }
    const kind = kindOf(answer);
    failures[kind]++;
    const isLast = failures.answered >= MAX_ANSWERED || failures.broken >= MAX_BROKEN;
    if (!(kind === 'absent' && wasAbsent)) {
      await tell({ event, attempt, answer, outcome: isLast ? 'failed' : 'retrying' });
    }
    if (isLast) return false;
    wasAbsent = kind === 'absent';
    await pause(wasAbsent ? ABSENT_WAIT_MS : Math.min(FIRST_WAIT_MS * 2 ** (failures[kind] - 1), LONGEST_WAIT_MS));
  }
}

/** Whether nobody was there, the application went down under the request, or it did not want the event. */
function kindOf({ status, error, errorCode }: EventAnswer): 'absent' | 'broken' | 'answered' {
  if (error === null || errorCode === 'TIMEOUT') return 'answered';
  return status === null && errorCode !== null && NOT_CONNECTED.test(errorCode) ? 'absent' : 'broken';
}

/** No byte of the event can have left: no address, no connection, no TLS. */
const NOT_CONNECTED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$|CERT|_TLS_|_SSL_/;
