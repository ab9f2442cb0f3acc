import { ID_PREFIXES } from '@plat/contract';
import type { ReadContext } from '../../context.ts';
import { PRIMARY, select, usingIndex } from '../../db/sql.ts';
import { GROUP_SLUG } from '../../db/tables/client-groups.ts';
import { CLIENT_SLUG } from '../../db/tables/clients.ts';
import { USER_EMAIL } from '../../db/tables/users.ts';
import { emailHash } from '../../kernel/mail-address.ts';

/** A text that the jump box accepts, with the name of its object. */
export interface Suggestion {
  readonly value: string;
  readonly label: string;
}

/** Suggestions of one kind. */
const MOST = 5;

/** Newest objects of a kind whose texts are compared. */
const COMPARED = 200;

/** A kind of objects that people look for by a text. */
interface Kind {
  readonly words: string;
  readonly table: string;
  /** The text that the jump box accepts. */
  readonly value: string;
  /** Texts by which people know the object. */
  readonly texts: readonly string[];
  /** Index of the slug, which finds objects of any age by its beginning. */
  readonly slugs?: string;
}

const KINDS: readonly Kind[] = [
  {
    ...{ words: 'Client', table: 'clients', value: 'slug', texts: ['slug', 'name', 'custom_domain'] },
    slugs: CLIENT_SLUG.name,
  },
  { words: 'Group', table: 'client_groups', value: 'slug', texts: ['slug', 'name'], slugs: GROUP_SLUG.name },
  { words: 'User', table: 'users', value: 'email', texts: ['email', 'name'] },
  { words: 'Location', table: 'locations', value: 'id', texts: ['name', 'address'] },
  { words: 'Webhook endpoint', table: 'webhook_endpoints', value: 'id', texts: ['url', 'description'] },
];

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
 * Returns what a person may mean who typed the beginning of an id or slug, a part of a name or address, or a whole
 * e-mail address. Parts are compared with the newest objects. Reads short ranges of indexes only.
 */
export async function suggestions(ctx: ReadContext, text: string): Promise<readonly Suggestion[]> {
  if (text.length < 2) return [];
  const [, table] = TABLES_OF_IDS.find(([kind]) => text.startsWith(`${ID_PREFIXES[kind]}_`)) ?? [];
  if (table !== undefined) return byId(ctx, table, text);
  const found = await Promise.all(KINDS.map((kind) => ofKind(ctx, kind, text)));
  return found.flat();
}

/** Among the newest objects; then of any age, where an index has the text. */
async function ofKind(ctx: ReadContext, kind: Kind, text: string): Promise<readonly Suggestion[]> {
  const newest = await byText(ctx, kind, text);
  const older = newest.length < MOST ? await byIndex(ctx, kind, text) : [];
  const known = new Set(newest.map(({ value }) => value));
  return [...newest, ...older.filter(({ value }) => !known.has(value))].slice(0, MOST);
}

async function byIndex({ db, tenantId }: ReadContext, kind: Kind, text: string): Promise<readonly Suggestion[]> {
  const { table, slugs } = kind;
  const columns = columnsOf(kind).join(', ');
  const start = text.toLowerCase();
  if (slugs !== undefined && /^[a-z0-9-]+$/.test(start)) {
    const rows = await select<Texts>(
      db,
      `SELECT ${columns} FROM ${table} ${usingIndex(db, slugs)}
       WHERE tenant_id = :tenantId AND slug >= :start AND slug < :end ORDER BY slug LIMIT ${MOST}`,
      { tenantId, start, end: `${start}~` },
    );
    return rows.map((row) => presented(kind, row));
  }
  if (table !== 'users' || !text.includes('@')) return [];
  const rows = await select<Texts>(
    db,
    `SELECT ${columns} FROM users ${usingIndex(db, USER_EMAIL.name)} WHERE tenant_id = :tenantId AND email_hash = :hash`,
    { tenantId, hash: emailHash(text) },
  );
  return rows.map((row) => presented(kind, row));
}

type Texts = Readonly<Record<string, string | null>>;

function columnsOf({ value, texts }: Kind): readonly string[] {
  return [...new Set([value, ...texts])];
}

function presented({ words, value, texts }: Kind, row: Texts): Suggestion {
  return { value: row[value] ?? '', label: `${words}: ${texts.flatMap((name) => row[name] ?? []).join(' · ')}` };
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

async function byText({ db, tenantId }: ReadContext, kind: Kind, text: string): Promise<readonly Suggestion[]> {
  const { table, texts } = kind;
  const columns = columnsOf(kind);
  // In a derived table, so that the database reads the newest rows and compares no others.
  const rows = await select<Texts>(
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
    .map((row) => presented(kind, row));
}
