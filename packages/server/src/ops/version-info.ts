import { Router } from 'express';
import type { Config } from '../config/config.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import { sendJson } from '../http/respond.ts';
import { VERSION } from './version.ts';

/** The program that a process runs. */
export interface VersionInfo {
  readonly version: string;
  /** Commit that it was built from; null when `PLAT_COMMIT` is not set. */
  readonly commit: string | null;
  /** Name of its last migration. The database may have more. */
  readonly schema: string;
  /** Version of Node.js. */
  readonly node: string;
}

export function versionOf({ commit }: Pick<Config, 'commit'>): VersionInfo {
  return { version: VERSION, commit, schema: MIGRATIONS.at(-1)?.name ?? '', node: process.versions.node };
}

/** `GET /version`: the program, without a credential. */
export function versionRoutes(info: VersionInfo): Router {
  const text = JSON.stringify(info);
  return Router().get('/version', (_req, res) => sendJson(res, 200, text));
}
