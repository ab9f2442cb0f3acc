import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSealer, markOf } from './seal.ts';

const key = randomBytes(32);

test('a sealed text opens for the same purpose only', () => {
  const sealer = createSealer([key]);
  const sealed = sealer.seal('whsec_ä', 'endpoint 1');
  expect(sealer.open(sealed, 'endpoint 1')).toBe('whsec_ä');
  expect(() => sealer.open(sealed, 'endpoint 2')).toThrow();
});

test('two seals of one text differ, and neither contains the text', () => {
  const sealer = createSealer([key]);
  const first = sealer.seal('whsec_secret', 'p');
  expect(first.equals(sealer.seal('whsec_secret', 'p'))).toBe(false);
  expect(first.includes('whsec_secret')).toBe(false);
});

test('changed bytes do not open', () => {
  const sealer = createSealer([key]);
  const sealed = sealer.seal('secret', 'p');
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed);
    changed[i] = (changed[i] ?? 0) ^ 1;
    expect(() => sealer.open(changed, 'p')).toThrow();
  }
});

test('a new first master key seals, and the old one behind it still opens', () => {
  const newKey = randomBytes(32);
  const sealed = createSealer([key]).seal('secret', 'p');
  expect(createSealer([newKey, key]).open(sealed, 'p')).toBe('secret');
  expect(() => createSealer([newKey]).open(sealed, 'p')).toThrow(/master key/);
});

test('sealed bytes begin with the mark of their key; the current key is the first', () => {
  const newKey = randomBytes(32);
  const sealed = createSealer([key]).seal('secret', 'p');
  const sealer = createSealer([newKey, key]);
  expect(sealer.marks.indexOf(markOf(sealed))).toBe(1);
  expect(sealer.marks.indexOf(markOf(sealer.seal('secret', 'p')))).toBe(0);
  expect(createSealer([newKey]).marks).not.toContain(markOf(sealed));
});
