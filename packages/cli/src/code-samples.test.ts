import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEVELOPER_OPERATIONS, OPERATION_NAMES, OPERATIONS, type OperationInfo } from '@plat/contract';
import { expect, it } from 'vitest';
import { DEVELOPER_OPERATION_NAMES } from './developer/operations.ts';
import { confirmationOf } from './operations/confirmations.ts';
import { fakeApi } from './testing/fake-api.ts';
import { loggedInTo } from './testing/logged-in.ts';
import { envFor, plat } from './testing/plat.ts';

interface Sample {
  readonly label: string;
  readonly source: string;
}

const { paths }: { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'),
);

const CALLS = [
  ...OPERATION_NAMES.map((name) => ({ title: name, name, info: OPERATIONS[name] as OperationInfo, envOf: envFor })),
  ...DEVELOPER_OPERATION_NAMES.map((name) => ({
    ...{ title: `developer.${name}`, name, info: DEVELOPER_OPERATIONS[name] as OperationInfo },
    envOf: loggedInTo,
  })),
];

it.each(CALLS)(
  'the plat sample of $title in the OpenAPI document sends what the curl sample sends',
  async ({ name, info, envOf }) => {
    const { method, list, path } = info;
    const { plat: command = '', curl = '' } = samplesOf(info);
    const empty = { entries: [], problems: [], truncated: [], withheld: [], next_cursor: null };
    const api = await fakeApi(() => ({
      body: list ? { object: 'list', data: [], has_more: false, url: path } : name.endsWith('trace.get') ? empty : {},
    }));
    const [program, ...words] = wordsOf(command);
    expect(program).toBe('plat');
    // A terminal asks first.
    const { code, stderr } = await plat([...words, ...(confirmationOf(name) ? ['--yes'] : [])], { env: envOf(api) });
    expect(code, stderr).toBe(0);
    // Commands of the developer API add what their result means.
    if (envOf === envFor) expect(stderr.replace('None found.\n', '')).toBe('');
    const [, target = ''] = /"\$PLAT_BASE_URL"(\S+)/.exec(curl) ?? [];
    const [, body] = /^ {2}-d (.*)$/m.exec(curl) ?? [];
    const sent = body === undefined ? undefined : JSON.parse(wordsOf(body).join(''));
    expect(api.received).toMatchObject([{ method, path: target }]);
    expect(api.received[0]?.body ?? {}).toEqual(sent ?? {});
  },
);

function samplesOf({ method, path }: OperationInfo): Readonly<Record<string, string>> {
  const operation = paths[path]?.[method.toLowerCase()] as { readonly 'x-codeSamples': readonly Sample[] };
  return Object.fromEntries(operation['x-codeSamples'].map(({ label, source }) => [label, source]));
}

/** Splits a command line as a shell does: words, and texts in single quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'([^']*)'|(\S+))/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
