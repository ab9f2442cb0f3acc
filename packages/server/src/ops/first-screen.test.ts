import { join } from 'node:path';
import { expect, test } from 'vitest';
import { firstScreen } from './first-screen.ts';

const screenFor = (sandboxFile: string) =>
  firstScreen({
    baseUrl: 'http://127.0.0.1:4010',
    database: 'sqlite',
    sandbox: {
      developer: { id: 'dev_1', email: 'developer@sandbox.example', tenantId: 'tnt_1' },
      apiKey: 'plat_test_x',
      replacedKey: null,
    },
    sandboxFile,
    showsMail: true,
  });

test('the sandbox file of this folder is named by its relative path', () => {
  const screen = screenFor(join(process.cwd(), '.plat', 'sandbox.json'));
  expect(screen).toContain('\n  Try, in another terminal:\n');
  expect(screen).toContain(`are also in ${join('.plat', 'sandbox.json')}.`);
});

test('so is one of a folder above, which plat finds', () => {
  const screen = screenFor(join(process.cwd(), '..', '.plat', 'sandbox.json'));
  expect(screen).toContain('\n  Try, in another terminal:\n');
  expect(screen).toContain(`are also in ${join('..', '.plat', 'sandbox.json')}.`);
});

test('another data folder is named whole, with the variable that lets plat find it', () => {
  const file = join(process.cwd(), '..', 'data', 'sandbox.json');
  const screen = screenFor(file);
  expect(screen).toContain(`\n  Try, in another terminal with PLAT_DATA_DIR set to ${join(file, '..')}:\n`);
  expect(screen).toContain(`are also in ${file}.`);
});
