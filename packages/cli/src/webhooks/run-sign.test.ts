import { signDelivery } from '@plat/webhooks';
import { describe, expect, it } from 'vitest';
import { body, env, event, folderWith, OTHER, SECRET } from '../testing/deliveries.ts';
import { plat } from '../testing/plat.ts';

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

  it('signs with the current time, so that verify accepts it', async () => {
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
