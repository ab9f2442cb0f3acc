// Generated from the operations of the contract by `npm run types`. Do not edit.

import type * as api from '@plat/contract';
import { ApiClient } from '../api-client.ts';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions, WriteOptions } from '../call/call-options.ts';
import type { Engine } from '../call/engine.ts';
import type { ListCall } from '../list/list-call.ts';
import { createResources } from './create-resources.ts';
import type { ListOptions } from './operation-method.ts';
import { DEVELOPER_TABLE } from './developer-table.ts';

// Arguments and results of the methods, for programs that name them.
export type {
  ApiKey,
  ApiKeyMintParams,
  ApiKeyWithSecret,
  AppEvent,
  AppEventListParams,
  AppRefusal,
  AppRefusalListParams,
  AppTrace,
  AppWebhookDelivery,
  AppWebhookEndpoint,
  AppWebhookEndpointCreateParams,
  AppWebhookEndpointUpdateParams,
  AppWebhookEndpointWithSecret,
  AppWebhookReplay,
  AppWebhookReplayCreateParams,
  Deleted,
  Developer,
  DeveloperToken,
  EventReplayParams,
  Id,
  Installation,
  InstallationListParams,
  LaunchToken,
  LaunchTokenMintParams,
  List,
  ListParams,
  OAuthApp,
  OAuthAppCreateParams,
  OAuthAppSecretRotateParams,
  OAuthAppUpdateParams,
  OAuthAppWithSecret,
  OAuthConsent,
  Sandbox,
  TraceParams,
  WebhookDeliveryListParams,
  WebhookEndpointListParams,
  WebhookReplayListParams,
  WebhookSecretRotateParams,
} from '@plat/contract';

/** The developer who is logged in. */
export interface MeResource {
  /**
   * Shows who is logged in.
   * @example const me = await developer.me.get();
   */
  get(options?: CallOptions): ApiCall<api.Developer>;
}

/** Logins of the account. */
export interface Tokens {
  /**
   * Lists the logins of the account, newest first.
   * @param params - Query parameters that every list takes.
   * @throws {@link ApiError} `INVALID_CURSOR`
   * @example for await (const developerToken of developer.tokens.list()) console.log(developerToken);
   */
  list(params?: api.ListParams, options?: ListOptions): ListCall<api.DeveloperToken>;
  /**
   * Ends a login; `current` is the login in use.
   * @param tokenId - Id of the login.
   * @throws {@link ApiError} `DEVELOPER_TOKEN_NOT_FOUND`
   * @example const deletedDeveloperToken = await developer.tokens.revoke(tokenId);
   */
  revoke(tokenId: api.Id<'developer_token'>, options?: CallOptions): ApiCall<api.Deleted<'developer_token'>>;
}

/** The sandbox's API key: mint, show, revoke. */
export interface Keys {
  /**
   * Shows the sandbox's API key, without its text.
   * @throws {@link ApiError} `API_KEY_NOT_FOUND`
   * @example const apiKey = await developer.keys.get();
   */
  get(options?: CallOptions): ApiCall<api.ApiKey>;
  /**
   * Creates the API key of the sandbox; it replaces the current key, at once or after a chosen time.
   * @param params - Scopes of the API key to create, and the time for which the key that it replaces stays valid.
   * @example const apiKeyWithSecret = await developer.keys.mint();
   */
  mint(params?: api.ApiKeyMintParams, options?: WriteOptions): ApiCall<api.ApiKeyWithSecret>;
  /**
   * Revokes the API key of the sandbox.
   * @throws {@link ApiError} `API_KEY_NOT_FOUND`
   * @example const deletedApiKey = await developer.keys.revoke();
   */
  revoke(options?: CallOptions): ApiCall<api.Deleted<'api_key'>>;
  /**
   * Revokes the previous API key before it expires; the current key stays valid.
   * @throws {@link ApiError} `API_KEY_NOT_FOUND`
   * @example const apiKey = await developer.keys.revokePrevious();
   */
  revokePrevious(options?: CallOptions): ApiCall<api.ApiKey>;
}

