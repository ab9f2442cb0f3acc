import { expect, it } from 'vitest';
import { readTraceparent } from './trace.ts';

const VALID = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

it.each([
  [VALID, VALID],
  [`${VALID.replace('00-', '01-')}-more`, VALID],
  [`${VALID}-more`, null],
  [VALID.replace('00-', 'ff-'), null],
  [VALID.toUpperCase(), null],
  [VALID.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32)), null],
  [VALID.replace('b7ad6b7169203331', '0'.repeat(16)), null],
  [VALID.slice(0, -1), null],
  [[VALID, VALID], null],
  [undefined, null],
])('%s is read as %s', (header, expected) => {
  expect(readTraceparent(header)).toBe(expected);
});
