import { LIMITS } from '@plat/contract';
import { signDelivery } from '@plat/webhooks';
import type { Agent } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import type { Answer } from './answer.ts';
import { Exchange } from './exchange.ts';
import { createGuardedConnector, type GuardedConnector, type Resolve } from './guarded-connect.ts';
import { deliveryHeaders, signedAt } from './headers.ts';
import type { ObservedRequest } from './observed-client.ts';
import { createResolve } from './resolver.ts';

/** One attempt: an event on its way to an endpoint. */
export interface Attempt {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** The body, as committed with the event. */
  readonly payload: string;
  readonly url: string;
  /** The currently valid secrets; each one signs. */
  readonly secrets: readonly string[];
  /** W3C trace context that the receiver may continue; null without a trace. */
  readonly traceparent: string | null;
  /** Time of the attempt and of its signature, in ms. */
  readonly at: number;
}

export interface Deliverer {
  /**
   * Loads undici, which is not loaded at the start of a process. Must be awaited before deliveries are loaded: a lease may
   * expire meanwhile.
   */
  prepare(): Promise<unknown>;
  /** Sends one signed POST. Never rejects. */
  deliver(attempt: Attempt): Promise<Answer>;
  /** Closes every connection at once. */
  close(): Promise<void>;
}

export interface DelivererOptions {
  readonly guard: AddressGuard;
  /** Total time limit of an attempt, in ms. */
  readonly deadlineMs?: number;
  readonly resolve?: Resolve;
}

/** Creates a deliverer that keeps connections alive for each target. Redirects are not followed. */
export function createDeliverer({
  guard,
  deadlineMs = LIMITS.webhook.timeoutSeconds * 1000,
  resolve = createResolve(),
}: DelivererOptions): Deliverer {
  const connector = createGuardedConnector(guard, deadlineMs, resolve);
  let opening: Promise<Agent> | undefined;
  const prepare = () => {
    opening ??= openAgent(connector);
    return opening;
  };
  return {
    prepare,
    async deliver(attempt) {
      const agent = await prepare();
      return new Promise((settle) => post(agent, attempt, deadlineMs, settle));
    },
    async close() {
      const agent = await opening;
      connector.close();
      await agent?.destroy();
    },
  };
}

async function openAgent(connector: GuardedConnector): Promise<Agent> {
  const { createAgent } = await import('./observed-client.ts');
  return createAgent(connector);
}

function post(agent: Agent, attempt: Attempt, deadlineMs: number, settle: (answer: Answer) => void): void {
  let signature: string | null = null;
  const exchange = new Exchange(deadlineMs, (reply) => settle({ ...reply, signature }));
  try {
    const url = new URL(attempt.url);
    const body = Buffer.from(attempt.payload);
    signature = signDelivery({ body, secrets: attempt.secrets, timestamp: signedAt(attempt.at) });
    const headers = deliveryHeaders({ ...attempt, signature });
    if (attempt.traceparent !== null) headers.push('traceparent', attempt.traceparent);
    const request: ObservedRequest = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers,
      body,
      onClient: (client) => exchange.onClient(client),
    };
    agent.dispatch(request, exchange);
  } catch (error) {
    exchange.fail(error);
  }
}
