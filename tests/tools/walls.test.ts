import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { repository } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

type Import = readonly [file: string, specifier: string];

/** One import across each boundary: the importing file and the forbidden module. */
const forbidden: readonly Import[] = [
  ['packages/contract/src/a.ts', '@plat/webhooks'],
  ['packages/sdk/src/a.ts', '@plat/webhooks'],
  ['packages/webhooks/src/a.ts', '@plat/sdk'],
  ['packages/launch-token/src/a.ts', '@plat/server'],
  ['packages/cli/src/a.ts', '@plat/server'],
  ['packages/cli/src/b.ts', '@plat/server/testing'],
  ['packages/server/src/a.ts', '@plat/sdk'],
  ['packages/server/src/http/a.test.ts', '@plat/sdk'],
  ['examples/receiver/a.ts', '@plat/server'],
  ['tests/stories/a.test.ts', '../../packages/sdk/src/index.ts'],
  ['packages/server/src/kernel/a.ts', '../db/database.ts'],
  ['packages/server/src/kernel/b.ts', '../context.ts'],
  ['packages/server/src/kernel/c.ts', 'sequelize'],
  ['packages/server/src/kernel/d.ts', 'express'],
  ['packages/server/src/config/a.ts', '../db/database.ts'],
  ['packages/server/src/config/b.ts', '../context.ts'],
  ['packages/server/src/config/c.ts', '@plat/webhooks'],
  ['packages/server/src/db/a.ts', '../events/outbox.ts'],
  ['packages/server/src/db/tables/a.ts', '../../events/outbox.ts'],
  ['packages/server/src/db/b.ts', '@plat/webhooks'],
  ['packages/server/src/db/c.ts', 'express'],
  ['packages/server/src/events/a.ts', '../http/route.ts'],
  ['packages/server/src/events/b.ts', '../resources/clients/clients.service.ts'],
  ['packages/server/src/events/c.ts', 'express'],
  ['packages/server/src/events/sending/a.ts', '../outbox/outcomes.ts'],
  ['packages/server/src/events/sending/b.ts', '../../db/sql.ts'],
  ['packages/server/src/events/sending/c.ts', 'express'],
  ['packages/server/src/events/outbox/a.ts', '../endpoints/circuit.ts'],
  ['packages/server/src/events/outbox/b.ts', '../dispatch/leases.ts'],
  ['packages/server/src/events/outbox/c.ts', '../../http/route.ts'],
  ['packages/server/src/events/endpoints/a.ts', '../dispatch/circuits.ts'],
  ['packages/server/src/events/endpoints/b.ts', '../replays/replay.ts'],
  ['packages/server/src/events/endpoints/c.ts', '../../context.ts'],
  ['packages/server/src/events/replays/a.ts', '../dispatch/dispatcher.ts'],
  ['packages/server/src/events/replays/b.ts', '../endpoints/missed-events.ts'],
  ['packages/server/src/events/replays/c.ts', '../sending/deliver.ts'],
  ['packages/server/src/events/dispatch/a.ts', '../replays/replayer.ts'],
  ['packages/server/src/events/dispatch/b.ts', '../../mail/mailer.ts'],
  ['packages/server/src/events/dispatch/c.ts', '@plat/sdk'],
  ['packages/server/src/mail/a.ts', '../http/route.ts'],
  ['packages/server/src/mail/b.ts', '../events/outbox.ts'],
  ['packages/server/src/mail/c.ts', 'express'],
  ['packages/server/src/auth/a.ts', '../http/route.ts'],
  ['packages/server/src/http/a.ts', '../resources/index.ts'],
  ['packages/server/src/http/b.ts', '../db/tables/clients.ts'],
  ['packages/server/src/resources/clients/a.ts', '../groups/groups.service.ts'],
  ['packages/server/src/resources/clients/b.ts', '../../oauth/token.ts'],
  ['packages/server/src/resources/clients/c.ts', '../../app.ts'],
  ['packages/server/src/oauth/a.ts', '../resources/clients/clients.service.ts'],
  ['packages/server/src/oauth/b.ts', '../console/index.ts'],
  ['packages/server/src/launch/a.ts', '../oauth/token.ts'],
  ['packages/server/src/accounts/a.ts', '../console/pages.ts'],
  ['packages/server/src/sandbox/a.ts', '../resources/clients/clients.service.ts'],
  ['packages/server/src/developer/a.ts', '../console/pages.ts'],
  ['packages/server/src/operator/a.ts', '../oauth/apps.service.ts'],
  ['packages/server/src/developer/b.ts', '../resources/clients/clients.service.ts'],
  ['packages/server/src/console/a.ts', '../db/tables/clients.ts'],
  ['packages/server/src/console/b.ts', 'sequelize'],
  ['packages/server/src/jobs/a.ts', '../console/pages.ts'],
  ['packages/server/src/jobs/b.ts', '../accounts/users.ts'],
  ['packages/server/src/devtools/a.ts', '../resources/index.ts'],
  ['packages/server/src/devtools/b.ts', '../console/pages.ts'],
  ['packages/server/src/ops/a.ts', '../console/pages.ts'],
  ['packages/server/src/ops/b.ts', '../testing/index.ts'],
  ['packages/server/src/openapi/a.ts', '../db/database.ts'],
  ['packages/server/src/openapi/b.ts', '../resources/index.ts'],
  ['packages/server/src/openapi/c.ts', '../surface.ts'],
  ['packages/server/src/docs/a.ts', '../console/layout.ts'],
  ['packages/server/src/docs/b.ts', './build/build-site.ts'],
  ['packages/server/src/docs/build/c.ts', '../../resources/index.ts'],
];

