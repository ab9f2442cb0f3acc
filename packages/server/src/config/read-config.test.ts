import { resolve } from 'node:path';
import { LIMITS } from '@plat/contract';
import { expect, test } from 'vitest';
import { ConfigError } from './config-error.ts';
import { sqlitePathOf } from './connections.ts';
import { readConfig } from './read-config.ts';

test('an empty environment gives a development server on SQLite', () => {
  const config = readConfig({ PORT: '' });
  expect(config).toMatchObject({ mode: 'development', host: '127.0.0.1', port: 4010, database: { dialect: 'sqlite' } });
});

test('every problem is reported at once', () => {
  const problems = problemsOf({
    PORT: '70000',
    DATABASE_URL: 'postgres://user:hunter2@x',
    LOG_LEVEL: 'loud',
    PLAT_WEBHOOK_ALLOW: '10.0.0.0/8,nonsense',
    PLAT_MASTER_KEY: 'dG9vc2hvcnQ=',
  });
  expect(problems.join()).not.toContain('hunter2');
  for (const name of ['PORT', 'DATABASE_URL', 'LOG_LEVEL', 'PLAT_WEBHOOK_ALLOW', 'PLAT_MASTER_KEY']) {
    expect(problems.filter((problem) => problem.startsWith(name))).toHaveLength(1);
  }
});

test.each([
  ['development', 'development'],
  ['test', 'development'],
  ['production', 'production'],
])('NODE_ENV=%s is the mode %s', (NODE_ENV, mode) => {
  const PLAT_MASTER_KEY = Buffer.alloc(32).toString('base64');
  expect(readConfig({ NODE_ENV, PLAT_MASTER_KEY }).mode).toBe(mode);
});

test.each(['prod', 'Production', 'staging'])('NODE_ENV=%s is refused: it would be development', (NODE_ENV) => {
  expect(problemsOf({ NODE_ENV })).toEqual([expect.stringMatching(/^NODE_ENV must be one of .*production/)]);
});

test('a window that would end at once is refused', () => {
  expect(problemsOf({ PLAT_RATE_WINDOW: '2592000' })).toEqual([
    expect.stringMatching(/^PLAT_RATE_WINDOW must be less/),
  ]);
});

test.each([
  ['0.0.0.0/0', /^PLAT_TRUSTED_PROXIES holds "0\.0\.0\.0\/0", with which each caller chooses/],
  ['10.0.0.0/8,::/0', /^PLAT_TRUSTED_PROXIES holds "::\/0", with which each caller chooses/],
  ['10.0.0.0/8,0.0.0.0/1', /^PLAT_TRUSTED_PROXIES holds "0\.0\.0\.0\/1", .*prefix of at least 8 bits$/],
  ['11.0.0.0/7', /^PLAT_TRUSTED_PROXIES holds "11\.0\.0\.0\/7", .*prefix of at least 8 bits$/],
  ['2000::/3', /^PLAT_TRUSTED_PROXIES holds "2000::\/3", .*prefix of at least 7 bits$/],
  // All of IPv4.
  ['::ffff:0:0/96', /^PLAT_TRUSTED_PROXIES holds "::ffff:0:0\/96", .*prefix of at least 104 bits$/],
  ['10/8', /^PLAT_TRUSTED_PROXIES holds "10\/8", which is not a CIDR range/],
  ['10.0/8', /^PLAT_TRUSTED_PROXIES holds "10\.0\/8", which is not a CIDR range/],
])('the trusted proxies %s are refused in one line', (PLAT_TRUSTED_PROXIES, line) => {
  expect(problemsOf({ PLAT_TRUSTED_PROXIES })).toEqual([expect.stringMatching(line)]);
});

