import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { randomBytes } from '../kernel/random.ts';
import { StartError } from './start-error.ts';

/**
 * Creates the data folder, readable by its owner only.
 * @throws {@link StartError} when it cannot be written
 */
export function prepareDataDir({ dataDir }: Pick<Config, 'dataDir'>): void {
  try {
    createFolder(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(
      `cannot write to the data folder ${dataDir} (${codeOf(error)}): set PLAT_DATA_DIR to one that can be written to`,
    );
  }
}

/** Creates an absolute folder with its parents. Node's own `recursive` never ends in /proc, where no folder can be created. */
function createFolder(path: string): void {
  const parent = dirname(path);
  // The root of a drive that is not there has itself as its parent.
  if (existsSync(path) || parent === path) return;
  createFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts creates it, too.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** The file of the generated master key. */
export function masterKeyFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'master.key');
}

/** Returns the configured master keys; in development a key that is created once in the data folder. */
export function loadMasterKeys({ masterKeys, dataDir }: Pick<Config, 'masterKeys' | 'dataDir'>): readonly Buffer[] {
  if (masterKeys.length > 0) return masterKeys;
  const path = masterKeyFile({ dataDir });
  if (!existsSync(path)) writeNewKey(path);
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
  if (key.length !== 32)
    throw new StartError(
      `${path} does not hold 32 bytes in base64; restore it, or delete it together with the database`,
    );
  return [key];
}

/** Writes a new key atomically: of two processes that start together, both read the key of the first. */
function writeNewKey(path: string): void {
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, `${randomBytes(32, 'master key').toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw new StartError(`cannot write ${path} (${codeOf(error)})`);
  } finally {
    rmSync(draft, { force: true });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
