import { boundFieldErrors, charsetProblem, LIMITS, readJsonObject, shorten } from '@plat/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const withinLimits = fc.dictionary(
  fc.string().filter((name) => name !== '__proto__'),
  fc.jsonValue({ depthSize: 'small', maxDepth: 5, stringUnit: 'binary' }),
  { maxKeys: 20 },
);

/** JSON within the two limits that a generated value may exceed. */
function fits(value: unknown): boolean {
  const text = JSON.stringify(value);
  return text.split(':').length < LIMITS.json.members && text.split(/[,[{]/).length < LIMITS.json.values;
}
const isStorable = (value: unknown) => !/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(value));
const hasNoProto = (value: unknown) => !JSON.stringify(value).includes('__proto__');
const needsEscape = (name: string) => JSON.stringify(name).includes('\\');
/** No member name of the value needs an escape. */
function hasPlainNames(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, item]) => !needsEscape(name) && hasPlainNames(item));
}

describe('reading JSON', () => {
  test('returns the same object as JSON.parse, with any spacing', () => {
    fc.assert(
      fc.property(withinLimits, fc.constantFrom(0, 1, '\t'), (value, space) => {
        fc.pre(fits(value) && isStorable(value) && hasNoProto(value) && hasPlainNames(value));
        const text = JSON.stringify(value, null, space);
        expect(readJsonObject(text)).toEqual({ value: JSON.parse(text) });
      }),
    );
  });

  test('refuses a repeated member at any depth and position', () => {
    const plainName = fc.string().filter((name) => !needsEscape(name));
    const member = fc.tuple(plainName, fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(
        fc.uniqueArray(member, { selector: ([name]) => name, minLength: 1, maxLength: 8 }),
        fc.array(fc.constantFrom('object', 'array'), { maxLength: 6 }),
        fc.nat(),
        fc.jsonValue({ maxDepth: 2 }),
        fc.boolean(),
        (members, around, pick, again, inEscapes) => {
          fc.pre(isStorable(members) && hasNoProto(members) && isStorable(again) && hasNoProto(again));
          fc.pre(hasPlainNames(members) && hasPlainNames(again));
          const name = members[pick % members.length]?.[0] ?? '';
          const written = inEscapes ? escaped(name) : JSON.stringify(name);
          const body = members.map(([key, value]) => `${JSON.stringify(key)} : ${JSON.stringify(value)}`);
          let text = `{${[...body, `${written}: ${JSON.stringify(again)}`].join(' ,')}}`;
          for (const kind of around) text = kind === 'object' ? `{"a" : ${text}, "b": 1}` : `{"a":["}", ${text}]}`;
          fc.pre(fits(text));
          const path = [...around.toReversed().flatMap((kind) => (kind === 'object' ? ['a'] : ['a', 1])), name];
          expect(readJsonObject(text)).toEqual({
            problem: { path: path.join('.'), message: 'is given more than once' },
          });
        },
      ),
    );
  });

  // nodejs/node#63785: after the first line, JSON.parse of Node 24 and 26 takes both escaped names for a backslash.
  test('reads an escaped name as itself after a similar name in the same process', () => {
    JSON.parse(String.raw`{"first":0,"\\":0}`);
    expect(readJsonObject(String.raw`{"first":0,"\u006e":1}`)).toEqual({ value: { first: 0, n: 1 } });
    expect(readJsonObject(String.raw`{"first":0,"\u0066irst":1}`)).toEqual({
      problem: { path: 'first', message: 'is given more than once' },
    });
  });

  test('refuses a name that cannot be written without an escape', () => {
    const name = fc
      .string({ minLength: 1, unit: fc.constantFrom('"', '\\', '\n', '\0', '\ud800', 'a') })
      .filter(needsEscape);
    fc.assert(
      fc.property(name, fc.boolean(), (wrong, isInList) => {
        const text = JSON.stringify({ first: 0, [wrong]: 1 });
        expect(readJsonObject(isInList ? `{"list":[0,${text}]}` : text)).toEqual({
          problem: { path: isInList ? `list.1.${wrong}` : wrong, message: 'is not a known field' },
        });
      }),
    );
  });

  test('never fails on any text, and accepts only what JSON.parse accepts', () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', ':', ',', '"', '\\', 'a', '1', 'null', ' ', '"a"', '"a":1');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        const { value, problem } = readJsonObject(text);
        if (value) expect(JSON.parse(text)).toEqual(value);
        else expect(problem?.message).toMatch(/\w/);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['levels', (n: number) => `{"a":${'['.repeat(n - 1)}${']'.repeat(n - 1)}}`, LIMITS.json.depth],
    [
      'members',
      (n: number) => JSON.stringify(Object.fromEntries(Array.from({ length: n }, (_, i) => [i, 0]))),
      LIMITS.json.members,
    ],
    // The object is one value and the list in it another.
    ['values', (n: number) => JSON.stringify({ a: Array.from({ length: n - 2 }, () => 0) }), LIMITS.json.values],
  ])('accepts %s up to the limit, and not one more', (_what, textOf, limit) => {
    expect(readJsonObject(textOf(limit)).problem).toBeUndefined();
    expect(readJsonObject(textOf(limit + 1)).problem).toEqual({ path: '', message: expect.stringMatching(/\w/) });
  });

  test.each(['', '{"a":', 'null', '1', '[{}]', '"text"', String.raw`"te\u0078t"`])('refuses %s as a whole', (text) => {
    expect(readJsonObject(text).problem).toEqual({ path: '', message: expect.stringMatching(/JSON/) });
  });

  test.each([
    ['"\\u0000"', 'must not contain NUL or unpaired surrogates'],
    ['"\\ud800"', 'must not contain NUL or unpaired surrogates'],
  ])('refuses %s and names its path', (text, message) => {
    expect(readJsonObject(`{"a":[0,${text}]}`)).toEqual({ problem: { path: 'a.1', message } });
  });

  test('refuses __proto__ as a field', () => {
    expect(readJsonObject('{"a":{"__proto__":1}}').problem).toEqual({
      path: 'a.__proto__',
      message: 'is not a known field',
    });
  });
});

