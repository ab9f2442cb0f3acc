import { expect, onTestFinished, test, vi } from 'vitest';
import { utf8 } from './bytes.ts';
import { createVerifier } from './index.ts';
import { attempts } from './mismatch.ts';
import { outcomeOf } from './outcome.fixture.ts';

function cost(body: string, secrets: number): { tries: number; bytes: number } {
  const text = '"whsec_abc"';
  const all = [
    ...attempts({
      body,
      t: '1',
      secrets: Array.from({ length: secrets }, (_, index) => ({ index, text, bytes: utf8(text) })),
    }),
  ];
  return { tries: all.length, bytes: all.reduce((sum, { message }) => sum + message.length, 0) };
}

test('the search for the cause stays within its budget for every body and secret', () => {
  for (const size of [0, 1024, 4096, 16_000, 60_000, 256 * 1024]) {
    const { tries, bytes } = cost(`${JSON.stringify('x'.repeat(size))}\n`, 50);
    expect(tries).toBeLessThan(80);
    expect(bytes).toBeLessThanOrEqual(1024 * 1024 + tries * 16);
  }
});

test('a body larger than any event is not searched for a cause', () => {
  expect(cost('x'.repeat(16 * 1024), 1).tries).toBeGreaterThan(0);
  expect(cost('x'.repeat(16 * 1024 + 1), 1).tries).toBe(0);
});

test('a forged body of 200 KB is refused without being parsed', () => {
  const verifier = createVerifier({ secrets: 'whsec_abc', now: () => 0 });
  const body = JSON.stringify(Object.fromEntries(Array.from({ length: 16_000 }, (_, index) => [`k${index}`, index])));
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  expect(outcomeOf(() => verifier.verify(body, `t=0,v1=${'0'.repeat(64)}`)).code).toBe('SIGNATURE_MISMATCH');
  expect(parse.mock.calls.length).toBe(0);
});

test('a forged body that is nested too deeply to write again is refused like any other', () => {
  const verifier = createVerifier({ secrets: 'whsec_abc', now: () => 0 });
  const body = '['.repeat(20_000) + ']'.repeat(20_000);
  expect(outcomeOf(() => verifier.verify(body, `t=0,v1=${'0'.repeat(64)}`)).code).toBe('SIGNATURE_MISMATCH');
});