/** OAuth apps: register, update, disable, delete, request verification. */
export interface Apps {
  /** Tenants that gave access to an app. */
  readonly installations: AppInstallations;
  /** Traces of the events and deliveries of an app. */
  readonly trace: AppTraceResource;
  /** Refused requests of an app to the OAuth endpoints. */
  readonly refusals: AppRefusals;
  /** An app's own webhooks: endpoints, events, deliveries, replays. */
  readonly webhooks: AppWebhooks;
  /**
   * Lists OAuth apps, newest first.
   * @param params - Query parameters that every list takes.
   * @throws {@link ApiError} `INVALID_CURSOR`
   * @example for await (const oAuthApp of developer.apps.list()) console.log(oAuthApp);
   */
  list(params?: api.ListParams, options?: ListOptions): ListCall<api.OAuthApp>;
  /**
   * Registers an OAuth app; only this response shows its secret.
   * @param params - Fields of the OAuth app to register.
   * @throws {@link ApiError} `APP_LIMIT`
   * @example const oAuthAppWithSecret = await developer.apps.register({ name: 'Ledger Sync', redirect_uris: ['https://ledger.example/callback'], scopes: ['clients:read'] });
   */
  register(params: api.OAuthAppCreateParams, options?: WriteOptions): ApiCall<api.OAuthAppWithSecret>;
  /**
   * Shows an OAuth app.
   * @param appId - Id of the app.
   * @throws {@link ApiError} `APP_NOT_FOUND`
   * @example const oAuthApp = await developer.apps.get(appId);
   */
  get(appId: api.Id<'app'>, options?: CallOptions): ApiCall<api.OAuthApp>;
  /**
   * Changes an OAuth app.
   * @param appId - Id of the app.
   * @param params - The fields to change. Absent fields keep their value.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `APP_NAME_PROTECTED`
   * @example const oAuthApp = await developer.apps.update(appId, { name: 'Ledger Sync' });
   */
  update(appId: api.Id<'app'>, params: api.OAuthAppUpdateParams, options?: CallOptions): ApiCall<api.OAuthApp>;
  /**
   * Creates a new secret for an OAuth app; only this response shows it.
   * @param appId - Id of the app.
   * @param params - Options of the rotation.
   * @throws {@link ApiError} `APP_NOT_FOUND`
   * @example const oAuthAppWithSecret = await developer.apps.rotateSecret(appId);
   */
  rotateSecret(appId: api.Id<'app'>, params?: api.OAuthAppSecretRotateParams, options?: WriteOptions): ApiCall<api.OAuthAppWithSecret>;
  /**
   * Revokes the previous secret of an OAuth app before it expires; the current secret stays valid.
   * @param appId - Id of the app.
   * @throws {@link ApiError} `APP_NOT_FOUND`
   * @example const oAuthApp = await developer.apps.revokePreviousSecret(appId);
   */
  revokePreviousSecret(appId: api.Id<'app'>, options?: CallOptions): ApiCall<api.OAuthApp>;
  /**
   * Disables an OAuth app: it receives no tokens, and every consent to it ends.
   * @param appId - Id of the app.
   * @throws {@link ApiError} `APP_NOT_FOUND`
   * @example const oAuthApp = await developer.apps.disable(appId);
   */
  disable(appId: api.Id<'app'>, options?: WriteOptions): ApiCall<api.OAuthApp>;
  /**
   * Enables a disabled OAuth app; tenants must consent again.
   * @param appId - Id of the app.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `APP_DISABLED`
   * @example const oAuthApp = await developer.apps.enable(appId);
   */
  enable(appId: api.Id<'app'>, options?: WriteOptions): ApiCall<api.OAuthApp>;
  /**
   * Deletes an OAuth app: every consent to it ends, and its id and secret stop working.
   * @param appId - Id of the app.
   * @throws {@link ApiError} `APP_NOT_FOUND`
   * @example const deletedApp = await developer.apps.delete(appId);
   */
  delete(appId: api.Id<'app'>, options?: CallOptions): ApiCall<api.Deleted<'app'>>;
  /**
   * Asks the platform to review an OAuth app, so that it works with production tenants.
   * @param appId - Id of the app.
   * @throws {@link ApiError} `APP_NOT_FOUND`
   * @example const oAuthApp = await developer.apps.requestVerification(appId);
   */
  requestVerification(appId: api.Id<'app'>, options?: WriteOptions): ApiCall<api.OAuthApp>;
}

/** Tenants that gave access to an app. */
export interface AppInstallations {
  /**
   * Lists the tenants that gave access to an OAuth app, newest first.
   * @param appId - Id of the app.
   * @param params - Filters and paging for the list of installations.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `INVALID_CURSOR`, `INVALID_REQUEST`
   * @example for await (const installation of developer.apps.installations.list(appId)) console.log(installation);
   */
  list(appId: api.Id<'app'>, params?: api.InstallationListParams, options?: ListOptions): ListCall<api.Installation>;
  /**
   * Shows the access of an OAuth app to a tenant.
   * @param appId - Id of the app.
   * @param installationId - Id of the installation.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `INSTALLATION_NOT_FOUND`
   * @example const installation = await developer.apps.installations.get(appId, installationId);
   */
  get(appId: api.Id<'app'>, installationId: api.Id<'grant'>, options?: CallOptions): ApiCall<api.Installation>;
}

