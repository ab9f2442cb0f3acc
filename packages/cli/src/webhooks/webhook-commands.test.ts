import { describe, expect, it } from 'vitest';
import { cwdWithBody, env, receiver, SECRET, signature } from '../testing/deliveries.ts';
import { plat, platProcess } from '../testing/plat.ts';

describe('a signing secret', () => {
  it('is never printed, also in errors', async () => {
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
  it('they end with their exit codes', async () => {
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
