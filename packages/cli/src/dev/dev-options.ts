import { resolve } from 'node:path';
import { CliError } from '../errors/cli-error.ts';

/** Options of `plat dev`, as the parser returns them. */
export interface DevOptions {
  readonly port?: number;
  readonly db?: string;
  readonly fresh?: boolean;
  readonly deterministic?: number;
  readonly seed?: string;
  readonly readyFile?: string;
  readonly server?: string;
  readonly yes?: boolean;
}

/** Returns the given port, or the default. */
export function portFor(given: number | undefined, command: readonly string[]): number {
  if (given !== undefined) return given;
  return command.length > 0 ? 0 : 4010;
}

/**
 * Returns the value of DATABASE_URL. The server runs in the same folder, and resolves the path of a URL itself.
 * @throws {@link CliError} `USAGE` for text that is neither a file nor the URL of a supported database
 */
export function databaseUrl(given: string, cwd: string): string {
  if (/^(?:sqlite:|mysql:\/\/)/.test(given)) return given;
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(given)) throw new CliError('USAGE', '--db takes mysql://…, or a SQLite file');
  return `sqlite:${resolve(cwd, given)}`;
}