test.each(['0.0.0.0/0', '::/0', '128.0.0.0/1', '::ffff:0:0/96'])(
  'webhooks that may go to %s are refused: tenants would reach the network of the server',
  (range) => {
    const line = /^PLAT_WEBHOOK_ALLOW holds "[^"]+", with which tenants reach every address .* at least \d+ bits$/;
    expect(problemsOf({ PLAT_WEBHOOK_ALLOW: `10.0.0.0/8,${range}` })).toEqual([expect.stringMatching(line)]);
    const { webhooks } = readConfig({ PLAT_WEBHOOK_ALLOW: '10.0.0.0/8, fc00::/7' });
    expect(webhooks.allowedCidrs).toEqual(expect.arrayContaining(['10.0.0.0/8', 'fc00::/7']));
  },
);

test('limits and quotas are set by name; the others keep their defaults', () => {
  const PLAT_MASTER_KEY = Buffer.alloc(32).toString('base64');
  const { mailLimits, quotas } = readConfig({
    NODE_ENV: 'production',
    PLAT_MASTER_KEY,
    PLAT_SANDBOX_MAIL_LIMITS: 'recipient=2, network = 7',
    PLAT_QUOTAS: 'clients=12',
  });
  expect(mailLimits.sandbox.recipient).toEqual({ ...LIMITS.mail.sandbox.recipient, max: 2 });
  expect(mailLimits.sandbox.network.max).toBe(7);
  expect(mailLimits.sandbox.tenant).toEqual(LIMITS.mail.sandbox.tenant);
  expect(mailLimits.production).toEqual(LIMITS.mail.production);
  expect(quotas.production).toMatchObject({ clients: 12, groups: LIMITS.quotas.groups.production });
  expect(quotas.sandbox.clients).toBe(LIMITS.quotas.clients.sandbox);
});

test('in development without SMTP_URL, where no mail is sent, only limits that are set apply', () => {
  const { mailLimits } = readConfig({ PLAT_MAIL_LIMITS: 'tenant=3' });
  expect(mailLimits.production.tenant?.max).toBe(3);
  expect(mailLimits.sandbox.recipient.max).toBeGreaterThan(1_000_000);
  expect(mailLimits.signIn.recipient.max).toBeGreaterThan(1_000_000);
  const smtp = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'plat@example.com' };
  expect(readConfig(smtp).mailLimits).toEqual(LIMITS.mail);
});

test.each([
  ['PLAT_MAIL_LIMITS', 'recipent=5'],
  ['PLAT_SIGN_IN_MAIL_LIMITS', 'tenant=5'],
  ['PLAT_QUOTAS', 'clients=-1'],
  ['PLAT_SANDBOX_QUOTAS', 'clients'],
])('%s=%s is refused with the accepted values', (name, value) => {
  expect(problemsOf({ [name]: value })).toEqual([expect.stringContaining(`${name} holds "${value}"; it takes `)]);
});

test('a master key is base64 of 32 bytes, and nothing around it', () => {
  const key = Buffer.alloc(32, 255).toString('base64');
  expect(readConfig({ PLAT_MASTER_KEY: ` ${key}, ${key} ` }).masterKeys).toHaveLength(2);
  for (const wrong of [
    `"${key}"`,
    `${key}x`,
    `${key} # ours`,
    key.slice(0, -1),
    key.replaceAll('/', '_'),
    'not a key',
  ]) {
    expect(problemsOf({ PLAT_MASTER_KEY: wrong }), wrong).toEqual([expect.stringContaining('32 bytes in base64')]);
  }
});

test('production needs a master key and reaches no loopback address', () => {
  expect(problemsOf({ NODE_ENV: 'production' })).toEqual([expect.stringContaining('PLAT_MASTER_KEY is required')]);
  const config = readConfig({ NODE_ENV: 'production', PLAT_MASTER_KEY: Buffer.alloc(32).toString('base64') });
  expect(config.webhooks.allowedCidrs).toEqual([]);
});

test('only the configured proxies are trusted', () => {
  expect(readConfig({}).trustedProxies).toEqual([]);
  const PLAT_TRUSTED_PROXIES = '10.0.0.0/8, fc00::/7, ::ffff:10.0.0.0/104';
  const trustedProxies = ['10.0.0.0/8', 'fc00::/7', '::ffff:10.0.0.0/104'];
  expect(readConfig({ PLAT_TRUSTED_PROXIES }).trustedProxies).toEqual(trustedProxies);
  expect(problemsOf({ PLAT_TRUSTED_PROXIES: 'all' })).toEqual([
    expect.stringContaining('PLAT_TRUSTED_PROXIES holds "all"'),
  ]);
});

