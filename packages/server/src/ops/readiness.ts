import { ClockOffsetError, type ClockWatch } from '../db/clock-watch.ts';
import type { Database } from '../db/database.ts';
import { isMigrated } from '../db/migrate.ts';
import { type Queryable, selectOne } from '../db/sql.ts';
import { gauge } from '../kernel/meter.ts';
import type { Sealer } from '../kernel/seal.ts';
import { signingKeyPurpose } from '../launch/key-pair.ts';

/** The parts of a process that its readiness depends on. */
export interface ReadinessParts {
  readonly db: Pick<Database, 'probe' | 'checkWritable'>;
  readonly sealer: Sealer;
  readonly clocks: Pick<ClockWatch, 'check'>;
}

/** A reason why the process cannot serve. */
export interface Problem {
  /** A lower-case sentence. Anyone may read it: it has the code of a database error, and no name or address. */
  readonly text: string;
  /** For the log. */
  readonly error?: unknown;
}

/** Returns the reasons why the process cannot serve; empty when it can. */
export async function findProblems({ db, sealer, clocks }: ReadinessParts): Promise<readonly Problem[]> {
  try {
    // The other checks need the tables.
    if (!(await isMigrated(db.probe))) return [{ text: 'the database schema is not up to date' }];
  } catch (error) {
    return [databaseProblem('the database cannot be used', error)];
  }
  const problems = await Promise.all([writeProblem(db), masterKeyProblem(db, sealer)]);
  return [...problems, clockProblem(clocks)].filter((problem) => problem !== null);
}

async function writeProblem(db: ReadinessParts['db']): Promise<Problem | null> {
  try {
    await db.checkWritable();
    return null;
  } catch (error) {
    return databaseProblem('the database refuses changes', error);
  }
}

const WRONG_KEY =
  'PLAT_MASTER_KEY cannot decrypt the secrets in the database: configure the key that encrypted them, see plat-server secrets status';

async function masterKeyProblem(db: ReadinessParts['db'], sealer: Sealer): Promise<Problem | null> {
  try {
    const fits = await masterKeyFits(db.probe, sealer);
    gauge('plat_master_key_fits', {}, fits ? 1 : 0);
    return fits ? null : { text: WRONG_KEY };
  } catch (error) {
    return databaseProblem('the database cannot be used', error);
  }
}

/** Opens the newest signing key, which exists from the first start of a server on. */
export async function masterKeyFits(db: Queryable, sealer: Sealer): Promise<boolean> {
  const sql =
    'SELECT kid, private_key FROM signing_keys WHERE private_key IS NOT NULL ORDER BY created_at DESC LIMIT 1';
  const key = await selectOne<{ kid: string; private_key: Uint8Array }>(db, sql);
  return key === undefined || isOpenable(sealer, key);
}

function isOpenable(sealer: Sealer, { kid, private_key }: { kid: string; private_key: Uint8Array }): boolean {
  try {
    sealer.open(Buffer.from(private_key), signingKeyPurpose(kid));
    return true;
  } catch {
    return false;
  }
}

function clockProblem(clocks: Pick<ClockWatch, 'check'>): Problem | null {
  try {
    clocks.check();
    return null;
  } catch (error) {
    if (error instanceof ClockOffsetError) return { text: error.message };
    throw error;
  }
}

function databaseProblem(text: string, error: unknown): Problem {
  const { original, code } = error as { original?: { code?: unknown }; code?: unknown };
  const known = original?.code ?? code;
  return { text: typeof known === 'string' ? `${text} (${known})` : text, error };
}
