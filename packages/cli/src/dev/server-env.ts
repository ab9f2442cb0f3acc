import { join } from 'node:path';
import { userFolder } from '../files/user-folder.ts';
import type { Io } from '../terminal/io.ts';

/** Variables that the server and an application both read. Here they belong to the application. */
const APPLICATION_VARIABLES = [
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
  /** The data folder is removed when the server ends. */
  readonly ephemeral: boolean;
  /** Another program uses the terminal. */
  readonly quiet: boolean;
}

/** Returns the environment of the server process. */
export function serverEnv({ env }: Io, { dataDir, port, databaseUrl, deterministic, ephemeral, quiet }: Settings) {
  const kept = Object.entries(env).filter(([name]) => !APPLICATION_VARIABLES.includes(name));
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
 * Enables the compile cache of Node.js for faster starts. It is in a private folder of the user, since it contains
 * code.
 */
function compileCache(io: Pick<Io, 'env'>): Readonly<Record<string, string>> {
  const folder = userFolder(io, 'cache');
  return folder === null ? {} : { NODE_COMPILE_CACHE: join(folder, 'plat', 'compiled') };
}
