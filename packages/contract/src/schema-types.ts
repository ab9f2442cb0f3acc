// Generated from the schemas in `schemas/` by `npm run types`. Do not edit.

import type { AppEvent } from './app-events.ts';
import type { PlatformEvent } from './events.ts';
import type { AppEventListParams, AppRefusal, AppRefusalListParams, AuditChange, AuditEvent, AuditEventListParams, Invoice, InvoiceLine, InvoiceListParams, Payment, PaymentListParams, Module, Plan, Client, ClientCreateParams, ClientListParams, ClientUpdateParams, ApiKey, ApiKeyMintParams, ApiKeyWithSecret, Developer, DeveloperToken, LaunchToken, LaunchTokenMintParams, PreviousApiKey, Sandbox, DeviceCodeParams, DeviceCodeResponse, DeviceTokenParams, DeviceTokenResponse, EventListParams, Group, GroupCreateParams, GroupMember, GroupMemberAddParams, GroupMemberListParams, GroupOwner, GroupOwnerInviteParams, GroupUpdateParams, Installation, InstallationListParams, RevokedInstallation, ScopeChangedInstallation, Location, LocationCreateParams, LocationUpdateParams, Me, OAuthApp, OAuthAppCreateParams, OAuthAppSecretRotateParams, OAuthAppUpdateParams, OAuthAppWithSecret, OAuthConsent, OAuthAuthorization, ListParams, LoggedCredential, LoggedRefusal, LoggedRequest, RequestListParams, Role, RoleCreateParams, RoleUpdateParams, Settings, SettingsUpdateParams, Tenant, TenantUpdateParams, AppTraceAttempt, AppTraceReplay, TraceAttempt, TraceChange, TraceEndpoint, TraceGrant, TraceParams, TraceProblem, TraceReplay, TraceRequest, TraceSent, TraceSubject, TraceWithheld, User, UserCreateParams, UserListParams, UserRoleChange, UserUpdateParams, AppWebhookDelivery, EventReplayParams, WebhookDelivery, WebhookDeliveryListParams, WebhookDeliveryTimings, WebhookResponseHeader, AppWebhookEndpoint, AppWebhookEndpointCreateParams, AppWebhookEndpointUpdateParams, AppWebhookEndpointWithSecret, WebhookEndpoint, WebhookEndpointCreateParams, WebhookEndpointListParams, WebhookEndpointUpdateParams, WebhookEndpointWithSecret, WebhookSecretRotateParams, AppWebhookReplay, AppWebhookReplayCreateParams, WebhookReplay, WebhookReplayCreateParams, WebhookReplayListParams } from './generated.ts';
import type { Deleted, List } from './objects/list.ts';
import type { Trace, AppTrace, AppTraceEntry, AppTraceEvent, TraceEntry, TraceEvent } from './trace.ts';