describe('the errors of a response', () => {
  test('the errors are bounded in number and length, and there is at least one', () => {
    const error = fc.record({ path: fc.string({ maxLength: 3_000 }), message: fc.string({ maxLength: 9_000 }) });
    fc.assert(
      fc.property(fc.array(error, { maxLength: 120 }), (errors) => {
        const bounded = boundFieldErrors(errors);
        const { max, path, message, total } = LIMITS.fieldErrors;
        expect(bounded.length).toBeLessThanOrEqual(max);
        expect(bounded.length > 0).toBe(errors.length > 0);
        const characters = bounded.reduce((sum, one) => sum + one.path.length + one.message.length, 0);
        expect(characters).toBeLessThanOrEqual(Math.max(total, path + message));
      }),
    );
  });

  test('an error is never cut within a character', () => {
    expect(shorten(`${'x'.repeat(8)}😀yz`, 10)).toBe(`${'x'.repeat(8)}…`);
    expect(shorten('ten chars!', 10)).toBe('ten chars!');
  });
});

test.each([
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['application/json;charset="UTF-8"', true],
  ['application/json; charset=utf8; q=1', true],
  ['application/json; charset=latin1', false],
  ['application/json; CHARSET = "iso-8859-1"', false],
  ['application/json; charset=utf-8; charset=utf-16', false],
  ['application/json; charset=', false],
])('the charset of %s is accepted: %s', (type, isTaken) => {
  expect(charsetProblem(type) === null).toBe(isTaken);
});

/** Returns the JSON string of a name with every character escaped. */
function escaped(name: string): string {
  const units = Array.from({ length: name.length }, (_, i) => name.charCodeAt(i).toString(16).padStart(4, '0'));
  return `"${units.map((unit) => `\\u${unit}`).join('')}"`;
}
