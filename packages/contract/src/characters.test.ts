import { describe, expect, test } from 'vitest';
import { printable, printableJson, printableText, unsafeCharacter } from './index.ts';

describe('a name that is written in any script is safe', () => {
  test.each([
    'Acme',
    'Ångström & Söhne',
    'שלום עולם',
    'شركة',
    'می‌خواهم',
    'क्‍ष',
    'ශ්‍රී ලංකා',
    'മലയാളം ന്‍',
    '株式会社',
    '👨‍👩‍👧',
    '👩🏽‍🚀',
    '❤️‍🔥',
    '🏳️‍🌈',
    '1️⃣',
    '©️',
    '葛\u{e0100}城',
    '\u1820\u180b',
    'é',
  ])('%s', (name) => {
    expect(unsafeCharacter(name)).toBeNull();
    expect(printable(name)).toBe(name);
    expect(printableText(name)).toBe(name);
  });
});

describe('a character that changes how a text is shown is named and escaped', () => {
  test.each([
    ['a\u0000', 'U+0000, a control character', 'a\\u0000'],
    ['a\u001b[2J', 'U+001B, a control character', 'a\\u001b[2J'],
    ['a\u009b2J', 'U+009B, a control character', 'a\\u009b2J'],
    ['a\u202eb', 'U+202E, a bidirectional control', 'a\\u202eb'],
    ['a\u2066b', 'U+2066, a bidirectional control', 'a\\u2066b'],
    ['a\u200eb', 'U+200E, a bidirectional control', 'a\\u200eb'],
    ['a\u061cb', 'U+061C, a bidirectional control', 'a\\u061cb'],
    ['a\u200bb', 'U+200B, an invisible character', 'a\\u200bb'],
    ['a\u2060b', 'U+2060, an invisible character', 'a\\u2060b'],
    ['a\ufeffb', 'U+FEFF, an invisible character', 'a\\ufeffb'],
    ['a\u00adb', 'U+00AD, an invisible character', 'a\\u00adb'],
    ['a\u3164b', 'U+3164, an invisible character', 'a\\u3164b'],
    ['a\u115fb', 'U+115F, an invisible character', 'a\\u115fb'],
    ['a\u17b5b', 'U+17B5, an invisible character', 'a\\u17b5b'],
    ['a\ufe0fb', 'U+FE0F, an invisible character', 'a\\ufe0fb'],
    ['1\ufe0f', 'U+FE0F, an invisible character', '1\\ufe0f'],
    ['a\ufe00', 'U+FE00, an invisible character', 'a\\ufe00'],
    ['a\u{e0100}', 'U+E0100, an invisible character', 'a\\udb40\\udd00'],
    ['a\u180bb', 'U+180B, an invisible character', 'a\\u180bb'],
    ['a\u200db', 'U+200D, an invisible character', 'a\\u200db'],
    ['a\u200cb', 'U+200C, an invisible character', 'a\\u200cb'],
    ['می\u200c\u200cخ', 'U+200C, an invisible character', 'می\u200c\\u200cخ'],
    ['👨\u200da', 'U+200D, an invisible character', '👨\\u200da'],
    ['a\u2028b', 'U+2028, a line separator', 'a\\u2028b'],
    ['a\u{e0041}b', 'U+E0041, a tag character', 'a\\udb40\\udc41b'],
    ['a\ud800b', 'U+D800, an unpaired surrogate', 'a\\ud800b'],
  ])('%j', (text, name, shown) => {
    expect(unsafeCharacter(text)).toBe(name);
    expect(unsafeCharacter(text, { lines: true })).toBe(name);
    expect(printable(text)).toBe(shown);
    expect(printableText(text)).toBe(shown);
  });
});

test('line breaks and tabs belong into texts and not into names', () => {
  const text = 'one\ttwo\r\nthree';
  expect(unsafeCharacter(text)).toBe('U+0009, a control character');
  expect(unsafeCharacter(text, { lines: true })).toBeNull();
  expect(printable(text)).toBe('one\\ttwo\\r\\nthree');
  expect(printableText(text)).toBe(text);
});

test('escaped JSON has the same value', () => {
  const value = { name: 'a\u202e\u200b\u{e0041}\u2028b' };
  const json = printableJson(JSON.stringify(value, null, 2));
  expect(json).toMatch(/^[\n\x20-\x7e]+$/);
  expect(JSON.parse(json)).toEqual(value);
});
