// Generated from the schemas in `schemas/` by `npm run types`. Do not edit.

import type { PlatformEvent } from './events.ts';
import type { ListParams, Me, Client, ClientCreateParams, ClientListParams, ClientUpdateParams, Group, GroupCreateParams, GroupMember, GroupMemberAddParams, GroupMemberListParams, GroupOwner, GroupOwnerInviteParams, GroupUpdateParams, Location, LocationCreateParams, LocationUpdateParams, User, UserCreateParams, UserListParams, UserRoleChange, UserUpdateParams, Tenant, TenantUpdateParams, Settings, SettingsUpdateParams, Role, RoleCreateParams, RoleUpdateParams, AuditChange, AuditEvent, AuditEventListParams, LoggedCredential, LoggedRefusal, LoggedRequest, RequestListParams, Module, Plan, Invoice, InvoiceLine, InvoiceListParams, Payment, PaymentListParams, WebhookEndpoint, WebhookEndpointCreateParams, WebhookEndpointListParams, WebhookEndpointUpdateParams, WebhookEndpointWithSecret, WebhookSecretRotateParams, EventListParams, EventReplayParams, WebhookDelivery, WebhookDeliveryListParams, WebhookDeliveryTimings, WebhookResponseHeader, WebhookReplay, WebhookReplayCreateParams, WebhookReplayListParams, OAuthAuthorization, OAuthApp, OAuthAppCreateParams, OAuthAppSecretRotateParams, OAuthAppUpdateParams, OAuthAppWithSecret, OAuthConsent, ApiKey, ApiKeyMintParams, ApiKeyWithSecret, Developer, DeveloperToken, LaunchToken, LaunchTokenMintParams, Sandbox, DeviceCodeParams, DeviceCodeResponse, DeviceTokenParams, DeviceTokenResponse } from './generated.ts';
import type { Deleted, List } from './objects/list.ts';

