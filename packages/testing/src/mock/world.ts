import {
  type AuditEvent,
  type Client,
  type Group,
  type GroupMember,
  type IdKind,
  type Invoice,
  type Location,
  type LoggedRequest,
  type Module,
  type Payment,
  type Plan,
  type PlatformEvent,
  type Role,
  SANDBOX,
  type Settings,
  type Tenant,
  type User,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookReplay,
} from '@plat/contract';

/** A user who owns a group. The other fields of an owner come from the user. */
export interface Ownership {
  readonly group_id: string;
  readonly user_id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** All data of the tenant of a mock. Maps are by id. */
export interface World {
  tenant: Tenant;
  settings: Settings;
  readonly clients: Map<string, Client>;
  readonly groups: Map<string, Group>;
  members: GroupMember[];
  owners: Ownership[];
  readonly locations: Map<string, Location>;
  readonly users: Map<string, User>;
  readonly roles: Map<string, Role>;
  readonly modules: Map<string, Module>;
  readonly plans: Map<string, Plan>;
  readonly invoices: Map<string, Invoice>;
  readonly payments: Map<string, Payment>;
  readonly endpoints: Map<string, WebhookEndpoint>;
  readonly events: Map<string, PlatformEvent>;
  readonly deliveries: Map<string, WebhookDelivery>;
  readonly replays: Map<string, WebhookReplay>;
  /** Replay → the `missed_since` that it cleared, by endpoint. */
  readonly cleared: Map<string, ReadonlyMap<string, string>>;
  readonly auditEvents: Map<string, AuditEvent>;
  readonly requests: Map<string, LoggedRequest>;
  /** Event, or first attempt of a replay → the request that caused it. */
  readonly causes: Map<string, string>;
  newId(kind: IdKind): string;
  /** Number of created secrets, which makes each unique. */
  secrets: number;
}

/** Returns a world with a tenant and nothing else. */
export function emptyWorld(id: string, newId: (kind: IdKind) => string, at: string): World {
  const dates = { created_at: at, updated_at: at };
  return {
    tenant: { object: 'tenant', id, name: SANDBOX.name, status: 'active', plan_id: null, sandbox: true, ...dates },
    settings: {
      object: 'settings',
      tenant_id: id,
      default_timezone: 'UTC',
      default_locale: 'en',
      support_email: null,
      launch_token_ttl_seconds: 900,
      ...dates,
    },
    clients: new Map(),
    groups: new Map(),
    members: [],
    owners: [],
    locations: new Map(),
    users: new Map(),
    roles: new Map(),
    modules: new Map(),
    plans: new Map(),
    invoices: new Map(),
    payments: new Map(),
    endpoints: new Map(),
    events: new Map(),
    deliveries: new Map(),
    replays: new Map(),
    cleared: new Map(),
    auditEvents: new Map(),
    requests: new Map(),
    causes: new Map(),
    newId,
    secrets: 0,
  };
}
