import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createVerifier, signDelivery } from '@plat/webhooks';
import { signTestEvent } from '@plat/webhooks/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder, plat, platProcess } from '../testing/plat.ts';

const SECRET = 'whsec_canary0123456789';
const OTHER = 'whsec_another0123456789';
const env = { PLAT_WEBHOOK_SECRET: SECRET };
const { event, body, signature, headers, timestamp } = signTestEvent('client.created', {
  secret: SECRET,
  data: { name: 'Grüße' },
});

/** A folder with these files. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = emptyFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const cwdWithBody = () => folderWith({ 'body.json': body });

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function receiver(answer: RequestListener = (_, res) => res.writeHead(204).end()) {
  const received: Got[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    received.push({ headers: req.headers, body: Buffer.concat(chunks).toString('utf8') });
    answer(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, received };
}

describe('plat webhooks verify', () => {
  it('says that a delivery is valid, what it is and how old', async () => {
    const args = ['webhooks', 'verify', 'body.json', '--signature', signature];
    const at = ['--at', String(timestamp + 7)];
    const { code, stdout, stderr } = await plat([...args, ...at, '--json'], { env, cwd: cwdWithBody() });
    expect([code, stderr]).toEqual([0, '']);
    const { data: _, object: __, ...shown } = event;
    expect(JSON.parse(stdout)).toEqual({
      object: 'webhook_verification',
      valid: true,
      event: shown,
      signed_at: new Date(timestamp * 1000).toISOString(),
      age_seconds: 7,
    });
    const text = await plat(args, { env, cwd: cwdWithBody() });
    expect(text.stdout).toMatch(/^valid +true$/m);
    expect(text.stdout).toMatch(new RegExp(`^event\\.id +${event.id}$`, 'm'));
  });

  it('reads the body from stdin, byte for byte', async () => {
    const args = ['webhooks', 'verify', '--signature', signature];
    expect((await plat(args, { env, stdin: body })).code).toBe(0);
    expect((await plat([...args, '-'], { env, stdin: body })).code).toBe(0);
    expect((await plat(args, { env, stdin: `${body}\n` })).code).toBe(11);
  });

  it.each([
    [
      'lines',
      Object.entries(headers)
        .map(([name, value]) => `${name.toUpperCase()}:  ${value}  `)
        .join('\n'),
    ],
    [
      'lines of a whole request',
      `POST /hooks HTTP/1.1\r\nHost: a:80\r\n${lines('\r\n')}\r\n\r\nX-Platform-Event: of.the_body\r\n`,
    ],
    ['JSON', JSON.stringify(headers)],
    ['JSON with lists', JSON.stringify({ ...headers, 'x-platform-signature': [signature], cookie: ['a', 'b'] })],
  ])('takes the headers as %s', async (_, text) => {
    const cwd = folderWith({ 'body.json': body, headers: text });
    const args = ['webhooks', 'verify', 'body.json', '--headers-file', 'headers'];
    expect(await plat(args, { env, cwd })).toMatchObject({ code: 0, stderr: '' });
  });

  function lines(end: string): string {
    return Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join(end);
  }

  it.each([
    ['the secret of another endpoint', { secret: OTHER }, 'SIGNATURE_MISMATCH', /secret/],
    ['a secret in quotes', { secret: `"${SECRET}"` }, 'SIGNATURE_MISMATCH', /quotes/],
    [
      'a body that was parsed and written again',
      { body: JSON.stringify(JSON.parse(body), null, 2) },
      'SIGNATURE_MISMATCH',
      /.../,
    ],
    ['a delivery of long ago', { args: ['--at', String(timestamp + 301)] }, 'TIMESTAMP_TOO_OLD', /301 s ago.*--at/s],
    [
      'a delivery beyond a tolerance',
      { args: ['--at', String(timestamp + 3), '--tolerance', '2'] },
      'TIMESTAMP_TOO_OLD',
      /3 s ago/,
    ],
    [
      'a delivery of the future',
      { args: ['--at', new Date((timestamp - 400) * 1000).toISOString()] },
      'TIMESTAMP_IN_FUTURE',
      /ahead/,
    ],
    ['half a signature', { signature: signature.slice(0, 40) }, 'SIGNATURE_MALFORMED', /hex digits instead of 64/],
    ['an empty signature', { signature: '' }, 'SIGNATURE_MISSING', /empty/],
  ])('says what is wrong with %s', async (_, given, code, hint) => {
    const {
      secret = SECRET,
      body: bytes = body,
      signature: value = signature,
      args = [],
    } = given as {
      secret?: string;
      body?: string;
      signature?: string;
      args?: string[];
    };
    const call = ['webhooks', 'verify', '--signature', value, ...args];
    const json = await plat([...call, '--json'], { env: { PLAT_WEBHOOK_SECRET: secret }, stdin: bytes });
    expect([json.code, json.stdout]).toEqual([11, '']);
    const { error, exit_code } = JSON.parse(json.stderr);
    expect([error.code, exit_code]).toEqual([code, 11]);
    const text = await plat(call, { env: { PLAT_WEBHOOK_SECRET: secret }, stdin: bytes });
    expect(text.stderr).toMatch(new RegExp(`\\(${code}\\)`));
    expect(text.stderr).toMatch(hint);
  });

  it('holds the headers against the signed body, and takes none that was sent twice', async () => {
    const verify = async (text: string) => {
      const cwd = folderWith({ 'body.json': body, headers: text });
      const args = ['webhooks', 'verify', 'body.json', '--headers-file', 'headers', '--json'];
      return JSON.parse((await plat(args, { env, cwd })).stderr).error.code;
    };
    expect(await verify(JSON.stringify({ ...headers, 'X-Platform-Event': 'client.deleted' }))).toBe(
      'EVENT_HEADER_MISMATCH',
    );
    expect(await verify(`${lines('\n')}\nX-Platform-Signature: ${signature}`)).toBe('SIGNATURE_REPEATED');
    expect(await verify('Content-Type: application/json')).toBe('SIGNATURE_MISSING');
  });

  it('takes several secrets: one that matches is enough', async () => {
    const cwd = folderWith({ 'body.json': body, old: `${OTHER}\n`, both: `\n ${OTHER}\r\n${SECRET}\n\n` });
    const args = ['webhooks', 'verify', 'body.json', '--signature', signature];
    const secret = (...files: string[]) => files.flatMap((file) => ['--secret-file', file]);
    expect((await plat([...args, ...secret('both')], { cwd })).code).toBe(0);
    expect((await plat([...args, ...secret('old', '-')], { cwd, stdin: SECRET })).code).toBe(0);
    // What is said on the command line goes before the environment.
    expect((await plat([...args, ...secret('old')], { cwd, env })).code).toBe(11);
  });

  it.each([
    ['no signature', [], /--signature.*--headers-file/],
    ['two of them', ['--signature', 'x', '--headers-file', 'body.json'], /--signature.*--headers-file/],
    ['headers that are none', ['--headers-file', 'body.txt'], /holds neither/],
    ['a file that is not there', ['--headers-file', 'gone'], /cannot read gone/],
    ['a time that is none', ['--signature', 'x', '--at', 'yesterday'], /--at takes Unix seconds/],
    ['a day without a time', ['--signature', 'x', '--at', '2026-01-02'], /--at takes Unix seconds/],
    ['a tolerance that is none', ['--signature', 'x', '--tolerance', '-1'], /whole number/],
    ['a secret on the command line', ['--signature', 'x', '--secret', SECRET], /can be read by everybody/],
    ['an empty file of secrets', ['--signature', 'x', '--secret-file', 'empty'], /holds no secret/],
    ['two readers of stdin', ['--signature', 'x', '--secret-file', '-'], /cannot both read stdin/],
  ])('refuses %s', async (_, args, message) => {
    const cwd = folderWith({ 'body.txt': 'hello', empty: ' \n' });
    const { code, stdout, stderr } = await plat(['webhooks', 'verify', ...args], { env, cwd, stdin: 'x' });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain(SECRET);
  });

  it('says where secrets come from when there is none', async () => {
    const { code, stderr } = await plat(['webhooks', 'verify', '--signature', 'x']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/no signing secret.*PLAT_WEBHOOK_SECRET.*--secret-file/s);
  });
});

describe('plat webhooks sign', () => {
  it('prints the signature alone, with one v1 for each secret', async () => {
    const cwd = folderWith({ 'body.json': body, secrets: `${SECRET}\n${OTHER}\n` });
    const args = ['webhooks', 'sign', 'body.json', '--timestamp', '1795237102'];
    const one = signDelivery({ body, secrets: [SECRET], timestamp: 1_795_237_102 });
    expect(await plat(args, { env, cwd })).toEqual({ code: 0, stdout: `${one}\n`, stderr: '' });
    const two = signDelivery({ body, secrets: [SECRET, OTHER], timestamp: 1_795_237_102 });
    const both = await plat([...args, '--secret-file', 'secrets', '--json'], { cwd });
    expect(JSON.parse(both.stdout)).toEqual({ object: 'webhook_signature', timestamp: 1_795_237_102, signature: two });
    const iso = ['webhooks', 'sign', '--timestamp', new Date(1_795_237_102_999).toISOString()];
    expect((await plat(iso, { env, stdin: body })).stdout).toBe(`${one}\n`);
  });

  it('signs as of now, so that verify takes it', async () => {
    const { stdout } = await plat(['webhooks', 'sign'], { env, stdin: body });
    expect((await plat(['webhooks', 'verify', '--signature', stdout.trim()], { env, stdin: body })).code).toBe(0);
  });

  it('prints a curl command that a shell can run, without the secret in it', async () => {
    const cwd = folderWith({ "it's.json": body, 'text.txt': 'hello' });
    const curl = async (file: string) =>
      (await plat(['webhooks', 'sign', file, '--curl', "http://127.0.0.1/it's", '--timestamp', '1'], { env, cwd }))
        .stdout;
    const lines = (await curl("it's.json")).split('\n');
    expect(lines).toEqual([
      `curl -i 'http://127.0.0.1/it'\\''s' \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -H 'X-Platform-Event: client.created' \\`,
      `  -H 'X-Platform-Event-Id: ${event.id}' \\`,
      `  -H 'X-Platform-Signature: ${signDelivery({ body, secrets: [SECRET], timestamp: 1 })}' \\`,
      expect.stringMatching(/^ {2}-H 'X-Platform-Delivery-Id: del_[0-9a-z]{26}' \\$/),
      `  --data-binary '@it'\\''s.json'`,
      '',
    ]);
    expect(await curl('text.txt')).not.toContain('X-Platform-Event');
  });
});

describe('plat webhooks send', () => {
  const send = (...args: string[]) => ['webhooks', 'send', ...args];

  it('sends the file as it is, signed, and shows the answer', async () => {
    const { url, received } = await receiver((_, res) =>
      res.writeHead(200, { 'X-Mine': 'a\tb' }).end('thanks\u001b[31m\n'),
    );
    const cwd = cwdWithBody();
    const json = await plat(send('body.json', '--to', url, '--json'), { env, cwd });
    expect([json.code, json.stderr]).toEqual([0, '']);
    expect(JSON.parse(json.stdout)).toEqual({
      object: 'webhook_answer',
      event_id: event.id,
      event_type: 'client.created',
      delivery_id: expect.stringMatching(/^del_/),
      status: 200,
      error: null,
      error_code: null,
      duration_ms: expect.any(Number),
      headers: expect.objectContaining({ 'x-mine': 'a\tb' }),
      body: 'thanks\u001b[31m\n',
    });
    expect(json.stdout).not.toContain('\u001b');
    const text = await plat(send('-', '--to', url), { env, stdin: body });
    expect(text.stdout).toMatch(/^headers\.x-mine +a\\tb$/m);
    expect(text.stdout).toMatch(/^body +thanks\\u001b\[31m\\n$/m);
    expect(received.map((got) => got.body)).toEqual([body, body]);
    const verifier = createVerifier({ secrets: SECRET });
    for (const got of received) expect(verifier.verify(got.body, got.headers)).toEqual(event);
  });

  it('sends a sample of a type, with some of its data replaced', async () => {
    const { url, received } = await receiver();
    const args = send('--type', 'user.role_changed', '--data', '{"new_role":"owner"}', '--to', url);
    expect((await plat(args, { env })).code).toBe(0);
    const [got] = received;
    expect(createVerifier({ secrets: SECRET }).verify(got?.body ?? '', got?.headers ?? {})).toMatchObject({
      type: 'user.role_changed',
      data: { previous_role: 'viewer', new_role: 'owner' },
    });
  });

  it('signs as of another time, for a receiver that has to refuse it', async () => {
    const { url, received } = await receiver();
    await plat(send('--type', 'client.created', '--to', url, '--timestamp', '1000'), { env });
    expect(received[0]?.headers['x-platform-signature']).toMatch(/^t=1000,/);
  });

  it.each([
    ['500', (res: ServerResponse) => res.writeHead(500).end('broken'), 500, 'The receiver answered 500', undefined],
    [
      'a redirect',
      (res: ServerResponse) => res.writeHead(302, { location: '/' }).end(),
      302,
      'The receiver answered 302',
      /not followed/,
    ],
    [
      'a refusal',
      (res: ServerResponse) => res.writeHead(400).end(),
      400,
      'The receiver answered 400',
      /plat webhooks verify/,
    ],
    ['no answer', (res: ServerResponse) => res.destroy(), null, /^The receiver did not answer: /, undefined],
  ])('ends with 11 on %s, and shows it', async (_, answer, status, message, hint) => {
    const { url, received } = await receiver((_req, res) => answer(res));
    const { code, stdout, stderr } = await plat(send('--type', 'client.created', '--to', url, '--json'), { env });
    expect([code, JSON.parse(stdout).status, received.length]).toEqual([11, status, 1]);
    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({
      code: 'NOT_ACCEPTED',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
    expect(error.hint).toEqual(hint && expect.stringMatching(hint));
  });

  it('says that nothing listens', async () => {
    const { code, stderr } = await plat(send('--type', 'client.created', '--to', 'http://127.0.0.1:1'), { env });
    expect(code).toBe(11);
    expect(stderr).toMatch(/ECONNREFUSED.*hint: Nothing listens there/s);
  });

  it('waits as long as it is told to', { timeout: 30_000 }, async () => {
    const { url } = await receiver(() => {});
    const { code, stdout } = await plat(send('--type', 'client.created', '--to', url, '--timeout', '1', '--json'), {
      env,
    });
    expect([code, JSON.parse(stdout).error_code]).toEqual([11, 'TIMEOUT']);
  });

  it.each([
    ['neither file nor type', [], /--type for a sample/],
    ['both', ['body.json', '--type', 'client.created'], /--type for a sample/],
    ['an unknown type', ['--type', 'client.made'], /client.made is no event type/],
    ['a file that is no event', ['other.json'], /other.json does not hold an event/],
    ['stdin that is no event', ['-'], /stdin does not hold an event/],
    ['--data for a file', ['body.json', '--data', '{}'], /--data goes with --type/],
    ['another protocol', ['body.json', '--to', 'ftp://127.0.0.1/'], /http or https URL/],
    ['an address without its protocol', ['body.json', '--to', 'localhost:3000'], /http or https URL/],
  ])('refuses %s', async (_, args, message) => {
    const { url, received } = await receiver();
    const cwd = folderWith({ 'body.json': body, 'other.json': '{"id":1}' });
    const { code, stdout, stderr } = await plat(send('--to', url, ...args), { env, cwd });
    expect([code, stdout, received]).toEqual([2, '', []]);
    expect(stderr).toMatch(message);
  });

  it('needs to be told where to', async () => {
    expect((await plat(send('--type', 'client.created'), { env })).code).toBe(2);
  });
});

describe('plat trigger --raw', () => {
  it.each(['client.created', 'tenant.suspended', 'oauth.app_revoked'])(
    'sends a signed sample of %s and changes nothing',
    async (type) => {
      const { url, received } = await receiver();
      const args = ['trigger', type, '--raw', '--to', url, '--json'];
      const { code, stdout } = await plat(args, { env });
      expect([code, JSON.parse(stdout).event_type]).toEqual([0, type]);
      const [got] = received;
      expect(createVerifier({ secrets: SECRET }).verify(got?.body ?? '', got?.headers ?? {}).type).toBe(type);
    },
  );

  it('ends with 11 when it is not taken', async () => {
    const { url } = await receiver((_, res) => res.writeHead(503).end());
    expect((await plat(['trigger', 'client.created', '--raw', '--to', url], { env })).code).toBe(11);
  });
});

describe('a signing secret', () => {
  it('is never printed, whatever happens', { timeout: 60_000 }, async () => {
    const { url } = await receiver((_, res) => res.writeHead(400).end('no'));
    const cwd = cwdWithBody();
    const calls = [
      ['webhooks', 'verify', 'body.json', '--signature', signature],
      ['webhooks', 'verify', 'body.json', '--signature', signature.replace('v1=', 'v1=0')],
      ['webhooks', 'verify', 'body.json', '--signature', signature.replace(/.$/, 'z')],
      ['webhooks', 'sign', 'body.json'],
      ['webhooks', 'sign', 'body.json', '--curl', url],
      ['webhooks', 'send', 'body.json', '--to', url],
      ['webhooks', 'send', 'body.json', '--to', 'http://127.0.0.1:1'],
      ['webhooks', 'send', 'body.json', '--to', url, '--secret', SECRET],
      ['trigger', 'client.created', '--raw', '--to', url],
      ['trigger', 'client.created', `--secret=${SECRET}`],
    ];
    for (const call of calls) {
      for (const args of [call, [...call, '--json']]) {
        const { stdout, stderr } = await plat(args, { env, cwd });
        expect(stdout + stderr, args.join(' ')).not.toContain('canary');
      }
    }
  });
});

describe('as processes with stdin closed', () => {
  it('they end with their exit codes', { timeout: 60_000 }, async () => {
    const { url } = await receiver();
    const cwd = cwdWithBody();
    const run = (...args: string[]) => platProcess(['webhooks', ...args], { env, cwd });
    const ended = await Promise.all([
      run('verify', 'body.json', '--signature', signature),
      run('verify', '--signature', signature, '--json'),
      run('sign', 'body.json'),
      run('send', '-', '--to', url),
      run('send', 'body.json', '--to', url),
      run('send', 'body.json', '--to', 'http://127.0.0.1:1'),
      platProcess(['trigger', 'client.created', '--secret', 'x'], { env, cwd }),
      platProcess(['trigger', 'tenant.suspended', '--json'], { env, cwd }),
    ]);
    expect(ended.map(({ code }) => code)).toEqual([0, 11, 0, 2, 0, 11, 2, 3]);
    expect(JSON.parse(ended[1]?.stderr ?? '').error.code).toBe('SIGNATURE_MISMATCH');
  });
});
