import { vi } from 'vitest';

/** Kinds of credentials and the patterns that find them in any output of the service. */
const PATTERNS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ...['live', 'test', 'inv', 'cs', 'ac', 'at', 'rt', 'sl', 'dc', 'dv'].map(
    (kind) => [`plat_${kind}`, new RegExp(`\\bplat_${kind}_[A-Za-z0-9]{49,}`, 'g')] as const,
  ),
  ['webhook secret', /\bwhsec_[A-Za-z0-9]{49}/g],
  ['CSRF token', /(?<=name="_csrf" value=")[^"]+/g],
  ['launch token', /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g],
  ['user code', /(?<="user_code":")[^"]+/g],
];

/** Credentials that were issued while it recorded. */
export interface Issued {
  /** Kind → its credentials. */
  readonly byKind: ReadonlyMap<string, ReadonlySet<string>>;
  all(): readonly string[];
  add(kind: string, credential: string): void;
  /** Records the credentials in a text: a response, a page, a mail, the output of a command. */
  read(text: string): void;
}

export function collectIssued(): Issued {
  const byKind = new Map<string, Set<string>>();
  const add: Issued['add'] = (kind, credential) => {
    byKind.set(kind, (byKind.get(kind) ?? new Set()).add(credential));
  };
  return {
    byKind,
    add,
    all: () => [...byKind.values()].flatMap((credentials) => [...credentials]),
    read(text) {
      for (const [kind, pattern] of PATTERNS) for (const [credential] of text.matchAll(pattern)) add(kind, credential);
    },
  };
}

/** A recorded response. */
export interface RecordedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Records the credentials in every response of this file, cookies included, until `vi.unstubAllGlobals()`. */
export function recordIssued(issued: Issued): readonly RecordedResponse[] {
  const answers: RecordedResponse[] = [];
  const original = globalThis.fetch;
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    const response = await original(...request);
    const text = await response.clone().text();
    issued.read(text);
    issued.read(response.headers.get('location') ?? '');
    for (const cookie of response.headers.getSetCookie()) readCookie(issued, cookie);
    answers.push({ status: response.status, headers: response.headers, text });
    return response;
  });
  return answers;
}

function readCookie(issued: Issued, cookie: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  if (value === '') return;
  const text = decodeURIComponent(value);
  issued.add(`cookie ${name}`, text);
  // Signed by express-session: `s:<id>.<signature>`.
  const [, id] = /^s:([^.]+)\./.exec(text) ?? [];
  if (id !== undefined) issued.add('session id', id);
}

/** Returns the credentials that a text contains: plain, or as hex, base64 or raw bytes. */
export function credentialsIn(text: string, credentials: readonly string[]): string[] {
  return credentials.filter((credential) => formsOf(credential).some((form) => text.includes(form)));
}

function formsOf(credential: string): string[] {
  const bytes = Buffer.from(credential);
  const hex = bytes.toString('hex');
  return [
    credential,
    // Also without the prefix and suffix that all of its kind share.
    ...randomPart(credential),
    // People type codes with and without separators.
    ...(credential.length < 12 ? [credential.replace('-', '')] : []),
    ...[hex, hex.toUpperCase()],
    ...[0, 1, 2].flatMap((before) => base64Within(bytes, before)),
    ...rawBytes(credential),
  ];
}

/** Returns the base64 characters shared by all texts with these bytes after any others, for an offset modulo 3. */
function base64Within(bytes: Buffer, before: number): string[] {
  const padded = Buffer.concat([Buffer.alloc(before), bytes]);
  const whole = padded.subarray(0, padded.length - (padded.length % 3));
  const own = whole.toString('base64').slice(before === 0 ? 0 : 4);
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
}

/** Returns the 32 random bytes of a credential as bytes, hex and base64. */
function rawBytes(credential: string): string[] {
  const [secret] = randomPart(credential);
  const bytes =
    secret !== undefined
      ? fromBase62(secret)
      : /^[\w-]{43}$/.test(credential)
        ? Buffer.from(credential, 'base64url')
        : undefined;
  if (!bytes) return [];
  const encodings = ['latin1', 'hex', 'base64', 'base64url'] as const;
  return encodings.map((encoding) => bytes.toString(encoding).replace(/=+$/, ''));
}

function randomPart(credential: string): string[] {
  return /^(?:plat_[a-z]+|whsec)_(\w{43})\w{6}$/.exec(credential)?.slice(1) ?? [];
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function fromBase62(text: string): Buffer {
  const value = [...text].reduce((sum, character) => sum * 62n + BigInt(BASE62.indexOf(character)), 0n);
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}
