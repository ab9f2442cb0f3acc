import { commandWords, OPERATION_NAMES, OPERATIONS } from '@plat/contract';
import { describe, expect, it } from 'vitest';
import { plat } from '../testing/plat.ts';
import type { CommandNode, OptionNode } from './tree.ts';

interface Tree {
  readonly options: readonly OptionNode[];
  readonly commands: readonly CommandNode[];
}

async function treeOf(): Promise<Tree> {
  const { code, stdout, stderr } = await plat(['commands', '--json'], { cwd: '/' });
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

const { commands, options } = await treeOf();
const node = (name: string) => commands.find((command) => command.name === name);

describe('plat commands --json', () => {
  it('has operation, method, path and scope of every operation', () => {
    for (const name of OPERATION_NAMES) {
      const { method, path, scope } = OPERATIONS[name];
      expect(node(commandWords(name).join(' ')), name).toMatchObject({ operation: name, method, path, scope });
    }
    expect(node('keys mint')).toMatchObject({ operation: 'developer.keys.mint', scope: null });
    expect(node('listen')).toMatchObject({ operation: null, scope: 'webhooks:read' });
  });

  it('has arguments, options, defaults and values', () => {
    expect(node('clients get')?.arguments).toMatchObject([{ name: 'client_id', required: true }]);
    const option = (name: string, long: string) => node(name)?.options.find((each) => each.long === long);
    expect(option('clients list', '--status')?.values).toMatchObject({ words: ['active', 'inactive'], closed: true });
    expect(option('keys mint', '--scopes')?.values).toMatchObject({ closed: false, list: true });
    expect(option('webhooks events list', '--type')?.values?.words).toContain('client.created');
    expect(option('clients create', '--name')).toMatchObject({ required: true, value: 'name' });
    expect(option('clients delete', '--yes')).toMatchObject({ short: '-y', value: null, values: null });
    expect(options.map(({ long }) => long)).toContain('--profile');
  });

  it('omits options that the help hides', () => {
    const all = [...options, ...commands.flatMap((command) => command.options)].map(({ long }) => long);
    expect(all).not.toContain('--api-key');
    expect(all).not.toContain('--secret');
  });

  it('is a table of names for people, and a line each with --output ndjson', async () => {
    expect((await plat(['commands'])).stdout).toMatch(/^clients create +Create a client$/m);
    const lines = (await plat(['commands', '--output', 'ndjson', '--fields', 'name'])).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).name)).toEqual(commands.map(({ name }) => name));
  });
});

describe('the page of reference', async () => {
  const page = (await plat(['commands', '--markdown'], { cwd: '/' })).stdout;
  const sections = new Map(page.split(/^### `plat /m).map((part) => [part.slice(0, part.indexOf('`')), part]));

  // A hundred calls of plat are slow on a busy machine.
  it('has every command, and each of its options as its help has it', async () => {
    for (const { name, options: own, arguments: args } of commands) {
      const section = sections.get(name) ?? '';
      const help = (await plat([...name.split(' '), '--help'])).stdout;
      for (const { flags } of own) {
        expect(help, name).toContain(`  ${flags}`);
        expect(section, name).toContain(`| \`${flags.replaceAll('|', '\\|')}\` |`);
      }
      for (const argument of args) expect(section, name).toContain(`| \`${argument.name}\` |`);
    }
  });

  it('has no broken links to commands', () => {
    const anchors = new Set(commands.map(({ name }) => `plat-${name.replaceAll(' ', '-')}`));
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(links.filter((anchor) => anchor === undefined || !anchors.has(anchor))).toEqual([]);
    expect(links.length).toBeGreaterThanOrEqual(commands.length);
  });
});

describe('plat version', () => {
  it('names plat, Node.js and the system', async () => {
    const { code, stdout } = await plat(['version', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      object: 'version',
      plat: expect.stringMatching(/^\d+\.\d+\.\d+/),
      node: process.versions.node,
      platform: process.platform,
      arch: process.arch,
    });
  });
});
