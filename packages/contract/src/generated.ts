// Generated from the schemas in `schemas/` by `npm run types`. Do not edit.

import type { ErrorCode, FieldError } from './errors.ts';
import type { EventType } from './event-types.ts';
import type { OperationName } from './operations.ts';
import type { Scope } from './scopes.ts';

/** The values of `Client.status`. */
export type ClientStatus = 'active' | 'inactive';

/** The values of `Group.membership_policy`. */
export type MembershipPolicy = 'open' | 'invite_only' | 'closed';

/** The values of `GroupOwner.status`. */
export type GroupOwnerStatus = 'invited' | 'active';

/** The values of `User.status`. */
export type UserStatus = 'invited' | 'active' | 'suspended';

/** The values of `Tenant.status`. */
export type TenantStatus = 'active' | 'suspended';

/** The values of `AuditEvent.actor.type`. */
export type AuditActorType = 'api_key' | 'oauth_app' | 'user' | 'developer' | 'operator' | 'system';

/** The values of `LoggedRequest.outcome`. */
export type RequestOutcome = 'succeeded' | 'failed';

/** The values of `Plan.interval`. */
export type PlanInterval = 'month' | 'year';

/** The values of `Invoice.status`. */
export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'void';

/** The values of `Payment.status`. */
export type PaymentStatus = 'succeeded' | 'failed' | 'refunded';

/** The values of `WebhookEndpoint.status`. */
export type WebhookEndpointStatus = 'enabled' | 'disabled';

/** The values of `WebhookDelivery.status`. */
export type WebhookDeliveryStatus = 'pending' | 'succeeded' | 'retrying' | 'failed';

/** The values of `WebhookDelivery.error_class`. */
export type WebhookDeliveryErrorClass = 'dns' | 'refused' | 'unreachable' | 'reset' | 'tls' | 'timeout' | 'protocol' | 'redirect' | 'blocked_address' | 'http_status' | 'endpoint_deleted' | 'endpoint_disabled' | 'event_deleted' | 'other';

/** The values of `WebhookReplay.select`. */
export type WebhookReplaySelect = 'failed' | 'missed' | 'undelivered';

/** The values of `WebhookReplay.status`. */
export type WebhookReplayStatus = 'pending' | 'running' | 'completed' | 'canceled';

/** The values of `OAuthApp.verification`. */
export type AppVerification = 'unverified' | 'pending' | 'verified' | 'rejected';

/** The values of `OAuthApp.disabled_by`. */
export type AppDisabler = 'developer' | 'operator';

/** Query parameters that every list takes. */
export interface ListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** The last `id` of a page: answers the page that follows it. */
  readonly starting_after?: string;
  /** The first `id` of a page: answers the page before it. */
  readonly ending_before?: string;
}

/** The credential of the call and its scopes. */
export interface Me {
  /** Always `me`. */
  readonly object: 'me';
  /**
   * The tenant of the credential.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: string;
  /** Kind of the credential. */
  readonly credential_type: 'api_key' | 'oauth_token';
  /**
   * The scopes granted to the credential.
   * @example ["clients:read"]
   */
  readonly scopes: readonly Scope[];
}

/** A customer of the tenant. */
export interface Client {
  /** Always `client`. */
  readonly object: 'client';
  /**
   * Id of the client.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Name of the client. 1 to 200 characters.
   * @example "Acme Ltd"
   */
  readonly name: string;
  /** Status of the client; `active` at creation. */
  readonly status: ClientStatus;
  /**
   * Lower-case letters, digits and single hyphens; unique in the tenant. 1 to 63 characters.
   * @example "acme"
   */
  readonly slug: string;
  /**
   * Custom domain of the client. Unique across all production tenants; in a sandbox unique within the sandbox. Null when it has none. 3 to 253 characters.
   * @example "shop.example.com"
   */
  readonly custom_domain: string | null;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** A client to create. */
export interface ClientCreateParams {
  /**
   * Name of the client. 1 to 200 characters.
   * @example "Acme Ltd"
   */
  readonly name: string;
  /**
   * Short name, unique in the tenant; derived from the name when absent. 1 to 63 characters.
   * @example "acme"
   */
  readonly slug?: string;
}

/** Which clients to list. */
export interface ClientListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** The last `id` of a page: answers the page that follows it. */
  readonly starting_after?: string;
  /** The first `id` of a page: answers the page before it. */
  readonly ending_before?: string;
  /** Only clients of this status. */
  readonly status?: ClientStatus;
  /**
   * Only the client with this slug. 1 to 63 characters.
   * @example "acme"
   */
  readonly slug?: string;
}

/** The fields to change; those that are absent stay as they are. */
export interface ClientUpdateParams {
  /**
   * Name of the client. 1 to 200 characters.
   * @example "Acme Ltd"
   */
  readonly name?: string;
  /** Status of the client; `active` at creation. */
  readonly status?: ClientStatus;
  /**
   * Lower-case letters, digits and single hyphens; unique in the tenant. 1 to 63 characters.
   * @example "acme"
   */
  readonly slug?: string;
  /**
   * Custom domain of the client. Unique across all production tenants; in a sandbox unique within the sandbox. Null when it has none. 3 to 253 characters.
   * @example "shop.example.com"
   */
  readonly domain?: string | null;
  /**
   * The same field as `domain`; give one of them. 3 to 253 characters.
   * @example "shop.example.com"
   */
  readonly custom_domain?: string | null;
}