test('a repeated refresh has no grace by default, and at most 30 seconds', () => {
  expect(readConfig({}).refreshGraceMs).toBe(0);
  expect(readConfig({ PLAT_REFRESH_GRACE_SECONDS: '30' }).refreshGraceMs).toBe(30_000);
  for (const wrong of ['31', '-1', 'soon']) {
    expect(problemsOf({ PLAT_REFRESH_GRACE_SECONDS: wrong })).toEqual([
      expect.stringContaining('PLAT_REFRESH_GRACE_SECONDS'),
    ]);
  }
});

test('the defaults are 16 in-flight deliveries for one endpoint and 5 days of failures', () => {
  expect(readConfig({}).webhooks).toMatchObject({ perEndpoint: 16, failureDays: 5 });
  const told = readConfig({ PLAT_WEBHOOK_CONCURRENCY: '500', PLAT_ENDPOINT_FAILURE_DAYS: '0' });
  expect(told.webhooks).toMatchObject({ perEndpoint: 500, failureDays: 0 });
  for (const [name, wrong] of [
    ['PLAT_WEBHOOK_CONCURRENCY', '0'],
    ['PLAT_WEBHOOK_CONCURRENCY', '501'],
    ['PLAT_WEBHOOK_CONCURRENCY', '1.5'],
    ['PLAT_ENDPOINT_FAILURE_DAYS', '-1'],
  ] as const) {
    expect(problemsOf({ [name]: wrong })).toEqual([expect.stringContaining(name)]);
  }
});

test('mail goes by SMTP_URL, from MAIL_FROM, with or without a name', () => {
  expect(readConfig({}).mail).toBeNull();
  const SMTP_URL = 'smtps://user:hunter2@mail.example:465';
  const sender = (MAIL_FROM: string) => readConfig({ SMTP_URL, MAIL_FROM }).mail;
  expect(sender('plat@example.com')).toEqual({ smtpUrl: SMTP_URL, from: { name: '', address: 'plat@example.com' } });
  expect(sender('The Platform <plat@example.com>')?.from).toEqual({
    name: 'The Platform',
    address: 'plat@example.com',
  });
  expect(problemsOf({ SMTP_URL })).toEqual([expect.stringContaining('MAIL_FROM is required')]);
  for (const wrong of ['plat', 'A <b@c.example>, d@e.example', 'a@b.example\r\nBcc: c@d.example', 'A <b@c.example']) {
    expect(problemsOf({ SMTP_URL, MAIL_FROM: wrong })).toEqual([expect.stringContaining('MAIL_FROM must look like')]);
  }
  const problems = problemsOf({ SMTP_URL: 'https://user:hunter2@mail.example', MAIL_FROM: 'plat@example.com' });
  expect(problems).toEqual([expect.stringContaining('SMTP_URL must look like')]);
  expect(problems.join()).not.toContain('hunter2');
});

test('a MySQL address is parsed, with its escapes decoded', () => {
  const { database } = readConfig({ DATABASE_URL: 'mysql://us%40er:p%2Fw@db.internal:3307/plat_1' });
  expect(database).toMatchObject({
    hosts: [{ host: 'db.internal', port: 3307 }],
    user: 'us@er',
    password: 'p/w',
    database: 'plat_1',
  });
});

test('a MySQL address may list hosts, in the order of preference', () => {
  const { database } = readConfig({ DATABASE_URL: 'mysql://user:a,b@db1,db2:3307,[::1]:3308/plat?ssl=true' });
  expect(database).toMatchObject({
    hosts: [
      { host: 'db1', port: 3306 },
      { host: 'db2', port: 3307 },
      { host: '::1', port: 3308 },
    ],
    user: 'user',
    password: 'a,b',
    tls: true,
  });
});

