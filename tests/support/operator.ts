import { spawnNode } from './process.ts';
import { tempFolder } from './temp-folder.ts';

/** Result of an operator command. */
export interface OperatorAnswer {
  readonly code: number | null;
  /** Its output with `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: a story reads what the command says, and asserts on it
  readonly json: any;
  readonly stdout: string;
  readonly stderr: string;
}

/** A database with further environment variables. */
export interface OperatorEnv extends Readonly<Record<string, string>> {
  readonly DATABASE_URL: string;
}

/** Runs `plat-server <args> --json` as a process on a database. */
export async function operate(database: string | OperatorEnv, ...args: string[]): Promise<OperatorAnswer> {
  const given = typeof database === 'string' ? { DATABASE_URL: database } : database;
  const env = { PLAT_DATA_DIR: tempFolder('operator').path, LOG_LEVEL: 'warn', ...given };
  const command = spawnNode('packages/server/src/main.ts', { args: [...args, '--json'], env });
  const { code } = await command.exited;
  const stdout = command.stdout();
  return { code, stdout, stderr: command.stderr(), json: /^[[{]/.test(stdout) ? JSON.parse(stdout) : null };
}
