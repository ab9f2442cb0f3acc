import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '@plat/contract';
import { expect, test } from 'vitest';
import { repository } from '../support/process.ts';

const read = (path: string): string => readFileSync(join(repository, path), 'utf8').replace(/\s+/g, ' ');
const shown = (count: number): string => count.toLocaleString('en-US');

test('docs/rate-limits.md has the current value of every quota', () => {
  const page = read('docs/rate-limits.md');
  for (const [name, { production, sandbox }] of Object.entries(LIMITS.quotas)) {
    expect(page).toMatch(new RegExp(`\\| \`${name}\`[^|]* \\| ${shown(production)} \\| ${shown(sandbox)} \\|`));
  }
});

test('docs/rate-limits.md has the current limits of mail', () => {
  const { production, sandbox, signIn } = LIMITS.mail;
  const limit = ({ max, seconds }: { max: number; seconds: number }): string =>
    `${shown(max)} ${seconds === 3600 ? 'an hour' : 'a day'}`;
  const page = read('docs/rate-limits.md');
  const row = ({ recipient, tenant, network }: typeof production | typeof sandbox): string =>
    `| ${limit(recipient)} | ${limit(tenant)} | ${limit(network)} |`;
  expect(page).toContain(`| of production tenants ${row(production)}`);
  expect(page).toContain(`| of all sandboxes together ${row(sandbox)}`);
  expect(page).toContain(`| with a sign-in link | ${limit(signIn.recipient)} | | ${limit(signIn.network)} |`);
});

test('the docs have the current bounds of a sandbox', () => {
  const { events, deliveries, auditEvents, deletedClients } = LIMITS.sandboxHistory;
  const page = read('docs/operating.md');
  expect(page).toContain(`${[events, deliveries, auditEvents].map(shown).join(', ')} and ${shown(deletedClients)}`);
  expect(page).toContain(`${shown(LIMITS.sandboxWrites.max)} changes a day`);
  expect(read('docs/rate-limits.md')).toContain(`${shown(LIMITS.sandboxWrites.max)} changes`);
});
