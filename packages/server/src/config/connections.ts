import { resolve } from 'node:path';

export type DatabaseConfig =
  | { readonly dialect: 'sqlite'; readonly path: string }
  | ({
      readonly dialect: 'mysql';
      /** In the order of preference. */
      readonly hosts: readonly { readonly host: string; readonly port: number }[];
      readonly user: string;
      readonly password: string;
      readonly database: string;
      readonly tls: boolean;
    } & PoolSettings);

/** Settings of the connections to MySQL or MariaDB. */
export interface PoolSettings {
  readonly poolSize: number;
  /** Maximum duration of a statement, in ms. */
  readonly statementMs: number;
  /** A connection is replaced after about this time, in ms. */
  readonly maxAgeMs: number;
}

export function readRedis(text: string | undefined, problems: string[]): string | null {
  if (text === undefined) return null;
  const parsed = /^rediss?:\/\//.test(text) ? URL.parse(text) : null;
  // The value is not repeated: it contains a password.
  if (!parsed) problems.push('REDIS_URL must look like redis://user:password@host:6379 or rediss://host:6380');
  else {
    credentialsOf('REDIS_URL', parsed, problems);
    const databases = [parsed.pathname.slice(1), ...parsed.searchParams.getAll('db')];
    if (databases.some((database) => !/^\d*$/.test(database))) {
      problems.push('REDIS_URL names a database that is no number, such as redis://host:6379/0');
    }
  }
  return text;
}

export function readDatabase(
  text: string | undefined,
  dataDir: string,
  pool: PoolSettings,
  problems: string[],
): DatabaseConfig | undefined {
  if (text === undefined) return { dialect: 'sqlite', path: resolve(dataDir, 'plat.db') };
  if (text.startsWith('sqlite:')) return { dialect: 'sqlite', path: resolve(sqlitePathOf(text)) };
  const urls = urlOfEachHost(text).map((url) => URL.parse(url));
  const parsed = urls.find((url) => url !== null);
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
    hosts: readHosts(urls, problems),
    ...credentialsOf('DATABASE_URL', parsed, problems),
    database,
    tls: readTls(parsed.searchParams, problems),
    ...pool,
  };
}

/** Returns the path in a `sqlite:` URL. On Windows, `sqlite:///C:/data/x.db` names a drive: the slashes are not part of the path. */
export function sqlitePathOf(url: string, platform: NodeJS.Platform = process.platform): string {
  const path = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
  return platform === 'win32' ? path.replace(/^\/+(?=[A-Za-z]:)/, '') : path;
}

/** `URL` takes one host: a URL with a list of hosts becomes one URL for each of them. */
function urlOfEachHost(text: string): readonly string[] {
  const [, before = '', hosts = '', after = ''] = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/is.exec(text) ?? [];
  return hosts.split(',').map((host) => before + host + after);
}

function readHosts(urls: readonly (URL | null)[], problems: string[]): { host: string; port: number }[] {
  const hosts = urls.map((url) => ({
    host: url?.hostname.replace(/^\[|\]$/g, '') ?? '',
    port: url && url.port !== '' ? Number(url.port) : 3306,
  }));
  const invalid = hosts.findIndex(({ host }) => host === '');
  if (invalid >= 0) {
    problems.push(`DATABASE_URL: host ${invalid + 1} of ${hosts.length} is not a host with an optional port`);
  } else if (new Set(hosts.map(({ host, port }) => `${host} ${port}`)).size < hosts.length) {
    problems.push('DATABASE_URL names a host twice');
  }
  return hosts;
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