/** Title of a schema → its type. */
export interface SchemaTypes {
  /** A committed change of an installation or of the app. `type` determines the type of `data`. */
  readonly AppEvent: AppEvent;
  /** Filters and paging for the list of events of an app. */
  readonly AppEventListParams: AppEventListParams;
  /** A refused request of an OAuth app to the authorize, token, introspection or revocation endpoint. It has no form, no query and no secret. */
  readonly AppRefusal: AppRefusal;
  /** Filters and paging for the list of refusals. */
  readonly AppRefusalListParams: AppRefusalListParams;
  /** The values of one field before and after a change. */
  readonly AuditChange: AuditChange;
  /** A change with its actor and target. */
  readonly AuditEvent: AuditEvent;
  /** Filters and paging for the list of audit events. */
  readonly AuditEventListParams: AuditEventListParams;
  /** An invoice of the tenant. Amounts are in minor units, such as cents. */
  readonly Invoice: Invoice;
  /** One line of an invoice. */
  readonly InvoiceLine: InvoiceLine;
  /** Filters and paging for the list of invoices. */
  readonly InvoiceListParams: InvoiceListParams;
  /** A payment of an invoice, or an attempt to pay it. */
  readonly Payment: Payment;
  /** Filters and paging for the list of payments. */
  readonly PaymentListParams: PaymentListParams;
  /** A module of the platform, the same for every tenant. */
  readonly Module: Module;
  /** A plan of the platform, the same for every tenant. */
  readonly Plan: Plan;
  /** A customer of the tenant. */
  readonly Client: Client;
  /** Fields of the client to create. */
  readonly ClientCreateParams: ClientCreateParams;
  /** Filters and paging for the list of clients. */
  readonly ClientListParams: ClientListParams;
  /** The fields to change. Absent fields keep their value. */
  readonly ClientUpdateParams: ClientUpdateParams;
  /** The deleted object. */
  readonly DeletedClient: Deleted<'client'>;
  /** The API key of a tenant. */
  readonly ApiKey: ApiKey;
  /** Scopes of the API key to create, and the time for which the key that it replaces stays valid. */
  readonly ApiKeyMintParams: ApiKeyMintParams;
  /** The API key of a tenant, including the key itself. */
  readonly ApiKeyWithSecret: ApiKeyWithSecret;
  /** The deleted object. */
  readonly DeletedApiKey: Deleted<'api_key'>;
  /** The deleted object. */
  readonly DeletedDeveloperToken: Deleted<'developer_token'>;
  /** The developer to whom the token belongs. */
  readonly Developer: Developer;
  /** A token of the developer API. Each login of the command line creates one. The token itself is shown only at login. */
  readonly DeveloperToken: DeveloperToken;
  /** A launch token that a developer created for the sandbox. */
  readonly LaunchToken: LaunchToken;
  /** The module to launch, and the user, client and group of the token. */
  readonly LaunchTokenMintParams: LaunchTokenMintParams;
  /** A replaced API key that is still valid for a while. */
  readonly PreviousApiKey: PreviousApiKey;
  /** The sandbox tenant of a developer. */
  readonly Sandbox: Sandbox;
  /** Body of the request that starts a device login. */
  readonly DeviceCodeParams: DeviceCodeParams;
  /** Codes of a new device login (RFC 8628, section 3.2). */
  readonly DeviceCodeResponse: DeviceCodeResponse;
  /** Body of a poll for the token of a device login. */
  readonly DeviceTokenParams: DeviceTokenParams;
  /** Response to the first poll after the developer approved the device login. */
  readonly DeviceTokenResponse: DeviceTokenResponse;
  /** A committed change of the data of a tenant. `type` determines the type of `data`. */
  readonly PlatformEvent: PlatformEvent;
  /** Filters and paging for the list of events. */
  readonly EventListParams: EventListParams;
  /** The deleted object. */
  readonly DeletedGroup: Deleted<'group'>;
  /** The deleted object. */
  readonly DeletedGroupMember: Deleted<'group_member'>;
  /** The deleted object. */
  readonly DeletedGroupOwner: Deleted<'group_owner'>;
  /** A group of clients. */
  readonly Group: Group;
  /** Fields of the group to create. */
  readonly GroupCreateParams: GroupCreateParams;
  /** The membership of a client in a group. */
  readonly GroupMember: GroupMember;
  /** The client to add to the group. */
  readonly GroupMemberAddParams: GroupMemberAddParams;
  /** Paging for the list of group members. Cursors are client ids, because a member has no separate id. */
  readonly GroupMemberListParams: GroupMemberListParams;
  /** A user who owns a group or is invited to own it. */
  readonly GroupOwner: GroupOwner;
  /** The person to invite as an owner of the group. */
  readonly GroupOwnerInviteParams: GroupOwnerInviteParams;
  /** The fields to change. Absent fields keep their value. */
  readonly GroupUpdateParams: GroupUpdateParams;
  /** The access of an OAuth app to one tenant: a grant with its state. */
  readonly Installation: Installation;
  /** Filters and paging for the list of installations. */
  readonly InstallationListParams: InstallationListParams;
  /** An installation that was revoked. */
  readonly RevokedInstallation: RevokedInstallation;
  /** An installation that replaced one of the same tenant with other scopes. */
  readonly ScopeChangedInstallation: ScopeChangedInstallation;
  /** The deleted object. */
  readonly DeletedLocation: Deleted<'location'>;
  /** A location of a client or of a group. Exactly one of `client_id` and `group_id` is set. */
  readonly Location: Location;
  /** Fields of the location to create. */
  readonly LocationCreateParams: LocationCreateParams;
  /** The fields to change. Absent fields keep their value. */
  readonly LocationUpdateParams: LocationUpdateParams;
  /** The credential of the call with its tenant, type and scopes. */
  readonly Me: Me;
  /** The deleted object. */
  readonly DeletedApp: Deleted<'app'>;
  /** The deleted object. */
  readonly DeletedConsent: Deleted<'consent'>;
  /** An OAuth app of a developer. */
  readonly OAuthApp: OAuthApp;
  /** Fields of the OAuth app to register. */
  readonly OAuthAppCreateParams: OAuthAppCreateParams;
  /** Options of the rotation. */
  readonly OAuthAppSecretRotateParams: OAuthAppSecretRotateParams;
  /** The fields to change. Absent fields keep their value. */
  readonly OAuthAppUpdateParams: OAuthAppUpdateParams;
  /** An OAuth app with its client secret. */
  readonly OAuthAppWithSecret: OAuthAppWithSecret;
  /** The consent of a tenant to an OAuth app. All tokens of the consent form one grant family. */
  readonly OAuthConsent: OAuthConsent;
  /** The consent of a tenant to an OAuth app. */
  readonly OAuthAuthorization: OAuthAuthorization;
  /** Query parameters that every list takes. */
  readonly ListParams: ListParams;
  /** The credential of a request. */
  readonly LoggedCredential: LoggedCredential;
  /** The error of a refused request. */
  readonly LoggedRefusal: LoggedRefusal;
  /** An entry of the request log. It has no bodies, and secrets are redacted. */
  readonly LoggedRequest: LoggedRequest;
  /** Filters and paging for the list of requests. */
  readonly RequestListParams: RequestListParams;
  /** A role that users of the tenant can have, with the capabilities that are visible to them. */
  readonly Role: Role;
  /** Fields of the role to create. */
  readonly RoleCreateParams: RoleCreateParams;
  /** The fields to change. Absent fields keep their value. */
  readonly RoleUpdateParams: RoleUpdateParams;
  /** The settings of the tenant. They have no id, because each tenant has exactly one set. */
  readonly Settings: Settings;
  /** The fields to change. Absent fields keep their value. */
  readonly SettingsUpdateParams: SettingsUpdateParams;
  /** The tenant that a credential belongs to. */
  readonly Tenant: Tenant;
  /** The fields to change. Absent fields keep their value. */
  readonly TenantUpdateParams: TenantUpdateParams;
  /** The events, attempts and replays of an app that are recorded about an id. */
  readonly AppTrace: AppTrace;
  /** An attempt to deliver an event of an app, made or scheduled. */
  readonly AppTraceAttempt: AppTraceAttempt;
  /** One step of the trace of an app. `kind` determines its type. */
  readonly AppTraceEntry: AppTraceEntry;
  /** An event of an app in a trace. */
  readonly AppTraceEvent: AppTraceEvent;
  /** A replay of many events of an app. */
  readonly AppTraceReplay: AppTraceReplay;
  /** All that is recorded about an id: requests, changes, events, attempts, replays and steps of grants. */
  readonly Trace: Trace;
  /** An attempt to deliver an event, made or scheduled. */
  readonly TraceAttempt: TraceAttempt;
  /** A change, with its actor and the changed fields. */
  readonly TraceChange: TraceChange;
  /** The endpoint of an attempt, as it is now. */
  readonly TraceEndpoint: TraceEndpoint;
  /** One step of a trace. `kind` determines its type. */
  readonly TraceEntry: TraceEntry;
  /** An event in a trace. */
  readonly TraceEvent: TraceEvent;
  /** A step of an OAuth grant. Of the exchanges of a grant, the first one and the ten latest are recorded. */
  readonly TraceGrant: TraceGrant;
  /** Page of a trace. */
  readonly TraceParams: TraceParams;
  /** A failure that the trace shows, with its cause and fix. */
  readonly TraceProblem: TraceProblem;
  /** A replay of many events. */
  readonly TraceReplay: TraceReplay;
  /** A request. */
  readonly TraceRequest: TraceRequest;
  /** Headers of an attempt, and the time of its signature. The signed text is `signed_at`, a full stop and the body. */
  readonly TraceSent: TraceSent;
  /** The object that a trace starts from. */
  readonly TraceSubject: TraceSubject;
  /** A part of a trace that the credential may not read. */
  readonly TraceWithheld: TraceWithheld;
  /** The deleted object. */
  readonly DeletedUser: Deleted<'user'>;
  /** A user of the tenant. */
  readonly User: User;
  /** Fields of the user to create and invite. */
  readonly UserCreateParams: UserCreateParams;
  /** Filters and paging for the list of users. */
  readonly UserListParams: UserListParams;
  /** A change of the role of a user: the `data` of the event `user.role_changed`. */
  readonly UserRoleChange: UserRoleChange;
  /** The fields to change. Absent fields keep their value. */
  readonly UserUpdateParams: UserUpdateParams;
  /** One attempt to deliver an event of an app to an endpoint. */
  readonly AppWebhookDelivery: AppWebhookDelivery;
  /** Endpoint that receives the event again. */
  readonly EventReplayParams: EventReplayParams;
  /** A page of a list. */
  readonly AppWebhookDeliveryList: List<AppWebhookDelivery>;
  /** A page of a list. */
  readonly WebhookDeliveryList: List<WebhookDelivery>;
  /** One attempt to deliver an event to an endpoint. */
  readonly WebhookDelivery: WebhookDelivery;
  /** Filters and paging for the list of deliveries. */
  readonly WebhookDeliveryListParams: WebhookDeliveryListParams;
  /** Duration of each phase of an attempt, in milliseconds. Null for a phase that did not end or was not needed. A reused connection skips the first three phases. */
  readonly WebhookDeliveryTimings: WebhookDeliveryTimings;
  /** A header of the response of a receiver. */
  readonly WebhookResponseHeader: WebhookResponseHeader;
  /** A URL that receives the events of an OAuth app. */
  readonly AppWebhookEndpoint: AppWebhookEndpoint;
  /** Fields of the webhook endpoint to create. */
  readonly AppWebhookEndpointCreateParams: AppWebhookEndpointCreateParams;
  /** The fields to change. Absent fields keep their value. */
  readonly AppWebhookEndpointUpdateParams: AppWebhookEndpointUpdateParams;
  /** A webhook endpoint with its signing secret. */
  readonly AppWebhookEndpointWithSecret: AppWebhookEndpointWithSecret;
  /** The deleted object. */
  readonly DeletedWebhookEndpoint: Deleted<'webhook_endpoint'>;
  /** A URL that receives the events of a tenant. */
  readonly WebhookEndpoint: WebhookEndpoint;
  /** Fields of the webhook endpoint to create. */
  readonly WebhookEndpointCreateParams: WebhookEndpointCreateParams;
  /** Filters and paging for the list of webhook endpoints. */
  readonly WebhookEndpointListParams: WebhookEndpointListParams;
  /** The fields to change. Absent fields keep their value. */
  readonly WebhookEndpointUpdateParams: WebhookEndpointUpdateParams;
  /** A webhook endpoint with its signing secret. */
  readonly WebhookEndpointWithSecret: WebhookEndpointWithSecret;
  /** Options of the rotation. */
  readonly WebhookSecretRotateParams: WebhookSecretRotateParams;
  /** A job that sends many events again, each from attempt 1. */
  readonly AppWebhookReplay: AppWebhookReplay;
  /** The events to send again, and the endpoint that receives them. */
  readonly AppWebhookReplayCreateParams: AppWebhookReplayCreateParams;
  /** A job that sends many events again, each from attempt 1. */
  readonly WebhookReplay: WebhookReplay;
  /** The events to send again, and the endpoint that receives them. */
  readonly WebhookReplayCreateParams: WebhookReplayCreateParams;
  /** Filters and paging for the list of replays. */
  readonly WebhookReplayListParams: WebhookReplayListParams;
}
