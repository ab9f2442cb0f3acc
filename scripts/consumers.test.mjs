import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { unpackClients } from './lib/consumer-packages.mjs';
import { AWAIT_USING, DECLARED, PLAIN_IDS, TEST, TYPED_IDS, USES } from './lib/consumer-sources.mjs';
import { root } from './lib/paths.mjs';
import { runQuiet } from './lib/run.mjs';

/*
 * The packed client packages in the projects of consumers: their compilers and their test runners. Only what a consumer
 * installs is there.
 */

const installed = inject('runtimes');
const folder = mkdtempSync(join(tmpdir(), 'plat-consumers-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  const clients = await unpackClients(folder);
  expect(clients.map(({ name }) => name)).toHaveLength(5);
  link('@types/node', join(root, 'node_modules', '@types', 'node'));
  write('package.json', '{ "private": true }');
  write('uses.ts', USES);
});

const link = (name, target) => {
  const path = join(folder, 'node_modules', name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, 'junction');
};

const write = (name, text) => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};

async function run(program, args) {
  const { ok, output } = await runQuiet(program, args, { cwd: folder });
  expect(ok, output).toBe(true);
}

const tool = (...path) => join(installed ?? '', 'node_modules', ...path);
const compilers = installed === null ? [] : ['typescript-5.0', 'typescript'];

describe.concurrent.each([
  ['commonjs', 'node10'],
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])('with module %s and moduleResolution %s', (module, moduleResolution) => {
  const settings = ['--strict', '--target', 'es2022', '--module', module, '--moduleResolution', moduleResolution];
  const args = [...settings, '--noEmit', '--types', 'node', '--skipLibCheck', 'uses.ts'];

  test.concurrent.each(compilers)('every entry compiles with %s', (compiler) =>
    run(process.execPath, [tool(compiler, 'lib', 'tsc.js'), ...args]),
  );

  // TypeScript 7 has no node10.
  test.skipIf(moduleResolution === 'node10')('every entry compiles with the TypeScript of this repository', () =>
    run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), ...args]),
  );
});

test.runIf(installed)('with typed ids swapped ids do not compile, and without them they are text', async () => {
  const settings = [
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--noEmit',
    '--types',
    'node',
    '--skipLibCheck',
  ];
  write('typed-ids.ts', TYPED_IDS);
  write('plain-ids.ts', PLAIN_IDS);
  for (const file of ['typed-ids.ts', 'plain-ids.ts']) {
    for (const compiler of compilers) await run(process.execPath, [tool(compiler, 'lib', 'tsc.js'), ...settings, file]);
    await run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), ...settings, file]);
  }
});

describe('where a program sees its own dependencies only, as with pnpm', () => {
  const isolated = mkdtempSync(join(tmpdir(), 'plat-isolated-'));
  afterAll(() => rmSync(isolated, { recursive: true, force: true }));
  beforeAll(async () => {
    await unpackClients(join(isolated, 'node_modules', '.pnpm'));
    const hidden = join(isolated, 'node_modules', '.pnpm', 'node_modules', '@plat');
    writeFileSync(join(isolated, 'package.json'), '{ "type": "module" }');
    mkdirSync(join(isolated, 'node_modules', '@plat'));
    for (const name of ['sdk', 'webhooks', 'launch-token', 'testing']) {
      symlinkSync(join(hidden, name), join(isolated, 'node_modules', '@plat', name), 'junction');
    }
    symlinkSync(join(folder, 'node_modules', '@types'), join(isolated, 'node_modules', '@types'), 'junction');
  });

  test.concurrent.each(DECLARED)(
    'the declarations of a program that imports $entries name every type',
    async ({ entries, source }) => {
      const file = join(isolated, `${entries.replaceAll(/\W+/g, '-')}.ts`);
      writeFileSync(file, source);
      const settings = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node', '--skipLibCheck'];
      const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
      await run(process.execPath, [tsc, ...settings, '--declaration', '--emitDeclarationOnly', file]);
    },
  );
});

