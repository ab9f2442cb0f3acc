import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isId } from '@plat/contract';
import type { AnyRow } from '../db/table-rows.ts';
import { TENANTS } from '../db/tables/tenants.ts';
import { TENANT_ROWS, type TenantRows } from '../db/tenant-tables.ts';

/** Tables that are not exported: what ends by itself within hours, locks, and the keys of the operator. */
const NOT_EXPORTED: ReadonlySet<string> = new Set([
  'request_bodies',
  'idempotency_keys',
  'oauth_access_tokens',
  'oauth_refresh_tokens',
  'sandbox_locks',
  'sessions',
  'device_logins',
  'support_keys',
]);

/** The rows of an export, one file for each table. The row of the tenant is the last one. */
export const EXPORTED: readonly TenantRows[] = TENANT_ROWS.filter(({ table }) => !NOT_EXPORTED.has(table.name));

/** The version of the format of exports. */
export const ARCHIVE_FORMAT = 2;

/** The description of an export, `manifest.json`. It is written last. */
export interface Manifest {
  readonly format: number;
  /** Version of the server. */
  readonly version: string;
  /** Names of the migrations that had run. */
  readonly migrations: readonly string[];
  /** `plan` is the slug of its plan. */
  readonly tenant: { readonly id: string; readonly name: string; readonly plan: string | null };
  readonly exported_at: string;
  readonly files: readonly ArchiveFile[];
}

/** A file of rows, one JSON object a line. */
export interface ArchiveFile {
  readonly file: string;
  readonly table: string;
  readonly rows: number;
  /** SHA-256 of its bytes, in hex. */
  readonly sha256: string;
}

/** Writes the rows of a table to a new file of the folder. */
export async function writeRows(
  folder: string,
  table: string,
  pages: AsyncIterable<readonly AnyRow[]>,
): Promise<ArchiveFile> {
  const file = `${table}.ndjson`;
  const digest = createHash('sha256');
  let rows = 0;
  const handle: FileHandle = await open(join(folder, file), 'wx', 0o600);
  try {
    for await (const page of pages) {
      const text = page.map((row) => `${escapeBreaks(JSON.stringify(row, encodeBytes))}\n`).join('');
      digest.update(text);
      await handle.appendFile(text);
      rows += page.length;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { file, table, rows, sha256: digest.digest('hex') };
}

/** Reads the rows of a file, page by page. */
export async function* readRows(folder: string, file: string, pageRows: number): AsyncGenerator<readonly AnyRow[]> {
  let page: AnyRow[] = [];
  for await (const line of createInterface({ input: createReadStream(join(folder, file)), crlfDelay: 0 })) {
    page.push(JSON.parse(line, decodeBytes));
    if (page.length < pageRows) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** Returns the SHA-256 of a file, in hex. */
export async function digestOf(folder: string, file: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const bytes of createReadStream(join(folder, file))) digest.update(bytes);
  return digest.digest('hex');
}

export const MANIFEST = 'manifest.json';

/** @throws Error for a file that no export of this format wrote */
export async function readManifest(folder: string): Promise<Manifest> {
  const manifest: Manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'));
  if (manifest.format === ARCHIVE_FORMAT && !isComplete(manifest)) throw new Error('the manifest is damaged');
  return manifest;
}

/** True for an export of one tenant. Another id would delete the rows of an app, which owns webhooks (decision 064). */
function isComplete({ tenant, migrations, files }: Partial<Manifest>): boolean {
  if (!Array.isArray(migrations) || !Array.isArray(files) || !isId('tenant', tenant?.id)) return false;
  return files.some(({ table, rows }) => table === TENANTS.name && rows === 1);
}

/** Escapes the line breaks that JSON allows in strings. Readers of lines end a line at them. */
function escapeBreaks(json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** `this` holds the value before `Buffer.toJSON` changed it. */
function encodeBytes(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  const given = this[key];
  return given instanceof Uint8Array ? { base64: Buffer.from(given).toString('base64') } : value;
}

function decodeBytes(_key: string, value: unknown): unknown {
  const isBytes = typeof value === 'object' && value !== null && 'base64' in value;
  return isBytes ? Buffer.from(String(value.base64), 'base64') : value;
}
