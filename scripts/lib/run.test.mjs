import { expect, test } from 'vitest';
import { runQuiet, startOf } from './run.mjs';

test('on Windows a command of PATH starts through a shell, with its arguments quoted; a path starts directly', () => {
  const args = ['pack', '--pack-destination', 'C:\\Temp folder', 'a&b'];
  expect(startOf('npm', args, 'win32')).toEqual({
    program: 'npm pack --pack-destination "C:\\Temp folder" "a&b"',
    words: [],
    shell: true,
  });
  expect(startOf('C:\\node.exe', args, 'win32')).toEqual({ program: 'C:\\node.exe', words: args, shell: false });
});

test('elsewhere no shell reads the arguments', async () => {
  const { ok, output } = await runQuiet('node', ['-p', 'process.argv[1]', '$HOME; a&b']);
  expect([ok, output]).toEqual([true, '$HOME; a&b\n']);
});
