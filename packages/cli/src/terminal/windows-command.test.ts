import { expect, it } from 'vitest';
import { windowsCommand } from './windows-command.ts';

const NPM = 'C:\\node\\npm.CMD';
const FILES = new Set([NPM, 'C:\\node\\node.EXE', 'D:\\app\\tool.CMD']);
const place = {
  env: { Path: 'C:\\Windows;C:\\node', PathExt: '.EXE;.CMD', ComSpec: 'C:\\Windows\\cmd.exe' },
  cwd: 'D:\\app',
  isFile: (path: string) => FILES.has(path),
};

it('starts programs directly and batch files through cmd.exe', () => {
  expect(windowsCommand('node', ['a b'], place)).toEqual({
    command: 'C:\\node\\node.EXE',
    args: ['a b'],
    windowsVerbatimArguments: false,
  });
  expect(windowsCommand('npm', ['test'], place)).toEqual({
    command: 'C:\\Windows\\cmd.exe',
    args: ['/d', '/s', '/c', `"${NPM} ^^^"test^^^""`],
    windowsVerbatimArguments: true,
  });
});

it('resolves a path against the folder of the command, and searches that folder for nothing else', () => {
  expect(windowsCommand('.\\tool', [], place).args.at(-1)).toBe('"D:\\app\\tool.CMD"');
  expect(windowsCommand('tool', [], place).command).toBe('tool');
});

it('lets cmd.exe interpret no part of an argument', () => {
  const line = windowsCommand('npm', ['a & calc', 'say "hi"', 'C:\\dir\\', '%PATH%'], place).args.at(-1) ?? '';
  const unescaped = (text: string) => text.replaceAll('^', '');
  expect(unescaped(line)).toBe(`"${NPM} "a & calc" "say \\"hi\\"" "C:\\dir\\\\" "%PATH%""`);
  expect(line.slice(1, -1).replace(/\^./g, '')).not.toMatch(/[&%"]/);
});
