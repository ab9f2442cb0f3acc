import type { ServerResponse } from 'node:http';
import { createVerifier, isAppEvent } from '@plat/webhooks';
import { describe, expect, it } from 'vitest';
import { body, cwdWithBody, env, event, folderWith, receiver, SECRET } from '../testing/deliveries.ts';
import { plat } from '../testing/plat.ts';

describe('plat webhooks send', () => {
  const send = (...args: string[]) => ['webhooks', 'send', ...args];

  it('sends the file unchanged, signed, and shows the response', async () => {
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

  it('sends a sample of a tenant, an app and an id that are given', async () => {
    const { url, received } = await receiver();
    const ids = ['--tenant', 'tnt_mine', '--app', 'app_mine', '--event-id', 'evt_mine'];
    const { stdout } = await plat(send('--type', 'installation.revoked', ...ids, '--to', url, '--json'), { env });
    expect(JSON.parse(stdout).event_id).toBe('evt_mine');
    const [got] = received;
    const event = createVerifier({ secrets: SECRET }).verify(got?.body ?? '', got?.headers ?? {});
    const subject = { tenant_id: 'tnt_mine', app_id: 'app_mine' };
    expect(event).toMatchObject({ id: 'evt_mine', ...subject, data: subject });
  });

  it('sends a sample of an event of an app, for a tenant of --data, under the secret of the app', async () => {
    const { url, received } = await receiver();
    const cwd = folderWith({ 'secret.txt': 'whsec_of_the_app' });
    const data = { tenant_id: 'tnt_mine', app_id: 'app_mine' };
    const args = send('--type', 'installation.revoked', '--data', JSON.stringify(data), '--to', url);
    const { code, stdout } = await plat([...args, '--secret-file', 'secret.txt', '--json'], { env, cwd });
    expect([code, JSON.parse(stdout).event_type]).toEqual([0, 'installation.revoked']);
    const [got] = received;
    const event = createVerifier({ secrets: 'whsec_of_the_app' }).verify(got?.body ?? '', got?.headers ?? {});
    expect(isAppEvent(event)).toBe(true);
    expect(event).toMatchObject({ ...data, data: { ...data, revoked_reason: 'tenant' } });
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

  it('reports that nothing listens', async () => {
    const { code, stderr } = await plat(send('--type', 'client.created', '--to', 'http://127.0.0.1:1'), { env });
    expect(code).toBe(11);
    expect(stderr).toMatch(/ECONNREFUSED.*hint: Nothing listens there/s);
  });

  it('honours --timeout', async () => {
    const { url } = await receiver(() => {});
    const { code, stdout } = await plat(send('--type', 'client.created', '--to', url, '--timeout', '1', '--json'), {
      env,
    });
    expect([code, JSON.parse(stdout).error_code]).toEqual([11, 'TIMEOUT']);
  });

  it.each([
    ['neither file nor type', [], /--type for a sample/],
    ['both', ['body.json', '--type', 'client.created'], /--type for a sample/],
    ['an unknown type', ['--type', 'client.made'], /client.made is not an event type/],
    ['a misspelt type of an app', ['--type', 'app.disable'], /not an event type.*Did you mean app.disabled\?/s],
    ['a file that is no event', ['other.json'], /other.json does not contain an event/],
    ['stdin that is no event', ['-'], /stdin does not contain an event/],
    ['--data for a file', ['body.json', '--data', '{}'], /--data needs --type/],
    ['--tenant for a file', ['body.json', '--tenant', 'tnt_mine'], /--tenant needs --type/],
    [
      '--app for an event of tenants',
      ['--type', 'client.created', '--app', 'app_mine'],
      /--app is for event types of a/,
    ],
    ['another protocol', ['body.json', '--to', 'ftp://127.0.0.1/'], /http or https URL/],
    ['an address without its protocol', ['body.json', '--to', 'localhost:3000'], /http or https URL/],
  ])('refuses %s', async (_, args, message) => {
    const { url, received } = await receiver();
    const cwd = folderWith({ 'body.json': body, 'other.json': '{"id":1}' });
    const { code, stdout, stderr } = await plat(send(...(args.includes('--to') ? [] : ['--to', url]), ...args), {
      env,
      cwd,
    });
    expect([code, stdout, received]).toEqual([2, '', []]);
    expect(stderr).toMatch(message);
  });

  it('needs --to', async () => {
    expect((await plat(send('--type', 'client.created'), { env })).code).toBe(2);
  });
});

describe('plat trigger --raw', () => {
  it.each(['client.created', 'tenant.suspended', 'oauth.app_revoked', 'installation.authorized', 'app.deleted'])(
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

  it('ends with 11 when the receiver refuses', async () => {
    const { url } = await receiver((_, res) => res.writeHead(503).end());
    expect((await plat(['trigger', 'client.created', '--raw', '--to', url], { env })).code).toBe(11);
  });
});
