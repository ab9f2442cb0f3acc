import type { BearerToken, Credential } from '../credential.ts';
import { PlatformError } from '../errors/platform-error.ts';
import { CredentialError } from '../errors/usage-errors.ts';
import { redactCause } from '../redact.ts';
import { type Flight, startFlight, waitForFlight } from './flight.ts';
import type { GrantContext } from './grant-context.ts';
import type { GenerationToken } from './grant-entry.ts';
import { ReauthorizationRequired } from './oauth-errors.ts';
import { renewGrant } from './refresh.ts';

/**
 * The credential of a grant. It returns a valid token without a promise, and renews it in the background before its
 * expiry.
 */
export class GrantCredential implements Credential {
  readonly #grant: GrantContext;

  constructor(grant: GrantContext) {
    this.#grant = grant;
  }

  get(): BearerToken | Promise<BearerToken> {
    const { entry, clock } = this.#grant;
    const held = entry.held();
    if (!held || held.token.generation === entry.refused()) return this.#renewed();
    const now = clock.now();
    if (now < held.refreshAt) return held.token;
    const mayTry = now >= entry.retryAt();
    if (now < held.blockAt) return mayTry ? this.#renewedAhead(held.token) : held.token;
    return mayTry || now >= held.expiresAt ? this.#renewed() : held.token;
  }

  refused(token: BearerToken): boolean | Promise<boolean> {
    if (!isGenerationToken(token)) return false;
    const { entry } = this.#grant;
    const held = entry.held();
    const isOld = held && held.token.generation !== token.generation && held.token.generation !== entry.refused();
    if (isOld) return true;
    entry.refuse(token.generation);
    return this.#renewed().then(({ generation }) => generation !== token.generation);
  }

  async #renewed(): Promise<GenerationToken> {
    const { entry, clock, key } = this.#grant;
    // A refresh that began before the refusal can return the refused token. In that case a second refresh follows.
    for (let refreshes = 0; refreshes < 2; refreshes++) {
      let failure: unknown;
      await this.#refresh().catch((error: unknown) => {
        failure = ownError(error, key);
      });
      const held = entry.held();
      const isAlive = held && held.token.generation !== entry.refused() && clock.now() < held.expiresAt;
      if (isAlive) return held.token;
      if (failure !== undefined) throw failure;
    }
    throw new CredentialError(`The grant ${key} was renewed, but its new token is already refused or expired`);
  }

  /** Renews while the token is valid. A call waits only where the renewal would end with the call's request. */
  #renewedAhead(token: GenerationToken): GenerationToken | Promise<GenerationToken> {
    const { entry, renewal } = this.#grant;
    if (entry.flight() !== null) return token;
    if (!renewal.inBackground) return this.#renewed();
    // A later call that waits for a token receives the error. This call has a valid token.
    this.#start();
    return token;
  }

  async #refresh(): Promise<void> {
    const { entry, clock, renewal } = this.#grant;
    for (;;) {
      const flight = entry.flight() ?? this.#start();
      if (!renewal.mayDie) return flight.done;
      if (await waitForFlight(flight, clock)) return;
      entry.abandon(flight);
    }
  }

  #start(): Flight {
    const { entry, clock, renewal, warn } = this.#grant;
    const flight = entry.setFlight(startFlight((id) => renewGrant(this.#grant, id), clock, renewal.mayDie));
    try {
      renewal.waitUntil?.(flight.done.catch(() => {}));
    } catch (error) {
      warn('HOOK_FAILED', 'waitUntil', () => `waitUntil failed: ${redactCause(error).message}`);
    }
    return flight;
  }
}

function isGenerationToken(token: BearerToken): token is GenerationToken {
  return 'generation' in token && typeof token.generation === 'number';
}

/** Converts an error of another copy of this package, which has other classes. */
function ownError(error: unknown, key: string): PlatformError {
  if (error instanceof PlatformError) return error;
  if (error instanceof Error && 'code' in error && error.code === 'REAUTHORIZATION_REQUIRED' && 'reason' in error) {
    return new ReauthorizationRequired(key, error.reason as ReauthorizationRequired['reason']);
  }
  return new CredentialError(`The access token of ${key} could not be renewed`, {
    cause: redactCause(error),
    retryable: true,
  });
}