/** Traces of the events and deliveries of an app. */
export interface AppTraceResource {
  /**
   * Shows the events, attempts and replays of an OAuth app that are recorded about an id.
   * @param appId - Id of the app.
   * @param id - An id of any kind, the e-mail address of a user, or the slug of a client or group.
   * @param params - Page of a trace.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `TRACE_NOT_FOUND`, `INVALID_CURSOR`
   * @example const appTrace = await developer.apps.trace.get(appId, id);
   */
  get(appId: api.Id<'app'>, id: string, params?: api.TraceParams, options?: CallOptions): ApiCall<api.AppTrace>;
}

/** Refused requests of an app to the OAuth endpoints. */
export interface AppRefusals {
  /**
   * Lists refused requests of an OAuth app to the authorize, token, introspection and revocation endpoints, newest first.
   * @param appId - Id of the app.
   * @param params - Filters and paging for the list of refusals.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `INVALID_CURSOR`, `INVALID_REQUEST`
   * @example for await (const appRefusal of developer.apps.refusals.list(appId)) console.log(appRefusal);
   */
  list(appId: api.Id<'app'>, params?: api.AppRefusalListParams, options?: ListOptions): ListCall<api.AppRefusal>;
}

/** An app's own webhooks: endpoints, events, deliveries, replays. */
export interface AppWebhooks {
  /** Endpoints that receive the events of an app. */
  readonly endpoints: AppWebhookEndpoints;
  /** Events of an app: list, show, replay. */
  readonly events: AppWebhookEvents;
  /** Delivery attempts of an app. */
  readonly deliveries: AppWebhookDeliveries;
  /** Jobs that send many events of an app again. */
  readonly replays: AppWebhookReplays;
}

/** Endpoints that receive the events of an app. */
export interface AppWebhookEndpoints {
  /**
   * Lists the webhook endpoints of an OAuth app, newest first.
   * @param appId - Id of the app.
   * @param params - Filters and paging for the list of webhook endpoints.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `INVALID_CURSOR`, `INVALID_REQUEST`
   * @example for await (const appWebhookEndpoint of developer.apps.webhooks.endpoints.list(appId)) console.log(appWebhookEndpoint);
   */
  list(appId: api.Id<'app'>, params?: api.WebhookEndpointListParams, options?: ListOptions): ListCall<api.AppWebhookEndpoint>;
  /**
   * Creates a webhook endpoint of an OAuth app; only this response shows its secret.
   * @param appId - Id of the app.
   * @param params - Fields of the webhook endpoint to create.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `WEBHOOK_URL_IN_USE`, `WEBHOOK_ENDPOINT_LIMIT`
   * @example const appWebhookEndpointWithSecret = await developer.apps.webhooks.endpoints.create(appId, { url: 'https://example.com/webhooks', events: ['installation.authorized', 'installation.revoked'] });
   */
  create(appId: api.Id<'app'>, params: api.AppWebhookEndpointCreateParams, options?: WriteOptions): ApiCall<api.AppWebhookEndpointWithSecret>;
  /**
   * Shows a webhook endpoint of an OAuth app.
   * @param appId - Id of the app.
   * @param endpointId - Id of the webhook endpoint.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `WEBHOOK_ENDPOINT_NOT_FOUND`
   * @example const appWebhookEndpoint = await developer.apps.webhooks.endpoints.get(appId, endpointId);
   */
  get(appId: api.Id<'app'>, endpointId: api.Id<'webhook_endpoint'>, options?: CallOptions): ApiCall<api.AppWebhookEndpoint>;
  /**
   * Changes, enable or disable a webhook endpoint of an OAuth app.
   * @param appId - Id of the app.
   * @param endpointId - Id of the webhook endpoint.
   * @param params - The fields to change. Absent fields keep their value.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_URL_IN_USE`
   * @example const appWebhookEndpoint = await developer.apps.webhooks.endpoints.update(appId, endpointId, { url: 'https://example.com/webhooks' });
   */
  update(appId: api.Id<'app'>, endpointId: api.Id<'webhook_endpoint'>, params: api.AppWebhookEndpointUpdateParams, options?: CallOptions): ApiCall<api.AppWebhookEndpoint>;
  /**
   * Deletes a webhook endpoint of an OAuth app.
   * @param appId - Id of the app.
   * @param endpointId - Id of the webhook endpoint.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `WEBHOOK_ENDPOINT_NOT_FOUND`
   * @example const deletedWebhookEndpoint = await developer.apps.webhooks.endpoints.delete(appId, endpointId);
   */
  delete(appId: api.Id<'app'>, endpointId: api.Id<'webhook_endpoint'>, options?: CallOptions): ApiCall<api.Deleted<'webhook_endpoint'>>;
  /**
   * Creates a new signing secret for a webhook endpoint of an OAuth app; only this response shows it.
   * @param appId - Id of the app.
   * @param endpointId - Id of the webhook endpoint.
   * @param params - Options of the rotation.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `WEBHOOK_ENDPOINT_NOT_FOUND`
   * @example const appWebhookEndpointWithSecret = await developer.apps.webhooks.endpoints.rotateSecret(appId, endpointId);
   */
  rotateSecret(appId: api.Id<'app'>, endpointId: api.Id<'webhook_endpoint'>, params?: api.WebhookSecretRotateParams, options?: WriteOptions): ApiCall<api.AppWebhookEndpointWithSecret>;
}

