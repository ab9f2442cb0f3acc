import { describe, expect, it } from 'vitest';
import { clientId } from '../testing/fake-api.ts';
import { plat } from '../testing/plat.ts';

const env = { PLAT_BASE_URL: 'https://platform.example.com/' };
const id = (prefix: string) => `${prefix}_${'0'.repeat(26)}`;

describe('plat open', () => {
  it.each([
    [[], '/console'],
    [['docs'], '/docs'],
    [[id('app')], `/console/apps/${id('app')}`],
    [[id('gra')], '/console/consents'],
    [[id('key')], '/console/key'],
  ])('prints the address of %j', async (args, path) => {
    expect(await plat(['open', ...args], { env })).toEqual({
      code: 0,
      stdout: `https://platform.example.com${path}\n`,
      stderr: '',
    });
  });

  it('is JSON with --json', async () => {
    const { stdout } = await plat(['open', 'docs', '--json'], { env });
    expect(JSON.parse(stdout)).toEqual({ object: 'page', url: 'https://platform.example.com/docs' });
  });

  it('names the command for an object without a page', async () => {
    const { code, stderr } = await plat(['open', clientId(1)], { env });
    expect(code).toBe(2);
    expect(stderr).toContain(`plat clients get ${clientId(1)}`);
    expect((await plat(['open', 'nothing'], { env })).code).toBe(2);
  });
});