/** Imports that the architecture allows. A rule that forbids them is as wrong as a missing rule. */
const allowed: readonly Import[] = [
  ['packages/sdk/src/fine.ts', '@plat/contract'],
  ['packages/cli/src/fine.ts', '@plat/sdk'],
  ['packages/server/src/app.ts', '@plat/webhooks'],
  ['packages/server/src/config/fine.ts', '../kernel/ids.ts'],
  ['packages/server/src/db/fine.ts', '../kernel/ids.ts'],
  ['packages/server/src/db/fine-too.ts', '../config/config.ts'],
  ['packages/server/src/db/tables/fine.ts', '../database.ts'],
  ['packages/server/src/db/migrations/fine.ts', '../tables/clients.ts'],
  ['packages/server/src/events/fine.ts', '@plat/webhooks'],
  ['packages/server/src/events/sending/fine.ts', '../../kernel/clock.ts'],
  ['packages/server/src/events/outbox/fine.ts', '../sending/answer.ts'],
  ['packages/server/src/events/endpoints/fine.ts', '../outbox/outcomes.ts'],
  ['packages/server/src/events/replays/fine.ts', '../outbox/new-deliveries.ts'],
  ['packages/server/src/events/dispatch/fine.ts', '../endpoints/circuit.ts'],
  ['packages/server/src/events/dispatch/fine-too.ts', '../../db/sql.ts'],
  ['packages/server/src/mail/fine.ts', '../db/database.ts'],
  ['packages/server/src/http/fine.ts', '../context.ts'],
  ['packages/server/src/operator/fine.ts', '../accounts/invoices.ts'],
  ['packages/server/src/developer/fine.ts', '../oauth/apps.service.ts'],
  ['packages/server/src/console/fine.ts', '../developer/device-logins.ts'],
  ['packages/server/src/devtools/fine.ts', '../sandbox/developers.ts'],
  ['packages/server/src/ops/fine.ts', '../mail/mailbox.ts'],
  ['packages/server/src/ops/program/fine.ts', '../commands/print.ts'],
  ['packages/server/src/resources/clients/fine.ts', '../../db/tables/clients.ts'],
  ['packages/server/src/resources/clients/sub/fine.ts', '../clients.service.ts'],
  ['packages/server/src/resources/clients/fine.test.ts', '../../testing/index.ts'],
  ['packages/server/src/oauth/fine.ts', '../accounts/tenants.ts'],
  ['packages/server/src/openapi/fine.ts', '../http/route.ts'],
  ['packages/server/src/docs/build/fine.ts', '../../openapi/openapi-document.ts'],
  ['packages/server/src/docs/build/fine-too.ts', '../search-page.ts'],
  ['packages/server/src/testing/fine.ts', '../app.ts'],
  ['tests/stories/fine.test.ts', '@plat/server/testing'],
];

/** The same for the boundaries between the rooms of the CLI. */
const forbiddenInCli: readonly Import[] = [
  ['packages/cli/src/errors/a.ts', '../terminal/io.ts'],
  ['packages/cli/src/terminal/a.ts', '../command/context.ts'],
  ['packages/cli/src/files/a.ts', '../connection/connection.ts'],
  ['packages/cli/src/connection/a.ts', '../command/flags.ts'],
  ['packages/cli/src/command/a.ts', '../output/result.ts'],
  ['packages/cli/src/command/b.ts', '../program.ts'],
  ['packages/cli/src/failure/a.ts', '../doctor/check.ts'],
  ['packages/cli/src/trace/a.ts', '../requests/run-tail.ts'],
  ['packages/cli/src/polling/a.ts', '../requests/request-feed.ts'],
  ['packages/cli/src/output/a.ts', '../operations/groups.ts'],
  ['packages/cli/src/api/a.ts', '../webhooks/moment.ts'],
  ['packages/cli/src/completion/a.ts', '../explain/topics.ts'],
  ['packages/cli/src/dev/a.ts', '../listen/lock.ts'],
  ['packages/cli/src/developer/a.ts', '../launch/run-decode.ts'],
  ['packages/cli/src/devtools/a.ts', '../dev/server-env.ts'],
  ['packages/cli/src/doctor/a.ts', '../profiles/run-profiles.ts'],
  ['packages/cli/src/explain/a.ts', '../reference/tree.ts'],
  ['packages/cli/src/help/a.ts', '../reference/tree.ts'],
  ['packages/cli/src/help/b.ts', '../run.ts'],
  ['packages/cli/src/launch/a.ts', '../developer/call.ts'],
  ['packages/cli/src/listen/a.ts', '../requests/request-line.ts'],
  ['packages/cli/src/oauth/a.ts', '../developer/call.ts'],
  ['packages/cli/src/open/a.ts', '../developer/call.ts'],
  ['packages/cli/src/operations/a.ts', '../developer/call.ts'],
  ['packages/cli/src/profiles/a.ts', '../operations/call.ts'],
  ['packages/cli/src/reference/a.ts', '../completion/zsh.ts'],
  ['packages/cli/src/replays/a.ts', '../operations/call.ts'],
  ['packages/cli/src/replays/b.ts', '@plat/server'],
  ['packages/cli/src/requests/a.ts', '../listen/feed.ts'],
  ['packages/cli/src/trigger/a.ts', '../listen/feed.ts'],
  ['packages/cli/src/webhooks/a.ts', '../trigger/causes.ts'],
];

