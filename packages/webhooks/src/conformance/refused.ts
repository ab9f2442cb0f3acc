import { createHmac } from 'node:crypto';
import { ANSWER_400, type Case, findAccepted, refuses, send, settledCount } from './case.ts';

const VERIFY = 'Verify X-Platform-Signature before anything else, and answer 400 when it does not match.';
const OTHER_SECRET = 'whsec_a_secret_that_no_receiver_has';
const hmac = (key: string, text: string | Uint8Array): string => createHmac('sha256', key).update(text).digest('hex');

/** Cases of invalid deliveries. A correct receiver answers each with 4xx, and has no effect. */
export const REFUSED: readonly Case[] = [
  {
    name: 'wrong-secret',
    title: 'refuses a delivery that another secret signed',
    async run(receiver) {
      const { effects } = receiver;
      const before = effects && (await settledCount(receiver, effects));
      const verdict = await findAccepted(receiver, VERIFY, {
        'a delivery that another secret signed': { secrets: [OTHER_SECRET] },
        'a delivery with two v1 of other secrets': { secrets: [OTHER_SECRET, `${OTHER_SECRET}_2`] },
      });
      if (verdict || !effects || before === undefined) return verdict;
      const made = (await settledCount(receiver, effects)) - before;
      return made === 0 ? null : { problem: `Two deliveries that it refused had ${made} effects`, advice: VERIFY };
    },
  },
  {
    name: 'former-secret',
    title: 'refuses a secret after its rotation',
    async run(receiver) {
      const { formerSecret } = receiver;
      if (formerSecret === undefined) return { skipped: 'No former secret was given.' };
      const advice = 'Remove the former secret from the configuration when its overlap has ended.';
      const what = 'a delivery that the former secret signed';
      return findAccepted(receiver, advice, { [what]: { secrets: [formerSecret] } });
    },
  },
  refuses('altered-body', 'refuses a body that was changed', VERIFY, {
    // Receivers accept unknown fields, so only the signature shows that the body was changed.
    'a delivery with a changed body': { alter: (signed) => replaced(signed, '"data":{', '"data":{"added":1,') },
    'a delivery with a byte after its body': { alter: (signed) => new Uint8Array([...signed, 0x20]) },
  }),
  refuses(
    'altered-time',
    'refuses a time that was changed',
    'Hash the text of t, a dot and the body: a time outside the signature can be changed by any caller.',
    {
      'a delivery with a changed t': { shift: -30, sign: (valid) => valid.replace(/t=\d+/, (t) => later(t)) },
    },
  ),
  {
    name: 'body-alone',
    title: 'refuses a signature of the body without the time',
    run: (receiver) =>
      findAccepted(receiver, 'Hash the text of t, a dot and the body: recordings could be sent again otherwise.', {
        'a signature of the body alone': {
          sign: (valid, body) => `${valid.split(',')[0]},v1=${hmac(receiver.secret, body)}`,
        },
      }),
  },
  refuses(
    'old',
    'refuses a signature that is more than 5 minutes old',
    'Refuse a t that is more than 300 s before the clock of the receiver: recordings could be sent again.',
    {
      'a delivery that was signed 330 s ago': { shift: -330 },
      'a delivery that was signed a day ago': { shift: -86_400 },
    },
  ),
  refuses(
    'future',
    'refuses a signature that is more than 5 minutes ahead',
    'Refuse a t that is more than 300 s ahead too: a recording with such a t would be valid later.',
    {
      'a delivery that was signed 330 s ahead': { shift: 330 },
      'a delivery that was signed a day ahead': { shift: 86_400 },
    },
  ),
  refuses('no-signature', 'refuses a delivery without a signature', VERIFY, {
    'a delivery without X-Platform-Signature': { sign: () => null },
    'a delivery with an empty X-Platform-Signature': { sign: () => '' },
  }),
  refuses(
    'malformed-signature',
    'refuses a malformed signature',
    'Parse X-Platform-Signature strictly: t in decimal digits, and v1 with 64 hex digits.',
    {
      'a signature without t': { sign: (valid) => valid.replace(/t=\d+,/, '') },
      'a signature without v1': { sign: (valid) => valid.split(',')[0] ?? '' },
      'an empty v1': { sign: (valid) => valid.replace(/v1=.*/, 'v1=') },
      'a v1 that is cut': { sign: (valid) => valid.slice(0, -10) },
      'a v1 that is not hex': { sign: (valid) => valid.replace(/.{4}$/, 'zzzz') },
      'a t that is no number': { sign: (valid) => valid.replace(/t=\d+/, 't=now') },
      'a signature of another scheme only': { sign: (valid) => valid.replace('v1=', 'v0=') },
      'a signature that is a word': { sign: () => 'signature' },
    },
  ),
  {
    name: 'repeated-signature',
    title: 'answers a repeated signature header without a crash',
    async run(receiver) {
      const what = 'a delivery with two X-Platform-Signature';
      const sign = (valid: string) => [valid.replace(/v1=.*/, `v1=${'0'.repeat(64)}`), valid];
      const { status, error } = await send(receiver, { sign });
      // A receiver that takes the right one of two is not wrong.
      if (status !== null && status < 500) return null;
      return {
        problem: `${status === null ? `It gave no response (${error})` : `It answered ${status}`} to ${what}`,
        advice: ANSWER_400,
      };
    },
  },
  refuses(
    'empty-secret',
    'refuses signatures of an empty secret',
    'Refuse to start without a signing secret: with an empty one, any caller can sign.',
    Object.fromEntries(
      ['', 'undefined', 'null', 'None'].map((key) => [
        `a delivery that was signed with ${key === '' ? 'an empty secret' : `the secret "${key}"`}`,
        {
          sign: (valid: string, body: Uint8Array) => {
            const t = /t=(\d+)/.exec(valid)?.[1] ?? '';
            return `t=${t},v1=${hmac(key, Buffer.concat([Buffer.from(`${t}.`), body]))}`;
          },
        },
      ]),
    ),
  ),
  refuses(
    'not-an-event',
    'refuses a signed body that is no event',
    'Answer 400 when the body is no JSON object with id, type and data.',
    {
      'a body that is not JSON': { write: (event) => JSON.stringify(event).slice(0, -1) },
      'a body that is not UTF-8': { write: () => new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]) },
      'an empty body': { write: () => '' },
      'a list': { write: () => '[]' },
      'the value null': { write: () => 'null' },
    },
  ),
  {
    name: 'other-tenant',
    title: 'refuses an event of another tenant',
    async run(receiver) {
      if (receiver.tenantId === undefined) return { skipped: 'No tenant was given.' };
      const advice =
        'Compare tenant_id of the event with the tenant whose secret verified it: one tenant must not act for another.';
      const what = 'an event of another tenant, signed with this secret';
      return findAccepted(receiver, advice, { [what]: { tenantId: `tnt_${'0'.repeat(25)}1` } });
    },
  },
];

function later(t: string): string {
  return `t=${Number(t.slice(2)) + 30}`;
}

/** Replaces ASCII text in bytes. */
function replaced(bytes: Uint8Array, from: string, to: string): Uint8Array {
  return new TextEncoder().encode(new TextDecoder().decode(bytes).replace(from, to));
}