/** A group of clients. */
export interface Group {
  /** Always `group`. */
  readonly object: 'group';
  /**
   * Id of the group.
   * @example "grp_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Name of the group. 1 to 200 characters.
   * @example "Retail North"
   */
  readonly name: string;
  /**
   * Lower-case letters, digits and single hyphens; unique in the tenant. 1 to 63 characters.
   * @example "retail-north"
   */
  readonly slug: string;
  /** Who may join by themselves. The API adds and removes members under every policy. */
  readonly membership_policy: MembershipPolicy;
  /**
   * Number of clients in the group. 0 to 2,147,483,647.
   * @example 2
   */
  readonly member_count: number;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** A group to create. */
export interface GroupCreateParams {
  /**
   * Name of the group. 1 to 200 characters.
   * @example "Retail North"
   */
  readonly name: string;
  /**
   * Short name, unique among the groups; derived from the name when absent. 1 to 63 characters.
   * @example "retail-north"
   */
  readonly slug?: string;
  /** Who may join by themselves; `invite_only` when absent. */
  readonly membership_policy?: MembershipPolicy;
}

/** A client in a group. */
export interface GroupMember {
  /** Always `group_member`. */
  readonly object: 'group_member';
  /**
   * Id of the group.
   * @example "grp_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly group_id: string;
  /**
   * Id of the client.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly client_id: string;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** A client to add to the group. */
export interface GroupMemberAddParams {
  /**
   * Id of the client.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly client_id: string;
}

/** Which members to list. Cursors are client ids: a member has no id of its own. */
export interface GroupMemberListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** The last `id` of a page: answers the page that follows it. */
  readonly starting_after?: string;
  /** The first `id` of a page: answers the page before it. */
  readonly ending_before?: string;
}

/** A user who owns a group, or was invited to. */
export interface GroupOwner {
  /** Always `group_owner`. */
  readonly object: 'group_owner';
  /**
   * Id of the group.
   * @example "grp_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly group_id: string;
  /**
   * Id of the user.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly user_id: string;
  /**
   * The address of the user. 6 to 254 characters.
   * @example "ada@example.com"
   */
  readonly email: string;
  /** `invited` until the user has accepted the invitation to the tenant. */
  readonly status: GroupOwnerStatus;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** A person to invite to own the group. */
export interface GroupOwnerInviteParams {
  /**
   * Address of a user of the tenant. Any other person is invited as a user with the role `viewer`. 6 to 254 characters.
   * @example "ada@example.com"
   */
  readonly email: string;
}

/** The fields to change; those that are absent stay as they are. */
export interface GroupUpdateParams {
  /**
   * Name of the group. 1 to 200 characters.
   * @example "Retail North"
   */
  readonly name?: string;
  /**
   * Lower-case letters, digits and single hyphens; unique in the tenant. 1 to 63 characters.
   * @example "retail-north"
   */
  readonly slug?: string;
  /** Who may join by themselves. The API adds and removes members under every policy. */
  readonly membership_policy?: MembershipPolicy;
}

/** A place of a client or of a group; one of `client_id` and `group_id` is set. */
export interface Location {
  /** Always `location`. */
  readonly object: 'location';
  /**
   * Id of the location.
   * @example "loc_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * The client whose place it is; null when it is a group's.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly client_id: string | null;
  /** The group whose place it is; null when it is a client's. */
  readonly group_id: string | null;
  /**
   * Name of the location. 1 to 200 characters.
   * @example "Main store"
   */
  readonly name: string;
  /**
   * Postal address. Null when there is none. 1 to 500 characters.
   * @example "Unter den Linden 1, 10117 Berlin"
   */
  readonly address: string | null;
  /**
   * IANA name of the time zone there. 2 to 64 characters.
   * @example "Europe/Berlin"
   */
  readonly timezone: string;
  /**
   * ISO 3166-1 alpha-2 code of the country. 2 characters.
   * @example "DE"
   */
  readonly country: string;
  /**
   * Exactly one location of a client or group is its default.
   * @example true
   */
  readonly default: boolean;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** A location to create. */
export interface LocationCreateParams {
  /**
   * Name of the location. 1 to 200 characters.
   * @example "Main store"
   */
  readonly name: string;
  /**
   * ISO 3166-1 alpha-2 code of the country. 2 characters.
   * @example "DE"
   */
  readonly country: string;
  /**
   * IANA name of the time zone there; `default_timezone` of the tenant's settings when absent. 2 to 64 characters.
   * @example "Europe/Berlin"
   */
  readonly timezone?: string;
  /**
   * Postal address. Null when there is none. 1 to 500 characters.
   * @example "Unter den Linden 1, 10117 Berlin"
   */
  readonly address?: string | null;
  /**
   * Make it the default location, in place of the current one. The first location is the default in any case.
   * @example true
   */
  readonly default?: boolean;
}

/** The fields to change; those that are absent stay as they are. */
export interface LocationUpdateParams {
  /**
   * Name of the location. 1 to 200 characters.
   * @example "Main store"
   */
  readonly name?: string;
  /**
   * ISO 3166-1 alpha-2 code of the country. 2 characters.
   * @example "DE"
   */
  readonly country?: string;
  /**
   * IANA name of the time zone there. 2 to 64 characters.
   * @example "Europe/Berlin"
   */
  readonly timezone?: string;
  /**
   * Postal address. Null when there is none. 1 to 500 characters.
   * @example "Unter den Linden 1, 10117 Berlin"
   */
  readonly address?: string | null;
  /**
   * Make it the default location, in place of the current one. The default cannot be cleared, only moved.
   * @example true
   */
  readonly default?: boolean;
}

/** A person of the tenant. */
export interface User {
  /** Always `user`. */
  readonly object: 'user';
  /**
   * Id of the user.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * E-mail address, which receives the invitation. Unique in the tenant, without regard to case. 6 to 254 characters.
   * @example "ada@example.com"
   */
  readonly email: string;
  /**
   * Name of the user. 1 to 200 characters.
   * @example "Ada Lovelace"
   */
  readonly name: string | null;
  /**
   * Name of a role: `owner`, `member`, `viewer`, `client_admin` or one of the tenant's own. 1 to 63 characters.
   * @example "member"
   */
  readonly role: string;
  /**
   * `invited` until the invitation is accepted, then `active`; `suspended` after a deactivation, for ever.
   * @example "active"
   */
  readonly status: UserStatus;
  /**
   * The client that the user belongs to.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly client_id: string | null;
  /**
   * A location of that client, or of a group.
   * @example "loc_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly location_id: string | null;
  /**
   * When the invitation was accepted; null before. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly activated_at: string | null;
  /** When the user was deactivated; null before. ISO 8601. */
  readonly deactivated_at: string | null;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** A user to create and to invite. */
export interface UserCreateParams {
  /**
   * E-mail address, which receives the invitation. Unique in the tenant, without regard to case. 6 to 254 characters.
   * @example "ada@example.com"
   */
  readonly email: string;
  /**
   * Name of a role: `owner`, `member`, `viewer`, `client_admin` or one of the tenant's own. 1 to 63 characters.
   * @example "member"
   */
  readonly role: string;
  /**
   * Name of the user. 1 to 200 characters.
   * @example "Ada Lovelace"
   */
  readonly name?: string | null;
  /**
   * The client that the user belongs to.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly client_id?: string | null;
  /**
   * A location of that client, or of a group.
   * @example "loc_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly location_id?: string | null;
}

/** Which users to list. */
export interface UserListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** The last `id` of a page: answers the page that follows it. */
  readonly starting_after?: string;
  /** The first `id` of a page: answers the page before it. */
  readonly ending_before?: string;
  /** Only users of this status. */
  readonly status?: UserStatus;
  /**
   * Only users in this role. 1 to 63 characters.
   * @example "member"
   */
  readonly role?: string;
  /**
   * Only users of this client.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly client_id?: string;
  /**
   * Only the user with this address, without regard to case. 6 to 254 characters.
   * @example "ada@example.com"
   */
  readonly email?: string;
}

/** The new role of a user: `data` of `user.role_changed`. */
export interface UserRoleChange {
  /** Always `user`. */
  readonly object: 'user';
  /**
   * Id of the user.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * E-mail address, which receives the invitation. Unique in the tenant, without regard to case. 6 to 254 characters.
   * @example "ada@example.com"
   */
  readonly email: string;
  /**
   * The role before. 1 to 63 characters.
   * @example "member"
   */
  readonly previous_role: string;
  /**
   * The role from now on. 1 to 63 characters.
   * @example "owner"
   */
  readonly new_role: string;
  /**
   * Who changed it; behind a key or an app, the user who minted the key or gave the consent.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly changed_by: string;
  /**
   * When it changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly changed_at: string;
}

/** The fields to change; those that are absent stay as they are. */
export interface UserUpdateParams {
  /**
   * Name of the user. 1 to 200 characters.
   * @example "Ada Lovelace"
   */
  readonly name?: string | null;
  /**
   * Name of a role: `owner`, `member`, `viewer`, `client_admin` or one of the tenant's own. 1 to 63 characters.
   * @example "member"
   */
  readonly role?: string;
  /**
   * The client that the user belongs to.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly client_id?: string | null;
  /**
   * A location of that client, or of a group.
   * @example "loc_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly location_id?: string | null;
}

/** The tenant that a credential belongs to. */
export interface Tenant {
  /** Always `tenant`. */
  readonly object: 'tenant';
  /**
   * Id of the tenant.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Name of the tenant. 1 to 200 characters.
   * @example "Harbour Retail"
   */
  readonly name: string;
  /** Access is frozen while it is `suspended`. */
  readonly status: TenantStatus;
  /**
   * The plan that the tenant is on.
   * @example "pln_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly plan_id: string | null;
  /**
   * true for the sandbox of a developer.
   * @example false
   */
  readonly sandbox: boolean;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** The fields to change; those that are absent stay as they are. */
export interface TenantUpdateParams {
  /**
   * Name of the tenant. 1 to 200 characters.
   * @example "Harbour Retail"
   */
  readonly name?: string;
}

/** The settings of the tenant. They have no id: each tenant has one set. */
export interface Settings {
  /** Always `settings`. */
  readonly object: 'settings';
  /**
   * Id of the tenant.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: string;
  /**
   * IANA name of the time zone of locations that are created without one. 2 to 64 characters.
   * @example "Europe/Berlin"
   */
  readonly default_timezone: string;
  /**
   * BCP 47 language tag. 2 to 64 characters.
   * @example "en"
   */
  readonly default_locale: string;
  /**
   * E-mail address where users of the tenant find help. 6 to 254 characters.
   * @example "help@example.com"
   */
  readonly support_email: string | null;
  /**
   * Lifetime of a launch token in seconds. 60 to 3,600.
   * @example 900
   */
  readonly launch_token_ttl_seconds: number;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** The fields to change; those that are absent stay as they are. */
export interface SettingsUpdateParams {
  /**
   * IANA name of the time zone of locations that are created without one. 2 to 64 characters.
   * @example "Europe/Berlin"
   */
  readonly default_timezone?: string;
  /**
   * BCP 47 language tag. 2 to 64 characters.
   * @example "en"
   */
  readonly default_locale?: string;
  /**
   * E-mail address where users of the tenant find help. 6 to 254 characters.
   * @example "help@example.com"
   */
  readonly support_email?: string | null;
  /**
   * Lifetime of a launch token in seconds. 60 to 3,600.
   * @example 900
   */
  readonly launch_token_ttl_seconds?: number;
}

/** The role of a user in the tenant, and the capabilities that it shows. */
export interface Role {
  /** Always `role`. */
  readonly object: 'role';
  /**
   * Id of the role.
   * @example "rol_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Key of the role: the value of a user's `role`. Unique in the tenant; it never changes. 1 to 63 characters.
   * @example "shop_manager"
   */
  readonly name: string;
  /**
   * Display name of the role. 1 to 200 characters.
   * @example "Shop manager"
   */
  readonly title: string;
  /**
   * The purpose of the role. 1 to 500 characters.
   * @example "Runs a shop from day to day."
   */
  readonly description: string | null;
  /**
   * true for a role that every tenant has; it cannot be changed.
   * @example false
   */
  readonly built_in: boolean;
  /**
   * Sorted; the capabilities that users in this role can see.
   * @example ["orders:manage","orders:read"]
   */
  readonly capabilities: readonly string[];
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** A role to create. */
export interface RoleCreateParams {
  /**
   * Key of the role: the value of a user's `role`. Unique in the tenant; it never changes. 1 to 63 characters.
   * @example "shop_manager"
   */
  readonly name: string;
  /**
   * Display name of the role. 1 to 200 characters.
   * @example "Shop manager"
   */
  readonly title: string;
  /**
   * The purpose of the role. 1 to 500 characters.
   * @example "Runs a shop from day to day."
   */
  readonly description?: string | null;
  /**
   * The capabilities of the module catalog that users in this role can see. At most 200 items.
   * @example ["orders:read","orders:manage"]
   */
  readonly capabilities?: readonly string[];
}

/** The fields to change; those that are absent stay as they are. */
export interface RoleUpdateParams {
  /**
   * Display name of the role. 1 to 200 characters.
   * @example "Shop manager"
   */
  readonly title?: string;
  /**
   * The purpose of the role. 1 to 500 characters.
   * @example "Runs a shop from day to day."
   */
  readonly description?: string | null;
  /**
   * The capabilities of the module catalog that users in this role can see. At most 200 items.
   * @example ["orders:read","orders:manage"]
   */
  readonly capabilities?: readonly string[];
}

/** Values of a field as the API shows them. */
export interface AuditChange {
  /** The value before. */
  readonly before: unknown;
  /** The value from then on. */
  readonly after: unknown;
}

/** A change, and who made it. */
export interface AuditEvent {
  /** Always `audit_event`. */
  readonly object: 'audit_event';
  /**
   * Id of the audit event.
   * @example "aud_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /** Who made the change. */
  readonly actor: {
    /** Kind of the actor. */
    readonly type: AuditActorType;
    /**
     * Null for the operator and the system.
     * @example "key_01k0z8k3v7e5q2m9t4r6w1x8c0"
     */
    readonly id: string | null;
  };
  /**
   * The action, a dotted verb. 3 to 64 characters.
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
     * The id of the object; the id of the tenant for an object without one.
     * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
     */
    readonly id: string;
  };
  /**
   * Field → its value before and after; null where the action says it all. Never holds a secret.
   * @example {"name":{"before":"Ada","after":"Ada Lovelace"}}
   */
  readonly changes: Readonly<Record<string, AuditChange>> | null;
  /**
   * The request that made the change; null for the operator and the system.
   * @example "req_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly request_id: string | null;
  /**
   * The address that the request came from.
   * @example "203.0.113.7"
   */
  readonly ip: string | null;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
}

/** Which audit events to list. */
export interface AuditEventListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** The last `id` of a page: answers the page that follows it. */
  readonly starting_after?: string;
  /** The first `id` of a page: answers the page before it. */
  readonly ending_before?: string;
  /**
   * Only events of this action, such as `client.updated`. 3 to 64 characters.
   * @example "user.updated"
   */
  readonly action?: string;
  /**
   * Only changes by this key, app, user or developer.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly actor_id?: string;
  /**
   * Only changes of this object.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly target_id?: string;
  /**
   * Only events created after this instant. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_after?: string;
  /**
   * Only events created before this instant. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_before?: string;
}

/** The credential of a request. */
export interface LoggedCredential {
  /**
   * Kind of the credential.
   * @example "api_key"
   */
  readonly type: 'api_key' | 'oauth_token';
  /**
   * The id of the key; of the grant for an access token.
   * @example "key_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * The OAuth app; null for an API key.
   * @example "app_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly app_id: string | null;
}

/** Why a request was refused. */
export interface LoggedRefusal {
  /**
   * The code of the refusal.
   * @example "INVALID_BODY"
   */
  readonly code: ErrorCode;
  /**
   * The message, for people.
   * @example "The body is not valid: name is required"
   */
  readonly message: string;
  /** The fields that were wrong, the first 50; null with other codes than INVALID_REQUEST and INVALID_BODY. */
  readonly errors: readonly FieldError[] | null;
}

/** A request to the API, as the request log keeps it: without bodies, with secrets redacted. */
export interface LoggedRequest {
  /** Always `request`. */
  readonly object: 'request';
  /**
   * The `X-Request-Id` of the response.
   * @example "req_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * The method.
   * @example "POST"
   */
  readonly method: string;
  /**
   * The path as it was sent, without its query; `…` in the place of a segment that is longer than any id.
   * @example "/v1/clients"
   */
  readonly path: string;
  /**
   * The query without `?`; of a request that failed the names only, as `limit=…`. Null when there was none.
   * @example "limit=5"
   */
  readonly query: string | null;
  /**
   * The operation of the path; null for a path that the API does not have.
   * @example "clients.create"
   */
  readonly operation: OperationName | null;
  /**
   * How it ended: `failed` with a status of 400 or more, or without a response.
   * @example "failed"
   */
  readonly outcome: RequestOutcome;
  /**
   * The status of the response; null when the connection ended before it. 100 to 599.
   * @example 400
   */
  readonly status: number | null;
  /** Why it was refused; null when it was not. */
  readonly error: LoggedRefusal | null;
  /** The credential of a request. */
  readonly credential: LoggedCredential;
  /**
   * The header `Idempotency-Key`.
   * @example "order-1742"
   */
  readonly idempotency_key: string | null;
  /**
   * true when the response was the stored one of an earlier request with the same key.
   * @example false
   */
  readonly idempotent_replayed: boolean;
  /**
   * The address that it came from.
   * @example "203.0.113.7"
   */
  readonly ip: string | null;
  /**
   * The header `User-Agent`.
   * @example "plat-sdk/1.0.0"
   */
  readonly user_agent: string | null;
  /**
   * Milliseconds from the arrival of the request head to the end of the response.
   * @example 3.2
   */
  readonly duration_ms: number;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
}

/** Which requests to list. */
export interface RequestListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** The last `id` of a page: answers the page that follows it. */
  readonly starting_after?: string;
  /** The first `id` of a page: answers the page before it. */
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
   * Only requests with this API key or under this grant.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly credential_id?: string;
  /**
   * Only requests after this instant. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_after?: string;
  /**
   * Only requests before this instant. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_before?: string;
}

/** A module of the platform, the same for every tenant. */
export interface Module {
  /** Always `module`. */
  readonly object: 'module';
  /**
   * Id of the module.
   * @example "mod_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Short name, unique among the modules. 1 to 63 characters.
   * @example "analytics"
   */
  readonly slug: string;
  /**
   * Name of the module. 1 to 200 characters.
   * @example "Analytics"
   */
  readonly name: string;
  /**
   * The purpose of the module.
   * @example "Sales and stock at a glance."
   */
  readonly description: string;
  /**
   * The capabilities of the module; plans and roles refer to these ids.
   * @example ["analytics:read","analytics:export"]
   */
  readonly capabilities: readonly string[];
  /**
   * Where a launch posts its token to; null for a module that is not launched.
   * @example "https://analytics.example.com/launch"
   */
  readonly launch_url: string | null;
  /**
   * The `aud` of its launch tokens.
   * @example "https://analytics.example.com"
   */
  readonly audience: string | null;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
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
  readonly id: string;
  /**
   * Short name, unique among the plans. 1 to 63 characters.
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
   * The time that the price is for.
   * @example "month"
   */
  readonly interval: PlanInterval;
  /**
   * The capabilities of a tenant on this plan, across all modules.
   * @example ["analytics:read"]
   */
  readonly capabilities: readonly string[];
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** An invoice of the tenant. Amounts are in minor units, such as cents. */
export interface Invoice {
  /** Always `invoice`. */
  readonly object: 'invoice';
  /**
   * Id of the invoice.
   * @example "inv_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * The number on the invoice, unique in the tenant.
   * @example "INV-2026-0002"
   */
  readonly number: string;
  /**
   * `draft` until it is issued, `void` when it was withdrawn.
   * @example "paid"
   */
  readonly status: InvoiceStatus;
  /**
   * ISO 4217 code of the currency.
   * @example "EUR"
   */
  readonly currency: string;
  /**
   * The amount to be paid in all.
   * @example 4900
   */
  readonly amount_due: number;
  /**
   * The amount paid so far.
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
   * When it is to be paid; null for a draft. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly due_at: string | null;
  /** The lines of the invoice. */
  readonly lines: readonly InvoiceLine[];
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
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
   * Number of items.
   * @example 1
   */
  readonly quantity: number;
  /**
   * Price of the whole line in minor units, such as cents; below zero for a credit.
   * @example 4900
   */
  readonly amount: number;
}

/** Which invoices to list. */
export interface InvoiceListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** The last `id` of a page: answers the page that follows it. */
  readonly starting_after?: string;
  /** The first `id` of a page: answers the page before it. */
  readonly ending_before?: string;
  /** Only invoices of this status. */
  readonly status?: InvoiceStatus;
}

/** A payment of an invoice. */
export interface Payment {
  /** Always `payment`. */
  readonly object: 'payment';
  /**
   * Id of the payment.
   * @example "pay_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Id of the invoice.
   * @example "inv_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly invoice_id: string;
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
   * The amount paid, or attempted, in minor units such as cents.
   * @example 4900
   */
  readonly amount: number;
  /**
   * How it was paid, for example `card` or `bank_transfer`.
   * @example "card"
   */
  readonly method: string;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** Which payments to list. */
export interface PaymentListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** The last `id` of a page: answers the page that follows it. */
  readonly starting_after?: string;
  /** The first `id` of a page: answers the page before it. */
  readonly ending_before?: string;
  /**
   * Only payments of this invoice.
   * @example "inv_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly invoice_id?: string;
}

/** An address that events are sent to. */
export interface WebhookEndpoint {
  /** Always `webhook_endpoint`. */
  readonly object: 'webhook_endpoint';
  /**
   * Id of the webhook endpoint.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
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
   * A note for people. 1 to 500 characters.
   * @example "Billing"
   */
  readonly description: string | null;
  /** Deliveries are sent while it is `enabled`. */
  readonly status: WebhookEndpointStatus;
  /** Why it is disabled: `disabled by request`, `gone: …` after a 410, `failing: …` after days of failures; null while it is enabled. */
  readonly disabled_reason: string | null;
  /** Time of the first attempt since which all have failed; null when the last one succeeded. ISO 8601. */
  readonly failing_since: string | null;
  /** Nothing is sent until then, after many failures in a row; then one delivery is tried. ISO 8601. */
  readonly paused_until: string | null;
  /** Since when events were not sent because it was disabled; null after a replay of them, or when they are no longer kept. ISO 8601. */
  readonly missed_since: string | null;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** A webhook endpoint to create. */
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
   * A note for people. 1 to 500 characters.
   * @example "Billing"
   */
  readonly description?: string | null;
}

/** Which webhook endpoints to list. */
export interface WebhookEndpointListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** The last `id` of a page: answers the page that follows it. */
  readonly starting_after?: string;
  /** The first `id` of a page: answers the page before it. */
  readonly ending_before?: string;
  /** Only endpoints of this status. */
  readonly status?: WebhookEndpointStatus;
}

/** The fields to change; those that are absent stay as they are. */
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
   * A note for people. 1 to 500 characters.
   * @example "Billing"
   */
  readonly description?: string | null;
  /** Deliveries are sent while it is `enabled`. */
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
  readonly id: string;
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
   * A note for people. 1 to 500 characters.
   * @example "Billing"
   */
  readonly description: string | null;
  /** Deliveries are sent while it is `enabled`. */
  readonly status: WebhookEndpointStatus;
  /** Why it is disabled: `disabled by request`, `gone: …` after a 410, `failing: …` after days of failures; null while it is enabled. */
  readonly disabled_reason: string | null;
  /** Time of the first attempt since which all have failed; null when the last one succeeded. ISO 8601. */
  readonly failing_since: string | null;
  /** Nothing is sent until then, after many failures in a row; then one delivery is tried. ISO 8601. */
  readonly paused_until: string | null;
  /** Since when events were not sent because it was disabled; null after a replay of them, or when they are no longer kept. ISO 8601. */
  readonly missed_since: string | null;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
  /**
   * Signs the deliveries; shown in this answer only. The whole text is the HMAC key.
   * @example "whsec_…"
   */
  readonly secret: string;
}

/** How the old secret ends. */
export interface WebhookSecretRotateParams {
  /**
   * Seconds for which the old secret continues to sign beside the new one; 0 when absent. 0 to 86,400.
   * @example 3600
   */
  readonly expires_in?: number;
}

/** Which events to list. */
export interface EventListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** The last `id` of a page: answers the page that follows it. */
  readonly starting_after?: string;
  /** The first `id` of a page: answers the page before it. */
  readonly ending_before?: string;
  /** Only events of this type. */
  readonly type?: EventType;
  /**
   * Only events created after this instant. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_after?: string;
  /**
   * Only events created before this instant. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_before?: string;
}

/** Where to send the event again. */
export interface EventReplayParams {
  /**
   * Only to this endpoint; to every enabled one that is subscribed to the type when absent.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly endpoint_id?: string;
}

/** One attempt to deliver an event to an endpoint. */
export interface WebhookDelivery {
  /** Always `webhook_delivery`. */
  readonly object: 'webhook_delivery';
  /**
   * The `X-Platform-Delivery-Id` of this attempt.
   * @example "del_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Id of the event.
   * @example "evt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly event_id: string;
  /** The type of the event. */
  readonly event_type: EventType;
  /**
   * Id of the webhook endpoint.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly endpoint_id: string;
  /** Number of the attempt; a replay starts at 1 again. 1 to 7. */
  readonly attempt: number;
  /**
   * `retrying`: this attempt failed and another one follows; `failed`: no other one follows.
   * @example "succeeded"
   */
  readonly status: WebhookDeliveryStatus;
  /**
   * HTTP status of the response; null without one. 100 to 999.
   * @example 200
   */
  readonly response_status: number | null;
  /** The first KiB of the response headers, in their order; null without a response. Escape them where you show them. */
  readonly response_headers: readonly WebhookResponseHeader[] | null;
  /**
   * The first KiB of the response body; null without a response. Escape it where you show it.
   * @example "ok"
   */
  readonly response_body: string | null;
  /** Why it failed, for programs; null when it did not. `http_status`: the response was not 2xx. */
  readonly error_class: WebhookDeliveryErrorClass | null;
  /** Why it failed, in words; null when an HTTP response was received. */
  readonly error: string | null;
  /**
   * The IP address of the receiver; null when no connection was opened.
   * @example "203.0.113.7"
   */
  readonly remote_address: string | null;
  /**
   * Duration of the attempt in milliseconds.
   * @example 84
   */
  readonly duration_ms: number | null;
  /** Duration of its phases; null when nothing was sent. */
  readonly timings: WebhookDeliveryTimings | null;
  /**
   * When the attempt is or was due. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly scheduled_at: string;
  /**
   * When the attempt was made; null before. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly attempted_at: string | null;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** Which deliveries to list. */
export interface WebhookDeliveryListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** The last `id` of a page: answers the page that follows it. */
  readonly starting_after?: string;
  /** The first `id` of a page: answers the page before it. */
  readonly ending_before?: string;
  /**
   * Only deliveries of this event.
   * @example "evt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly event_id?: string;
  /**
   * Only deliveries to this endpoint.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly endpoint_id?: string;
  /** Only attempts of this status; `retrying`: only those whose next attempt is still to come. */
  readonly status?: WebhookDeliveryStatus;
}

/** Duration of each phase of an attempt, in milliseconds. Null: a phase that did not end, or was not needed. A reused connection needs none of the first three. */
export interface WebhookDeliveryTimings {
  /**
   * Resolving the host name.
   * @example 2
   */
  readonly dns_ms: number | null;
  /**
   * Opening the connection.
   * @example 11
   */
  readonly connect_ms: number | null;
  /**
   * The TLS handshake.
   * @example 24
   */
  readonly tls_ms: number | null;
  /**
   * From sending the request to the first byte of the response: the time the receiver took.
   * @example 46
   */
  readonly first_byte_ms: number | null;
  /**
   * The whole attempt.
   * @example 84
   */
  readonly total_ms: number;
}

/** A header of a response. */
export interface WebhookResponseHeader {
  /**
   * As it was sent.
   * @example "content-type"
   */
  readonly name: string;
  /**
   * As it was sent; bytes that are not UTF-8 are replaced.
   * @example "text/plain"
   */
  readonly value: string;
}

/** A job that sends many events again, each from attempt 1. */
export interface WebhookReplay {
  /** Always `webhook_replay`. */
  readonly object: 'webhook_replay';
  /**
   * Id of the webhook replay.
   * @example "rpl_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * The only endpoint it sends to; null: every endpoint that was enabled when it was created.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly endpoint_id: string | null;
  /**
   * `failed`: events whose last delivery to the endpoint failed; `missed`: events without a delivery to it; `undelivered`: both.
   * @example "undelivered"
   */
  readonly select: WebhookReplaySelect;
  /**
   * Start of the window: events created at or after this time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly since: string;
  /**
   * End of the window: events created before this time. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly until: string;
  /**
   * Only events of these types; null: of all types that the endpoint is subscribed to. 1 to 21 items.
   * @example ["client.created"]
   */
  readonly event_types: readonly EventType[] | null;
  /**
   * Progress of the replay.
   * @example "running"
   */
  readonly status: WebhookReplayStatus;
  /**
   * Events examined so far, for the endpoint that is furthest behind.
   * @example 1200
   */
  readonly examined_count: number;
  /**
   * Deliveries scheduled so far.
   * @example 87
   */
  readonly scheduled_count: number;
  /**
   * Events between `since` and `until`; null until they were counted.
   * @example 4000
   */
  readonly total_count: number | null;
  /**
   * When all was scheduled; null before, and when it was canceled. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly completed_at: string | null;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** Which events to send again, and where. */
export interface WebhookReplayCreateParams {
  /**
   * Events created at or after this time, which is in the past. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly since: string;
  /**
   * Events created before this time; now when absent or later than now. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly until?: string;
  /**
   * Only to this endpoint; to every enabled one when absent.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly endpoint_id?: string;
  /**
   * Only events of these types; of all types that the endpoint is subscribed to when absent. 1 to 21 items.
   * @example ["client.created"]
   */
  readonly event_types?: readonly EventType[];
  /**
   * `failed`: events whose last delivery to the endpoint failed; `missed`: events without a delivery to it; `undelivered`: both.
   * @example "undelivered"
   */
  readonly select?: WebhookReplaySelect;
}

/** Which replays to list. */
export interface WebhookReplayListParams {
  /** Page size; 20 when absent. 1 to 100. */
  readonly limit?: number;
  /** The last `id` of a page: answers the page that follows it. */
  readonly starting_after?: string;
  /** The first `id` of a page: answers the page before it. */
  readonly ending_before?: string;
  /** Only replays of this status. */
  readonly status?: WebhookReplayStatus;
  /**
   * Only replays to this endpoint.
   * @example "whe_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly endpoint_id?: string;
}

/** The consent of a tenant to an OAuth app. */
export interface OAuthAuthorization {
  /** Always `oauth_authorization`. */
  readonly object: 'oauth_authorization';
  /**
   * Id of the app.
   * @example "app_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly app_id: string;
  /**
   * Name of the app.
   * @example "Ledger Sync"
   */
  readonly app_name: string;
  /**
   * Id of the tenant.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: string;
  /**
   * The granted scopes.
   * @example ["clients:read"]
   */
  readonly scopes: readonly Scope[];
  /**
   * The user who gave the consent.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly granted_by: string;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When the consent was revoked; null while it holds. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly revoked_at: string | null;
}

/** An OAuth app of a developer. */
export interface OAuthApp {
  /** Always `app`. */
  readonly object: 'app';
  /**
   * The `client_id`.
   * @example "app_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Name of the app, shown on the consent page. 1 to 200 characters.
   * @example "Ledger Sync"
   */
  readonly name: string;
  /**
   * A page about the app. 1 to 2,048 characters.
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
  /** State of the review by the platform. */
  readonly verification: AppVerification;
  /** The note of the review; null without one. */
  readonly verification_note: string | null;
  /** Who disabled the app; null while it works. The developer cannot enable an app that the operator disabled. */
  readonly disabled_by: AppDisabler | null;
  /**
   * Until when the previous secret is accepted too; null when it is not. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly previous_secret_expires_at: string | null;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** An OAuth app to register. */
export interface OAuthAppCreateParams {
  /**
   * Name of the app, shown on the consent page. 1 to 200 characters.
   * @example "Ledger Sync"
   */
  readonly name: string;
  /**
   * A page about the app. 1 to 2,048 characters.
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

/** How the old secret ends. */
export interface OAuthAppSecretRotateParams {
  /**
   * Seconds for which the old secret continues to work beside the new one; 0 when absent. 0 to 604,800.
   * @example 3600
   */
  readonly expires_in?: number;
}

/** The fields to change; those that are absent stay as they are. */
export interface OAuthAppUpdateParams {
  /**
   * Name of the app, shown on the consent page. 1 to 200 characters.
   * @example "Ledger Sync"
   */
  readonly name?: string;
  /**
   * A page about the app. 1 to 2,048 characters.
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

/** An OAuth app with its secret. */
export interface OAuthAppWithSecret {
  /** Always `app`. */
  readonly object: 'app';
  /**
   * The `client_id`.
   * @example "app_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Name of the app, shown on the consent page. 1 to 200 characters.
   * @example "Ledger Sync"
   */
  readonly name: string;
  /**
   * A page about the app. 1 to 2,048 characters.
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
  /** State of the review by the platform. */
  readonly verification: AppVerification;
  /** The note of the review; null without one. */
  readonly verification_note: string | null;
  /** Who disabled the app; null while it works. The developer cannot enable an app that the operator disabled. */
  readonly disabled_by: AppDisabler | null;
  /**
   * Until when the previous secret is accepted too; null when it is not. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly previous_secret_expires_at: string | null;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
  /**
   * Shown in this answer only.
   * @example "plat_cs_…"
   */
  readonly client_secret: string;
}

/** The consent of a tenant to an OAuth app: one family of tokens. */
export interface OAuthConsent {
  /** Always `consent`. */
  readonly object: 'consent';
  /**
   * Id of the grant.
   * @example "gra_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Id of the app.
   * @example "app_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly app_id: string;
  /**
   * Name of the app.
   * @example "Ledger Sync"
   */
  readonly app_name: string;
  /** State of the review of the app by the platform. */
  readonly app_verification: AppVerification;
  /**
   * Id of the tenant.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: string;
  /**
   * The granted scopes.
   * @example ["clients:read"]
   */
  readonly scopes: readonly Scope[];
  /**
   * The user who gave the consent. It stays when that user is deactivated.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly granted_by: string;
  /** Status of that user now: `suspended` after a deactivation; null when the user no longer exists. */
  readonly granted_by_status: UserStatus | null;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When the app last got tokens; null when it never has. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly last_used_at: string | null;
}

/** The API key of a tenant. */
export interface ApiKey {
  /** Always `api_key`. */
  readonly object: 'api_key';
  /**
   * Id of the api key.
   * @example "key_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Id of the tenant.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: string;
  /**
   * Its first and last characters.
   * @example "plat_test_...x8Qk"
   */
  readonly hint: string;
  /**
   * The scopes of the key.
   * @example ["clients:read"]
   */
  readonly scopes: readonly Scope[];
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
}

/** The scopes of the key to mint. */
export interface ApiKeyMintParams {
  /**
   * The scopes of the key; all when absent. 1 to 21 items.
   * @example ["clients:read"]
   */
  readonly scopes?: readonly Scope[];
}

/** The API key of a tenant with its text. */
export interface ApiKeyWithSecret {
  /** Always `api_key`. */
  readonly object: 'api_key';
  /**
   * Id of the api key.
   * @example "key_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Id of the tenant.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: string;
  /**
   * Its first and last characters.
   * @example "plat_test_...x8Qk"
   */
  readonly hint: string;
  /**
   * The scopes of the key.
   * @example ["clients:read"]
   */
  readonly scopes: readonly Scope[];
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * The key; shown in this answer only.
   * @example "plat_test_…"
   */
  readonly api_key: string;
}

/** The developer who is logged in. */
export interface Developer {
  /** Always `developer`. */
  readonly object: 'developer';
  /**
   * Id of the developer.
   * @example "dev_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * Where sign-in links are sent. 6 to 254 characters.
   * @example "ada@example.com"
   */
  readonly email: string;
  /**
   * The sandbox tenant.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: string;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /** The token of the call. */
  readonly token: DeveloperToken;
}

/** A token of the developer API: one for each login of a command line. Its text is never shown again. */
export interface DeveloperToken {
  /** Always `developer_token`. */
  readonly object: 'developer_token';
  /**
   * Id of the developer token.
   * @example "dvt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly id: string;
  /**
   * The purpose, as stated by the program that asked for it.
   * @example "plat on laptop"
   */
  readonly client_name: string;
  /**
   * The address that asked for it.
   * @example "203.0.113.7"
   */
  readonly ip: string | null;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it was last used, to the hour. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly last_used_at: string;
  /**
   * Moves with each use, up to a year after the login. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly expires_at: string;
}

/** A launch token that a developer minted for the sandbox. */
export interface LaunchToken {
  /** Always `launch_token`. */
  readonly object: 'launch_token';
  /**
   * The value of the form field `launch_token` that a browser posts to `launch_url`.
   * @example "eyJ…"
   */
  readonly token: string;
  /**
   * Slug of the module that it is for. 1 to 63 characters.
   * @example "analytics"
   */
  readonly module: string;
  /**
   * The launch URL of the module.
   * @example "http://127.0.0.1:4020/launch"
   */
  readonly launch_url: string;
  /**
   * Its `iss`.
   * @example "http://127.0.0.1:4010"
   */
  readonly issuer: string;
  /**
   * Its `aud`.
   * @example "analytics"
   */
  readonly audience: string;
  /**
   * When it expires. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly expires_at: string;
}

/** The module, and the user who is launched into it. */
export interface LaunchTokenMintParams {
  /**
   * Slug of the module. 1 to 63 characters.
   * @example "analytics"
   */
  readonly module: string;
  /**
   * Client that the user enters; the user's own, or else the oldest of the sandbox, when absent.
   * @example "cli_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly client_id?: string;
  /**
   * User to launch; the owner of the sandbox when absent.
   * @example "usr_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly user_id?: string;
  /**
   * The group that is selected; none when absent.
   * @example "grp_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly group_id?: string;
}

/** The sandbox of a developer. */
export interface Sandbox {
  /** Always `sandbox`. */
  readonly object: 'sandbox';
  /**
   * Id of the tenant.
   * @example "tnt_01k0z8k3v7e5q2m9t4r6w1x8c0"
   */
  readonly tenant_id: string;
  /**
   * Name of the tenant. 1 to 200 characters.
   * @example "Sandbox"
   */
  readonly name: string;
  /** Access is frozen while it is `suspended`. */
  readonly status: TenantStatus;
  /**
   * Base URL of its API: the part before `/v1`.
   * @example "https://api.example.com"
   */
  readonly base_url: string;
  /**
   * The developer console.
   * @example "https://api.example.com/console"
   */
  readonly console_url: string;
  /**
   * When it was created. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly created_at: string;
  /**
   * When it last changed. ISO 8601.
   * @example "2026-01-31T12:00:00.000Z"
   */
  readonly updated_at: string;
}

/** Body of the request that begins a device login. */
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
   * The code that the program polls with. It is a secret.
   * @example "plat_dc_…"
   */
  readonly device_code: string;
  /**
   * The code that the developer compares, or types.
   * @example "BCDF-GHJK"
   */
  readonly user_code: string;
  /**
   * The page on which the developer types the code.
   * @example "https://api.example.com/console/cli"
   */
  readonly verification_uri: string;
  /**
   * The same page with the code filled in.
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

/** Answer of the token endpoint of a device login, to the first poll after the approval. */
export interface DeviceTokenResponse {
  /**
   * `plat_dv_…`: opens `/developer/v1` and nothing else.
   * @example "plat_dv_…"
   */
  readonly access_token: string;
  /** Always `Bearer`. */
  readonly token_type: 'Bearer';
  /**
   * Seconds until it expires, if it is not used.
   * @example 7776000
   */
  readonly expires_in: number;
}
