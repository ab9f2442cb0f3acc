import { createSocket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { classifyFailure } from './failure.ts';
import { createResolve, type ResolverOptions } from './resolver.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

describe('the look-up of a name', () => {
  it('finds all of its addresses', async () => {
    const { resolve } = await withNameServer();
    expect(await resolve('good.example')).toEqual([
      { address: '192.0.2.7', family: 4 },
      { address: '2001:db8::7', family: 6 },
    ]);
    expect(await resolve('four.example')).toEqual([{ address: '192.0.2.7', family: 4 }]);
  });

  it('is not delayed by a hundred names with silent servers', async () => {
    const { resolve, asked } = await withNameServer({ timeoutMs: 5_000 });
    for (let n = 0; n < 100; n++) resolve(`silent${n}.example`).catch(() => undefined);
    // Not all: a socket drops what it is sent at once.
    await expect.poll(() => asked.size).toBeGreaterThan(4);
    expect(await resolve('good.example')).toHaveLength(2);
  });

  it('is shared by concurrent requests for the name', async () => {
    const { resolve } = await withNameServer();
    const first = resolve('good.example');
    expect(resolve('good.example')).toBe(first);
    await first;
    const second = resolve('good.example');
    expect(second).not.toBe(first);
    await second;
  });

  it('uses the system when no name server has the name, or the name has no dot', async () => {
    const bySystem = async (hostname: string) => [
      { address: hostname === 'intern' ? '10.0.0.1' : '10.0.0.2', family: 4 },
    ];
    const { resolve, asked } = await withNameServer({ bySystem });
    expect(await resolve('unknown.example')).toEqual([{ address: '10.0.0.2', family: 4 }]);
    expect(await resolve('intern')).toEqual([{ address: '10.0.0.1', family: 4 }]);
    // At most two at a time, and any number one after the other.
    expect(await resolve('intern')).toEqual([{ address: '10.0.0.1', family: 4 }]);
    expect([...asked]).toEqual(['unknown.example']);
  });

  it('uses the system when there is no name server', async () => {
    const bySystem = async () => [{ address: '10.0.0.2', family: 4 }];
    const resolve = createResolve({ bySystem, servers: ['127.0.0.1:9'] });
    expect(await resolve('good.example')).toEqual([{ address: '10.0.0.2', family: 4 }]);
  });

  it('fails without a look-up by the system when the name servers fail or are silent', async () => {
    const bySystem = async () => [{ address: '10.0.0.2', family: 4 }];
    const { resolve } = await withNameServer({ bySystem, timeoutMs: 50 });
    for (const name of ['broken.example', 'silent.example', 'half-broken.example']) {
      const failure = await resolve(name).catch((error: unknown) => error);
      expect(classifyFailure(failure), name).toBe('dns');
    }
  });

  it('uses at most two threads of the process', async () => {
    const answers: (() => void)[] = [];
    const bySystem = () =>
      new Promise<[{ address: string; family: number }]>((answer) =>
        answers.push(() => answer([{ address: '10.0.0.2', family: 4 }])),
      );
    const resolve = createResolve({ bySystem });
    const found = ['a', 'b', 'c', 'd'].map((name) => resolve(name));
    expect(answers).toHaveLength(2);
    answers[0]?.();
    await found[0];
    await expect.poll(() => answers.length).toBe(3);
    answers[1]?.();
    answers[2]?.();
    await expect.poll(() => answers.length).toBe(4);
    answers[3]?.();
    expect(await Promise.all(found)).toHaveLength(4);
  });
});

/** A name server on loopback, by UDP; `asked` are the names it was asked for. */
async function withNameServer(options: ResolverOptions = {}) {
  const asked = new Set<string>();
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const { name, type, end } = readQuestion(question);
    asked.add(name);
    const answer = answerTo(name, type);
    if (answer === null) return;
    const head = Buffer.alloc(12);
    question.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | answer.code, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(answer.data ? 1 : 0, 6);
    const parts = [head, question.subarray(12, end)];
    if (answer.data) {
      // The name again by a pointer, type, class IN, a TTL of a minute, length.
      const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, answer.data.length]);
      parts.push(record, Buffer.from(answer.data));
    }
    socket.send(Buffer.concat(parts), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  closing.push(() => socket.close());
  const resolve = createResolve({ servers: [`127.0.0.1:${socket.address().port}`], ...options });
  return { resolve, asked };
}

const SERVFAIL = 2;
const NXDOMAIN = 3;
const FOUR = 1;

function answerTo(name: string, type: number): { readonly code: number; readonly data?: readonly number[] } | null {
  if (name.startsWith('silent')) return null;
  if (name === 'broken.example') return { code: SERVFAIL };
  if (name === 'half-broken.example') return { code: type === FOUR ? 0 : SERVFAIL };
  if (name === 'unknown.example') return { code: NXDOMAIN };
  if (type === FOUR) return { code: 0, data: [192, 0, 2, 7] };
  return name === 'four.example'
    ? { code: 0 }
    : { code: 0, data: [0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7] };
}

function readQuestion(message: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  // Case is mixed by resolvers that check for it in the answer.
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}
