import { LIMITS } from '@plat/contract';
import { newDeliveryId } from '../webhooks/delivery-id.ts';
import { type EventAnswer, postEvent, wasAccepted } from '../webhooks/post-event.ts';
import type { ListedEvent } from './source.ts';

/** One attempt to deliver an event to the local application. */
export interface ForwardAttempt {
  readonly event: ListedEvent;
  /** 1 for the first. */
  readonly attempt: number;
  readonly answer: EventAnswer;
  readonly outcome: 'delivered' | 'retrying' | 'failed';
}

interface Forwarding {
  readonly to: string;
  readonly secret: string;
  readonly now: () => number;
  /** Receives each attempt; of consecutive attempts without a connection, only the first. */
  readonly tell: (attempt: ForwardAttempt) => Promise<void>;
  /** Waits for the given milliseconds; its errors end the forwarding. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Maximum attempts for an application that responds, and for one that crashes each time. */
const MAX_ANSWERED = 4;
const MAX_BROKEN = 10;

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 2000;
/** A restart takes seconds, so an application that is back is detected soon. */
const ABSENT_WAIT_MS = 500;

/**
 * Delivers an event to the local application as the platform does. It waits for an application that is down. If the
 * application refuses the event, it tries four times.
 * @returns whether the application accepted the event
 */
export async function forward(event: ListedEvent, { to, secret, now, tell, pause }: Forwarding): Promise<boolean> {
  // The original text: lists of the API have the payload as committed, and JSON keeps the order of its members.
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
    await pause(wasAbsent ? ABSENT_WAIT_MS : Math.min(FIRST_WAIT_MS * 2 ** (failures[kind] - 1), MAX_WAIT_MS));
  }
}

/** Classifies a failed attempt: no connection, connection lost during the request, or refused. */
function kindOf({ status, error, errorCode }: EventAnswer): 'absent' | 'broken' | 'answered' {
  if (error === null || errorCode === 'TIMEOUT') return 'answered';
  return status === null && errorCode !== null && NOT_CONNECTED.test(errorCode) ? 'absent' : 'broken';
}

/** Errors before the first byte of the event was sent: DNS, connect or TLS. */
const NOT_CONNECTED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$|CERT|_TLS_|_SSL_/;
