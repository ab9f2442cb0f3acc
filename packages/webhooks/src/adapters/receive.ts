import { BrokenBodyError } from '@plat/contract';
import type { Claim } from '../dedupe/index.ts';
import type { VerifiedDelivery } from '../delivery.ts';
import { VERIFICATION_CODES, type VerificationCode, WebhookVerificationError } from '../errors.ts';
import type { WebhookEvent } from '../event.ts';
import type { AdapterOptions } from './options.ts';

/** Codes of a response that is not 200. */
export type AnswerCode = VerificationCode | 'EVENT_IN_PROGRESS' | 'HANDLER_FAILED' | 'RECEIVER_FAILED';

/** The response of an adapter: `{received: true}`, or `{code, message}` like the errors of the platform. */
export interface Answer {
  readonly status: 200 | 400 | 409 | 413 | 500;
  readonly headers: Readonly<Record<string, string>>;
  readonly body:
    | { readonly received: true; readonly duplicate?: true }
    | { readonly code: AnswerCode; readonly message: string };
}

/** A delivery from a framework: how to verify it, and how to handle its event. */
export interface Incoming {
  readonly verify: () => VerifiedDelivery | Promise<VerifiedDelivery>;
  readonly handle: (delivery: VerifiedDelivery) => unknown;
}

/** Runs a delivery through verify, claim, handle and complete. Every path returns a response. */
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

/**
 * Returns the response to an unverified delivery. The hint stays in the log, except for the body setup, which is not
 * secret.
 */
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
  // The event was handled. A failure to record that must not cause another delivery.
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

/**
 * Reports an error to `onError`, or to the console by default. A failing log must not change the response to the
 * platform.
 */
export function report({ onError }: AdapterOptions, error: unknown, event: WebhookEvent | undefined): void {
  if (!onError) {
    const isOfTheCaller = error instanceof WebhookVerificationError || error instanceof BrokenBodyError;
    if (!isOfTheCaller) console.error(error);
    return;
  }
  const failed = (reason: unknown) => console.error(reason);
  try {
    // The promise is not awaited. This catch handles an async `onError` that rejects later.
    Promise.resolve(onError(error, event)).catch(failed);
  } catch (reason) {
    failed(reason);
  }
}
