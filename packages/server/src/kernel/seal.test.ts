import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSealer, markOf } from './seal.ts';

const key = randomBytes(32);

test('what was sealed opens again for the same purpose only', () => {
  const sealer = createSealer([key]);
  const sealed = sealer.seal('whsec_ä', 'endpoint 1');
  expect(sealer.open(sealed, 'endpoint 1')).toBe('whsec_ä');
  expect(() => sealer.open(sealed, 'endpoint 2')).toThrow();
});

test('two seals of one text differ, and neither holds the text', () => {
  const sealer = createSealer([key]);
  const first = sealer.seal('whsec_secret', 'p');
  expect(first.equals(sealer.seal('whsec_secret', 'p'))).toBe(false);
  expect(first.includes('whsec_secret')).toBe(false);
});

test('a changed byte anywhere does not open', () => {
  const sealer = createSealer([key]);
  const sealed = sealer.seal('secret', 'p');
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed);
    changed[i] = (changed[i] ?? 0) ^ 1;
    expect(() => sealer.open(changed, 'p')).toThrow();
  }
});

test('a new master key in front seals, and the old one behind it still opens', () => {
  const newKey = randomBytes(32);
  const sealed = createSealer([key]).seal('secret', 'p');
  expect(createSealer([newKey, key]).open(sealed, 'p')).toBe('secret');
  expect(() => createSealer([newKey]).open(sealed, 'p')).toThrow(/master key/);
});

test('what is sealed begins with the mark of its key, the current one being the first', () => {
  const newKey = randomBytes(32);
  const sealed = createSealer([key]).seal('secret', 'p');
  const sealer = createSealer([newKey, key]);
  expect(sealer.marks.indexOf(markOf(sealed))).toBe(1);
  expect(sealer.marks.indexOf(markOf(sealer.seal('secret', 'p')))).toBe(0);
  expect(createSealer([newKey]).marks).not.toContain(markOf(sealed));
});
