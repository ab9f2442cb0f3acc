import { describe, expect, it } from 'vitest';
import { plat } from './testing/plat.ts';

describe('help', () => {
  it.each([
    [['clients', 'create', '--help']],
    [['help', 'clients', 'create']],
    [['clients', 'create', '-h', '--json']],
  ])('is a result: %j', async (args) => {
    const { code, stdout, stderr } = await plat(args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: plat clients create .*--slug.*Global Options.*--json.*Scope: clients:write/s);
  });

  it('shows no option of plat dev as one of its subcommands', async () => {
    const { stdout } = await plat(['dev', 'faults', 'add', '--help']);
    expect(stdout).toMatch(/--times.*Global Options.*--json/s);
    expect(stdout).not.toMatch(/--seed|--api-key </);
  });
});
