import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATION_NAMES, OPERATIONS, type OperationInfo, type OperationName } from '@plat/contract';
import { expect, it } from 'vitest';
import { confirmationOf } from './operations/confirmations.ts';
import { fakeApi } from './testing/fake-api.ts';
import { envFor, plat } from './testing/plat.ts';

interface Sample {
  readonly label: string;
  readonly source: string;
}

const { paths }: { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'),
);

it.each(OPERATION_NAMES)(
  'the plat sample of %s in the OpenAPI document sends what the curl sample sends',
  async (name) => {
    const { method, list, path }: OperationInfo = OPERATIONS[name];
    const { plat: command = '', curl = '' } = samplesOf(name);
    const empty = { entries: [], problems: [], truncated: [], withheld: [], next_cursor: null };
    const api = await fakeApi(() => ({
      body: list ? { object: 'list', data: [], has_more: false, url: path } : name === 'trace.get' ? empty : {},
    }));
    const [program, ...words] = wordsOf(command);
    expect(program).toBe('plat');
    // A terminal asks first.
    const { code, stderr } = await plat([...words, ...(confirmationOf(name) ? ['--yes'] : [])], { env: envFor(api) });
    expect([code, stderr.replace('None found.\n', '')]).toEqual([0, '']);
    const [, target = ''] = /"\$PLAT_BASE_URL"(\S+)/.exec(curl) ?? [];
    const [, body] = /^ {2}-d (.*)$/m.exec(curl) ?? [];
    const sent = body === undefined ? undefined : JSON.parse(wordsOf(body).join(''));
    expect(api.received).toMatchObject([{ method, path: target }]);
    expect(api.received[0]?.body ?? {}).toEqual(sent ?? {});
  },
);

function samplesOf(name: OperationName): Readonly<Record<string, string>> {
  const { method, path } = OPERATIONS[name];
  const operation = paths[path]?.[method.toLowerCase()] as { readonly 'x-codeSamples': readonly Sample[] };
  return Object.fromEntries(operation['x-codeSamples'].map(({ label, source }) => [label, source]));
}

/** Splits a command line as a shell does: words, and texts in single quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'([^']*)'|(\S+))/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