describe.each([
  ['import', 'dist', '.js', /from "(\.[^"]+)"/g],
  ['require', join('dist', 'cjs'), '.cjs', /require\("(\.[^"]+)"\)/g],
])('by %s', (_, home, ending, imports) => {
  /** Returns the text of an entry of the SDK and of all files of the package that it loads. */
  function loadedBy(entry) {
    const files = new Set([join(folder, 'node_modules', '@plat', 'sdk', home, entry + ending)]);
    for (const file of files) {
      for (const [, path] of readFileSync(file, 'utf8').matchAll(imports)) files.add(join(dirname(file), path));
    }
    return [...files].map((file) => readFileSync(file, 'utf8')).join('');
  }

  test('only the entry of the developer API loads its operations', () => {
    expect(loadedBy('developer')).toContain('/developer/v1/apps');
    for (const entry of ['index', 'oauth', 'node', 'export']) {
      expect(loadedBy(entry), entry).not.toContain('/developer/v1/');
    }
  });
});

test('await using takes the iterators of lists without a newer lib than ES2023', async () => {
  const file = write('await-using.ts', AWAIT_USING);
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const settings = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--types', 'node', '--skipLibCheck'];
  await run(process.execPath, [tsc, ...settings, '--noEmit', file]);
});

test.runIf(installed)('Jest runs a test in CommonJS, and ts-jest one in TypeScript', async () => {
  link('typescript', tool('typescript'));
  write('jest/plain.test.js', await asCommonJs());
  write('jest/typed.test.ts', `declare const test: (name: string, run: () => Promise<void>) => void;\n${TEST}`);
  const compilerOptions = { module: 'commonjs', moduleResolution: 'node10', target: 'es2022', strict: true };
  const typescript = [tool('ts-jest'), { tsconfig: { ...compilerOptions, types: ['node'], skipLibCheck: true } }];
  const node = { rootDir: join(folder, 'jest'), transform: { '\\.ts$': typescript } };
  // The conditions of Jest's environment jsdom. Its tests run on Node, so they get the entries for Node.
  const browser = {
    ...node,
    testMatch: ['**/plain.test.js'],
    testEnvironmentOptions: { customExportConditions: ['browser'] },
  };
  const config = { rootDir: folder, projects: [node, browser] };
  await run(process.execPath, [tool('jest', 'bin', 'jest.js'), '--watchman=false', '--config', JSON.stringify(config)]);
});

test('node:test runs a test in CommonJS', async () => {
  const file = write('node/plain.test.cjs', `const { test } = require('node:test');\n${await asCommonJs()}`);
  await run(process.execPath, ['--test', file]);
});

test('node:test runs a test in an ES module', async () => {
  const code = await compiled('esnext', 'bundler');
  const file = write('node/module.test.mjs', `import { test } from 'node:test';\n${code}`);
  await run(process.execPath, ['--test', file]);
});

test.runIf(installed && process.platform === 'linux')('Bun runs a test', async () => {
  write('bun/module.test.ts', `import { test } from 'bun:test';\n${TEST}`);
  await run(tool('@oven', 'bun-linux-x64', 'bin', 'bun'), ['test', join(folder, 'bun')]);
});

test('Vitest runs a test', async () => {
  link('vitest', join(root, 'node_modules', 'vitest'));
  write('vitest/module.test.ts', `import { test } from 'vitest';\n${TEST}`);
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  await run(process.execPath, [vitest, 'run', '--root', join(folder, 'vitest')]);
});

const asCommonJs = () => compiled('commonjs', 'bundler');

/** Compiles the test as a consumer does. */
async function compiled(module, moduleResolution) {
  const out = join(folder, 'compiled', module);
  const source = write('calls.ts', `declare const test: (name: string, run: () => Promise<void>) => void;\n${TEST}`);
  const settings = ['--target', 'es2022', '--module', module, '--moduleResolution', moduleResolution];
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  await run(process.execPath, [tsc, ...settings, '--types', 'node', '--skipLibCheck', '--outDir', out, source]);
  return readFileSync(join(out, 'calls.js'), 'utf8');
}
