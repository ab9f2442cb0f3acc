import {
  commandWords,
  DEVELOPER_OPERATIONS,
  developerCommandWords,
  OPERATION_NAMES,
  OPERATIONS,
  type OperationInfo,
  type OperationName,
  pathParametersOf,
} from '@plat/contract';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import type { Field } from './command/field.ts';
import { toKebab } from './command/kebab.ts';
import { developerFields } from './developer/fields.ts';
import * as developer from './developer/operations.ts';
import { rootHelp } from './help/root-help.ts';
import { confirmationOf } from './operations/confirmations.ts';
import { operationFields } from './operations/fields.ts';
import { createProgram } from './program.ts';
import { clientId, fakeApi } from './testing/fake-api.ts';
import { loggedInTo } from './testing/logged-in.ts';
import { envFor, plat } from './testing/plat.ts';

const io = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env: {}, cwd: '/' };
const program = createProgram(
  io,
  { connection: null, resumeWith: null, args: [] },
  { asked: () => {}, unasked: () => {} },
);

function commandOf(words: readonly string[]): Command | undefined {
  return words.reduce<Command | undefined>(
    (parent, word) => parent?.commands.find((command) => command.name() === word),
    program,
  );
}

/** Returns the minimal call of an operation. */
function leastCall(operation: OperationName): string[] {
  const required = operationFields(operation).filter(([, field]) => field.required || operation.endsWith('.update'));
  return [
    ...commandWords(operation),
    ...pathParametersOf(OPERATIONS[operation]).map(() => clientId(1)),
    ...required.flatMap(([name, field]) => [`--${toKebab(name)}`, ...wordsOf(field)]),
    ...(confirmationOf(operation) ? ['--yes'] : []),
  ];
}

function wordsOf({ kind, values }: Field): string[] {
  return kind === 'flag' ? [] : [values?.[0] ?? { integer: '1', time: '24h', text: 'x', texts: 'x' }[kind]];
}

/** The least response of an operation that its command can print. */
function answerTo(operation: string, url: string, isList: boolean): object {
  if (isList) return { object: 'list', data: [], has_more: false, url };
  const isTrace = operation.endsWith('trace.get');
  return isTrace ? { entries: [], problems: [], truncated: [], withheld: [], next_cursor: null } : {};
}

describe('the command tree', () => {
  it.each(OPERATION_NAMES)('has a command for %s', (operation) => {
    expect(commandOf(commandWords(operation))?.summary()).toBe(OPERATIONS[operation].summary);
  });

  it.each(OPERATION_NAMES.filter((operation) => commandWords(operation).length === 1))(
    'has one text for %s, on the first screen and in its own help',
    (operation) => {
      expect(rootHelp()).toMatch(new RegExp(`^  ${commandWords(operation)} +${OPERATIONS[operation].summary}$`, 'm'));
    },
  );

  it.each(OPERATION_NAMES)('sends %s to its method and path', async (operation) => {
    const { method, path, list }: OperationInfo = OPERATIONS[operation];
    const api = await fakeApi(() => ({ body: answerTo(operation, path, list) }));
    const { code, stderr } = await plat(leastCall(operation), { env: envFor(api) });
    expect(stderr.replace('None found.\n', '')).toBe('');
    expect(code).toBe(0);
    expect(api.received).toMatchObject([{ method, path: path.replaceAll(/\{\w+\}/g, clientId(1)) }]);
  });

  it.each(developer.DEVELOPER_OPERATION_NAMES)(
    'sends %s of the developer API to its method and path',
    async (operation) => {
      const { method, path, list, summary }: OperationInfo = DEVELOPER_OPERATIONS[operation];
      const words = developerCommandWords(operation);
      expect(commandOf(words)?.summary()).toBe(summary);
      const api = await fakeApi(() => ({ body: answerTo(operation, path, list) }));
      const required = developerFields(operation).filter(
        ([, field]) => field.required || operation.endsWith('.update'),
      );
      const call = [
        ...words,
        ...pathParametersOf({ path }).map(() => 'app_1'),
        ...required.flatMap(([name, field]) => [`--${toKebab(name)}`, ...wordsOf(field)]),
        ...(confirmationOf(operation) ? ['--yes'] : []),
      ];
      expect((await plat(call, { env: loggedInTo(api) })).code).toBe(0);
      expect(api.received).toMatchObject([
        { method, path: path.replace(/\{\w+\}/g, 'app_1'), headers: { authorization: 'Bearer plat_dv_kept' } },
      ]);
    },
  );

  it('describes every family', () => {
    const walk = (command: Command): Command[] => [command, ...command.commands.flatMap(walk)];
    expect(
      walk(program)
        .slice(1)
        .filter((command) => command.description() === ''),
    ).toEqual([]);
  });

  it('has no field that hides an option of every command', () => {
    const shared = program.options.map(({ long }) => long);
    for (const operation of OPERATION_NAMES) {
      const own = commandOf(commandWords(operation))?.options.map(({ long }) => long) ?? [];
      expect(
        own.filter((flag) => shared.includes(flag)),
        operation,
      ).toEqual([]);
    }
  });
});

describe('the root help', () => {
  it('lists every command and option of the parser', () => {
    const help = rootHelp();
    for (const command of program.commands) expect(help).toContain(`\n  ${command.name()} `);
    for (const option of program.options) if (!option.hidden) expect(help).toContain(`${option.flags} `);
  });

  it('lists no command that the parser does not have', () => {
    const [lists = ''] = rootHelp().split('Options of every command:');
    const listed = [...lists.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name);
    const known = ['help', ...program.commands.map((command) => command.name())];
    expect(listed.filter((name) => name && !known.includes(name))).toEqual([]);
  });

  it('fits a terminal of 120 columns', () => {
    expect(
      rootHelp()
        .split('\n')
        .filter((line) => line.length > 120),
    ).toEqual([]);
  });
});
