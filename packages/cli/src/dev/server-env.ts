import { join } from 'node:path';
import { userFolder } from '../files/user-folder.ts';
import type { Io } from '../terminal/io.ts';

/** What the server would read of the environment, and an application too: here it is the application's. */
const NOT_FOR_THE_SERVER = [
  'DATABASE_URL',
  'HOST',
  'MAIL_FROM',
  'NODE_ENV',
  'PLAT_API_KEY',
  'PLAT_BASE_URL',
  'PORT',
  'REDIS_URL',
  'SMTP_URL',
];

interface Settings {
  readonly dataDir: string;
  readonly port: number;
  readonly databaseUrl: string | null;
  readonly deterministic: number | null;
  /** Whether the data folder is removed when the server ends. */
  readonly ephemeral: boolean;
  /** Whether something else than the server has the terminal. */
  readonly quiet: boolean;
}

/** The environment that the server is started with. */
export function serverEnv({ env }: Io, { dataDir, port, databaseUrl, deterministic, ephemeral, quiet }: Settings) {
  const kept = Object.entries(env).filter(([name]) => !NOT_FOR_THE_SERVER.includes(name));
  return {
    ...(quiet ? { LOG_LEVEL: 'warn' } : {}),
    ...compileCache({ env }),
    ...Object.fromEntries(kept),
    NODE_ENV: 'development',
    PLAT_DATA_DIR: dataDir,
    PORT: String(port),
    PLAT_EPHEMERAL: String(ephemeral),
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    ...(deterministic === null ? {} : { PLAT_DETERMINISTIC: String(deterministic) }),
  };
}

/**
 * Where Node.js keeps what it compiled for the next start, so that it is sooner there: in a folder of this user, since it is
 * code that will be run.
 */
function compileCache(io: Pick<Io, 'env'>): Readonly<Record<string, string>> {
  const folder = userFolder(io, 'cache');
  return folder === null ? {} : { NODE_COMPILE_CACHE: join(folder, 'plat', 'compiled') };
}
