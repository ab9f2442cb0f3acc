import type { Introspection } from '@plat/contract';
import type { Credential } from '../credential.ts';
import { Platform } from '../platform.ts';
import { type AuthorizationRequest, beginAuthorization, type PendingAuthorization } from './authorization.ts';
import { type Callback, checkPending, readCallback } from './callback.ts';
import { type CheckedCallback, exchangeCode, revokeFormer, revokePair } from './exchange-code.ts';
import { type Grant, presentGrant } from './grant.ts';
import type { GrantContext, GrantTools } from './grant-context.ts';
import { GrantCredential } from './grant-credential.ts';
import { entryOf } from './grant-entry.ts';
import { endRecord } from './grant-record.ts';
import { createGrants, type OAuthGrants } from './grants.ts';
import { createIntrospect, type Introspect } from './introspection.ts';
import {
  type ActingOptions,
  type OAuthOptions,
  type OAuthSettings,
  type RenewalOptions,
  resolveOAuthOptions,
} from './oauth-options.ts';
import { checkKey, createRecords, type Found } from './records.ts';
import { renewalFor } from './renewal.ts';
import { createTokenEndpoint } from './token-endpoint.ts';

/** Maximum number of remembered exchanges, so that a reload of the redirect URI does not spend its code twice. */
const MAX_EXCHANGES = 1_000;

/**
 * An OAuth app. It requests the consent of tenants, keeps their grants in a store, and creates clients that act for
 * them.
 *
 * @example
 * ```ts
 * const oauth = new OAuth({ baseUrl, clientId, clientSecret, redirectUri, store: fileStore('./grants') });
 * const pending = await oauth.authorizationUrl({ scopes: ['clients:read'] });
 * // Store `pending` in the session and redirect the browser to `pending.url`. Then, at the redirect URI:
 * const { key } = await oauth.exchange(request.url, pending);
 * // From now on, in any process that uses the same store:
 * const platform = oauth.actingFor(key);
 * ```
 */
export class OAuth {
  readonly #settings: OAuthSettings;
  readonly #tools: GrantTools;
  readonly #introspect: Introspect;
  readonly #platform: Platform;
  readonly #exchanges = new Map<string, Promise<Grant>>();
  /** The grants in the store: lists them, and imports those that were obtained elsewhere. */
  readonly grants: OAuthGrants;

