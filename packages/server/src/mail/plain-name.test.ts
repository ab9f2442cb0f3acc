import { expect, test } from 'vitest';
import { plainName } from './plain-name.ts';

test.each([
  'https://evil.example/pay',
  'hxxp:\\\\evil',
  '//evil',
  'Acme evil.example',
  'www evil',
  'pay at evil。example',
  'ｅｖｉｌ．ｅｘａｍｐｌｅ',
  'evil\u200b.example',
  'evil.\u2060example',
  'billing@evil',
  'localhost:8080',
  '192.0.2.1',
  'bit.ly',
  '\u202e',
  ' \r\n ',
])('a name that could become a link is not used: %j', (name) => {
  expect(plainName(name)).toBeNull();
});

test.each([
  ['Acme Inc.', 'Acme Inc.'],
  ['Dr. Müller & Söhne', 'Dr. Müller & Söhne'],
  ['株式会社プラット', '株式会社プラット'],
  ['Two\r\nlines\u2028here', 'Two lines here'],
  ['a\u202eb\u200bc', 'abc'],
  ['x'.repeat(200), `${'x'.repeat(59)}…`],
])('%j becomes %j', (name, plain) => {
  expect(plainName(name)).toBe(plain);
});
