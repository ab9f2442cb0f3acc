import { expect, test } from 'vitest';
import { returnPath } from './return-path.ts';

test.each([
  ['/', '/'],
  ['/oauth/authorize?a=b%2Fc&d=%20', '/oauth/authorize?a=b%2Fc&d=%20'],
  ['/a/../b#part', '/b'],
  ['/%2F%2Fevil.example', '/%2F%2Fevil.example'],
  ['/%5Cevil.example', '/%5Cevil.example'],
  ['/@evil.example', '/@evil.example'],
])('the own path %j is followed as %j', (asked, followed) => {
  expect(returnPath(asked, '/home')).toBe(followed);
});

test.each([
  undefined,
  '',
  'evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\0/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/%2e%2e//evil.example',
  'https://evil.example/',
  'https:evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  ' //evil.example',
  ' /a',
  '/\u00e4',
  '/\u2028',
])('%j leads to the home page', (asked) => {
  expect(returnPath(asked, '/home')).toBe('/home');
});

test('a path that is too long leads to the home page', () => {
  expect(returnPath(`/${'a'.repeat(7999)}`, '/home')).not.toBe('/home');
  expect(returnPath(`/${'a'.repeat(8000)}`, '/home')).toBe('/home');
});