test.each([
  ['db1,,db2', 'host 2 of 3'],
  ['db1,db2:99999', 'host 2 of 2'],
  [':3306,db2', 'host 1 of 2'],
  ['db1,db2:3306,db2', 'names a host twice'],
])('a MySQL address with the hosts %s is refused', (hosts, message) => {
  const problems = problemsOf({ DATABASE_URL: `mysql://user:hunter2@${hosts}/plat` });
  expect(problems).toEqual([expect.stringMatching(`^DATABASE_URL.* ${message}`)]);
  expect(problems.join()).not.toContain('hunter2');
});

test('a MySQL address without a database is refused with an example', () => {
  expect(problemsOf({ DATABASE_URL: 'mysql://root@127.0.0.1' })).toEqual([
    expect.stringContaining('mysql://user:password@host'),
  ]);
});

test('TLS to MySQL is enabled by ssl=true, and similar parameters are refused', () => {
  const at = 'mysql://root:hunter2@127.0.0.1/plat';
  for (const [query, tls] of [
    ['', false],
    ['?ssl=false', false],
    ['?ssl=true', true],
  ] as const) {
    expect(readConfig({ DATABASE_URL: `${at}${query}` }).database).toMatchObject({ tls });
  }
  for (const query of [
    'ssl=1',
    'ssl=TRUE',
    'ssl=required',
    'ssl',
    'sslmode=REQUIRED',
    'bogus=true',
    'ssl=true&ssl=false',
  ]) {
    expect(problemsOf({ DATABASE_URL: `${at}?${query}` }), query).toEqual([
      'DATABASE_URL takes ?ssl=true or ?ssl=false, and no other parameter',
    ]);
  }
  expect(problemsOf({ DATABASE_URL: `${at}#?ssl=true` })).toEqual([expect.stringContaining('must look like')]);
});

test.each([
  ['DATABASE_URL', 'mysql://root:hunter2%@127.0.0.1/plat'],
  ['DATABASE_URL', 'mysql://ro%E9ot:hunter2@127.0.0.1/plat'],
  ['REDIS_URL', 'redis://:hunter2%@127.0.0.1'],
  ['REDIS_URL', 'redis://:hunter2%E9@127.0.0.1'],
])('%s: a percent sign that begins no escape is named beside the other problems', (name, url) => {
  const problems = problemsOf({ [name]: url, LOG_LEVEL: 'loud' });
  expect(problems).toEqual([expect.stringContaining('LOG_LEVEL'), expect.stringMatching(`^${name} .* % .*%25$`)]);
  expect(problems.join()).not.toContain('hunter2');
});

test.each(['http://127.0.0.1', '127.0.0.1:6379', 'redis://[hunter2'])(
  'REDIS_URL=%s is refused with an example',
  (url) => {
    expect(problemsOf({ REDIS_URL: url })).toEqual([expect.stringMatching(/^REDIS_URL must look like redis:/)]);
  },
);

test.each(['redis://127.0.0.1/cache', 'redis://127.0.0.1/1/2', 'redis://127.0.0.1?db=cache'])(
  'REDIS_URL=%s is refused, because a database of Redis is a number',
  (REDIS_URL) => {
    expect(problemsOf({ REDIS_URL })).toEqual([expect.stringMatching(/^REDIS_URL names a database that is no number/)]);
    expect(readConfig({ REDIS_URL: 'redis://127.0.0.1:6379/3' }).redisUrl).toBe('redis://127.0.0.1:6379/3');
  },
);

test.each([
  ['https://api.example.com:99999', /is no valid URL$/],
  ['https://user:hunter2@api.example.com', /must not contain a user or a password$/],
  ['https://api.example.com?a=b', /must not have a query or a fragment$/],
  ['https://api.example.com/#top', /must not have a query or a fragment$/],
])('the address %s is refused, because paths are appended to it and everyone reads it', (address, problem) => {
  for (const name of ['PLAT_BASE_URL', 'PLAT_ISSUER']) {
    const problems = problemsOf({ [name]: address });
    expect(problems).toEqual([expect.stringMatching(problem)]);
    expect(problems.join()).not.toContain('hunter2');
  }
});