const allowedInCli: readonly Import[] = [
  ['packages/cli/src/terminal/fine0.ts', '../errors/cli-error.ts'],
  ['packages/cli/src/connection/fine1.ts', '../files/private-file.ts'],
  ['packages/cli/src/command/fine2.ts', '../connection/connection.ts'],
  ['packages/cli/src/output/fine3.ts', '../terminal/io.ts'],
  ['packages/cli/src/operations/fine4.ts', '../replays/run-replay.ts'],
  ['packages/cli/src/completion/fine7.ts', '../reference/tree.ts'],
  ['packages/cli/src/explain/fine8.ts', '../trigger/causes.ts'],
  ['packages/cli/src/webhooks/fine9.ts', '@plat/webhooks'],
  ['packages/cli/src/program.ts', './operations/groups.ts'],
  ['packages/cli/src/errors/fine.test.ts', '../testing/plat.ts'],
];

const rule = 'lint/style/noRestrictedImports';
const folder = tempFolder('walls');
afterAll(() => folder.remove());

cpSync(join(repository, 'biome.walls.json'), join(folder.path, 'biome.walls.json'));
writeFileSync(join(folder.path, 'biome.json'), JSON.stringify({ extends: ['./biome.walls.json'] }));
for (const [file, specifier] of [...forbidden, ...forbiddenInCli, ...allowed, ...allowedInCli]) {
  write(file, `export * from '${specifier}';\n`);
}
write('packages/server/src/http/env.ts', "export const port = process.env['PORT'];\n");
write('packages/server/src/main.ts', "export const port = process.env['PORT'];\n");
const found = await lint(folder.path);

describe('a forbidden import is an error', () => {
  it.each([...forbidden, ...forbiddenInCli])('%s ← %s', (file) => {
    expect(found.get(file)).toContain(rule);
  });
});

describe('an allowed import is no error', () => {
  it.each([...allowed, ...allowedInCli])('%s ← %s', (file) => {
    expect(found.get(file) ?? []).not.toContain(rule);
  });
});

it('lets only main.ts read the environment', () => {
  expect(found.get('packages/server/src/http/env.ts')).toContain('lint/style/noProcessEnv');
  expect(found.get('packages/server/src/main.ts') ?? []).not.toContain('lint/style/noProcessEnv');
});

it.each([
  ['server', forbidden, ['events']],
  ['cli', forbiddenInCli, []],
] as const)('has a boundary around every room of packages/%s', (name, imports, nested) => {
  const source = `packages/${name}/src`;
  const rooms = foldersOf(join(repository, source));
  const inner = nested.flatMap((room) =>
    foldersOf(join(repository, source, room)).map((folder) => `${room}/${folder}`),
  );
  const walled = new Set(imports.map(([file]) => dirname(file.replace(`${source}/`, ''))));
  const isWalled = (room: string) => [...walled].some((folder) => folder === room || folder.startsWith(`${room}/`));
  // Test support may import every room.
  expect([...rooms, ...inner].filter((room) => room !== 'testing' && !isWalled(room))).toEqual([]);
});

function foldersOf(path: string): string[] {
  const entries = readdirSync(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function write(file: string, text: string): void {
  const path = join(folder.path, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Returns the rules that each file breaks, by the file's name. */
async function lint(cwd: string): Promise<Map<string, string[]>> {
  const output = await new Promise<string>((resolve) => {
    const args = ['lint', '--reporter=json', '--max-diagnostics=none'];
    const biome = join(repository, 'node_modules/@biomejs/biome/bin/biome');
    // The exit code reports errors, which this test expects.
    execFile(process.execPath, [biome, ...args], { cwd, maxBuffer: 1e8 }, (_error, stdout) => resolve(stdout));
  });
  const report: { diagnostics: { category: string; location: { path: string } }[] } = JSON.parse(output);
  const rules = new Map<string, string[]>();
  for (const { category, location } of report.diagnostics) {
    rules.set(location.path, [...(rules.get(location.path) ?? []), category]);
  }
  return rules;
}
