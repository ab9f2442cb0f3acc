import { expect, it } from 'vitest';
import { recordLines } from './record.ts';
import { json, jsonLine } from './result.ts';

const style = { heading: (text: string) => text, faint: (text: string) => text, alarm: (text: string) => text };
// Response of a malicious receiver: escape sequences for the user's terminal.
const HOSTILE = '\u001b[2J\u001b]0;mine\u0007\u009b31m\r\n\u202ereversed\u2066';
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ACTIVE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2066]/;

const delivery = {
  object: 'webhook_delivery',
  response_headers: [
    { name: 'content-type', value: 'text/html' },
    { name: `x${HOSTILE}`, value: HOSTILE },
    { name: 'set-cookie', value: 'a=1' },
    { name: 'set-cookie', value: 'b=2' },
  ],
  response_body: `<b>\n${HOSTILE}`,
  timings: { dns_ms: null, first_byte_ms: 46, total_ms: 84 },
  empty: [],
};

it('a record has a line for each header, by its name, and one for each time', () => {
  const lines = recordLines(delivery, style).map((line) => line.replace(/ +/, ' '));
  expect(lines).toEqual([
    'object webhook_delivery',
    'response_headers.content-type text/html',
    expect.stringMatching(/^response_headers\.x\\u001b\[2J/),
    'response_headers.set-cookie a=1',
    'response_headers.set-cookie b=2',
    expect.stringMatching(/^response_body <b>\\n\\u001b/),
    'timings.dns_ms -',
    'timings.first_byte_ms 46',
    'timings.total_ms 84',
    'empty ',
  ]);
});

it("control characters in a receiver's response never reach the terminal", () => {
  const shown = [recordLines(delivery, style).join('\n'), json(delivery), jsonLine(delivery), json([delivery])];
  for (const text of shown) expect(text).not.toMatch(ACTIVE);
  expect(JSON.parse(json(delivery))).toEqual(delivery);
  expect(JSON.parse(jsonLine(delivery))).toEqual(delivery);
  expect(recordLines(delivery, style)).toHaveLength(10);
});
