import { createHmac } from 'node:crypto';

/** A delivery and the decision about its signature. */
export interface Vector {
  readonly name: string;
  /** Why it is accepted or refused. */
  readonly reason: string;
  /** Signing secrets of the endpoint; two while one is rotated. */
  readonly secrets: readonly string[];
  /** Time of the receiver in Unix seconds. */
  readonly now: number;
  /** Value of `X-Platform-Signature`; null if the header is absent. */
  readonly signature: string | null;
  /** Body as received, in base64. */
  readonly body: string;
  readonly accepted: boolean;
}

const SECRET = 'whsec_vectors_of_the_platform';
const FORMER = 'whsec_former_secret';
const NOW = 1_790_000_000;
const BODY = '{"id":"evt_01","type":"client.created","tenant_id":"tnt_01","data":{"id":"cli_01","name":"Acme"}}';

function mac(text: string | Buffer, { secret = SECRET, algorithm = 'sha256' } = {}): Buffer {
  return createHmac(algorithm, secret).update(text).digest();
}

function v1(body: string | Buffer = BODY, t: string | number = NOW, secret = SECRET): string {
  return mac(Buffer.concat([Buffer.from(`${t}.`), Buffer.from(body)]), { secret }).toString('hex');
}

/** A delivery that is refused unless told. It is correct but for the given parts. */
type Given = Omit<Partial<Vector>, 'body'> & Pick<Vector, 'name' | 'reason'> & { readonly body?: string | Buffer };

function vector({ name, reason, body = BODY, ...given }: Given): Vector {
  const signature = `t=${NOW},v1=${v1(body)}`;
  const encoded = Buffer.from(body).toString('base64');
  return { name, reason, secrets: [SECRET], now: NOW, signature, accepted: false, ...given, body: encoded };
}

const accept = (given: Given): Vector => vector({ ...given, accepted: true });

const at = (t: string | number): string => `t=${t},v1=${v1(BODY, t)}`;

/**
 * Returns deliveries that any verifier of the platform's signature has to accept or refuse (specification, Signature).
 * Only forms that the platform sends are accepted.
 */
