import type {
  DeveloperOperationName,
  DeveloperOperationTypes,
  List,
  OperationName,
  OperationTypes,
} from '@plat/contract';
import { isObject, type JsonObject } from '../terminal/value.ts';

/**
 * Kind of object → columns of its table: identifying fields first, then the most used ones. Other kinds have all fields that fit in
 * a cell.
 */
const COLUMNS: { readonly [K in Listed['object']]?: readonly ColumnOf<Extract<Listed, { object: K }>>[] } = {
  client: ['id', 'name', 'status', 'slug', 'custom_domain', 'created_at'],
  location: ['id', 'name', 'default', 'country', 'timezone', 'address'],
  group: ['id', 'name', 'slug', 'membership_policy', 'member_count', 'created_at'],
  group_member: ['client_id', 'created_at'],
  group_owner: ['user_id', 'email', 'status', 'created_at'],
  user: ['id', 'email', 'name', 'role', 'status', 'created_at'],
  role: ['id', 'name', 'title', 'built_in', 'capabilities'],
  audit_event: ['id', 'action', 'actor.type', 'actor.id', 'target.id', 'created_at'],
  request: ['id', 'method', 'path', 'status', 'error.code', 'duration_ms', 'created_at'],
  module: ['id', 'slug', 'name', 'capabilities'],
  plan: ['id', 'slug', 'name', 'currency', 'amount', 'interval'],
  invoice: ['id', 'number', 'status', 'currency', 'amount_due', 'amount_paid', 'due_at'],
  payment: ['id', 'invoice_id', 'status', 'currency', 'amount', 'method', 'created_at'],
  webhook_endpoint: ['id', 'url', 'status', 'failing_since', 'paused_until', 'events'],
  event: ['id', 'type', 'created'],
  developer_token: ['id', 'client_name', 'ip', 'last_used_at', 'expires_at'],
  app: ['id', 'name', 'verification', 'disabled_by', 'scopes', 'created_at'],
  app_refusal: ['id', 'endpoint', 'error.code', 'installation_id', 'ip', 'created_at'],
  installation: ['id', 'tenant_id', 'state', 'scopes', 'granted_by', 'granted_at', 'last_used_at'],
  consent: ['id', 'app_id', 'app_name', 'scopes', 'granted_by_status', 'last_used_at'],
  webhook_replay: ['id', 'select', 'status', 'examined_count', 'total_count', 'scheduled_count', 'created_at'],
  webhook_delivery: [
    'id',
    'event_type',
    'endpoint_id',
    'attempt',
    'status',
    'response_status',
    'error_class',
    'scheduled_at',
  ],
};

/** Columns of `plat dev faults`, whose fields depend on the kind of fault. */
const FAULT_COLUMNS = ['id', 'kind', 'operation', 'path', 'endpoint_id', 'event_type', 'tenant_id', 'left'];

/** Returns the columns for some objects. */
export function columnsFor(rows: readonly JsonObject[]): readonly string[] {
  const [first] = rows;
  if (!first) return [];
  const kind = first['object'];
  const columns: Readonly<Record<string, readonly string[] | undefined>> = COLUMNS;
  const own = typeof kind === 'string' && Object.hasOwn(columns, kind) ? columns[kind] : undefined;
  if (own) return own;
  if (kind === 'dev_fault') return FAULT_COLUMNS;
  return Object.keys(first).filter((name) => name !== 'object' && !isObject(first[name]));
}

/** Columns that a narrow terminal omits first, the least important first. The others follow from the right. */
const LEAST_IMPORTANT = [
  'actor.type',
  'custom_domain',
  'currency',
  'address',
  'invoice_id',
  'endpoint_id',
  'duration_ms',
  'paused_until',
  'slug',
  'capabilities',
  'scopes',
  'response_status',
  'ip',
  'method',
  'last_used_at',
];

/** Returns all columns but the first, in the order in which a narrow terminal omits them. */
export function dispensableOf([, ...columns]: readonly string[]): readonly string[] {
  const named = LEAST_IMPORTANT.filter((column) => columns.includes(column));
  return [...named, ...columns.filter((column) => !LEAST_IMPORTANT.includes(column)).toReversed()];
}

/** Every kind of object that a list holds. */
type Listed =
  | { [N in OperationName]: ItemOf<OperationTypes[N]['response']> }[OperationName]
  | { [N in DeveloperOperationName]: ItemOf<DeveloperOperationTypes[N]['response']> }[DeveloperOperationName];
type ItemOf<R> = R extends List<infer T> ? T : never;

/** A field, or the path of a nested field: `actor.id`. */
type ColumnOf<T> = {
  [K in keyof T & string]: T[K] extends string | number | boolean | null | readonly unknown[]
    ? K
    : `${K}.${keyof NonNullable<T[K]> & string}`;
}[keyof T & string];
