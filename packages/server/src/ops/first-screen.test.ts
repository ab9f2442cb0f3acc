import { expect, test } from 'vitest';
import { cliCommand } from './first-screen.ts';

test('the first screen names the CLI of a clone, and elsewhere the package', () => {
  expect(cliCommand('file:///home/ada/plat/packages/server/dist/ops/first-screen.js')).toBe('npx plat');
  expect(cliCommand('file:///home/ada/app/node_modules/@plat/server/dist/ops/first-screen.js')).toBe('npx @plat/cli');
});
