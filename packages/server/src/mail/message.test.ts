import { describe, expect, test } from 'vitest';
import { assertSendable, oneLine } from './message.ts';

const subject = 'Hello';

describe('a value that could break out of its header is refused', () => {
  test.each([
    'bob@example.com\r\nBcc: eve@example.com',
    'bob@example.com\n',
    'bob@example.com, eve@example.com',
    'bob@example.com;eve@example.com',
    'Bob <bob@example.com>',
    '"b b"@example.com',
    'bob@example.com (Bob)',
    'friends: bob@example.com;',
    'bob',
    '@example.com',
    'bob@eve@example.com',
    `${'a'.repeat(250)}@example.com`,
    '',
  ])('as an address: %j', (to) => {
    expect(() => assertSendable({ to, subject })).toThrow('one plain address');
  });

  test.each(['a\r\nBcc: eve@example.com', 'a\nb', 'a\rb', 'a\0b', 'a\u2028b', '\u0085', 'a'.repeat(256), ''])(
    'as a subject: %j',
    (given) => {
      expect(() => assertSendable({ to: 'bob@example.com', subject: given })).toThrow('one line');
    },
  );

  test.each(['bob@example.com', 'b.o+b@mail.example.co.uk', "o'neil@example.com", 'björn@exämple.com', 'b@[::1]'])(
    'but %s is accepted',
    (to) => {
      expect(() => assertSendable({ to, subject: 'Grüße: "x" <y>' })).not.toThrow();
    },
  );
});

test('user-supplied text becomes one line of a subject', () => {
  expect(oneLine(' Join\r\nBcc: eve@example.com\t\0 now ')).toBe('Join Bcc: eve@example.com now');
  const long = oneLine(`${'a'.repeat(253)}🎉🎉`);
  expect(long).toBe(`${'a'.repeat(253)}…`);
  for (const text of [long, oneLine('é'.repeat(300))]) assertSendable({ to: 'bob@example.com', subject: text });
});
