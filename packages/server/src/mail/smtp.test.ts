import { afterEach, beforeEach, expect, test } from 'vitest';
import { type MailSink, startMailSink } from '../testing/mail-sink.ts';
import { createSmtp } from './smtp.ts';
import type { MailTransport, OutgoingMail } from './transport.ts';

let sink: MailSink;
let smtp: MailTransport;
beforeEach(async () => {
  sink = await startMailSink();
  smtp = createSmtp({ smtpUrl: sink.url, from: { name: 'Plåt & Co', address: 'plat@sender.example' } });
});
afterEach(async () => {
  smtp.close();
  await sink.close();
});

const mail: OutgoingMail = {
  id: 'mai_01k0z8k3v7e5q2m9t4r6w1x8c0',
  to: 'bob@example.com',
  subject: 'You are invited',
  text: 'Welcome.',
  kind: 'user_invitation',
  createdAt: Date.UTC(2026, 0, 1),
};

/** Sends a mail and returns its unfolded headers and decoded text. */
async function sent(given: Partial<OutgoingMail>) {
  await smtp.send({ ...mail, ...given });
  const last = sink.mails.at(-1);
  const [head = '', body = ''] = (last?.message ?? '').split(/\n\n([\s\S]*)/);
  const headers = new Map(
    head
      .replace(/\n[ \t]+/g, ' ')
      .split('\n')
      .map((line) => line.split(/: (.*)/s, 2) as [string, string]),
  );
  const encoding = headers.get('Content-Transfer-Encoding');
  return { ...last, headers, text: encoding === 'base64' ? base64(body) : quotedPrintable(body) };
}

test('a mail has the id of its row, its own date, and headers that mark it as automatic', async () => {
  const { headers, from, to } = await sent({});
  expect({ from, to }).toEqual({ from: 'plat@sender.example', to: 'bob@example.com' });
  expect(Object.fromEntries(headers)).toMatchObject({
    'Message-ID': '<mai_01k0z8k3v7e5q2m9t4r6w1x8c0@sender.example>',
    'Auto-Submitted': 'auto-generated',
    Date: 'Thu, 01 Jan 2026 00:00:00 +0000',
    To: 'bob@example.com',
    'Content-Type': 'text/plain; charset=utf-8',
    'MIME-Version': '1.0',
  });
});

test.each([
  ['ASCII', 'Invitation to Acme'],
  ['other letters', 'Einladung für Käfer & Söhne'],
  ['other scripts, and long', 'ご招待のお知らせです。'.repeat(12)],
  ['what looks encoded', '=?utf-8?Q?x?='],
  ['what looks encoded, and is long', 'ü=?utf-8?B?eA==?= '.repeat(9).trim()],
])('a subject and a name stay unchanged: %s', async (_what, subject) => {
  const { headers } = await sent({ subject });
  expect(decodeWords(headers.get('Subject') ?? '')).toBe(subject);
  expect(decodeWords(headers.get('From') ?? '')).toMatch(/^"?Plåt & Co"? <plat@sender\.example>$/);
  expect([...headers.values()].join('')).toMatch(/^[\x20-\x7e]*$/);
});

test.each([
  ['a long link', `Open:\nhttps://plat.example/accept#${'a1'.repeat(200)}\n`],
  ['a line that is a dot', 'one\n.\n..two\nthree\n'],
  ['other scripts', 'Grüße — こんにちは 🎉\n'],
])('a text stays unchanged: %s', async (_what, text) => {
  expect((await sent({ text })).text.trimEnd()).toBe(text.trimEnd());
});

test('a connection is reused', async () => {
  await sent({});
  await sent({});
  expect(sink.connections).toBe(1);
  expect(sink.mails).toHaveLength(2);
});

test('with requireTLS nothing is sent to a server without TLS', async () => {
  const strict = createSmtp({ smtpUrl: `${sink.url}?requireTLS=true`, from: { name: '', address: 'a@b.example' } });
  await expect(strict.send(mail)).rejects.toThrow(/STARTTLS/i);
  strict.close();
  expect(sink.mails).toEqual([]);
});

test('no part of a mail is read from a file or fetched', async () => {
  const { text } = await sent({ text: 'file:///etc/hostname' });
  expect(text.trimEnd()).toBe('file:///etc/hostname');
});

function decodeWords(header: string): string {
  const pieces = header.replace(/(\?=)\s+(=\?)/g, '$1$2');
  const bytes = pieces.replace(/=\?utf-8\?([QB])\?(.*?)\?=/gi, (_all, kind: string, word: string) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(word, 'base64').toString('latin1')
      : latin1(word.replaceAll('_', ' ')).toString('latin1'),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function base64(body: string): string {
  return Buffer.from(body, 'base64').toString('utf8').replaceAll('\r\n', '\n');
}

function quotedPrintable(body: string): string {
  return latin1(body.replace(/=\n/g, '')).toString('utf8');
}

function latin1(text: string): Buffer {
  return Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
