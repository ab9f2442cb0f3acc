import type { List, OperationName, OperationTypes } from '@plat/contract';
import { isObject, type JsonObject } from '../output/value.ts';

/** Kind of object → the columns of its table: what tells one from another, then what one looks for. */
const COLUMNS: { readonly [K in Listed['object']]: readonly (keyof Extract<Listed, { object: K }> & string)[] } = {
  client: ['id', 'name', 'status', 'slug', 'custom_domain', 'created_at'],
  webhook_endpoint: ['id', 'url', 'status', 'events', 'created_at'],
  event: ['id', 'type', 'created'],
  webhook_delivery: ['id', 'event_type', 'endpoint_id', 'attempt', 'status', 'response_status', 'scheduled_at'],
};

/** The columns for some objects; of a kind that is not in the table, all fields that fit in a cell. */
export function columnsFor(rows: readonly JsonObject[]): readonly string[] {
  const [first] = rows;
  if (!first) return [];
  const kind = first['object'];
  if (typeof kind === 'string' && isKnown(kind)) return COLUMNS[kind];
  return Object.keys(first).filter((name) => name !== 'object' && !isObject(first[name]));
}

function isKnown(kind: string): kind is keyof typeof COLUMNS {
  return Object.hasOwn(COLUMNS, kind);
}

/** Whatever a list holds. */
type Listed = {
  [N in OperationName]: OperationTypes[N]['response'] extends List<infer T> ? T : never;
}[OperationName];