export function createVectors(): readonly Vector[] {
  return [
    accept({ name: 'valid', reason: 'HMAC-SHA256 of <t>.<body> with the whole secret' }),
    accept({ name: 'oldest', reason: 'five minutes old, the last second of the tolerance', signature: at(NOW - 300) }),
    accept({ name: 'ahead', reason: 'five minutes ahead, the last second of the tolerance', signature: at(NOW + 300) }),
    accept({
      name: 'spaces-in-body',
      reason: 'the bytes are signed, with their spaces',
      body: '{ "id" : "evt_01" }\r\n',
    }),
    accept({
      name: 'order-of-keys',
      reason: 'the bytes are signed, in their order',
      body: '{"z":1,"a":2,"id":"evt_01"}',
    }),
    accept({ name: 'unicode', reason: 'UTF-8 is signed as bytes', body: '{"name":"Zoë 🚀 日本"}' }),
    accept({ name: 'escapes', reason: 'escapes are not resolved before', body: '{"name":"Zo\\u00eb","url":"a\\/b"}' }),
    accept({
      name: 'not-utf8',
      reason: 'bytes that are no UTF-8 are signed as they are',
      body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
    }),
    accept({ name: 'nul', reason: 'a zero byte does not end the body', body: Buffer.from('{"a":"\0"}') }),
    accept({ name: 'empty', reason: 'an empty body has a signature, too', body: '' }),
    accept({ name: 'large', reason: 'several blocks of the hash', body: `{"text":"${'x'.repeat(1000)}"}` }),
    accept({
      name: 'rotation-new',
      reason: 'two v1 during a rotation: the receiver has only the new secret',
      signature: `t=${NOW},v1=${v1(BODY, NOW, FORMER)},v1=${v1()}`,
    }),
    accept({
      name: 'rotation-former',
      reason: 'two v1 during a rotation: the receiver has only the former secret',
      secrets: [FORMER],
      signature: `t=${NOW},v1=${v1()},v1=${v1(BODY, NOW, FORMER)}`,
    }),
    accept({ name: 'two-secrets', reason: 'the second of two secrets signed it', secrets: [FORMER, SECRET] }),
    accept({
      name: 'other-scheme',
      reason: 'schemes of the future are ignored',
      signature: `t=${NOW},v2=00,v1=${v1()}`,
    }),
    accept({
      name: 'malformed-beside',
      reason: 'one v1 is malformed, the other one is right',
      signature: `t=${NOW},v1=zz,v1=${v1()}`,
    }),

    vector({
      name: 'altered',
      reason: 'a letter of the body differs',
      body: BODY.replace('Acme', 'Acne'),
      signature: at(NOW),
    }),
    vector({
      name: 'parsed',
      reason: 'the body was parsed and written again',
      body: '{"id":"evt_01"}',
      signature: `t=${NOW},v1=${v1('{ "id": "evt_01" }')}`,
    }),
    vector({ name: 'line-break', reason: 'a line break was added to the body', body: `${BODY}\n`, signature: at(NOW) }),
    vector({ name: 'no-body', reason: 'the body is missing', body: '', signature: at(NOW) }),
    vector({
      name: 'other-secret',
      reason: 'another secret signed it',
      signature: `t=${NOW},v1=${v1(BODY, NOW, FORMER)}`,
    }),
    vector({
      name: 'without-prefix',
      reason: 'the key is the whole secret, with whsec_',
      signature: `t=${NOW},v1=${v1(BODY, NOW, SECRET.slice(6))}`,
    }),
    vector({
      name: 'body-only',
      reason: 'the time is not part of the digest',
      signature: `t=${NOW},v1=${mac(BODY).toString('hex')}`,
    }),
    vector({
      name: 'no-dot',
      reason: 'there is no dot between time and body',
      signature: `t=${NOW},v1=${mac(`${NOW}${BODY}`).toString('hex')}`,
    }),
    vector({
      name: 'base64',
      reason: 'the digest is in hex, not in base64',
      signature: `t=${NOW},v1=${mac(`${NOW}.${BODY}`).toString('base64')}`,
    }),
    vector({
      name: 'sha1',
      reason: 'the digest is SHA-256, not SHA-1',
      signature: `t=${NOW},v1=${mac(`${NOW}.${BODY}`, { algorithm: 'sha1' }).toString('hex')}`,
    }),
    vector({
      name: 'sha512',
      reason: 'the digest is SHA-256, not SHA-512',
      signature: `t=${NOW},v1=${mac(`${NOW}.${BODY}`, { algorithm: 'sha512' }).toString('hex')}`,
    }),
    vector({ name: 'short', reason: 'the last digit of the digest is missing', signature: at(NOW).slice(0, -1) }),
    vector({ name: 'long', reason: 'the digest has digits too many', signature: `${at(NOW)}00` }),
    vector({ name: 'empty-digest', reason: 'the digest is empty', signature: `t=${NOW},v1=` }),
    vector({ name: 'no-hex', reason: 'the digest is not hex', signature: `t=${NOW},v1=${'z'.repeat(64)}` }),
    vector({ name: 'zeros', reason: 'the digest is zeros', signature: `t=${NOW},v1=${'0'.repeat(64)}` }),
    vector({ name: 'too-old', reason: 'a second older than the tolerance', signature: at(NOW - 301) }),
    vector({ name: 'too-far-ahead', reason: 'a second further ahead than the tolerance', signature: at(NOW + 301) }),
    vector({
      name: 'other-time',
      reason: 'the time of the header is not the signed one',
      signature: `t=${NOW + 1},v1=${v1()}`,
    }),
    vector({ name: 'milliseconds', reason: 'the time is in milliseconds', signature: at(`${NOW}000`) }),
    vector({ name: 'huge', reason: 'the time has more digits than a 64-bit number', signature: at('9'.repeat(30)) }),
    vector({ name: 'negative', reason: 'the time has a sign', signature: at(`-${NOW}`) }),
    vector({ name: 'plus', reason: 'the time has a sign', signature: at(`+${NOW}`) }),
    vector({ name: 'leading-zero', reason: 'the time has a leading zero', signature: at(`0${NOW}`) }),
    vector({ name: 'fraction', reason: 'the time has a fraction', signature: at(`${NOW}.0`) }),
    vector({ name: 'exponent', reason: 'the time has an exponent', signature: at('179e7') }),
    vector({ name: 'word', reason: 'the time is no number', signature: at('now') }),
    vector({ name: 'no-time', reason: 'the time is missing', signature: `v1=${v1()}` }),
    vector({ name: 'empty-time', reason: 'the time is empty', signature: at('') }),
    vector({
      name: 'two-times',
      reason: 'two times: only one of them was signed',
      signature: `t=${NOW - 900},${at(NOW)}`,
    }),
    vector({
      name: 'second-time',
      reason: 'two times: only the first of them was signed',
      signature: `t=${NOW},t=${NOW + 1},v1=${v1()}`,
    }),
    vector({ name: 'no-digest', reason: 'the digest is missing', signature: `t=${NOW}` }),
    vector({ name: 'only-other-scheme', reason: 'another scheme is no v1', signature: `t=${NOW},v0=${v1()}` }),
    vector({ name: 'digest-alone', reason: 'the header is only a digest', signature: v1() }),
    vector({ name: 'empty-header', reason: 'the header is empty', signature: '' }),
    vector({ name: 'no-header', reason: 'the header is missing', signature: null }),
    vector({ name: 'words', reason: 'the header is something else', signature: 'sha256=abc; t=1' }),
  ];
}
