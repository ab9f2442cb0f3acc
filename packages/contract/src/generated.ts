// Generated from the schemas in `schemas/` by `npm run types`. Do not edit.

import type { ErrorCode, FieldError } from './errors.ts';
import type { AppEventType, EventType } from './event-types.ts';
import type { Id } from './ids.ts';
import type { OperationName } from './operations.ts';
import type { Scope } from './scopes.ts';

/** The values of `AppRefusal.endpoint`. */
export type AppEndpoint = 'authorize' | 'token' | 'introspect' | 'revoke';

/** The values of `AuditEvent.actor.type`. */
export type AuditActorType = 'api_key' | 'oauth_app' | 'user' | 'developer' | 'operator' | 'system';

/** The values of `Invoice.status`. */
export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'void';

/** The values of `Payment.status`. */
export type PaymentStatus = 'succeeded' | 'failed' | 'refunded';

/** The values of `Plan.interval`. */
export type PlanInterval = 'month' | 'year';

/** The values of `Client.status`. */
export type ClientStatus = 'active' | 'inactive';

/** The values of `Sandbox.status`. */
export type TenantStatus = 'active' | 'suspended';

/** The values of `Group.membership_policy`. */
export type MembershipPolicy = 'open' | 'invite_only' | 'closed';

/** The values of `GroupOwner.status`. */
export type GroupOwnerStatus = 'invited' | 'active';

/** The values of `Installation.state`. */
export type InstallationState = 'pending' | 'active' | 'suspended' | 'expired' | 'revoked';

/** The values of `Installation.revoked_reason`. */
export type RevokedReason = 'tenant' | 'app' | 'code_reused' | 'refresh_token_reused' | 'replaced' | 'app_disabled' | 'app_deleted';

/** The values of `OAuthApp.verification`. */
export type AppVerification = 'unverified' | 'pending' | 'verified' | 'rejected';

/** The values of `OAuthApp.disabled_by`. */
export type AppDisabler = 'developer' | 'operator';

/** The values of `OAuthConsent.granted_by_status`. */
export type UserStatus = 'invited' | 'active' | 'suspended';

/** The values of `LoggedRequest.outcome`. */
export type RequestOutcome = 'succeeded' | 'failed';

/** The values of `TraceEndpoint.status`. */
export type WebhookEndpointStatus = 'enabled' | 'disabled';

/** The values of `TraceGrant.step`. */
export type TraceGrantStep = 'issued' | 'exchanged' | 'refreshed' | 'reused' | 'revoked' | 'expired';

/** The values of `TraceSubject.type`. */
export type TraceSubjectType = 'request' | 'event' | 'webhook_delivery' | 'webhook_endpoint' | 'webhook_replay' | 'audit_event' | 'client' | 'group' | 'location' | 'user' | 'role' | 'tenant' | 'invoice' | 'payment' | 'api_key' | 'app' | 'grant' | 'session' | 'developer_token';

/** The values of `TraceWithheld.part`. */
export type TracePart = 'requests' | 'changes' | 'grants' | 'events' | 'attempts' | 'replays';

/** The values of `AppWebhookDelivery.status`. */
export type WebhookDeliveryStatus = 'pending' | 'succeeded' | 'retrying' | 'failed';

/** The values of `AppWebhookDelivery.error_class`. */
export type WebhookDeliveryErrorClass = 'dns' | 'refused' | 'unreachable' | 'reset' | 'tls' | 'timeout' | 'protocol' | 'redirect' | 'blocked_address' | 'http_status' | 'endpoint_deleted' | 'endpoint_disabled' | 'event_deleted' | 'other';

/** The values of `AppWebhookReplay.select`. */
export type WebhookReplaySelect = 'failed' | 'missed' | 'undelivered';

/** The values of `AppWebhookReplay.status`. */
export type WebhookReplayStatus = 'pending' | 'running' | 'completed' | 'canceled';

/** Filters and paging for the list of events of an app. */
export interface AppEventListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** Cursor: returns the page after the object with this id. Use `next_cursor` of the previous response, or its last id. */
  readonly starting_after?: string;
  /** Cursor: returns the page before the object with this id. Use `next_cursor` of the previous response, or its first id. */
  readonly ending_before?: string;
  /** Only events of this type. */
  readonly type?: AppEventType;
  /**
   * Only events created after this time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_after?: string;
  /**
   * Only events created before this time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_before?: string;
}

/** A refused request of an OAuth app to the authorize, token, introspection or revocation endpoint. It has no form, no query and no secret. */
export interface AppRefusal {
  /** Always `app_refusal`. */
  readonly object: 'app_refusal';
  /**
   * The `X-Request-Id` of the response.
   * @example "req_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'request'>;
  /** Endpoint that refused the request: `token` is `/oauth/token`. */
  readonly endpoint: AppEndpoint;
  /**
   * HTTP status of the response: 303 if the refusal was sent to the redirect URI; null if the connection ended before. 100 to 599.
   * @example 400
   */
  readonly status: number | null;
  /** Error of the response; null without a response. */
  readonly error: LoggedRefusal | null;
  /**
   * Id of the installation whose code or token the app sent; null if it was not found.
   * @example "gra_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly installation_id: Id<'grant'> | null;
  /**
   * IP address of the caller; null for `authorize`, which a user opens.
   * @example "203.0.113.7"
   */
  readonly ip: string | null;
  /**
   * Value of the header `User-Agent`; null without one.
   * @example "plat-sdk/1.0.0"
   */
  readonly user_agent: string | null;
  /**
   * Milliseconds from the arrival of the request head to the end of the response.
   * @example 3.2
   */
  readonly duration_ms: number;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
}

/** Filters and paging for the list of refusals. */
export interface AppRefusalListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** Cursor: returns the page after the object with this id. Use `next_cursor` of the previous response, or its last id. */
  readonly starting_after?: string;
  /** Cursor: returns the page before the object with this id. Use `next_cursor` of the previous response, or its first id. */
  readonly ending_before?: string;
  /** Only refusals of this endpoint. */
  readonly endpoint?: AppEndpoint;
  /**
   * Only requests that were refused with this code.
   * @example "INVALID_GRANT"
   */
  readonly code?: ErrorCode;
  /**
   * Only requests received after this time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_after?: string;
  /**
   * Only requests received before this time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_before?: string;
}

/** The values of one field before and after a change. */
export interface AuditChange {
  /** Value before the change. */
  readonly before: unknown;
  /** Value after the change. */
  readonly after: unknown;
}

/** A change with its actor and target. */
export interface AuditEvent {
  /** Always `audit_event`. */
  readonly object: 'audit_event';
  /**
   * Id of the audit event.
   * @example "aud_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'audit_event'>;
  /** The actor that made the change. */
  readonly actor: {
    /** Kind of the actor. */
    readonly type: AuditActorType;
    /**
     * Id of the actor; null for the operator and the system.
     * @example "key_01k0z8k3v7e5q2m9t4r6w1x8c0"
     */
    readonly id: string | null;
  };
  /**
   * Name of the action: the kind of object and a verb, such as `user.updated`. 3 to 64 characters.
   * @example "user.updated"
   */
  readonly action: string;
  /** The changed object. */
  readonly target: {
    /**
     * Kind of the object.
     * @example "user"
     */
    readonly type: string;
    /**
     * Id of the object. For an object without an id, the id of the tenant.
     * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
     */
    readonly id: string;
  };
  /**
   * Changed fields with their values before and after. Null if the action alone describes the change. Secrets are never included.
   * @example {"name":{"before":"Ada","after":"Ada Lovelace"}}
   */
  readonly changes: Readonly<Record<string, AuditChange>> | null;
  /**
   * Id of the request that made the change; null for the operator and the system.
   * @example "req_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly request_id: Id<'request'> | null;
  /**
   * Id of the sign-in of the person who made the change: a session of the console, or the login of a terminal. Null for other actors, and for sessions from before this field.
   * @example "ses_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly session_id: string | null;
  /**
   * IP address of the caller.
   * @example "203.0.113.7"
   */
  readonly ip: string | null;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
}

/** Filters and paging for the list of audit events. */
export interface AuditEventListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** Cursor: returns the page after the object with this id. Use `next_cursor` of the previous response, or its last id. */
  readonly starting_after?: string;
  /** Cursor: returns the page before the object with this id. Use `next_cursor` of the previous response, or its first id. */
  readonly ending_before?: string;
  /**
   * Only events of this action, such as `client.updated`. 3 to 64 characters.
   * @example "user.updated"
   */
  readonly action?: string;
  /**
   * Only changes made by the API key, app, user or developer with this id.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly actor_id?: string;
  /**
   * Only changes of the object with this id.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly target_id?: string;
  /**
   * Only changes made in the sign-in with this id.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly session_id?: string;
  /**
   * Only events created after this time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_after?: string;
  /**
   * Only events created before this time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_before?: string;
}

/** An invoice of the tenant. Amounts are in minor units, such as cents. */
export interface Invoice {
  /** Always `invoice`. */
  readonly object: 'invoice';
  /**
   * Id of the invoice.
   * @example "inv_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'invoice'>;
  /**
   * Invoice number, unique in the tenant.
   * @example "INV-2026-0002"
   */
  readonly number: string;
  /**
   * Status of the invoice: `draft` until it is issued, `void` if it was withdrawn.
   * @example "paid"
   */
  readonly status: InvoiceStatus;
  /**
   * ISO 4217 code of the currency.
   * @example "EUR"
   */
  readonly currency: string;
  /**
   * Total amount to pay.
   * @example 4900
   */
  readonly amount_due: number;
  /**
   * Amount paid so far.
   * @example 4900
   */
  readonly amount_paid: number;
  /**
   * Start of the billing period. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly period_start: string;
  /**
   * End of the billing period. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly period_end: string;
  /**
   * Time at which payment is due; null for a draft. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly due_at: string | null;
  /** The lines of the invoice. */
  readonly lines: readonly InvoiceLine[];
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** One line of an invoice. */
export interface InvoiceLine {
  /**
   * The charged item.
   * @example "Growth, February 2026"
   */
  readonly description: string;
  /**
   * Quantity of the charged item.
   * @example 1
   */
  readonly quantity: number;
  /**
   * Price of the whole line in minor units, such as cents; negative for a credit.
   * @example 4900
   */
  readonly amount: number;
}

/** Filters and paging for the list of invoices. */
export interface InvoiceListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** Cursor: returns the page after the object with this id. Use `next_cursor` of the previous response, or its last id. */
  readonly starting_after?: string;
  /** Cursor: returns the page before the object with this id. Use `next_cursor` of the previous response, or its first id. */
  readonly ending_before?: string;
  /** Only invoices of this status. */
  readonly status?: InvoiceStatus;
}

