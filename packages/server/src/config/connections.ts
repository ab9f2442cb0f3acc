import { resolve } from 'node:path';

export type DatabaseConfig =
  | { readonly dialect: 'sqlite'; readonly path: string }
  | {
      readonly dialect: 'mysql';
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly database: string;
      readonly tls: boolean;
      readonly poolSize: number;
    };

export function readRedis(text: string | undefined, problems: string[]): string | null {
  if (text === undefined) return null;
  const parsed = /^rediss?:\/\//.test(text) ? URL.parse(text) : null;
  // The value is not repeated: it contains a password.
  if (!parsed) problems.push('REDIS_URL must look like redis://user:password@host:6379 or rediss://host:6380');
  else credentialsOf('REDIS_URL', parsed, problems);
  return text;
}

export function readDatabase(
  text: string | undefined,
  dataDir: string,
  poolSize: number,
  problems: string[],
): DatabaseConfig | undefined {
  if (text === undefined) return { dialect: 'sqlite', path: resolve(dataDir, 'plat.db') };
  if (text.startsWith('sqlite:'))
    return { dialect: 'sqlite', path: resolve(text.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '')) };
  const parsed = URL.parse(text);
  const database = parsed?.pathname.slice(1) ?? '';
  if (
    !parsed ||
    !/^(mysql|mariadb):$/.test(parsed.protocol) ||
    !/^[A-Za-z0-9_$-]+$/.test(database) ||
    parsed.hash !== ''
  ) {
    // The value is not repeated: it contains a password.
    problems.push('DATABASE_URL must look like mysql://user:password@host:3306/database or sqlite:path');
    return undefined;
  }
  return {
    dialect: 'mysql',
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: parsed.port === '' ? 3306 : Number(parsed.port),
    ...credentialsOf('DATABASE_URL', parsed, problems),
    database,
    tls: readTls(parsed.searchParams, problems),
    poolSize,
  };
}

/** Reports other TLS parameters as a problem: ignoring them would connect without TLS. */
function readTls(parameters: URLSearchParams, problems: string[]): boolean {
  const [[name, value] = ['ssl', 'false'], ...more] = [...parameters];
  if (more.length > 0 || name !== 'ssl' || !/^(true|false)$/.test(value)) {
    problems.push('DATABASE_URL takes ?ssl=true or ?ssl=false, and no other parameter');
  }
  return value === 'true';
}

function credentialsOf(name: string, { username, password }: URL, problems: string[]) {
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    problems.push(`${name} has a % in user or password that begins no escape: write it as %25`);
    return { user: '', password: '' };
  }
}