/** Events of an app: list, show, replay. */
export interface AppWebhookEvents {
  /**
   * Lists the events of an OAuth app of the last 30 days, newest first.
   * @param appId - Id of the app.
   * @param params - Filters and paging for the list of events of an app.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `INVALID_CURSOR`, `INVALID_REQUEST`
   * @example for await (const appEvent of developer.apps.webhooks.events.list(appId)) console.log(appEvent);
   */
  list(appId: api.Id<'app'>, params?: api.AppEventListParams, options?: ListOptions): ListCall<api.AppEvent>;
  /**
   * Shows an event of an OAuth app.
   * @param appId - Id of the app.
   * @param eventId - Id of the event.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `WEBHOOK_EVENT_NOT_FOUND`
   * @example const appEvent = await developer.apps.webhooks.events.get(appId, eventId);
   */
  get(appId: api.Id<'app'>, eventId: api.Id<'event'>, options?: CallOptions): ApiCall<api.AppEvent>;
  /**
   * Sends an event of an OAuth app again, with seven new attempts.
   * @param appId - Id of the app.
   * @param eventId - Id of the event.
   * @param params - Endpoint that receives the event again.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `WEBHOOK_EVENT_NOT_FOUND`, `WEBHOOK_ENDPOINT_NOT_FOUND`, `UNPROCESSABLE`
   * @example const appWebhookDeliveryList = await developer.apps.webhooks.events.replay(appId, eventId);
   */
  replay(appId: api.Id<'app'>, eventId: api.Id<'event'>, params?: api.EventReplayParams, options?: WriteOptions): ApiCall<api.List<api.AppWebhookDelivery>>;
}

/** Delivery attempts of an app. */
export interface AppWebhookDeliveries {
  /**
   * Lists the delivery attempts of an OAuth app, newest first.
   * @param appId - Id of the app.
   * @param params - Filters and paging for the list of deliveries.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `INVALID_CURSOR`, `INVALID_REQUEST`
   * @example for await (const appWebhookDelivery of developer.apps.webhooks.deliveries.list(appId)) console.log(appWebhookDelivery);
   */
  list(appId: api.Id<'app'>, params?: api.WebhookDeliveryListParams, options?: ListOptions): ListCall<api.AppWebhookDelivery>;
  /**
   * Shows a delivery attempt of an OAuth app.
   * @param appId - Id of the app.
   * @param deliveryId - Id of the delivery attempt.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `WEBHOOK_DELIVERY_NOT_FOUND`
   * @example const appWebhookDelivery = await developer.apps.webhooks.deliveries.get(appId, deliveryId);
   */
  get(appId: api.Id<'app'>, deliveryId: api.Id<'webhook_delivery'>, options?: CallOptions): ApiCall<api.AppWebhookDelivery>;
}

