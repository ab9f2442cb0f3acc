import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CommandNode } from './reference/tree.ts';
import { type FakeApi, fakeApi } from './testing/fake-api.ts';
import { homeWith } from './testing/logged-in.ts';
import { emptyFolder, plat } from './testing/plat.ts';

/** One secret of every kind that a command can encounter. No server accepts them. */
const CANARY = {
  environment: 'plat_test_canaryintheenvironment',
  file: 'plat_test_canaryinafile',
  profile: 'plat_test_canaryintheprofile',
  login: 'plat_dv_canaryofthelogin',
  webhook: 'whsec_canaryofthewebhook',
  // Sent by a faulty server; the command never had it.
  strange: 'plat_at_canaryofanotheruser',
};

/** Excluded: it starts a server with new secrets, and has separate tests. */
const ELSEWHERE = ['dev'];

const { stdout } = await plat(['commands', '--json'], { cwd: '/' });
const { commands }: { readonly commands: readonly CommandNode[] } = JSON.parse(stdout);
const runnable = commands.filter(
  ({ name, commands: below, arguments: args, options }) =>
    (below.length === 0 || args.length > 0 || options.length > 0) && !ELSEWHERE.includes(name),
);

/** Returns the minimal call of a command: required arguments and options, with their first accepted value. */
function leastCall({ name, arguments: args, options }: CommandNode): string[] {
  return [
    ...name.split(' '),
    ...args
      .filter(({ variadic }) => !variadic)
      .map(({ name: argument, values }) => values?.words[0] ?? sample(argument)),
    ...options
      .filter(({ required }) => required)
      .flatMap(({ long, value, values }) => [long, ...(value === null ? [] : [values?.words[0] ?? sample(value)])]),
    ...(options.some(({ long }) => long === '--yes') ? ['--yes'] : []),
  ];
}

function sample(placeholder: string): string {
  if (/url|uri/.test(placeholder)) return 'http://127.0.0.1:2/';
  if (/time/.test(placeholder)) return '24h';
  if (/path/.test(placeholder)) return '/v1/me';
  if (/method/.test(placeholder)) return 'GET';
  return /^(n|seconds|port|minutes)$/.test(placeholder) ? '1' : 'x';
}

/** Starts a server that refuses every request and echoes it. */
function echoingApi(): Promise<FakeApi> {
  return fakeApi(({ headers, body }) => ({
    status: 401,
    body: {
      code: 'INVALID_TOKEN',
      message: `Not known: ${headers.authorization} ${CANARY.strange} ${JSON.stringify(body ?? null)}`,
    },
    headers: { 'x-echo': String(headers.authorization) },
  }));
}

/** Returns an environment and a folder with a canary in each place. */
async function surroundings() {
  const api = await echoingApi();
  const developer = { token: CANARY.login, id: 'dev_1', email: 'ada@example.com', tenant_id: 'tnt_1' };
  const profile = { base_url: api.baseUrl, api_key: CANARY.profile, developer };
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'key.txt'), CANARY.file);
  const env = {
    ...homeWith({ version: 1, current: 'it', profiles: { it: profile } }),
    PLAT_BASE_URL: api.baseUrl,
    PLAT_WEBHOOK_SECRET: CANARY.webhook,
  };
  return { env, cwd };
}

/** The secret that a command is for, by its name. */
const PRINTED: Readonly<Record<string, string>> = { 'auth token': CANARY.login };

describe('every command', () => {
  it.each(runnable.map((command) => [command.name, command] as const))(
    '%s ends with stdin closed, and shows no secret that it was given',
    { timeout: 30_000 },
    async (_, command) => {
      const { env, cwd } = await surroundings();
      const call = leastCall(command);
      const keys: (readonly [string[], Record<string, string>])[] = [
        [[], { PLAT_API_KEY: CANARY.environment }],
        [['--api-key-file', 'key.txt', '--json'], {}],
        [['--profile', 'it'], {}],
      ];
      for (const [options, more] of keys) {
        const wait = async () => {};
        const ended = await plat([...call, ...options], { env: { ...env, ...more }, cwd, wait });
        const said = ended.stdout + ended.stderr;
        for (const secret of Object.values(CANARY)) {
          // Only as the result, never in a message.
          const shown = secret === PRINTED[command.name] ? ended.stderr : said;
          expect(shown, `${call.join(' ')}\n${said}`).not.toContain(secret);
        }
        expect(ended.code, `${call.join(' ')}\n${said}`).not.toBe(1);
        expect(ended.stderr, call.join(' ')).not.toMatch(/unknown option|missing required/);
      }
    },
  );
});
