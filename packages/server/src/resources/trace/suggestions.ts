import { ID_PREFIXES } from '@plat/contract';
import type { ReadContext } from '../../context.ts';
import { PRIMARY, select, usingIndex } from '../../db/sql.ts';

/** A text that the jump box accepts, with the name of its object. */
export interface Suggestion {
  readonly value: string;
  readonly label: string;
}

/** Suggestions of one kind. */
const MOST = 5;

/** Newest objects of a kind whose texts are compared. */
const COMPARED = 200;

/** Kinds of objects: the text that the jump box accepts, and further texts by which people know the object. */
const KINDS = [
  { words: 'Client', table: 'clients', value: 'slug', texts: ['slug', 'name', 'custom_domain'] },
  { words: 'Group', table: 'client_groups', value: 'slug', texts: ['slug', 'name'] },
  { words: 'User', table: 'users', value: 'email', texts: ['email', 'name'] },
  { words: 'Location', table: 'locations', value: 'id', texts: ['name', 'address'] },
  { words: 'Webhook endpoint', table: 'webhook_endpoints', value: 'id', texts: ['url', 'description'] },
] as const;

/** Kinds whose ids are suggested by their beginning. */
const TABLES_OF_IDS = [
  ['request', 'requests'],
  ['event', 'events'],
  ['webhook_delivery', 'webhook_deliveries'],
  ['webhook_endpoint', 'webhook_endpoints'],
  ['client', 'clients'],
  ['group', 'client_groups'],
  ['user', 'users'],
  ['location', 'locations'],
  ['audit_event', 'audit_events'],
] as const;

/**
 * Returns what a person may mean who typed the beginning of an id, or a part of a name, slug or address. Reads at most
 * one short range of an index for each kind.
 */
export async function suggestions(ctx: ReadContext, text: string): Promise<readonly Suggestion[]> {
  if (text.length < 2) return [];
  const [, table] = TABLES_OF_IDS.find(([kind]) => text.startsWith(`${ID_PREFIXES[kind]}_`)) ?? [];
  if (table !== undefined) return byId(ctx, table, text);
  const found = await Promise.all(KINDS.map((kind) => byText(ctx, kind, text)));
  return found.flat();
}

async function byId({ db, tenantId }: ReadContext, table: string, text: string): Promise<readonly Suggestion[]> {
  // Every character of an id sorts before this one.
  const rows = await select<{ id: string }>(
    db,
    `SELECT id FROM ${table} ${usingIndex(db, PRIMARY)} WHERE tenant_id = :tenantId AND id >= :text AND id < :end ORDER BY id DESC LIMIT ${MOST}`,
    { tenantId, text, end: `${text}~` },
  );
  return rows.map(({ id }) => ({ value: id, label: id }));
}

async function byText(
  { db, tenantId }: ReadContext,
  { words, table, value, texts }: (typeof KINDS)[number],
  text: string,
): Promise<readonly Suggestion[]> {
  const columns = [...new Set([value, ...texts])];
  // In a derived table, so that the database reads the newest rows and compares no others.
  const rows = await select<Record<string, string | null>>(
    db,
    `SELECT ${columns.join(', ')} FROM (
      SELECT id${columns
        .filter((name) => name !== 'id')
        .map((name) => `, ${name}`)
        .join('')} FROM ${table} ${usingIndex(db, PRIMARY)}
      WHERE tenant_id = :tenantId ORDER BY id DESC LIMIT ${COMPARED}
    ) newest`,
    { tenantId },
  );
  const wanted = text.toLowerCase();
  return rows
    .filter((row) => texts.some((name) => row[name]?.toLowerCase().includes(wanted)))
    .slice(0, MOST)
    .map((row) => ({
      value: row[value] ?? '',
      label: `${words}: ${texts.flatMap((name) => row[name] ?? []).join(' · ')}`,
    }));
}