test.each([
  ['requiretls=true', /^SMTP_URL has the unknown option requiretls; use requireTLS=true/],
  ['require_tls=true', /^SMTP_URL has the unknown option require_tls/],
  ['starttls=true', /^SMTP_URL has the unknown option starttls/],
  ['requireTLS', /^SMTP_URL: the option requireTLS takes true or false$/],
  ['requireTLS=yes', /^SMTP_URL: the option requireTLS takes true or false$/],
  ['secure=true', /^SMTP_URL has the unknown option secure; use requireTLS=true/],
])('SMTP_URL with ?%s is refused: mail would be sent without TLS', (query, problem) => {
  const MAIL_FROM = 'plat@example.com';
  expect(problemsOf({ SMTP_URL: `smtp://mail.example?${query}`, MAIL_FROM })).toEqual([expect.stringMatching(problem)]);
  const SMTP_URL = 'smtp://mail.example?requireTLS=true&tls.rejectUnauthorized=false&maxConnections=2';
  expect(readConfig({ SMTP_URL, MAIL_FROM }).mail?.smtpUrl).toBe(SMTP_URL);
});

test.each([
  ['maxConnection=2', 'maxConnection'],
  ['maxconnections=2', 'maxconnections'],
  ['socket_timeout=1', 'socket_timeout'],
  ['auth.user=ada', 'auth.user'],
  ['host=other.example', 'host'],
])('SMTP_URL with ?%s is refused with the options that nodemailer has', (query, name) => {
  const problems = problemsOf({ SMTP_URL: `smtp://mail.example?${query}`, MAIL_FROM: 'plat@example.com' });
  expect(problems).toEqual([
    expect.stringMatching(
      new RegExp(
        `^SMTP_URL has the unknown option ${name.replace('.', '\\.')}; known are .*\\bmaxConnections, .* and tls\\.\\*$`,
      ),
    ),
  ]);
});

test.each([
  ['tls.rejectUnauthorised=false', /^SMTP_URL has the unknown option tls\.rejectUnauthorised; known are tls\.reject/],
  ['tls.min_version=TLSv1.3', /^SMTP_URL has the unknown option tls\.min_version; known are .*, tls\.minVersion, /],
  ['tls.minVersion=1.3', /^SMTP_URL: the option tls\.minVersion takes TLSv1, TLSv1\.1, TLSv1\.2, TLSv1\.3$/],
  ['tls.rejectUnauthorized=0', /^SMTP_URL: the option tls\.rejectUnauthorized takes true or false$/],
])('SMTP_URL with ?%s is refused: the option would have no effect', (query, problem) => {
  const MAIL_FROM = 'plat@example.com';
  expect(problemsOf({ SMTP_URL: `smtp://mail.example?${query}`, MAIL_FROM })).toEqual([expect.stringMatching(problem)]);
  const SMTP_URL = 'smtp://mail.example?tls.servername=mail.internal&tls.minVersion=TLSv1.3';
  expect(readConfig({ SMTP_URL, MAIL_FROM }).mail?.smtpUrl).toBe(SMTP_URL);
});

test.each([
  ['sqlite:data/x.db', 'data/x.db'],
  ['sqlite:/var/lib/x.db', '/var/lib/x.db'],
  ['sqlite:///var/lib/x.db', '/var/lib/x.db'],
])('%s names the file %s', (url, path) => {
  const { database } = readConfig({ DATABASE_URL: url });
  expect(database.dialect === 'sqlite' && database.path).toBe(resolve(path));
});

test.each([
  ['sqlite:C:\\data dir\\x.db', 'C:\\data dir\\x.db'],
  ['sqlite:C:/data dir/x.db', 'C:/data dir/x.db'],
  ['sqlite:///C:/data dir/x.db', 'C:/data dir/x.db'],
  ['sqlite://C:/data dir/x.db', 'C:/data dir/x.db'],
  ['sqlite:data/x.db', 'data/x.db'],
  ['sqlite:///data/x.db', '/data/x.db'],
])('on Windows, %s names the file %s', (url, path) => {
  expect(sqlitePathOf(url, 'win32')).toBe(path);
});

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('the configuration was accepted');
}