/** Jobs that send many events of an app again. */
export interface AppWebhookReplays {
  /**
   * Lists the replays of an OAuth app, newest first.
   * @param appId - Id of the app.
   * @param params - Filters and paging for the list of replays.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `INVALID_CURSOR`, `INVALID_REQUEST`
   * @example for await (const appWebhookReplay of developer.apps.webhooks.replays.list(appId)) console.log(appWebhookReplay);
   */
  list(appId: api.Id<'app'>, params?: api.WebhookReplayListParams, options?: ListOptions): ListCall<api.AppWebhookReplay>;
  /**
   * Sends many events of an OAuth app again.
   * @param appId - Id of the app.
   * @param params - The events to send again, and the endpoint that receives them.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `WEBHOOK_ENDPOINT_NOT_FOUND`, `UNPROCESSABLE`
   * @example const appWebhookReplay = await developer.apps.webhooks.replays.create(appId, { since: '2026-01-31T12:00:00.000Z' });
   */
  create(appId: api.Id<'app'>, params: api.AppWebhookReplayCreateParams, options?: WriteOptions): ApiCall<api.AppWebhookReplay>;
  /**
   * Shows a replay of an OAuth app, with its progress.
   * @param appId - Id of the app.
   * @param replayId - Id of the replay.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `WEBHOOK_REPLAY_NOT_FOUND`
   * @example const appWebhookReplay = await developer.apps.webhooks.replays.get(appId, replayId);
   */
  get(appId: api.Id<'app'>, replayId: api.Id<'webhook_replay'>, options?: CallOptions): ApiCall<api.AppWebhookReplay>;
  /**
   * Stops a replay of an OAuth app; scheduled deliveries are sent.
   * @param appId - Id of the app.
   * @param replayId - Id of the replay.
   * @throws {@link ApiError} `APP_NOT_FOUND`, `WEBHOOK_REPLAY_NOT_FOUND`, `UNPROCESSABLE`
   * @example const appWebhookReplay = await developer.apps.webhooks.replays.cancel(appId, replayId);
   */
  cancel(appId: api.Id<'app'>, replayId: api.Id<'webhook_replay'>, options?: WriteOptions): ApiCall<api.AppWebhookReplay>;
}

/** The sandbox: show it, and reset it to its seeded content. */
export interface SandboxResource {
  /**
   * Shows the sandbox.
   * @example const sandbox = await developer.sandbox.get();
   */
  get(options?: CallOptions): ApiCall<api.Sandbox>;
  /**
   * Resets the sandbox to its seeded content.
   * @example const sandbox = await developer.sandbox.reset();
   */
  reset(options?: WriteOptions): ApiCall<api.Sandbox>;
}

/** Consents of the sandbox: list and revoke. */
export interface Consents {
  /**
   * Lists what the sandbox consented to, newest first.
   * @param params - Query parameters that every list takes.
   * @throws {@link ApiError} `INVALID_CURSOR`
   * @example for await (const oAuthConsent of developer.consents.list()) console.log(oAuthConsent);
   */
  list(params?: api.ListParams, options?: ListOptions): ListCall<api.OAuthConsent>;
  /**
   * Ends a consent with all its tokens. Emits `oauth.app_revoked`.
   * @param consentId - Id of the consent.
   * @throws {@link ApiError} `CONSENT_NOT_FOUND`
   * @example const deletedConsent = await developer.consents.revoke(consentId);
   */
  revoke(consentId: api.Id<'grant'>, options?: CallOptions): ApiCall<api.Deleted<'consent'>>;
}

/** Launch tokens for users of the sandbox, in development only. */
export interface LaunchTokens {
  /**
   * Creates a launch token for a module as a user of the sandbox; in development only.
   * @param params - The module to launch, and the user, client and group of the token.
   * @throws {@link ApiError} `FORBIDDEN`, `MODULE_NOT_FOUND`, `MODULE_NOT_LAUNCHABLE`, `CLIENT_NOT_FOUND`, `USER_NOT_FOUND`, `GROUP_NOT_FOUND`, `UNPROCESSABLE`
   * @example const launchToken = await developer.launchTokens.mint({ module: 'analytics' });
   */
  mint(params: api.LaunchTokenMintParams, options?: WriteOptions): ApiCall<api.LaunchToken>;
}

/** One property for each resource family of a client. */
export class DeveloperResources extends ApiClient {
  /** The developer who is logged in. */
  readonly me: MeResource;
  /** Logins of the account. */
  readonly tokens: Tokens;
  /** The sandbox's API key: mint, show, revoke. */
  readonly keys: Keys;
  /** OAuth apps: register, update, disable, delete, request verification. */
  readonly apps: Apps;
  /** The sandbox: show it, and reset it to its seeded content. */
  readonly sandbox: SandboxResource;
  /** Consents of the sandbox: list and revoke. */
  readonly consents: Consents;
  /** Launch tokens for users of the sandbox, in development only. */
  readonly launchTokens: LaunchTokens;

  /** @internal */
  protected constructor(engine: Engine) {
    super(engine);
    const resources = createResources(engine, DEVELOPER_TABLE);
    this.me = resources.me;
    this.tokens = resources.tokens;
    this.keys = resources.keys;
    this.apps = resources.apps;
    this.sandbox = resources.sandbox;
    this.consents = resources.consents;
    this.launchTokens = resources.launchTokens;
  }
}
