import { expect, test } from 'vitest';
import { canonicalAddress, emailHash, sendableAddress } from './mail-address.ts';

test.each([
  ['Ada@Example.COM', 'ada@example.com'],
  ['ada@\u212Aelvin.example', 'ada@kelvin.example'],
  ['ada@ｅｘａｍｐｌｅ.com', 'ada@example.com'],
  ['ada@example。com', 'ada@example.com'],
  ['ada@example.com.', 'ada@example.com'],
  ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
  ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
  ['ada@exam\u00adple.com', 'ada@example.com'],
  ['ÉVA@example.com', 'éva@example.com'],
  ['E\u0301va@example.com', 'éva@example.com'],
])('%j has the canonical form %j', (email, canonical) => {
  expect(canonicalAddress(email)).toBe(canonical);
});

test.each([
  ['\u212Aate@example.com', 'kate@example.com'],
  ['\u017Fam@example.com', 'sam@example.com'],
  ['\u0131an@example.com', 'ian@example.com'],
  ['\u0130an@example.com', 'ian@example.com'],
  ['ｋate@example.com', 'kate@example.com'],
])('%j is another mailbox than %j', (lookalike, email) => {
  expect(emailHash(lookalike).equals(emailHash(email))).toBe(false);
});

test('mail goes to the stored address, with its domain in ASCII', () => {
  expect(sendableAddress('Ada.L@\u212Aelvin.Example')).toBe('Ada.L@kelvin.example');
  expect(sendableAddress('Ada.L@Kelvin.Example')).toBe('Ada.L@Kelvin.Example');
});
