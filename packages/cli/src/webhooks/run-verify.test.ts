import { describe, expect, it } from 'vitest';
import {
  body,
  cwdWithBody,
  env,
  event,
  folderWith,
  headers,
  OTHER,
  SECRET,
  signature,
  timestamp,
} from '../testing/deliveries.ts';
import { plat } from '../testing/plat.ts';

describe('plat webhooks verify', () => {
  it('reports a valid delivery with its type and age', async () => {
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
      secret_index: 0,
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
  ])('accepts the headers as %s', async (_, text) => {
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
  ])('reports the problem with %s', async (_, given, code, hint) => {
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

  it('compares the headers with the signed body, and refuses a repeated header', async () => {
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

  it('accepts several secrets: one match is enough', async () => {
    const cwd = folderWith({ 'body.json': body, old: `${OTHER}\n`, both: `\n ${OTHER}\r\n${SECRET}\n\n` });
    const args = ['webhooks', 'verify', 'body.json', '--signature', signature];
    const secret = (...files: string[]) => files.flatMap((file) => ['--secret-file', file]);
    expect((await plat([...args, ...secret('both')], { cwd })).code).toBe(0);
    expect((await plat([...args, ...secret('old', '-')], { cwd, stdin: SECRET })).code).toBe(0);
    // Options take precedence over the environment.
    expect((await plat([...args, ...secret('old')], { cwd, env })).code).toBe(11);
  });

  it('with --tenant refuses an event of another tenant, though the secret signed it', async () => {
    const args = ['webhooks', 'verify', '--signature', signature, '--json'];
    const mine = await plat([...args, '--tenant', event.tenant_id], { env, stdin: body });
    expect([mine.code, mine.stderr]).toEqual([0, '']);
    const other = await plat([...args, '--tenant', 'tnt_other'], { env, stdin: body });
    expect(other.code).toBe(11);
    expect(JSON.parse(other.stderr).error.code).toBe('TENANT_MISMATCH');
  });

  it('names the secret that matched', async () => {
    const cwd = folderWith({ 'body.json': body, both: `${OTHER}\n${SECRET}\n` });
    const args = ['webhooks', 'verify', 'body.json', '--signature', signature, '--secret-file', 'both', '--json'];
    expect(JSON.parse((await plat(args, { cwd })).stdout)).toMatchObject({ secret_index: 1 });
  });

  it.each([
    ['no signature', [], /--signature.*--headers-file/],
    ['two of them', ['--signature', 'x', '--headers-file', 'body.json'], /--signature.*--headers-file/],
    ['headers that are none', ['--headers-file', 'body.txt'], /contains neither/],
    ['a file that is not there', ['--headers-file', 'gone'], /cannot read gone/],
    ['an invalid time', ['--signature', 'x', '--at', 'yesterday'], /--at takes Unix seconds/],
    ['a day without a time', ['--signature', 'x', '--at', '2026-01-02'], /--at takes Unix seconds/],
    ['an invalid tolerance', ['--signature', 'x', '--tolerance', '-1'], /whole number/],
    ['a tolerance in milliseconds', ['--signature', 'x', '--tolerance', '300000'], /takes seconds, 3600 at most/],
    ['a secret on the command line', ['--signature', 'x', '--secret', SECRET], /is visible to every user/],
    ['an empty file of secrets', ['--signature', 'x', '--secret-file', 'empty'], /contains no secret/],
    ['two readers of stdin', ['--signature', 'x', '--secret-file', '-'], /cannot both read stdin/],
  ])('refuses %s', async (_, args, message) => {
    const cwd = folderWith({ 'body.txt': 'hello', empty: ' \n' });
    const { code, stdout, stderr } = await plat(['webhooks', 'verify', ...args], { env, cwd, stdin: 'x' });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain(SECRET);
  });

  it('shows the sources of secrets when none is given', async () => {
    const { code, stderr } = await plat(['webhooks', 'verify', '--signature', 'x']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/no signing secret.*PLAT_WEBHOOK_SECRET.*--secret-file/s);
  });
});