/** A payment of an invoice, or an attempt to pay it. */
export interface Payment {
  /** Always `payment`. */
  readonly object: 'payment';
  /**
   * Id of the payment.
   * @example "pay_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'payment'>;
  /**
   * Id of the invoice.
   * @example "inv_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly invoice_id: Id<'invoice'>;
  /**
   * Outcome of the payment.
   * @example "succeeded"
   */
  readonly status: PaymentStatus;
  /**
   * ISO 4217 code of the currency.
   * @example "EUR"
   */
  readonly currency: string;
  /**
   * Amount paid or attempted, in minor units such as cents.
   * @example 4900
   */
  readonly amount: number;
  /**
   * Payment method, for example `card` or `bank_transfer`.
   * @example "card"
   */
  readonly method: string;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** Filters and paging for the list of payments. */
export interface PaymentListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** Cursor: returns the page after the object with this id. Use `next_cursor` of the previous response, or its last id. */
  readonly starting_after?: string;
  /** Cursor: returns the page before the object with this id. Use `next_cursor` of the previous response, or its first id. */
  readonly ending_before?: string;
  /**
   * Only payments of this invoice.
   * @example "inv_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly invoice_id?: Id<'invoice'>;
}

/** A module of the platform, the same for every tenant. */
export interface Module {
  /** Always `module`. */
  readonly object: 'module';
  /**
   * Id of the module.
   * @example "mod_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'module'>;
  /**
   * Short name for URLs, unique among the modules. 1 to 63 characters.
   * @example "analytics"
   */
  readonly slug: string;
  /**
   * Name of the module. 1 to 200 characters.
   * @example "Analytics"
   */
  readonly name: string;
  /**
   * Description of the module for people.
   * @example "Sales and stock at a glance."
   */
  readonly description: string;
  /**
   * Ids of the capabilities of the module. Plans and roles refer to these ids.
   * @example ["analytics:read","analytics:export"]
   */
  readonly capabilities: readonly string[];
  /**
   * URL to which a launch posts its token; null for a module that is not launched.
   * @example "https://analytics.example.com/launch"
   */
  readonly launch_url: string | null;
  /**
   * Audience (`aud`) of the launch tokens for the module; null for a module that is not launched.
   * @example "https://analytics.example.com"
   */
  readonly audience: string | null;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** A plan of the platform, the same for every tenant. */
export interface Plan {
  /** Always `plan`. */
  readonly object: 'plan';
  /**
   * Id of the plan.
   * @example "pln_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'plan'>;
  /**
   * Short name for URLs, unique among the plans. 1 to 63 characters.
   * @example "growth"
   */
  readonly slug: string;
  /**
   * Name of the plan. 1 to 200 characters.
   * @example "Growth"
   */
  readonly name: string;
  /**
   * ISO 4217 code of the currency.
   * @example "EUR"
   */
  readonly currency: string;
  /**
   * Price of one interval in minor units, such as cents.
   * @example 4900
   */
  readonly amount: number;
  /**
   * Billing interval of the price.
   * @example "month"
   */
  readonly interval: PlanInterval;
  /**
   * Ids of the capabilities that the plan grants a tenant, across all modules.
   * @example ["analytics:read"]
   */
  readonly capabilities: readonly string[];
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** A customer of the tenant. */
export interface Client {
  /** Always `client`. */
  readonly object: 'client';
  /**
   * Id of the client.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'client'>;
  /**
   * Name of the client. 1 to 200 characters.
   * @example "Acme Ltd"
   */
  readonly name: string;
  /** Status of the client; `active` at creation. */
  readonly status: ClientStatus;
  /**
   * Short name for URLs: lower-case letters, digits and single hyphens. Unique in the tenant. 1 to 63 characters.
   * @example "acme"
   */
  readonly slug: string;
  /**
   * Custom domain of the client; null if it has none. Unique across all production tenants; in a sandbox, unique within the sandbox. 3 to 253 characters.
   * @example "shop.example.com"
   */
  readonly custom_domain: string | null;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** Fields of the client to create. */
export interface ClientCreateParams {
  /**
   * Name of the client. 1 to 200 characters.
   * @example "Acme Ltd"
   */
  readonly name: string;
  /**
   * Short name for URLs: lower-case letters, digits and single hyphens. Unique in the tenant; derived from the name by default. 1 to 63 characters.
   * @example "acme"
   */
  readonly slug?: string;
}

/** Filters and paging for the list of clients. */
export interface ClientListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** Cursor: returns the page after the object with this id. Use `next_cursor` of the previous response, or its last id. */
  readonly starting_after?: string;
  /** Cursor: returns the page before the object with this id. Use `next_cursor` of the previous response, or its first id. */
  readonly ending_before?: string;
  /** Only clients of this status. */
  readonly status?: ClientStatus;
  /**
   * Only the client with this slug. 1 to 63 characters.
   * @example "acme"
   */
  readonly slug?: string;
}

/** The fields to change. Absent fields keep their value. */
export interface ClientUpdateParams {
  /**
   * Name of the client. 1 to 200 characters.
   * @example "Acme Ltd"
   */
  readonly name?: string;
  /** Status of the client. */
  readonly status?: ClientStatus;
  /**
   * Short name for URLs: lower-case letters, digits and single hyphens. Unique in the tenant. 1 to 63 characters.
   * @example "acme"
   */
  readonly slug?: string;
  /**
   * Custom domain of the client; null if it has none. Unique across all production tenants; in a sandbox, unique within the sandbox. 3 to 253 characters.
   * @example "shop.example.com"
   */
  readonly domain?: string | null;
  /**
   * Another name of `domain`. Give one of the two. 3 to 253 characters.
   * @example "shop.example.com"
   */
  readonly custom_domain?: string | null;
}

/** The API key of a tenant. */
export interface ApiKey {
  /** Always `api_key`. */
  readonly object: 'api_key';
  /**
   * Id of the api key.
   * @example "key_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'api_key'>;
  /**
   * Id of the tenant.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: Id<'tenant'>;
  /**
   * First and last characters of the key, to recognize it.
   * @example "plat_test_...x8Qk"
   */
  readonly hint: string;
  /**
   * Scopes of the key.
   * @example ["clients:read"]
   */
  readonly scopes: readonly Scope[];
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last request with the key, at most a minute late; null if none is recorded. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly last_used_at: string | null;
  /** The key that this one replaced, while it is still valid; null if there is none. */
  readonly previous_key: PreviousApiKey | null;
}

/** Scopes of the API key to create, and the time for which the key that it replaces stays valid. */
export interface ApiKeyMintParams {
  /**
   * Scopes of the key; all scopes when absent. 1 to 21 items.
   * @example ["clients:read"]
   */
  readonly scopes?: readonly Scope[];
  /**
   * Seconds for which the current key is accepted besides the new one; 0 when absent. An older key that is still valid expires at once. 0 to 604,800.
   * @example 86400
   */
  readonly expires_in?: number;
}

/** The API key of a tenant, including the key itself. */
export interface ApiKeyWithSecret {
  /** Always `api_key`. */
  readonly object: 'api_key';
  /**
   * Id of the api key.
   * @example "key_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'api_key'>;
  /**
   * Id of the tenant.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: Id<'tenant'>;
  /**
   * First and last characters of the key, to recognize it.
   * @example "plat_test_...x8Qk"
   */
  readonly hint: string;
  /**
   * Scopes of the key.
   * @example ["clients:read"]
   */
  readonly scopes: readonly Scope[];
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last request with the key, at most a minute late; null if none is recorded. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly last_used_at: string | null;
  /** The key that this one replaced, while it is still valid; null if there is none. */
  readonly previous_key: PreviousApiKey | null;
  /**
   * The API key. It is shown in this response only.
   * @example "plat_test_…"
   */
  readonly api_key: string;
}

/** The developer to whom the token belongs. */
export interface Developer {
  /** Always `developer`. */
  readonly object: 'developer';
  /**
   * Id of the developer.
   * @example "dev_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'developer'>;
  /**
   * E-mail address of the developer, which receives the sign-in links. 6 to 254 characters.
   * @example "ada@example.com"
   */
  readonly email: string;
  /**
   * Id of the sandbox tenant of the developer.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: Id<'tenant'>;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /** The token that authenticates the call. */
  readonly token: DeveloperToken;
}

/** A token of the developer API. Each login of the command line creates one. The token itself is shown only at login. */
export interface DeveloperToken {
  /** Always `developer_token`. */
  readonly object: 'developer_token';
  /**
   * Id of the developer token.
   * @example "dvt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'developer_token'>;
  /**
   * Name that the program gave when it requested the token.
   * @example "plat on laptop"
   */
  readonly client_name: string;
  /**
   * IP address from which the token was requested.
   * @example "203.0.113.7"
   */
  readonly ip: string | null;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last use, rounded to the hour. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly last_used_at: string;
  /**
   * Expiry time. Each use extends it, up to one year after the login. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly expires_at: string;
}

/** A launch token that a developer created for the sandbox. */
export interface LaunchToken {
  /** Always `launch_token`. */
  readonly object: 'launch_token';
  /**
   * The value of the form field `launch_token` that a browser posts to `launch_url`.
   * @example "eyJ…"
   */
  readonly token: string;
  /**
   * Slug of the module that the token opens. 1 to 63 characters.
   * @example "analytics"
   */
  readonly module: string;
  /**
   * The launch URL of the module.
   * @example "http://127.0.0.1:4020/launch"
   */
  readonly launch_url: string;
  /**
   * Issuer of the token (`iss`).
   * @example "http://127.0.0.1:4010"
   */
  readonly issuer: string;
  /**
   * Audience of the token (`aud`).
   * @example "analytics"
   */
  readonly audience: string;
  /**
   * Expiry time of the token. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly expires_at: string;
}

/** The module to launch, and the user, client and group of the token. */
export interface LaunchTokenMintParams {
  /**
   * Slug of the module. 1 to 63 characters.
   * @example "analytics"
   */
  readonly module: string;
  /**
   * Client that the user enters. When absent: the client of the user, or else the oldest client of the sandbox.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly client_id?: Id<'client'>;
  /**
   * User of the token; the owner of the sandbox when absent.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly user_id?: Id<'user'>;
  /**
   * Selected group; none when absent.
   * @example "grp_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly group_id?: Id<'group'>;
}

/** A replaced API key that is still valid for a while. */
export interface PreviousApiKey {
  /** Always `previous_api_key`. */
  readonly object: 'previous_api_key';
  /**
   * Id of the api key.
   * @example "key_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'api_key'>;
  /**
   * First and last characters of the key, to recognize it.
   * @example "plat_test_...x8Qk"
   */
  readonly hint: string;
  /**
   * Time of the last request with the key, at most a minute late; null if none is recorded. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly last_used_at: string | null;
  /**
   * Time from which the key is refused. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly expires_at: string;
}

/** The sandbox tenant of a developer. */
export interface Sandbox {
  /** Always `sandbox`. */
  readonly object: 'sandbox';
  /**
   * Id of the tenant.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: Id<'tenant'>;
  /**
   * Name of the tenant. 1 to 200 characters.
   * @example "Sandbox"
   */
  readonly name: string;
  /** Status of the tenant. Access is frozen while it is `suspended`. */
  readonly status: TenantStatus;
  /**
   * Base URL of the API: the part before `/v1`.
   * @example "https://api.example.com"
   */
  readonly base_url: string;
  /**
   * URL of the developer console.
   * @example "https://api.example.com/console"
   */
  readonly console_url: string;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** Body of the request that starts a device login. */
export interface DeviceCodeParams {
  /**
   * Name of the program, shown to the developer who approves. 1 to 100 characters.
   * @example "plat on laptop"
   */
  readonly client_name: string;
}

/** Codes of a new device login (RFC 8628, section 3.2). */
export interface DeviceCodeResponse {
  /**
   * Secret code with which the program polls for the token.
   * @example "plat_dc_…"
   */
  readonly device_code: string;
  /**
   * Code that the developer compares or types in the console.
   * @example "BCDF-GHJK"
   */
  readonly user_code: string;
  /**
   * URL of the page on which the developer types the code.
   * @example "https://api.example.com/console/cli"
   */
  readonly verification_uri: string;
  /**
   * URL of the same page with the code filled in.
   * @example "https://api.example.com/console/cli?user_code=BCDF-GHJK"
   */
  readonly verification_uri_complete: string;
  /**
   * Lifetime of both codes in seconds.
   * @example 600
   */
  readonly expires_in: number;
  /**
   * Seconds to wait between two polls.
   * @example 5
   */
  readonly interval: number;
}

/** Body of a poll for the token of a device login. */
export interface DeviceTokenParams {
  /**
   * The `device_code` of the login.
   * @example "plat_dc_…"
   */
  readonly device_code: string;
}

/** Response to the first poll after the developer approved the device login. */
export interface DeviceTokenResponse {
  /**
   * Token with the prefix `plat_dv_`. It is accepted by `/developer/v1` only.
   * @example "plat_dv_…"
   */
  readonly access_token: string;
  /** Always `Bearer`. */
  readonly token_type: 'Bearer';
  /**
   * Seconds until the token expires if it is not used.
   * @example 7776000
   */
  readonly expires_in: number;
}

/** Filters and paging for the list of events. */
export interface EventListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** Cursor: returns the page after the object with this id. Use `next_cursor` of the previous response, or its last id. */
  readonly starting_after?: string;
  /** Cursor: returns the page before the object with this id. Use `next_cursor` of the previous response, or its first id. */
  readonly ending_before?: string;
  /** Only events of this type. */
  readonly type?: EventType;
  /**
   * Only events about the object with this id. Members and owners of a group are about the group.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly object_id?: string;
  /**
   * Only events created after this time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_after?: string;
  /**
   * Only events created before this time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_before?: string;
}

/** A group of clients. */
export interface Group {
  /** Always `group`. */
  readonly object: 'group';
  /**
   * Id of the group.
   * @example "grp_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'group'>;
  /**
   * Name of the group. 1 to 200 characters.
   * @example "Retail North"
   */
  readonly name: string;
  /**
   * Short name for URLs: lower-case letters, digits and single hyphens. Unique in the tenant. 1 to 63 characters.
   * @example "retail-north"
   */
  readonly slug: string;
  /** Policy that determines which clients may join on their own. The API can add and remove members under every policy. */
  readonly membership_policy: MembershipPolicy;
  /**
   * Number of clients in the group. 0 to 2,147,483,647.
   * @example 2
   */
  readonly member_count: number;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** Fields of the group to create. */
export interface GroupCreateParams {
  /**
   * Name of the group. 1 to 200 characters.
   * @example "Retail North"
   */
  readonly name: string;
  /**
   * Short name for URLs: lower-case letters, digits and single hyphens. Unique among the groups; derived from the name by default. 1 to 63 characters.
   * @example "retail-north"
   */
  readonly slug?: string;
  /** Policy that determines which clients may join on their own; `invite_only` by default. */
  readonly membership_policy?: MembershipPolicy;
}

/** The membership of a client in a group. */
export interface GroupMember {
  /** Always `group_member`. */
  readonly object: 'group_member';
  /**
   * Id of the group.
   * @example "grp_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly group_id: Id<'group'>;
  /**
   * Id of the client.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly client_id: Id<'client'>;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** The client to add to the group. */
export interface GroupMemberAddParams {
  /**
   * Client to add, by its id.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly client_id: Id<'client'>;
}

/** Paging for the list of group members. Cursors are client ids, because a member has no separate id. */
export interface GroupMemberListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** Cursor: returns the page after the object with this id. Use `next_cursor` of the previous response, or its last id. */
  readonly starting_after?: string;
  /** Cursor: returns the page before the object with this id. Use `next_cursor` of the previous response, or its first id. */
  readonly ending_before?: string;
}

/** A user who owns a group or is invited to own it. */
export interface GroupOwner {
  /** Always `group_owner`. */
  readonly object: 'group_owner';
  /**
   * Id of the group.
   * @example "grp_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly group_id: Id<'group'>;
  /**
   * Id of the user.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly user_id: Id<'user'>;
  /**
   * E-mail address of the user. 6 to 254 characters.
   * @example "ada@example.com"
   */
  readonly email: string;
  /** Status of the owner: `invited` until the user accepts the invitation to the tenant, then `active`. */
  readonly status: GroupOwnerStatus;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** The person to invite as an owner of the group. */
export interface GroupOwnerInviteParams {
  /**
   * E-mail address of a user of the tenant. A person who is not yet a user is invited to the tenant with the role `viewer`. 6 to 254 characters.
   * @example "ada@example.com"
   */
  readonly email: string;
}

/** The fields to change. Absent fields keep their value. */
export interface GroupUpdateParams {
  /**
   * Name of the group. 1 to 200 characters.
   * @example "Retail North"
   */
  readonly name?: string;
  /**
   * Short name for URLs: lower-case letters, digits and single hyphens. Unique in the tenant. 1 to 63 characters.
   * @example "retail-north"
   */
  readonly slug?: string;
  /** Policy that determines which clients may join on their own. The API can add and remove members under every policy. */
  readonly membership_policy?: MembershipPolicy;
}

/** The access of an OAuth app to one tenant: a grant with its state. */
export interface Installation {
  /** Always `installation`. */
  readonly object: 'installation';
  /**
   * Id of the installation: the grant, whose tokens form one family.
   * @example "gra_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'grant'>;
  /**
   * Id of the app.
   * @example "app_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly app_id: Id<'app'>;
  /**
   * Id of the tenant that consented.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: Id<'tenant'>;
  /**
   * Scopes that the tenant granted.
   * @example ["clients:read"]
   */
  readonly scopes: readonly Scope[];
  /**
   * State of the installation. `pending`: the code is not exchanged yet. `suspended`: the tenant is suspended.
   * @example "active"
   */
  readonly state: InstallationState;
  /**
   * Id of the user who gave the consent.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly granted_by: Id<'user'>;
  /**
   * Time of the consent. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly granted_at: string;
  /**
   * Time at which the app last received tokens; null if it never has. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly last_used_at: string | null;
  /**
   * Time at which the installation ends, or ended. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly expires_at: string;
  /** Reason for which the installation was revoked; null otherwise. */
  readonly revoked_reason: RevokedReason | null;
}

/** Filters and paging for the list of installations. */
export interface InstallationListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** Cursor: returns the page after the object with this id. Use `next_cursor` of the previous response, or its last id. */
  readonly starting_after?: string;
  /** Cursor: returns the page before the object with this id. Use `next_cursor` of the previous response, or its first id. */
  readonly ending_before?: string;
  /** Only installations in this state. */
  readonly state?: InstallationState;
  /**
   * Only installations of this tenant.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id?: Id<'tenant'>;
}

/** An installation that was revoked. */
export interface RevokedInstallation {
  /** Always `installation`. */
  readonly object: 'installation';
  /**
   * Id of the installation: the grant, whose tokens form one family.
   * @example "gra_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'grant'>;
  /**
   * Id of the app.
   * @example "app_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly app_id: Id<'app'>;
  /**
   * Id of the tenant that consented.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: Id<'tenant'>;
  /**
   * Scopes that the tenant granted.
   * @example ["clients:read"]
   */
  readonly scopes: readonly Scope[];
  /**
   * State of the installation. `pending`: the code is not exchanged yet. `suspended`: the tenant is suspended.
   * @example "active"
   */
  readonly state: InstallationState;
  /**
   * Id of the user who gave the consent.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly granted_by: Id<'user'>;
  /**
   * Time of the consent. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly granted_at: string;
  /**
   * Time at which the app last received tokens; null if it never has. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly last_used_at: string | null;
  /**
   * Time at which the installation ends, or ended. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly expires_at: string;
  /** Reason for which the installation was revoked; null otherwise. */
  readonly revoked_reason: RevokedReason | null;
  /** The actor that revoked it, or whose request caused the end. */
  readonly revoked_by: {
    /**
     * Kind of the actor. `oauth_app`: the app itself.
     * @example "user"
     */
    readonly type: AuditActorType;
    /**
     * Id of the actor; null for the operator and the system.
     * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
     */
    readonly id: string | null;
  };
}

/** An installation that replaced one of the same tenant with other scopes. */
export interface ScopeChangedInstallation {
  /** Always `installation`. */
  readonly object: 'installation';
  /**
   * Id of the installation: the grant, whose tokens form one family.
   * @example "gra_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'grant'>;
  /**
   * Id of the app.
   * @example "app_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly app_id: Id<'app'>;
  /**
   * Id of the tenant that consented.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: Id<'tenant'>;
  /**
   * Scopes that the tenant granted.
   * @example ["clients:read"]
   */
  readonly scopes: readonly Scope[];
  /**
   * State of the installation. `pending`: the code is not exchanged yet. `suspended`: the tenant is suspended.
   * @example "active"
   */
  readonly state: InstallationState;
  /**
   * Id of the user who gave the consent.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly granted_by: Id<'user'>;
  /**
   * Time of the consent. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly granted_at: string;
  /**
   * Time at which the app last received tokens; null if it never has. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly last_used_at: string | null;
  /**
   * Time at which the installation ends, or ended. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly expires_at: string;
  /** Reason for which the installation was revoked; null otherwise. */
  readonly revoked_reason: RevokedReason | null;
  /**
   * Id of the former installation.
   * @example "gra_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly previous_id: Id<'grant'>;
  /**
   * Scopes of the former installation.
   * @example ["me:read"]
   */
  readonly previous_scopes: readonly Scope[];
}

/** A location of a client or of a group. Exactly one of `client_id` and `group_id` is set. */
export interface Location {
  /** Always `location`. */
  readonly object: 'location';
  /**
   * Id of the location.
   * @example "loc_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'location'>;
  /**
   * Id of the client that the location belongs to; null for a location of a group.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly client_id: Id<'client'> | null;
  /** Id of the group that the location belongs to; null for a location of a client. */
  readonly group_id: Id<'group'> | null;
  /**
   * Name of the location. 1 to 200 characters.
   * @example "Main store"
   */
  readonly name: string;
  /**
   * Postal address; null if it is not set. 1 to 500 characters.
   * @example "Unter den Linden 1, 10117 Berlin"
   */
  readonly address: string | null;
  /**
   * IANA name of the time zone, such as `Europe/Berlin`. 2 to 64 characters.
   * @example "Europe/Berlin"
   */
  readonly timezone: string;
  /**
   * Two-letter code of the country, such as `DE` (ISO 3166-1). 2 characters.
   * @example "DE"
   */
  readonly country: string;
  /**
   * True if this is the default location of its client or group. Exactly one location is the default.
   * @example true
   */
  readonly default: boolean;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** Fields of the location to create. */
export interface LocationCreateParams {
  /**
   * Name of the location. 1 to 200 characters.
   * @example "Main store"
   */
  readonly name: string;
  /**
   * Two-letter code of the country, such as `DE` (ISO 3166-1). 2 characters.
   * @example "DE"
   */
  readonly country: string;
  /**
   * IANA name of the time zone, such as `Europe/Berlin`; by default that of the tenant's settings. 2 to 64 characters.
   * @example "Europe/Berlin"
   */
  readonly timezone?: string;
  /**
   * Postal address; null if it is not set. 1 to 500 characters.
   * @example "Unter den Linden 1, 10117 Berlin"
   */
  readonly address?: string | null;
  /**
   * Makes this the default location instead of the current one. The first location is always the default.
   * @example true
   */
  readonly default?: boolean;
}

/** The fields to change. Absent fields keep their value. */
export interface LocationUpdateParams {
  /**
   * Name of the location. 1 to 200 characters.
   * @example "Main store"
   */
  readonly name?: string;
  /**
   * Two-letter code of the country, such as `DE` (ISO 3166-1). 2 characters.
   * @example "DE"
   */
  readonly country?: string;
  /**
   * IANA name of the time zone, such as `Europe/Berlin`. 2 to 64 characters.
   * @example "Europe/Berlin"
   */
  readonly timezone?: string;
  /**
   * Postal address; null if it is not set. 1 to 500 characters.
   * @example "Unter den Linden 1, 10117 Berlin"
   */
  readonly address?: string | null;
  /**
   * Makes this the default location instead of the current one. It can be moved to another location, but not cleared.
   * @example true
   */
  readonly default?: boolean;
}

/** The credential of the call with its tenant, type and scopes. */
export interface Me {
  /** Always `me`. */
  readonly object: 'me';
  /**
   * Id of the tenant that the credential belongs to.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: Id<'tenant'>;
  /** Type of the credential; `session` for a person who calls from the Explorer of the console. */
  readonly credential_type: 'api_key' | 'oauth_token' | 'session';
  /**
   * Scopes granted to the credential.
   * @example ["clients:read"]
   */
  readonly scopes: readonly Scope[];
}

/** An OAuth app of a developer. */
export interface OAuthApp {
  /** Always `app`. */
  readonly object: 'app';
  /**
   * Id of the app: the `client_id` of OAuth requests.
   * @example "app_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'app'>;
  /**
   * Name of the app, shown on the consent page. 1 to 200 characters.
   * @example "Ledger Sync"
   */
  readonly name: string;
  /**
   * URL of a page about the app; null if it is not set. 1 to 2,048 characters.
   * @example "https://ledger.example"
   */
  readonly website: string | null;
  /**
   * Redirect URIs of the app: `https`, or `http` on loopback while the app is not verified. Compared byte for byte. 1 to 20 items.
   * @example ["https://ledger.example/callback"]
   */
  readonly redirect_uris: readonly string[];
  /**
   * Scopes that the app may request. 1 to 21 items.
   * @example ["clients:read"]
   */
  readonly scopes: readonly Scope[];
  /** Verification status: the result of the review by the platform. */
  readonly verification: AppVerification;
  /** Note of the reviewer; null if there is none. */
  readonly verification_note: string | null;
  /** Party that disabled the app; null while the app is enabled. A developer cannot enable an app that the operator disabled. */
  readonly disabled_by: AppDisabler | null;
  /**
   * Time until which the previous secret is also accepted; null if no previous secret is accepted. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly previous_secret_expires_at: string | null;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** Fields of the OAuth app to register. */
export interface OAuthAppCreateParams {
  /**
   * Name of the app, shown on the consent page. 1 to 200 characters.
   * @example "Ledger Sync"
   */
  readonly name: string;
  /**
   * URL of a page about the app; null if it is not set. 1 to 2,048 characters.
   * @example "https://ledger.example"
   */
  readonly website?: string | null;
  /**
   * Redirect URIs of the app: `https`, or `http` on loopback while the app is not verified. Compared byte for byte. 1 to 20 items.
   * @example ["https://ledger.example/callback"]
   */
  readonly redirect_uris: readonly string[];
  /**
   * Scopes that the app may request. 1 to 21 items.
   * @example ["clients:read"]
   */
  readonly scopes: readonly Scope[];
}

/** Options of the rotation. */
export interface OAuthAppSecretRotateParams {
  /**
   * Seconds for which the old secret is accepted besides the new one; 0 when absent. 0 to 604,800.
   * @example 3600
   */
  readonly expires_in?: number;
}

/** The fields to change. Absent fields keep their value. */
export interface OAuthAppUpdateParams {
  /**
   * Name of the app, shown on the consent page. 1 to 200 characters.
   * @example "Ledger Sync"
   */
  readonly name?: string;
  /**
   * URL of a page about the app; null if it is not set. 1 to 2,048 characters.
   * @example "https://ledger.example"
   */
  readonly website?: string | null;
  /**
   * Redirect URIs of the app: `https`, or `http` on loopback while the app is not verified. Compared byte for byte. 1 to 20 items.
   * @example ["https://ledger.example/callback"]
   */
  readonly redirect_uris?: readonly string[];
  /**
   * Scopes that the app may request. 1 to 21 items.
   * @example ["clients:read"]
   */
  readonly scopes?: readonly Scope[];
}

/** An OAuth app with its client secret. */
export interface OAuthAppWithSecret {
  /** Always `app`. */
  readonly object: 'app';
  /**
   * Id of the app: the `client_id` of OAuth requests.
   * @example "app_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'app'>;
  /**
   * Name of the app, shown on the consent page. 1 to 200 characters.
   * @example "Ledger Sync"
   */
  readonly name: string;
  /**
   * URL of a page about the app; null if it is not set. 1 to 2,048 characters.
   * @example "https://ledger.example"
   */
  readonly website: string | null;
  /**
   * Redirect URIs of the app: `https`, or `http` on loopback while the app is not verified. Compared byte for byte. 1 to 20 items.
   * @example ["https://ledger.example/callback"]
   */
  readonly redirect_uris: readonly string[];
  /**
   * Scopes that the app may request. 1 to 21 items.
   * @example ["clients:read"]
   */
  readonly scopes: readonly Scope[];
  /** Verification status: the result of the review by the platform. */
  readonly verification: AppVerification;
  /** Note of the reviewer; null if there is none. */
  readonly verification_note: string | null;
  /** Party that disabled the app; null while the app is enabled. A developer cannot enable an app that the operator disabled. */
  readonly disabled_by: AppDisabler | null;
  /**
   * Time until which the previous secret is also accepted; null if no previous secret is accepted. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly previous_secret_expires_at: string | null;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
  /**
   * Client secret of the app. It is shown in this response only.
   * @example "plat_cs_…"
   */
  readonly client_secret: string;
}

/** The consent of a tenant to an OAuth app. All tokens of the consent form one grant family. */
export interface OAuthConsent {
  /** Always `consent`. */
  readonly object: 'consent';
  /**
   * Id of the grant.
   * @example "gra_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'grant'>;
  /**
   * Id of the app.
   * @example "app_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly app_id: Id<'app'>;
  /**
   * Name of the app.
   * @example "Ledger Sync"
   */
  readonly app_name: string;
  /** Verification status of the app: the result of the review by the platform. */
  readonly app_verification: AppVerification;
  /**
   * Id of the tenant.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: Id<'tenant'>;
  /**
   * Scopes that the tenant granted.
   * @example ["clients:read"]
   */
  readonly scopes: readonly Scope[];
  /**
   * Id of the user who gave the consent. The consent remains valid when that user is deactivated.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly granted_by: Id<'user'>;
  /** Current status of that user: `suspended` after a deactivation; null if the user no longer exists. */
  readonly granted_by_status: UserStatus | null;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time at which the app last received tokens; null if it never has. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly last_used_at: string | null;
}

/** The consent of a tenant to an OAuth app. */
export interface OAuthAuthorization {
  /** Always `oauth_authorization`. */
  readonly object: 'oauth_authorization';
  /**
   * Id of the app.
   * @example "app_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly app_id: Id<'app'>;
  /**
   * Name of the app.
   * @example "Ledger Sync"
   */
  readonly app_name: string;
  /**
   * Id of the tenant.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: Id<'tenant'>;
  /**
   * Scopes that the tenant granted.
   * @example ["clients:read"]
   */
  readonly scopes: readonly Scope[];
  /**
   * Id of the user who gave the consent.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly granted_by: Id<'user'>;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time at which the consent was revoked; null while it is valid. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly revoked_at: string | null;
}

/** Query parameters that every list takes. */
export interface ListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** Cursor: returns the page after the object with this id. Use `next_cursor` of the previous response, or its last id. */
  readonly starting_after?: string;
  /** Cursor: returns the page before the object with this id. Use `next_cursor` of the previous response, or its first id. */
  readonly ending_before?: string;
}

/** The credential of a request. */
export interface LoggedCredential {
  /**
   * Type of the credential; `session` for a person who called from the Explorer of the console.
   * @example "api_key"
   */
  readonly type: 'api_key' | 'oauth_token' | 'session';
  /**
   * Id of the API key, of the grant for an access token, or of the user or developer for a session.
   * @example "key_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Id of the OAuth app; null for an API key.
   * @example "app_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly app_id: Id<'app'> | null;
}

/** The error of a refused request. */
export interface LoggedRefusal {
  /**
   * Error code of the response.
   * @example "INVALID_BODY"
   */
  readonly code: ErrorCode;
  /**
   * Error message for people.
   * @example "The body is not valid: name is required"
   */
  readonly message: string;
  /** The invalid fields, at most the first 50; null for codes other than INVALID_REQUEST and INVALID_BODY. */
  readonly errors: readonly FieldError[] | null;
}

/** An entry of the request log. It has no bodies, and secrets are redacted. */
export interface LoggedRequest {
  /** Always `request`. */
  readonly object: 'request';
  /**
   * The `X-Request-Id` of the response.
   * @example "req_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'request'>;
  /**
   * HTTP method.
   * @example "POST"
   */
  readonly method: string;
  /**
   * Path of the request without its query. A segment longer than any id is replaced by `…`.
   * @example "/v1/clients"
   */
  readonly path: string;
  /**
   * Query without `?`; null if there was none. For a failed request only the names are logged, as `limit=…`.
   * @example "limit=5"
   */
  readonly query: string | null;
  /**
   * Operation that the request called; null for an unknown path.
   * @example "clients.create"
   */
  readonly operation: OperationName | null;
  /**
   * Outcome of the request: `failed` for a status of 400 or more, or without a response.
   * @example "failed"
   */
  readonly outcome: RequestOutcome;
  /**
   * HTTP status of the response; null if the connection ended before the response. 100 to 599.
   * @example 400
   */
  readonly status: number | null;
  /** Error of the response; null if the request was not refused. */
  readonly error: LoggedRefusal | null;
  /** The credential of a request. */
  readonly credential: LoggedCredential;
  /**
   * Value of the header `Idempotency-Key`; null without one.
   * @example "order-1742"
   */
  readonly idempotency_key: string | null;
  /**
   * True if the response was an idempotent replay of an earlier request with the same key.
   * @example false
   */
  readonly idempotent_replayed: boolean;
  /**
   * IP address of the caller.
   * @example "203.0.113.7"
   */
  readonly ip: string | null;
  /**
   * Value of the header `User-Agent`; null without one.
   * @example "plat-sdk/1.0.0"
   */
  readonly user_agent: string | null;
  /**
   * Milliseconds from the arrival of the request head to the end of the response.
   * @example 3.2
   */
  readonly duration_ms: number;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
}

/** Filters and paging for the list of requests. */
export interface RequestListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** Cursor: returns the page after the object with this id. Use `next_cursor` of the previous response, or its last id. */
  readonly starting_after?: string;
  /** Cursor: returns the page before the object with this id. Use `next_cursor` of the previous response, or its first id. */
  readonly ending_before?: string;
  /** Only requests with this outcome; `failed`: a status of 400 or more, or no response. */
  readonly outcome?: RequestOutcome;
  /**
   * Only requests that were refused with this code.
   * @example "INVALID_BODY"
   */
  readonly code?: ErrorCode;
  /** Only requests with this method. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** Only requests for this operation. */
  readonly operation?: OperationName;
  /**
   * Only requests with this API key, grant, user or developer.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly credential_id?: string;
  /**
   * Only requests received after this time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_after?: string;
  /**
   * Only requests received before this time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_before?: string;
}

/** A role that users of the tenant can have, with the capabilities that are visible to them. */
export interface Role {
  /** Always `role`. */
  readonly object: 'role';
  /**
   * Id of the role.
   * @example "rol_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'role'>;
  /**
   * Name of the role, as used in the `role` of a user: lower-case letters, digits and single underscores. Unique in the tenant; it cannot be changed. 1 to 63 characters.
   * @example "shop_manager"
   */
  readonly name: string;
  /**
   * Display name of the role. 1 to 200 characters.
   * @example "Shop manager"
   */
  readonly title: string;
  /**
   * Description of the role for people. 1 to 500 characters.
   * @example "Runs a shop from day to day."
   */
  readonly description: string | null;
  /**
   * True for a role that every tenant has. Built-in roles cannot be changed.
   * @example false
   */
  readonly built_in: boolean;
  /**
   * Sorted ids of the capabilities that are visible to users with this role.
   * @example ["orders:manage","orders:read"]
   */
  readonly capabilities: readonly string[];
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** Fields of the role to create. */
export interface RoleCreateParams {
  /**
   * Name of the role, as used in the `role` of a user: lower-case letters, digits and single underscores. Unique in the tenant; it cannot be changed. 1 to 63 characters.
   * @example "shop_manager"
   */
  readonly name: string;
  /**
   * Display name of the role. 1 to 200 characters.
   * @example "Shop manager"
   */
  readonly title: string;
  /**
   * Description of the role for people. 1 to 500 characters.
   * @example "Runs a shop from day to day."
   */
  readonly description?: string | null;
  /**
   * Capabilities of the module catalog, by their ids, that are visible to users with this role. At most 200 items.
   * @example ["orders:read","orders:manage"]
   */
  readonly capabilities?: readonly string[];
}

/** The fields to change. Absent fields keep their value. */
export interface RoleUpdateParams {
  /**
   * Display name of the role. 1 to 200 characters.
   * @example "Shop manager"
   */
  readonly title?: string;
  /**
   * Description of the role for people. 1 to 500 characters.
   * @example "Runs a shop from day to day."
   */
  readonly description?: string | null;
  /**
   * Capabilities of the module catalog, by their ids, that are visible to users with this role. At most 200 items.
   * @example ["orders:read","orders:manage"]
   */
  readonly capabilities?: readonly string[];
}

/** The settings of the tenant. They have no id, because each tenant has exactly one set. */
export interface Settings {
  /** Always `settings`. */
  readonly object: 'settings';
  /**
   * Id of the tenant.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: Id<'tenant'>;
  /**
   * IANA name of the time zone for locations that are created without one, such as `Europe/Berlin`. 2 to 64 characters.
   * @example "Europe/Berlin"
   */
  readonly default_timezone: string;
  /**
   * Default language of the tenant, as a language tag such as `de` or `pt-BR` (BCP 47). 2 to 64 characters.
   * @example "en"
   */
  readonly default_locale: string;
  /**
   * E-mail address for support requests of users; null if it is not set. 6 to 254 characters.
   * @example "help@example.com"
   */
  readonly support_email: string | null;
  /**
   * Lifetime of a launch token in seconds. 60 to 3,600.
   * @example 900
   */
  readonly launch_token_ttl_seconds: number;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** The fields to change. Absent fields keep their value. */
export interface SettingsUpdateParams {
  /**
   * IANA name of the time zone for locations that are created without one, such as `Europe/Berlin`. 2 to 64 characters.
   * @example "Europe/Berlin"
   */
  readonly default_timezone?: string;
  /**
   * Default language of the tenant, as a language tag such as `de` or `pt-BR` (BCP 47). 2 to 64 characters.
   * @example "en"
   */
  readonly default_locale?: string;
  /**
   * E-mail address for support requests of users; null if it is not set. 6 to 254 characters.
   * @example "help@example.com"
   */
  readonly support_email?: string | null;
  /**
   * Lifetime of a launch token in seconds. 60 to 3,600.
   * @example 900
   */
  readonly launch_token_ttl_seconds?: number;
}

/** The tenant that a credential belongs to. */
export interface Tenant {
  /** Always `tenant`. */
  readonly object: 'tenant';
  /**
   * Id of the tenant.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'tenant'>;
  /**
   * Name of the tenant. 1 to 200 characters.
   * @example "Harbour Retail"
   */
  readonly name: string;
  /** Status of the tenant. Access is frozen while it is `suspended`. */
  readonly status: TenantStatus;
  /**
   * Id of the plan of the tenant; null if it has none.
   * @example "pln_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly plan_id: Id<'plan'> | null;
  /**
   * True if the tenant is the sandbox of a developer.
   * @example false
   */
  readonly sandbox: boolean;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** The fields to change. Absent fields keep their value. */
export interface TenantUpdateParams {
  /**
   * Name of the tenant. 1 to 200 characters.
   * @example "Harbour Retail"
   */
  readonly name?: string;
}

/** An attempt to deliver an event of an app, made or scheduled. */
export interface AppTraceAttempt {
  /** Always `attempt`. */
  readonly kind: 'attempt';
  /**
   * Id of the object. The steps of a grant share the id of the grant.
   * @example "evt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Time of the step. For an attempt that is not made yet: the time at which it is due. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly at: string;
  /**
   * Id of the entry that led to this one; null if the trace has none.
   * @example "req_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly caused_by: string | null;
  /** The attempt. */
  readonly delivery: AppWebhookDelivery;
  /** Endpoint of the attempt; null if it was deleted. */
  readonly endpoint: TraceEndpoint | null;
  /** Headers and signature time; null if nothing was sent. */
  readonly sent: TraceSent | null;
}

/** A replay of many events of an app. */
export interface AppTraceReplay {
  /** Always `replay`. */
  readonly kind: 'replay';
  /**
   * Id of the object. The steps of a grant share the id of the grant.
   * @example "evt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Time of the step. For an attempt that is not made yet: the time at which it is due. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly at: string;
  /**
   * Id of the entry that led to this one; null if the trace has none.
   * @example "req_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly caused_by: string | null;
  /** The replay. */
  readonly replay: AppWebhookReplay;
}

/** An attempt to deliver an event, made or scheduled. */
export interface TraceAttempt {
  /** Always `attempt`. */
  readonly kind: 'attempt';
  /**
   * Id of the object. The steps of a grant share the id of the grant.
   * @example "evt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Time of the step. For an attempt that is not made yet: the time at which it is due. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly at: string;
  /**
   * Id of the entry that led to this one; null if the trace has none.
   * @example "req_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly caused_by: string | null;
  /** The attempt. */
  readonly delivery: WebhookDelivery;
  /** Endpoint of the attempt; null if it was deleted. */
  readonly endpoint: TraceEndpoint | null;
  /** Headers and signature time; null if nothing was sent. */
  readonly sent: TraceSent | null;
}

/** A change, with its actor and the changed fields. */
export interface TraceChange {
  /** Always `change`. */
  readonly kind: 'change';
  /**
   * Id of the object. The steps of a grant share the id of the grant.
   * @example "evt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Time of the step. For an attempt that is not made yet: the time at which it is due. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly at: string;
  /**
   * Id of the entry that led to this one; null if the trace has none.
   * @example "req_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly caused_by: string | null;
  /** Entry of the audit trail. */
  readonly change: AuditEvent;
}

/** The endpoint of an attempt, as it is now. */
export interface TraceEndpoint {
  /**
   * Id of the webhook endpoint.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'webhook_endpoint'>;
  /**
   * URL of the endpoint. An earlier attempt may have been sent to another one.
   * @example "https://example.com/hooks"
   */
  readonly url: string;
  /**
   * Status of the endpoint.
   * @example "enabled"
   */
  readonly status: WebhookEndpointStatus;
  /**
   * End of the pause after repeated failures; null if the endpoint is not paused. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly paused_until: string | null;
}

/** A step of an OAuth grant. Of the exchanges of a grant, the first one and the ten latest are recorded. */
export interface TraceGrant {
  /** Always `grant`. */
  readonly kind: 'grant';
  /**
   * Id of the object. The steps of a grant share the id of the grant.
   * @example "evt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Time of the step. For an attempt that is not made yet: the time at which it is due. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly at: string;
  /**
   * Id of the entry that led to this one; null if the trace has none.
   * @example "req_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly caused_by: string | null;
  /**
   * The step. `exchanged`: the code was exchanged for the first tokens.
   * @example "refreshed"
   */
  readonly step: TraceGrantStep;
  /**
   * Reason for which the grant ended; null for other steps.
   * @example "refresh_token_reused"
   */
  readonly reason: string | null;
  /**
   * Id of the OAuth app.
   * @example "app_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly app_id: Id<'app'>;
  /**
   * Number of the refresh token that was issued; null for other steps.
   * @example 2
   */
  readonly generation: number | null;
  /**
   * Id of the request; null if it was not recorded.
   * @example "req_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly request_id: Id<'request'> | null;
  /**
   * IP address of the app; null if it was not recorded.
   * @example "203.0.113.7"
   */
  readonly ip: string | null;
}

/** Page of a trace. */
export interface TraceParams {
  /** Number of rows about the object that the page starts from; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** Cursor: `next_cursor` of the previous response. */
  readonly starting_after?: string;
}

/** A failure that the trace shows, with its cause and fix. */
export interface TraceProblem {
  /**
   * Id of the entry that failed.
   * @example "del_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly entry_id: string;
  /**
   * Error code of the request, or error class of the attempt.
   * @example "http_status"
   */
  readonly code: string;
  /**
   * Cause in one line of Markdown.
   * @example "The receiver answered with a status that is not 2xx."
   */
  readonly cause: string;
  /**
   * Fix in one line of Markdown.
   * @example "Find the delivery id in the log of the receiver."
   */
  readonly fix: string;
}

/** A replay of many events. */
export interface TraceReplay {
  /** Always `replay`. */
  readonly kind: 'replay';
  /**
   * Id of the object. The steps of a grant share the id of the grant.
   * @example "evt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Time of the step. For an attempt that is not made yet: the time at which it is due. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly at: string;
  /**
   * Id of the entry that led to this one; null if the trace has none.
   * @example "req_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly caused_by: string | null;
  /** The replay. */
  readonly replay: WebhookReplay;
}

/** A request. */
export interface TraceRequest {
  /** Always `request`. */
  readonly kind: 'request';
  /**
   * Id of the object. The steps of a grant share the id of the grant.
   * @example "evt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Time of the step. For an attempt that is not made yet: the time at which it is due. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly at: string;
  /**
   * Id of the entry that led to this one; null if the trace has none.
   * @example "req_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly caused_by: string | null;
  /** Entry of the request log; null if the log does not have it. */
  readonly request: LoggedRequest | null;
}

/** Headers of an attempt, and the time of its signature. The signed text is `signed_at`, a full stop and the body. */
export interface TraceSent {
  /**
   * Time of the signature in Unix seconds.
   * @example 1795377761
   */
  readonly signed_at: number;
  /** Headers without those of the connection. Of the signature of a failed attempt, the first digits are kept; of other attempts, none. */
  readonly headers: readonly WebhookResponseHeader[];
}

/** The object that a trace starts from. */
export interface TraceSubject {
  /**
   * Kind of the object.
   * @example "event"
   */
  readonly type: TraceSubjectType;
  /**
   * Id of the object.
   * @example "evt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
}

/** A part of a trace that the credential may not read. */
export interface TraceWithheld {
  /**
   * The part.
   * @example "attempts"
   */
  readonly part: TracePart;
  /**
   * The scope that the part needs.
   * @example "webhooks:read"
   */
  readonly scope: Scope;
}

/** A user of the tenant. */
export interface User {
  /** Always `user`. */
  readonly object: 'user';
  /**
   * Id of the user.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'user'>;
  /**
   * E-mail address of the user, which receives the invitation. Unique in the tenant, ignoring case. 6 to 254 characters.
   * @example "ada@example.com"
   */
  readonly email: string;
  /**
   * Name of the user. 1 to 200 characters.
   * @example "Ada Lovelace"
   */
  readonly name: string | null;
  /**
   * Role of the user: `owner`, `member`, `viewer`, `client_admin` or a custom role. 1 to 63 characters.
   * @example "member"
   */
  readonly role: string;
  /**
   * Status of the user: `invited` until the invitation is accepted, then `active`; permanently `suspended` after a deactivation.
   * @example "active"
   */
  readonly status: UserStatus;
  /**
   * Client that the user belongs to, by its id; null if there is none.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly client_id: Id<'client'> | null;
  /**
   * Location of that client or of a group, by its id; null if there is none.
   * @example "loc_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly location_id: Id<'location'> | null;
  /**
   * Time at which the invitation was accepted; null before. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly activated_at: string | null;
  /** Time at which the user was deactivated; null before. ISO 8601. */
  readonly deactivated_at: string | null;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** Fields of the user to create and invite. */
export interface UserCreateParams {
  /**
   * E-mail address of the user, which receives the invitation. Unique in the tenant, ignoring case. 6 to 254 characters.
   * @example "ada@example.com"
   */
  readonly email: string;
  /**
   * Role of the user: `owner`, `member`, `viewer`, `client_admin` or a custom role. 1 to 63 characters.
   * @example "member"
   */
  readonly role: string;
  /**
   * Name of the user. 1 to 200 characters.
   * @example "Ada Lovelace"
   */
  readonly name?: string | null;
  /**
   * Client that the user belongs to, by its id; null if there is none.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly client_id?: Id<'client'> | null;
  /**
   * Location of that client or of a group, by its id; null if there is none.
   * @example "loc_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly location_id?: Id<'location'> | null;
}

/** Filters and paging for the list of users. */
export interface UserListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** Cursor: returns the page after the object with this id. Use `next_cursor` of the previous response, or its last id. */
  readonly starting_after?: string;
  /** Cursor: returns the page before the object with this id. Use `next_cursor` of the previous response, or its first id. */
  readonly ending_before?: string;
  /** Only users of this status. */
  readonly status?: UserStatus;
  /**
   * Only users with this role. 1 to 63 characters.
   * @example "member"
   */
  readonly role?: string;
  /**
   * Only users of this client.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly client_id?: Id<'client'>;
  /**
   * Only the user with this e-mail address, ignoring case. 6 to 254 characters.
   * @example "ada@example.com"
   */
  readonly email?: string;
}

/** A change of the role of a user: the `data` of the event `user.role_changed`. */
export interface UserRoleChange {
  /** Always `user`. */
  readonly object: 'user';
  /**
   * Id of the user.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'user'>;
  /**
   * E-mail address of the user, which receives the invitation. Unique in the tenant, ignoring case. 6 to 254 characters.
   * @example "ada@example.com"
   */
  readonly email: string;
  /**
   * Role before the change. 1 to 63 characters.
   * @example "member"
   */
  readonly previous_role: string;
  /**
   * Role after the change. 1 to 63 characters.
   * @example "owner"
   */
  readonly new_role: string;
  /**
   * Id of the user who changed the role. For an API key or an app: the user who created the key or gave the consent.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly changed_by: Id<'user'>;
  /**
   * Time of the change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly changed_at: string;
}

/** The fields to change. Absent fields keep their value. */
export interface UserUpdateParams {
  /**
   * Name of the user. 1 to 200 characters.
   * @example "Ada Lovelace"
   */
  readonly name?: string | null;
  /**
   * Role of the user: `owner`, `member`, `viewer`, `client_admin` or a custom role. 1 to 63 characters.
   * @example "member"
   */
  readonly role?: string;
  /**
   * Client that the user belongs to, by its id; null if there is none.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly client_id?: Id<'client'> | null;
  /**
   * Location of that client or of a group, by its id; null if there is none.
   * @example "loc_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly location_id?: Id<'location'> | null;
}

/** One attempt to deliver an event of an app to an endpoint. */
export interface AppWebhookDelivery {
  /** Always `webhook_delivery`. */
  readonly object: 'webhook_delivery';
  /**
   * Id of the attempt, sent in the header `X-Platform-Delivery-Id`.
   * @example "del_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'webhook_delivery'>;
  /**
   * Id of the event.
   * @example "evt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly event_id: Id<'event'>;
  /** Type of the event. */
  readonly event_type: AppEventType;
  /**
   * Id of the webhook endpoint.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly endpoint_id: Id<'webhook_endpoint'>;
  /** Number of the attempt, from 1. A replay starts at 1 again. 1 to 7. */
  readonly attempt: number;
  /**
   * Status of the attempt. `retrying`: it failed and another attempt follows. `failed`: it failed and no attempt follows.
   * @example "succeeded"
   */
  readonly status: WebhookDeliveryStatus;
  /**
   * HTTP status of the response; null without one. 100 to 999.
   * @example 200
   */
  readonly response_status: number | null;
  /** First KiB of the response headers in their order; null without a response. Escape them before you display them. */
  readonly response_headers: readonly WebhookResponseHeader[] | null;
  /**
   * First KiB of the response body; null without a response. Escape it before you display it.
   * @example "ok"
   */
  readonly response_body: string | null;
  /** Machine-readable reason of the failure; null if the attempt did not fail. `http_status`: the response was not 2xx. */
  readonly error_class: WebhookDeliveryErrorClass | null;
  /** Reason of the failure for people; null if an HTTP response was received. */
  readonly error: string | null;
  /**
   * IP address of the receiver; null if no connection was opened.
   * @example "203.0.113.7"
   */
  readonly remote_address: string | null;
  /**
   * Duration of the attempt in milliseconds.
   * @example 84
   */
  readonly duration_ms: number | null;
  /** Duration of the phases of the attempt; null if nothing was sent. */
  readonly timings: WebhookDeliveryTimings | null;
  /**
   * Time at which the attempt is or was due. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly scheduled_at: string;
  /**
   * Time at which the attempt was made; null before. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly attempted_at: string | null;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** Endpoint that receives the event again. */
export interface EventReplayParams {
  /**
   * Id of the only endpoint to send to. When absent: every enabled endpoint that is subscribed to the event type.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly endpoint_id?: Id<'webhook_endpoint'>;
}

/** One attempt to deliver an event to an endpoint. */
export interface WebhookDelivery {
  /** Always `webhook_delivery`. */
  readonly object: 'webhook_delivery';
  /**
   * Id of the attempt, sent in the header `X-Platform-Delivery-Id`.
   * @example "del_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'webhook_delivery'>;
  /**
   * Id of the event.
   * @example "evt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly event_id: Id<'event'>;
  /** Type of the event. */
  readonly event_type: EventType;
  /**
   * Id of the webhook endpoint.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly endpoint_id: Id<'webhook_endpoint'>;
  /** Number of the attempt, from 1. A replay starts at 1 again. 1 to 7. */
  readonly attempt: number;
  /**
   * Status of the attempt. `retrying`: it failed and another attempt follows. `failed`: it failed and no attempt follows.
   * @example "succeeded"
   */
  readonly status: WebhookDeliveryStatus;
  /**
   * HTTP status of the response; null without one. 100 to 999.
   * @example 200
   */
  readonly response_status: number | null;
  /** First KiB of the response headers in their order; null without a response. Escape them before you display them. */
  readonly response_headers: readonly WebhookResponseHeader[] | null;
  /**
   * First KiB of the response body; null without a response. Escape it before you display it.
   * @example "ok"
   */
  readonly response_body: string | null;
  /** Machine-readable reason of the failure; null if the attempt did not fail. `http_status`: the response was not 2xx. */
  readonly error_class: WebhookDeliveryErrorClass | null;
  /** Reason of the failure for people; null if an HTTP response was received. */
  readonly error: string | null;
  /**
   * IP address of the receiver; null if no connection was opened.
   * @example "203.0.113.7"
   */
  readonly remote_address: string | null;
  /**
   * Duration of the attempt in milliseconds.
   * @example 84
   */
  readonly duration_ms: number | null;
  /** Duration of the phases of the attempt; null if nothing was sent. */
  readonly timings: WebhookDeliveryTimings | null;
  /**
   * Time at which the attempt is or was due. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly scheduled_at: string;
  /**
   * Time at which the attempt was made; null before. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly attempted_at: string | null;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** Filters and paging for the list of deliveries. */
export interface WebhookDeliveryListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** Cursor: returns the page after the object with this id. Use `next_cursor` of the previous response, or its last id. */
  readonly starting_after?: string;
  /** Cursor: returns the page before the object with this id. Use `next_cursor` of the previous response, or its first id. */
  readonly ending_before?: string;
  /**
   * Only deliveries of this event.
   * @example "evt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly event_id?: Id<'event'>;
  /**
   * Only deliveries to this endpoint.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly endpoint_id?: Id<'webhook_endpoint'>;
  /** Only attempts with this status. `retrying`: only failed attempts whose next attempt has not been made yet. */
  readonly status?: WebhookDeliveryStatus;
  /**
   * Only deliveries created after this time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_after?: string;
  /**
   * Only deliveries created before this time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_before?: string;
}

/** Duration of each phase of an attempt, in milliseconds. Null for a phase that did not end or was not needed. A reused connection skips the first three phases. */
export interface WebhookDeliveryTimings {
  /**
   * Milliseconds for resolving the host name.
   * @example 2
   */
  readonly dns_ms: number | null;
  /**
   * Milliseconds for opening the connection.
   * @example 11
   */
  readonly connect_ms: number | null;
  /**
   * Milliseconds for the TLS handshake.
   * @example 24
   */
  readonly tls_ms: number | null;
  /**
   * Milliseconds from the end of sending the request to the first byte of the response.
   * @example 46
   */
  readonly first_byte_ms: number | null;
  /**
   * Milliseconds for the whole attempt.
   * @example 84
   */
  readonly total_ms: number;
}

/** A header of the response of a receiver. */
export interface WebhookResponseHeader {
  /**
   * Name of the header as received.
   * @example "content-type"
   */
  readonly name: string;
  /**
   * Value of the header as received. Bytes that are not UTF-8 are replaced.
   * @example "text/plain"
   */
  readonly value: string;
}

/** A URL that receives the events of an OAuth app. */
export interface AppWebhookEndpoint {
  /** Always `webhook_endpoint`. */
  readonly object: 'webhook_endpoint';
  /**
   * Id of the webhook endpoint.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'webhook_endpoint'>;
  /**
   * URL that receives the deliveries: `https` or `http`, at a public address. 1 to 2,048 characters.
   * @example "https://example.com/webhooks"
   */
  readonly url: string;
  /**
   * Event types to send; `*` stands for all, including later ones. 1 to 11 items.
   * @example ["installation.authorized","installation.revoked"]
   */
  readonly events: readonly (AppEventType | '*')[];
  /**
   * Description of the endpoint for people; null if it is not set. 1 to 500 characters.
   * @example "Billing"
   */
  readonly description: string | null;
  /** Status of the endpoint. Deliveries are sent while it is `enabled`. */
  readonly status: WebhookEndpointStatus;
  /** Reason why the endpoint is disabled: `disabled by request`, `gone: …` after a 410, `failing: …` after days of failures. Null while it is enabled. */
  readonly disabled_reason: string | null;
  /** Time of the first failed attempt since the last success; null if the last attempt succeeded. ISO 8601. */
  readonly failing_since: string | null;
  /** Time until which no deliveries are sent after many consecutive failures. One delivery is then tried. Null while deliveries are sent. ISO 8601. */
  readonly paused_until: string | null;
  /** Time since which events were not sent because the endpoint was disabled. Null after these events are replayed or no longer stored. ISO 8601. */
  readonly missed_since: string | null;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** Fields of the webhook endpoint to create. */
export interface AppWebhookEndpointCreateParams {
  /**
   * URL that receives the deliveries: `https` or `http`, at a public address. 1 to 2,048 characters.
   * @example "https://example.com/webhooks"
   */
  readonly url: string;
  /**
   * Event types to send; `*` stands for all, including later ones. 1 to 11 items.
   * @example ["installation.authorized","installation.revoked"]
   */
  readonly events: readonly (AppEventType | '*')[];
  /**
   * Description of the endpoint for people; null if it is not set. 1 to 500 characters.
   * @example "Billing"
   */
  readonly description?: string | null;
}

/** The fields to change. Absent fields keep their value. */
export interface AppWebhookEndpointUpdateParams {
  /**
   * URL that receives the deliveries: `https` or `http`, at a public address. 1 to 2,048 characters.
   * @example "https://example.com/webhooks"
   */
  readonly url?: string;
  /**
   * Event types to send; `*` stands for all, including later ones. 1 to 11 items.
   * @example ["installation.authorized","installation.revoked"]
   */
  readonly events?: readonly (AppEventType | '*')[];
  /**
   * Description of the endpoint for people; null if it is not set. 1 to 500 characters.
   * @example "Billing"
   */
  readonly description?: string | null;
  /** Status of the endpoint. Deliveries are sent while it is `enabled`. */
  readonly status?: WebhookEndpointStatus;
}

/** A webhook endpoint with its signing secret. */
export interface AppWebhookEndpointWithSecret {
  /** Always `webhook_endpoint`. */
  readonly object: 'webhook_endpoint';
  /**
   * Id of the webhook endpoint.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'webhook_endpoint'>;
  /**
   * URL that receives the deliveries: `https` or `http`, at a public address. 1 to 2,048 characters.
   * @example "https://example.com/webhooks"
   */
  readonly url: string;
  /**
   * Event types to send; `*` stands for all, including later ones. 1 to 11 items.
   * @example ["installation.authorized","installation.revoked"]
   */
  readonly events: readonly (AppEventType | '*')[];
  /**
   * Description of the endpoint for people; null if it is not set. 1 to 500 characters.
   * @example "Billing"
   */
  readonly description: string | null;
  /** Status of the endpoint. Deliveries are sent while it is `enabled`. */
  readonly status: WebhookEndpointStatus;
  /** Reason why the endpoint is disabled: `disabled by request`, `gone: …` after a 410, `failing: …` after days of failures. Null while it is enabled. */
  readonly disabled_reason: string | null;
  /** Time of the first failed attempt since the last success; null if the last attempt succeeded. ISO 8601. */
  readonly failing_since: string | null;
  /** Time until which no deliveries are sent after many consecutive failures. One delivery is then tried. Null while deliveries are sent. ISO 8601. */
  readonly paused_until: string | null;
  /** Time since which events were not sent because the endpoint was disabled. Null after these events are replayed or no longer stored. ISO 8601. */
  readonly missed_since: string | null;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
  /**
   * Secret that signs the deliveries. It is shown in this response only. The whole text is the HMAC key.
   * @example "whsec_…"
   */
  readonly secret: string;
}

/** A URL that receives the events of a tenant. */
export interface WebhookEndpoint {
  /** Always `webhook_endpoint`. */
  readonly object: 'webhook_endpoint';
  /**
   * Id of the webhook endpoint.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'webhook_endpoint'>;
  /**
   * URL that receives the deliveries: `https` or `http`, at a public address. 1 to 2,048 characters.
   * @example "https://example.com/webhooks"
   */
  readonly url: string;
  /**
   * Event types to send; `*` stands for all, including later ones. 1 to 22 items.
   * @example ["client.created","client.updated"]
   */
  readonly events: readonly (EventType | '*')[];
  /**
   * Description of the endpoint for people; null if it is not set. 1 to 500 characters.
   * @example "Billing"
   */
  readonly description: string | null;
  /** Status of the endpoint. Deliveries are sent while it is `enabled`. */
  readonly status: WebhookEndpointStatus;
  /** Reason why the endpoint is disabled: `disabled by request`, `gone: …` after a 410, `failing: …` after days of failures. Null while it is enabled. */
  readonly disabled_reason: string | null;
  /** Time of the first failed attempt since the last success; null if the last attempt succeeded. ISO 8601. */
  readonly failing_since: string | null;
  /** Time until which no deliveries are sent after many consecutive failures. One delivery is then tried. Null while deliveries are sent. ISO 8601. */
  readonly paused_until: string | null;
  /** Time since which events were not sent because the endpoint was disabled. Null after these events are replayed or no longer stored. ISO 8601. */
  readonly missed_since: string | null;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** Fields of the webhook endpoint to create. */
export interface WebhookEndpointCreateParams {
  /**
   * URL that receives the deliveries: `https` or `http`, at a public address. 1 to 2,048 characters.
   * @example "https://example.com/webhooks"
   */
  readonly url: string;
  /**
   * Event types to send; `*` stands for all, including later ones. 1 to 22 items.
   * @example ["client.created","client.updated"]
   */
  readonly events: readonly (EventType | '*')[];
  /**
   * Description of the endpoint for people; null if it is not set. 1 to 500 characters.
   * @example "Billing"
   */
  readonly description?: string | null;
}

/** Filters and paging for the list of webhook endpoints. */
export interface WebhookEndpointListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** Cursor: returns the page after the object with this id. Use `next_cursor` of the previous response, or its last id. */
  readonly starting_after?: string;
  /** Cursor: returns the page before the object with this id. Use `next_cursor` of the previous response, or its first id. */
  readonly ending_before?: string;
  /** Only endpoints with this status. */
  readonly status?: WebhookEndpointStatus;
}

/** The fields to change. Absent fields keep their value. */
export interface WebhookEndpointUpdateParams {
  /**
   * URL that receives the deliveries: `https` or `http`, at a public address. 1 to 2,048 characters.
   * @example "https://example.com/webhooks"
   */
  readonly url?: string;
  /**
   * Event types to send; `*` stands for all, including later ones. 1 to 22 items.
   * @example ["client.created","client.updated"]
   */
  readonly events?: readonly (EventType | '*')[];
  /**
   * Description of the endpoint for people; null if it is not set. 1 to 500 characters.
   * @example "Billing"
   */
  readonly description?: string | null;
  /** Status of the endpoint. Deliveries are sent while it is `enabled`. */
  readonly status?: WebhookEndpointStatus;
}

/** A webhook endpoint with its signing secret. */
export interface WebhookEndpointWithSecret {
  /** Always `webhook_endpoint`. */
  readonly object: 'webhook_endpoint';
  /**
   * Id of the webhook endpoint.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'webhook_endpoint'>;
  /**
   * URL that receives the deliveries: `https` or `http`, at a public address. 1 to 2,048 characters.
   * @example "https://example.com/webhooks"
   */
  readonly url: string;
  /**
   * Event types to send; `*` stands for all, including later ones. 1 to 22 items.
   * @example ["client.created","client.updated"]
   */
  readonly events: readonly (EventType | '*')[];
  /**
   * Description of the endpoint for people; null if it is not set. 1 to 500 characters.
   * @example "Billing"
   */
  readonly description: string | null;
  /** Status of the endpoint. Deliveries are sent while it is `enabled`. */
  readonly status: WebhookEndpointStatus;
  /** Reason why the endpoint is disabled: `disabled by request`, `gone: …` after a 410, `failing: …` after days of failures. Null while it is enabled. */
  readonly disabled_reason: string | null;
  /** Time of the first failed attempt since the last success; null if the last attempt succeeded. ISO 8601. */
  readonly failing_since: string | null;
  /** Time until which no deliveries are sent after many consecutive failures. One delivery is then tried. Null while deliveries are sent. ISO 8601. */
  readonly paused_until: string | null;
  /** Time since which events were not sent because the endpoint was disabled. Null after these events are replayed or no longer stored. ISO 8601. */
  readonly missed_since: string | null;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
  /**
   * Secret that signs the deliveries. It is shown in this response only. The whole text is the HMAC key.
   * @example "whsec_…"
   */
  readonly secret: string;
}

/** Options of the rotation. */
export interface WebhookSecretRotateParams {
  /**
   * Seconds for which deliveries are also signed with the old secret; 0 when absent. 0 to 86,400.
   * @example 3600
   */
  readonly expires_in?: number;
}

/** A job that sends many events again, each from attempt 1. */
export interface AppWebhookReplay {
  /** Always `webhook_replay`. */
  readonly object: 'webhook_replay';
  /**
   * Id of the webhook replay.
   * @example "rpl_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'webhook_replay'>;
  /**
   * Id of the only endpoint that the replay sends to. Null: every endpoint that was enabled when the replay was created.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly endpoint_id: Id<'webhook_endpoint'> | null;
  /**
   * Events to send. `failed`: events whose last delivery to the endpoint failed. `missed`: events without a delivery to it. `undelivered`: both.
   * @example "undelivered"
   */
  readonly select: WebhookReplaySelect;
  /**
   * Start of the time window: events created at or after this time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly since: string;
  /**
   * End of the time window: events created before this time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly until: string;
  /**
   * Only events of these types. Null: all types that the endpoint is subscribed to. 1 to 10 items.
   * @example ["installation.revoked"]
   */
  readonly event_types: readonly AppEventType[] | null;
  /**
   * Progress of the replay.
   * @example "running"
   */
  readonly status: WebhookReplayStatus;
  /**
   * Number of events examined so far, for the endpoint that is furthest behind.
   * @example 1200
   */
  readonly examined_count: number;
  /**
   * Number of deliveries scheduled so far.
   * @example 87
   */
  readonly scheduled_count: number;
  /**
   * Number of events between `since` and `until`; null until they are counted.
   * @example 4000
   */
  readonly total_count: number | null;
  /**
   * Time at which all deliveries were scheduled; null before, and after a cancellation. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly completed_at: string | null;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** The events to send again, and the endpoint that receives them. */
export interface AppWebhookReplayCreateParams {
  /**
   * Start of the time window: events created at or after this time. It must be in the past. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly since: string;
  /**
   * End of the time window: events created before this time. By default, and for a later time, the current time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly until?: string;
  /**
   * Endpoint to send to; every enabled endpoint by default.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly endpoint_id?: Id<'webhook_endpoint'>;
  /**
   * Only events of these types. By default: all types that the endpoint is subscribed to. 1 to 10 items.
   * @example ["installation.revoked"]
   */
  readonly event_types?: readonly AppEventType[];
  /**
   * Events to send. `failed`: events whose last delivery to the endpoint failed. `missed`: events without a delivery to it. `undelivered`: both.
   * @example "undelivered"
   */
  readonly select?: WebhookReplaySelect;
}

/** A job that sends many events again, each from attempt 1. */
export interface WebhookReplay {
  /** Always `webhook_replay`. */
  readonly object: 'webhook_replay';
  /**
   * Id of the webhook replay.
   * @example "rpl_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: Id<'webhook_replay'>;
  /**
   * Id of the only endpoint that the replay sends to. Null: every endpoint that was enabled when the replay was created.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly endpoint_id: Id<'webhook_endpoint'> | null;
  /**
   * Events to send. `failed`: events whose last delivery to the endpoint failed. `missed`: events without a delivery to it. `undelivered`: both.
   * @example "undelivered"
   */
  readonly select: WebhookReplaySelect;
  /**
   * Start of the time window: events created at or after this time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly since: string;
  /**
   * End of the time window: events created before this time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly until: string;
  /**
   * Only events of these types. Null: all types that the endpoint is subscribed to. 1 to 21 items.
   * @example ["client.created"]
   */
  readonly event_types: readonly EventType[] | null;
  /**
   * Progress of the replay.
   * @example "running"
   */
  readonly status: WebhookReplayStatus;
  /**
   * Number of events examined so far, for the endpoint that is furthest behind.
   * @example 1200
   */
  readonly examined_count: number;
  /**
   * Number of deliveries scheduled so far.
   * @example 87
   */
  readonly scheduled_count: number;
  /**
   * Number of events between `since` and `until`; null until they are counted.
   * @example 4000
   */
  readonly total_count: number | null;
  /**
   * Time at which all deliveries were scheduled; null before, and after a cancellation. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly completed_at: string | null;
  /**
   * Creation time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * Time of the last change. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** The events to send again, and the endpoint that receives them. */
export interface WebhookReplayCreateParams {
  /**
   * Start of the time window: events created at or after this time. It must be in the past. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly since: string;
  /**
   * End of the time window: events created before this time. By default, and for a later time, the current time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly until?: string;
  /**
   * Endpoint to send to; every enabled endpoint by default.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly endpoint_id?: Id<'webhook_endpoint'>;
  /**
   * Only events of these types. By default: all types that the endpoint is subscribed to. 1 to 21 items.
   * @example ["client.created"]
   */
  readonly event_types?: readonly EventType[];
  /**
   * Events to send. `failed`: events whose last delivery to the endpoint failed. `missed`: events without a delivery to it. `undelivered`: both.
   * @example "undelivered"
   */
  readonly select?: WebhookReplaySelect;
}

/** Filters and paging for the list of replays. */
export interface WebhookReplayListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** Cursor: returns the page after the object with this id. Use `next_cursor` of the previous response, or its last id. */
  readonly starting_after?: string;
  /** Cursor: returns the page before the object with this id. Use `next_cursor` of the previous response, or its first id. */
  readonly ending_before?: string;
  /** Only replays with this status. */
  readonly status?: WebhookReplayStatus;
  /**
   * Only replays to this endpoint.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly endpoint_id?: Id<'webhook_endpoint'>;
}

/** Type of `data` for each event type, with the condition that fires the event. */
export interface EventPayloads {
  /** A client is inserted. */
  'client.created': Client;
  /** Any PATCH on a client (name, status, slug, domain). */
  'client.updated': Client;
  /** A client is soft-deleted. */
  'client.deleted': Client;
  /** A group is inserted. */
  'group.created': Group;
  /** A group is renamed or its membership policy changes. */
  'group.updated': Group;
  /** A client is added to a group. */
  'group.member_added': GroupMember;
  /** A client is removed from a group. */
  'group.member_removed': GroupMember;
  /** A group owner invitation is sent. */
  'group.owner_invited': GroupOwner;
  /** A group owner is removed. */
  'group.owner_removed': GroupOwner;
  /** A group is hard-deleted. */
  'group.deleted': Group;
  /** A user invitation is sent. */
  'user.invited': User;
  /** An invited user accepts and becomes active. */
  'user.activated': User;
  /** A user is suspended (kept for audit, not deletable). */
  'user.deactivated': User;
  /** The role assignment of a user changes in the tenant. */
  'user.role_changed': UserRoleChange;
  /** The tenant is suspended by a platform administrator. */
  'tenant.suspended': Tenant;
  /** A suspended tenant is reactivated. */
  'tenant.reactivated': Tenant;
  /** A location is created under a client or group. */
  'location.created': Location;
  /** Address, timezone, country or default flag changes. */
  'location.updated': Location;
  /** A non-default location is removed after the three guards pass. */
  'location.deleted': Location;
  /** A tenant grants consent to an OAuth app. */
  'oauth.app_authorized': OAuthAuthorization;
  /** A tenant revokes consent to an OAuth app. */
  'oauth.app_revoked': OAuthAuthorization;
}