  /** @throws {@link InvalidArgumentError} with the name of the invalid option */
  constructor(options: OAuthOptions) {
    const settings = resolveOAuthOptions(options);
    const { store, encryption, times, hooks, warn, clock } = settings;
    const endpoint = createTokenEndpoint({ ...settings, timeout: times.timeout });
    this.#settings = settings;
    this.#tools = { store, records: createRecords(store, encryption, clock), endpoint, times, hooks, warn, clock };
    this.grants = createGrants(this.#tools, (key) => this.#grant(key));
    this.#introspect = createIntrospect(endpoint, clock, settings.introspectionCache);
    const { fetch, transport, onWarning, logger, platform = {} } = options;
    const baseUrl = settings.baseUrl.origin + settings.baseUrl.prefix;
    const carrier = platform.fetch === undefined && platform.transport === undefined ? { fetch, transport } : {};
    // Settings of all later clients; each of them gets its own credential.
    const credential = () => Promise.reject(new Error('this client has no tenant: use actingFor(key)'));
    this.#platform = new Platform({ onWarning, logger, clock, ...carrier, ...platform, baseUrl, credential });
  }

  /**
   * Starts an authorization: creates the URL for the browser of a tenant's owner, with the state and the PKCE verifier
   * that `exchange` requires.
   * @throws {@link InvalidArgumentError} with the name of the invalid parameter
   */
  authorizationUrl(request: AuthorizationRequest): Promise<PendingAuthorization> {
    const { baseUrl, clientId, redirectUri } = this.#settings;
    return beginAuthorization(baseUrl, clientId, { ...request, redirectUri: request.redirectUri ?? redirectUri });
  }

  /**
   * Completes an authorization when the browser returns. It checks state and issuer, exchanges the code for tokens, and
   * stores them under `key`, by default the id of the tenant. An existing grant is replaced. A second call with the
   * same callback in this process returns the same grant.
   * @throws {@link CallbackError} when the callback does not belong to this session; `STATE_MISMATCH` if the session has no
   * `pending`
   * @throws {@link AuthorizationError} `ACCESS_DENIED` when the owner refused
   * @throws {@link ApiError} if the service refused the code, for example `INVALID_GRANT` for a code older than 10
   * minutes
   * @throws {@link GrantStoreError} if the store failed; the new tokens are revoked, so start again
   * @throws {@link PlatformError} if no valid response arrived; the code may be spent, so start again
   */
  async exchange(
    callback: Callback,
    pending: PendingAuthorization | null | undefined,
    { key }: { key?: string | undefined } = {},
  ): Promise<Grant> {
    return this.#exchangeOnce(callback, pending, key, false);
  }

  /**
   * Completes an authorization like {@link exchange}, for a grant that exists already: with new scopes, or before it
   * expires. The new pair is stored first; then the former pair is revoked, whether or not it was used. If the process
   * is killed in between, or the service cannot be reached, the next renewal revokes it.
   * @throws {@link CallbackError} `OTHER_TENANT` if the owner consented for another tenant; the grant is then unchanged,
   * and the new tokens are revoked
   * @throws the errors of {@link exchange}
   */
  async reconnect(
    callback: Callback,
    pending: PendingAuthorization | null | undefined,
    { key }: { key?: string | undefined } = {},
  ): Promise<Grant> {
    return this.#exchangeOnce(callback, pending, key, true);
  }

  /**
   * Returns a client that acts for a tenant. Clients are cheap and can be created for each request: they share
   * connections and tokens. Their calls throw {@link ReauthorizationRequired} if the tenant must consent again, and
   * {@link RefreshError}, {@link GrantLockedError} or {@link GrantStoreError} if its token could not be renewed now.
   * @throws {@link InvalidArgumentError} for an invalid key or option
   */
  actingFor(key: string, { waitUntil, ...options }: ActingOptions & RenewalOptions = {}): Platform {
    return this.#platform.withOptions({ ...options, credential: this.credential(key, { waitUntil }) });
  }

  /**
   * Returns the credential of a grant, for a {@link Platform} that you create.
   * @throws {@link InvalidArgumentError} for an invalid key
   */
  credential(key: string, { waitUntil }: RenewalOptions = {}): Credential {
    const grant = this.#grant(key);
    const renewal = waitUntil === undefined ? grant.renewal : renewalFor(waitUntil);
    return new GrantCredential({ ...grant, renewal });
  }

  /**
   * Returns the stored grant of a key, connected or ended, or null. No request is sent to the service.
   * @throws {@link InvalidArgumentError} for an invalid key
   * @throws {@link GrantStoreError} if the store failed
   */
  async grant(key: string): Promise<Grant | null> {
    const found = await this.#read(key);
    return found && presentGrant(key, found.record);
  }

  /**
   * Ends a grant: revokes its tokens at the service (RFC 7009) and leaves a tombstone in the store. Without a grant it
   * does nothing.
   * @throws {@link GrantStoreError} if the store failed; the tokens may be revoked already, and a second call is safe
   * @throws {@link PlatformError} if the service refused the request or could not be reached; the grant is then
   * unchanged
   */
  async revoke(key: string): Promise<void> {
    let found = await this.#read(key);
    if (found?.record.status !== 'live') return;
    const { grantId, refreshToken } = found.record;
    const { records, endpoint, clock } = this.#tools;
    await revokeFormer(this.#tools, key);
    await revokePair(endpoint, refreshToken);
    // A refresh can write at the same time. A new consent under the same key is not ended.
    while (found?.record.status === 'live' && found.record.grantId === grantId) {
      const { record } = found;
      if (await records.write(key, found, () => endRecord(record, 'revoked', clock.now()))) break;
      found = await records.read(key);
    }
    this.#grant(key).entry.hold(null);
  }

  /**
   * Requests the state of an access token of this app from the service, which is its only authority. For any other
   * token the result is `{ active: false }`.
   * @throws {@link InvalidArgumentError} if `token` is empty or not a string
   * @throws {@link PlatformError} if the service refused the request or sent no valid response
   */
  introspect(token: string): Promise<Introspection> {
    return this.#introspect(token);
  }

  /** Closes idle connections. The instance stays usable. */
  close(): void {
    this.#platform.close();
  }

  async #exchangeOnce(
    callback: Callback,
    given: PendingAuthorization | null | undefined,
    key: string | undefined,
    replaces: boolean,
  ): Promise<Grant> {
    if (key !== undefined) checkKey(key);
    const pending = checkPending(given);
    const code = readCallback(callback, pending, this.#settings.issuer);
    const known = this.#exchanges.get(code);
    if (known) return known;
    const exchange = this.#exchangeCode({ code, pending, key, replaces });
    const [oldest] = this.#exchanges.keys();
    if (this.#exchanges.size >= MAX_EXCHANGES && oldest !== undefined) this.#exchanges.delete(oldest);
    this.#exchanges.set(code, exchange);
    exchange.catch(() => this.#exchanges.delete(code));
    return exchange;
  }

  async #exchangeCode(callback: CheckedCallback): Promise<Grant> {
    const { key, saved } = await exchangeCode(this.#tools, callback, (name) => this.#grant(name));
    // If the service cannot be reached now, the next renewal revokes the former pair.
    await revokeFormer(this.#tools, key).catch(() => {});
    return presentGrant(key, saved.record);
  }

  async #read(key: string): Promise<Found | null> {
    checkKey(key);
    return this.#tools.records.read(key);
  }

  #grant(key: string): GrantContext {
    checkKey(key);
    const { baseUrl, clientId, store, renewal } = this.#settings;
    const name = `${baseUrl.origin}${baseUrl.prefix} ${clientId} ${key}`;
    return { ...this.#tools, key, entry: entryOf(store, name), renewal };
  }
}
