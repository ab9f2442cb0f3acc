import { describe, expect, it } from 'vitest';
import { clientId, clientList, fakeApi } from '../testing/fake-api.ts';
import { envFor, plat } from '../testing/plat.ts';

describe('a suggested command', () => {
  it.each([
    [['clients', 'delete', clientId(1)], `plat clients delete ${clientId(1)} --yes`],
    [['clients', 'delete', '--', clientId(1)], `plat clients delete --yes -- ${clientId(1)}`],
    [
      ['users', 'deactivate', 'a;b', '--idempotency-key', "it's mine"],
      "plat users deactivate 'a;b' --idempotency-key 'it'\\''s mine' --yes",
    ],
    [['users', 'delete', ''], "plat users delete '' --yes"],
  ])('is the typed command, quoted for a shell: %j', async (typed, expected) => {
    const api = await fakeApi(() => ({ body: {} }));
    const { stderr } = await plat(typed, { env: envFor(api) });
    expect(stderr).toContain(`${expected}\n`);
    expect(api.received).toEqual([]);
  });

  it('shows no secret that was typed', async () => {
    const api = await fakeApi(() => ({ body: {} }));
    const secret = `plat_test_${'a'.repeat(43)}`;
    const { stderr } = await plat(['clients', 'delete', secret], { env: envFor(api) });
    expect(stderr).toContain('--yes');
    expect(stderr).not.toContain(secret);
  });

  it.each([
    [['--starting-after=cli_a', '--limit=1'], 'plat clients list --limit=1 --starting-after'],
    [['--starting-after', 'cli_a', '--limit', '1'], 'plat clients list --limit 1 --starting-after'],
    [['--limit', '1', '--ending-before', 'cli_a'], 'plat clients list --limit 1 --ending-before'],
  ])('for the next page replaces the cursor: %j', async (options, expected) => {
    const api = await fakeApi((request) => clientList(3, { ...request, query: { limit: '1' } }));
    const { stderr } = await plat(['clients', 'list', ...options], { env: envFor(api) });
    expect(stderr).toMatch(new RegExp(`^There are more .*: ${expected} ${clientId(3)}\\n$`));
  });
});
