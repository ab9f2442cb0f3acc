import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { newId } from '../kernel/ids.ts';
import { tokenOf } from '../kernel/tokens.ts';
import { isIssued, makeRefreshToken, newRefreshSecret, readRefreshToken } from './refresh-token.ts';

const newKey = () => createSecretKey(randomBytes(32));
const key = newKey();
const grantId = newId('grant');
const make = (generation: number, by = key) => makeRefreshToken({ grantId, generation }, newRefreshSecret(), by);

test('contains its grant and generation, in the form that secret scanners recognise', () => {
  for (const generation of [0, 1, 10_000, 0xffff_ffff]) {
    const token = make(generation);
    expect(token).toMatch(/^plat_rt_[0-9A-Za-z]{98}$/);
    expect(readRefreshToken(token)).toEqual({ grantId, generation });
  }
});

test('is recognised under any key of the server, and under no other key', () => {
  const token = make(1);
  expect(isIssued(token, [newKey(), key])).toBe(true);
  expect(isIssued(token, [newKey()])).toBe(false);
  expect(isIssued(token, [])).toBe(false);
});

test('has no valid form or no valid MAC if any character is changed', () => {
  const token = make(7);
  for (let i = 8; i < token.length; i++) {
    const changed = token.slice(0, i) + (token[i] === 'x' ? 'y' : 'x') + token.slice(i + 1);
    expect(readRefreshToken(changed)).toBeUndefined();
    expect(isIssued(changed, [key])).toBe(false);
  }
});

test('has no valid MAC if the contents change and the checksum matches', () => {
  for (let i = 0; i < 100; i++) {
    const forged = tokenOf('plat_rt_', randomBytes(68));
    expect(readRefreshToken(forged)?.grantId).toMatch(/^gra_/);
    expect(isIssued(forged, [key])).toBe(false);
  }
});

test.each(['', 'plat_rt_', `plat_rt_${'!'.repeat(98)}`, `plat_rt_${'z'.repeat(98)}`, `plat_rt_${'a'.repeat(49)}`])(
  '%j is malformed',
  (text) => {
    expect(readRefreshToken(text)).toBeUndefined();
    expect(isIssued(text, [key])).toBe(false);
  },
);
