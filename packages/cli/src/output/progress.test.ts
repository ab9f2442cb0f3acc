import { describe, expect, it } from 'vitest';
import { clientId, clientList, fakeApi, refusal } from '../testing/fake-api.ts';
import { envFor, plat } from '../testing/plat.ts';

const CLEAR = '\r\u001b[K';

/** Returns the successive states of the terminal line; the last is the final one. */
const linesOf = (stderr: string): string[] => stderr.split(CLEAR).slice(1);

describe('a list of many pages', () => {
  it('shows the count on a terminal while the items go to a file', async () => {
    const api = await fakeApi((request) => clientList(250, request));
    const surroundings = { env: envFor(api), columns: 80, piped: true };
    const all = await plat(['clients', 'list', '--all', '--output', 'csv'], surroundings);
    expect(all.stdout.trimEnd().split('\n')).toHaveLength(251);
    expect(linesOf(all.stderr)).toEqual(['100 so far', '200 so far', '250 so far', '']);
    const paginated = await plat(['api', 'GET', '/v1/clients', '--query', 'limit=100', '--paginate'], surroundings);
    expect(linesOf(paginated.stderr).at(-2)).toBe('250 so far');
  });

  it('draws a bar when the number of items is known', async () => {
    const api = await fakeApi((request) => clientList(250, request));
    const surroundings = { env: envFor(api), columns: 80, piped: true };
    const { stderr } = await plat(['clients', 'list', '--limit', '200'], surroundings);
    expect(linesOf(stderr)).toEqual([
      '[##########          ]  50 %  100 so far',
      '[####################] 100 %  200 so far',
      '',
    ]);
  });

  it('keeps to one line of a narrow terminal', async () => {
    const api = await fakeApi((request) => clientList(250, request));
    const { stderr } = await plat(['clients', 'list', '--limit', '200'], {
      env: envFor(api),
      columns: 10,
      piped: true,
    });
    expect(linesOf(stderr)[0]).toBe('[########');
  });

  it('clears the line for an error', async () => {
    const api = await fakeApi((request) =>
      request.query['starting_after'] ? refusal(403, 'INSUFFICIENT_SCOPE') : clientList(250, request),
    );
    const { stderr } = await plat(['clients', 'list', '--all'], { env: envFor(api), columns: 80, piped: true });
    expect(linesOf(stderr)).toEqual(['100 so far', expect.stringContaining('error:')]);
  });

  it.each([
    ['the items are on the terminal themselves', ['--all'], { columns: 200 }],
    ['there is no terminal', ['--all'], {}],
    ['JSON is asked for', ['--all', '--json'], { columns: 80, piped: true }],
    [
      'a page is enough',
      ['--limit', '100', '--output', 'csv', '--ending-before', clientId(150)],
      { columns: 80, piped: true },
    ],
  ] as const)('prints nothing where %s', async (_, more, terminal) => {
    const api = await fakeApi((request) => clientList(250, request));
    expect((await plat(['clients', 'list', ...more], { env: envFor(api), ...terminal })).stderr).toBe('');
  });
});
