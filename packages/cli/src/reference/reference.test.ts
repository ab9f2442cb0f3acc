import { readFileSync } from 'node:fs';
import { commandWords, OPERATION_NAMES, OPERATIONS } from '@plat/contract';
import { describe, expect, it } from 'vitest';
import { ENVIRONMENT } from '../connection/environment.ts';
import { EXIT_CODES } from '../errors/exit-codes.ts';
import { plat } from '../testing/plat.ts';
import { INSTALLATION } from './overview-page.ts';
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

describe('plat commands of a group', () => {
  it('lists the commands of that group only', async () => {
    const { stdout } = await plat(['commands', 'audit', '--json']);
    const names = JSON.parse(stdout).commands.map(({ name }: CommandNode) => name);
    expect(names).toEqual(commands.map(({ name }) => name).filter((name) => /^audit( |$)/.test(name)));
    expect(names.length).toBeGreaterThan(1);
  });

  it('names the closest group for an unknown one', async () => {
    const { code, stdout, stderr } = await plat(['commands', 'webhoks', '--markdown']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('There is no group of commands "webhoks"');
    expect(stderr).toContain('Did you mean webhooks?');
  });
});

describe('the pages of the reference', async () => {
  const markdownOf = async (...group: string[]) =>
    (await plat(['commands', ...group, '--markdown'], { cwd: '/' })).stdout;
  const groups = commands.map(({ name }) => name).filter((name) => !name.includes(' '));
  const overview = await markdownOf();
  const pages = new Map<string, string>();
  for (const group of groups) pages.set(group, await markdownOf(group));
  const sections = new Map(
    [...pages.values()].flatMap((page) =>
      page.split(/^#+ `plat /m).map((part) => [part.slice(0, part.indexOf('`')), part] as const),
    ),
  );

  // A hundred calls of plat are slow on a busy machine.
  it('have every command, and each of its options as its help has it', async () => {
    for (const { name, options: own, arguments: args } of commands) {
      const section = sections.get(name) ?? '';
      expect(section, name).not.toBe('');
      const help = (await plat([...name.split(' '), '--help'])).stdout;
      for (const { flags } of own) {
        expect(help, name).toContain(`  ${flags}`);
        expect(section, name).toContain(`| \`${flags.replaceAll('|', '\\|')}\` |`);
      }
      for (const argument of args) expect(section, name).toContain(`| \`${argument.name}\` |`);
    }
  });

  it('have links to commands on the same page only, none broken', () => {
    for (const [group, page] of pages) {
      const anchors = new Set([...page.matchAll(/^#+ `(plat [^`]+)`$/gm)].map(([, name = '']) => anchorOf(name)));
      const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
      expect(
        links.filter((anchor) => !anchors.has(anchor)),
        group,
      ).toEqual([]);
      expect(anchors, group).toContain(anchorOf(`plat ${group}`));
    }
  });

  it('begin with an overview of each group, exit code, variable and global option', async () => {
    for (const group of groups) expect(overview).toContain(`[\`${group}\`](${group}.md)`);
    for (const { flags } of options) expect(overview).toContain(`| \`${flags}\` |`);
    for (const name of Object.keys(ENVIRONMENT)) expect(overview).toContain(`| \`${name}\` |`);
    for (const code of Object.values(EXIT_CODES)) expect(overview).toContain(`| \`${code}\` |`);
    expect(readFileSync(new URL('../../README.md', import.meta.url), 'utf8')).toContain(INSTALLATION);
  });
});

function anchorOf(name: string): string {
  return name.replaceAll(' ', '-');
}

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