/** Title of a schema → its type. */
export interface SchemaTypes {
  /** Query parameters that every list takes. */
  readonly ListParams: ListParams;
  /** The credential of the call and its scopes. */
  readonly Me: Me;
  /** A customer of the tenant. */
  readonly Client: Client;
  /** A client to create. */
  readonly ClientCreateParams: ClientCreateParams;
  /** Which clients to list. */
  readonly ClientListParams: ClientListParams;
  /** The fields to change; those that are absent stay as they are. */
  readonly ClientUpdateParams: ClientUpdateParams;
  /** The deleted object. */
  readonly DeletedClient: Deleted<'client'>;
  /** The deleted object. */
  readonly DeletedGroup: Deleted<'group'>;
  /** The deleted object. */
  readonly DeletedGroupMember: Deleted<'group_member'>;
  /** The deleted object. */
  readonly DeletedGroupOwner: Deleted<'group_owner'>;
  /** A group of clients. */
  readonly Group: Group;
  /** A group to create. */
  readonly GroupCreateParams: GroupCreateParams;
  /** A client in a group. */
  readonly GroupMember: GroupMember;
  /** A client to add to the group. */
  readonly GroupMemberAddParams: GroupMemberAddParams;
  /** Which members to list. Cursors are client ids: a member has no id of its own. */
  readonly GroupMemberListParams: GroupMemberListParams;
  /** A user who owns a group, or was invited to. */
  readonly GroupOwner: GroupOwner;
  /** A person to invite to own the group. */
  readonly GroupOwnerInviteParams: GroupOwnerInviteParams;
  /** The fields to change; those that are absent stay as they are. */
  readonly GroupUpdateParams: GroupUpdateParams;
  /** The deleted object. */
  readonly DeletedLocation: Deleted<'location'>;
  /** A place of a client or of a group; one of `client_id` and `group_id` is set. */
  readonly Location: Location;
  /** A location to create. */
  readonly LocationCreateParams: LocationCreateParams;
  /** The fields to change; those that are absent stay as they are. */
  readonly LocationUpdateParams: LocationUpdateParams;
  /** The deleted object. */
  readonly DeletedUser: Deleted<'user'>;
  /** A person of the tenant. */
  readonly User: User;
  /** A user to create and to invite. */
  readonly UserCreateParams: UserCreateParams;
  /** Which users to list. */
  readonly UserListParams: UserListParams;
  /** The new role of a user: `data` of `user.role_changed`. */
  readonly UserRoleChange: UserRoleChange;
  /** The fields to change; those that are absent stay as they are. */
  readonly UserUpdateParams: UserUpdateParams;
  /** The tenant that a credential belongs to. */
  readonly Tenant: Tenant;
  /** The fields to change; those that are absent stay as they are. */
  readonly TenantUpdateParams: TenantUpdateParams;
  /** The settings of the tenant. They have no id: each tenant has one set. */
  readonly Settings: Settings;
  /** The fields to change; those that are absent stay as they are. */
  readonly SettingsUpdateParams: SettingsUpdateParams;
  /** The role of a user in the tenant, and the capabilities that it shows. */
  readonly Role: Role;
  /** A role to create. */
  readonly RoleCreateParams: RoleCreateParams;
  /** The fields to change; those that are absent stay as they are. */
  readonly RoleUpdateParams: RoleUpdateParams;
  /** Values of a field as the API shows them. */
  readonly AuditChange: AuditChange;
  /** A change, and who made it. */
  readonly AuditEvent: AuditEvent;
  /** Which audit events to list. */
  readonly AuditEventListParams: AuditEventListParams;
  /** The credential of a request. */
  readonly LoggedCredential: LoggedCredential;
  /** Why a request was refused. */
  readonly LoggedRefusal: LoggedRefusal;
  /** A request to the API, as the request log keeps it: without bodies, with secrets redacted. */
  readonly LoggedRequest: LoggedRequest;
  /** Which requests to list. */
  readonly RequestListParams: RequestListParams;
  /** A module of the platform, the same for every tenant. */
  readonly Module: Module;
  /** A plan of the platform, the same for every tenant. */
  readonly Plan: Plan;
  /** An invoice of the tenant. Amounts are in minor units, such as cents. */
  readonly Invoice: Invoice;
  /** One line of an invoice. */
  readonly InvoiceLine: InvoiceLine;
  /** Which invoices to list. */
  readonly InvoiceListParams: InvoiceListParams;
  /** A payment of an invoice. */
  readonly Payment: Payment;
  /** Which payments to list. */
  readonly PaymentListParams: PaymentListParams;
  /** The deleted object. */
  readonly DeletedWebhookEndpoint: Deleted<'webhook_endpoint'>;
  /** An address that events are sent to. */
  readonly WebhookEndpoint: WebhookEndpoint;
  /** A webhook endpoint to create. */
  readonly WebhookEndpointCreateParams: WebhookEndpointCreateParams;
  /** Which webhook endpoints to list. */
  readonly WebhookEndpointListParams: WebhookEndpointListParams;
  /** The fields to change; those that are absent stay as they are. */
  readonly WebhookEndpointUpdateParams: WebhookEndpointUpdateParams;
  /** A webhook endpoint with its signing secret. */
  readonly WebhookEndpointWithSecret: WebhookEndpointWithSecret;
  /** How the old secret ends. */
  readonly WebhookSecretRotateParams: WebhookSecretRotateParams;
  /** A change that was committed; `type` tells what `data` holds. */
  readonly PlatformEvent: PlatformEvent;
  /** Which events to list. */
  readonly EventListParams: EventListParams;
  /** Where to send the event again. */
  readonly EventReplayParams: EventReplayParams;
  /** A page of a list. */
  readonly WebhookDeliveryList: List<WebhookDelivery>;
  /** One attempt to deliver an event to an endpoint. */
  readonly WebhookDelivery: WebhookDelivery;
  /** Which deliveries to list. */
  readonly WebhookDeliveryListParams: WebhookDeliveryListParams;
  /** Duration of each phase of an attempt, in milliseconds. Null: a phase that did not end, or was not needed. A reused connection needs none of the first three. */
  readonly WebhookDeliveryTimings: WebhookDeliveryTimings;
  /** A header of a response. */
  readonly WebhookResponseHeader: WebhookResponseHeader;
  /** A job that sends many events again, each from attempt 1. */
  readonly WebhookReplay: WebhookReplay;
  /** Which events to send again, and where. */
  readonly WebhookReplayCreateParams: WebhookReplayCreateParams;
  /** Which replays to list. */
  readonly WebhookReplayListParams: WebhookReplayListParams;
  /** The consent of a tenant to an OAuth app. */
  readonly OAuthAuthorization: OAuthAuthorization;
  /** The deleted object. */
  readonly DeletedApp: Deleted<'app'>;
  /** The deleted object. */
  readonly DeletedConsent: Deleted<'consent'>;
  /** An OAuth app of a developer. */
  readonly OAuthApp: OAuthApp;
  /** An OAuth app to register. */
  readonly OAuthAppCreateParams: OAuthAppCreateParams;
  /** How the old secret ends. */
  readonly OAuthAppSecretRotateParams: OAuthAppSecretRotateParams;
  /** The fields to change; those that are absent stay as they are. */
  readonly OAuthAppUpdateParams: OAuthAppUpdateParams;
  /** An OAuth app with its secret. */
  readonly OAuthAppWithSecret: OAuthAppWithSecret;
  /** The consent of a tenant to an OAuth app: one family of tokens. */
  readonly OAuthConsent: OAuthConsent;
  /** The API key of a tenant. */
  readonly ApiKey: ApiKey;
  /** The scopes of the key to mint. */
  readonly ApiKeyMintParams: ApiKeyMintParams;
  /** The API key of a tenant with its text. */
  readonly ApiKeyWithSecret: ApiKeyWithSecret;
  /** The deleted object. */
  readonly DeletedApiKey: Deleted<'api_key'>;
  /** The deleted object. */
  readonly DeletedDeveloperToken: Deleted<'developer_token'>;
  /** The developer who is logged in. */
  readonly Developer: Developer;
  /** A token of the developer API: one for each login of a command line. Its text is never shown again. */
  readonly DeveloperToken: DeveloperToken;
  /** A launch token that a developer minted for the sandbox. */
  readonly LaunchToken: LaunchToken;
  /** The module, and the user who is launched into it. */
  readonly LaunchTokenMintParams: LaunchTokenMintParams;
  /** The sandbox of a developer. */
  readonly Sandbox: Sandbox;
  /** Body of the request that begins a device login. */
  readonly DeviceCodeParams: DeviceCodeParams;
  /** Codes of a new device login (RFC 8628, section 3.2). */
  readonly DeviceCodeResponse: DeviceCodeResponse;
  /** Body of a poll for the token of a device login. */
  readonly DeviceTokenParams: DeviceTokenParams;
  /** Answer of the token endpoint of a device login, to the first poll after the approval. */
  readonly DeviceTokenResponse: DeviceTokenResponse;
}
