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
});
