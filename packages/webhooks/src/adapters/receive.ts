import type { Claim } from '../dedupe/index.ts';
import type { VerifiedDelivery } from '../delivery.ts';
import { VERIFICATION_CODES, type VerificationCode, WebhookVerificationError } from '../errors.ts';
import type { WebhookEvent } from '../event.ts';
import type { AdapterOptions } from './options.ts';

/** Codes of the answers that are no refusal of the delivery itself. */
export type AnswerCode = VerificationCode | 'EVENT_IN_PROGRESS' | 'HANDLER_FAILED' | 'RECEIVER_FAILED';

/** What an adapter answers: `{received: true}`, or `{code, message}` as the platform's own errors. */
export interface Answer {
  readonly status: 200 | 400 | 409 | 413 | 500;
  readonly headers: Readonly<Record<string, string>>;
  readonly body:
    | { readonly received: true; readonly duplicate?: true }
    | { readonly code: AnswerCode; readonly message: string };
}

/** A delivery as a framework brings it: how to prove it, and what to do with its event. */
export interface Incoming {
  readonly verify: () => VerifiedDelivery | Promise<VerifiedDelivery>;
  readonly handle: (delivery: VerifiedDelivery) => unknown;
}

/** Takes a delivery through verify, claim, handle, complete; whatever happens, there is an answer. */
export async function receive(incoming: Incoming, options: AdapterOptions): Promise<Answer> {
  let delivery: VerifiedDelivery;
  try {
    delivery = await incoming.verify();
  } catch (error) {
    report(options, error, undefined);
    return refusal(error);
  }
  return await handleOnce(delivery, incoming.handle, options);
}

/** The answer to a delivery that was not proven. Its hint stays here, except how to set up the body: that is no secret. */
export function refusal(error: unknown): Answer {
  if (!(error instanceof WebhookVerificationError)) {
    return failure('RECEIVER_FAILED', 'The receiver failed to verify the delivery.');
  }
  // A caller must not find out which tenants this receiver has.
  const code = error.code === 'SECRET_NOT_FOUND' ? 'SIGNATURE_MISMATCH' : error.code;
  const message = code === 'BODY_NOT_RAW' ? error.message : VERIFICATION_CODES[code];
  return { status: code === 'BODY_TOO_LARGE' ? 413 : 400, headers: {}, body: { code, message } };
}

async function handleOnce(
  delivery: VerifiedDelivery,
  handle: Incoming['handle'],
  options: AdapterOptions,
): Promise<Answer> {
  const { event } = delivery;
  const { dedupe } = options;
  let claim: Claim | undefined;
  try {
    claim = await dedupe?.claim(event);
  } catch (error) {
    report(options, error, event);
    return failure('RECEIVER_FAILED', 'The receiver could not tell whether the event is a duplicate.');
  }
  if (claim?.outcome === 'completed') return { status: 200, headers: {}, body: { received: true, duplicate: true } };
  if (claim?.outcome === 'in_progress') {
    return {
      status: 409,
      headers: { 'retry-after': String(Math.ceil(dedupe?.leaseSeconds ?? 1)) },
      body: { code: 'EVENT_IN_PROGRESS', message: 'The event is being handled by another delivery.' },
    };
  }
  try {
    await handle(delivery);
  } catch (error) {
    report(options, error, event);
    await settle(() => claim && dedupe?.release(claim), event, options);
    return failure('HANDLER_FAILED', 'The receiver failed to handle the event.');
  }
  // The event was handled: that it could not be written down is no reason to have it sent again.
  await settle(() => claim && dedupe?.complete(claim), event, options);
  return { status: 200, headers: {}, body: { received: true } };
}

async function settle(step: () => unknown, event: WebhookEvent, options: AdapterOptions): Promise<void> {
  try {
    await step();
  } catch (error) {
    report(options, error, event);
  }
}

function failure(code: AnswerCode, message: string): Answer {
  return { status: 500, headers: {}, body: { code, message } };
}

/** Tells `onError`, or the console where there is none. A log that fails must not decide what the platform is told. */
export function report({ onError }: AdapterOptions, error: unknown, event: WebhookEvent | undefined): void {
  if (!onError) {
    if (!(error instanceof WebhookVerificationError)) console.error(error);
    return;
  }
  const failed = (reason: unknown) => console.error(reason);
  try {
    // Nobody waits for it. One that is async may fail later, which nobody else would catch.
    Promise.resolve(onError(error, event)).catch(failed);
  } catch (reason) {
    failed(reason);
  }
}
