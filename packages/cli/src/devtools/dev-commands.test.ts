import { describe, expect, it } from 'vitest';
import { type Answer, fakeApi, refusal } from '../testing/fake-api.ts';
import { plat } from '../testing/plat.ts';

const state = { object: 'dev_clock', now: '2026-01-01T00:00:00.000Z', frozen: true };

/** Returns the requests of a command. */
async function asked(args: readonly string[], answer: Answer = { body: state }) {
  const api = await fakeApi(() => answer);
  const ended = await plat(['dev', ...args], { env: { PLAT_BASE_URL: api.baseUrl } });
  const [request] = api.received;
  return { ...ended, requests: api.received.length, request };
}

describe('plat dev', () => {
  it.each([
    ['clock show', 'GET', '/_dev/clock', undefined],
    ['clock freeze', 'POST', '/_dev/clock/freeze', {}],
    [
      'clock freeze 2026-01-01T00:00:00Z --force',
      'POST',
      '/_dev/clock/freeze',
      { at: '2026-01-01T00:00:00Z', force: true },
    ],
    ['clock set 2026-01-01T00:00:00Z', 'POST', '/_dev/clock/set', { at: '2026-01-01T00:00:00Z' }],
    ['clock advance 90s', 'POST', '/_dev/clock/advance', { seconds: 90 }],
    ['clock advance 2d --timeout 60', 'POST', '/_dev/clock/advance', { seconds: 172_800, timeout_ms: 60_000 }],
    ['clock resume', 'POST', '/_dev/clock/resume', {}],
    ['tenant', 'POST', '/_dev/tenants', { seed: true }],
    ['tenant --name Mine --no-seed', 'POST', '/_dev/tenants', { name: 'Mine', seed: false }],
    ['wait --timeout 5', 'POST', '/_dev/idle', { timeout_ms: 5000 }],
    ['faults clear', 'DELETE', '/_dev/faults', undefined],
    ['faults clear flt_1', 'DELETE', '/_dev/faults/flt_1', undefined],
    [
      'faults add error --operation clients.* --code SLUG_IN_USE --times 2 --probability 0.5 --tenant tnt_1',
      'POST',
      '/_dev/faults',
      { kind: 'error', operation: 'clients.*', code: 'SLUG_IN_USE', times: 2, probability: 0.5, tenant_id: 'tnt_1' },
    ],
    [
      'faults add cut --when after --path /v1/clients --method POST',
      'POST',
      '/_dev/faults',
      { kind: 'cut', when: 'after', path: '/v1/clients', method: 'POST' },
    ],
    [
      'faults add delivery_error --error-class dns --endpoint whe_1 --event-type client.created',
      'POST',
      '/_dev/faults',
      { kind: 'delivery_error', error_class: 'dns', endpoint_id: 'whe_1', event_type: 'client.created' },
    ],
  ])('%s', async (words, method, path, body) => {
    const { code, stderr, request } = await asked(words.split(' '));
    expect([code, stderr]).toEqual([0, '']);
    expect(request).toMatchObject({ method, path });
    if (body) expect(request?.body).toEqual(body);
  });

  it('sends no key, even if one is configured', async () => {
    const api = await fakeApi(() => ({ body: state }));
    await plat(['dev', 'clock', 'show'], { env: { PLAT_BASE_URL: api.baseUrl, PLAT_API_KEY: 'plat_test_mine' } });
    expect(JSON.stringify(api.received)).not.toContain('plat_test_mine');
  });

  it('never retries: moving a clock twice has another effect', async () => {
    const { code, requests } = await asked(['clock', 'advance', '1h'], refusal(503, 'SERVICE_UNAVAILABLE'));
    expect([code, requests]).toEqual([8, 1]);
  });

  it('exits with 6 when work remains after the timeout', async () => {
    const { code, stderr } = await asked(['wait'], refusal(409, 'WORK_LEFT'));
    expect(code).toBe(6);
    expect(stderr).toContain('WORK_LEFT');
  });

  it('reports the next step for a server without development endpoints', async () => {
    const { code, stderr } = await asked(['clock', 'show', '--json'], refusal(404, 'NOT_FOUND'));
    expect(code).toBe(5);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'NO_DEV_TOOLS',
      next: 'Start one: plat dev (in a clone of the repository: npm start)',
    });
  });

  it.each([
    ['wait --timeout 0'],
    ['wait --timeout 601'],
    ['clock advance 1h --timeout 0'],
    ['clock advance soon'],
    ['clock set'],
    ['faults add explode'],
    ['faults add cut --probability 2'],
  ])('refuses %s and sends nothing', async (words) => {
    const { code, requests } = await asked(words.split(' '));
    expect([code, requests]).toEqual([2, 0]);
  });

  it('shows mails as text, the latest last, and as a list', async () => {
    const mails = [
      {
        id: 'mai_2',
        to: 'a@x.example',
        subject: 'Two',
        text: 'Open http://x.test/2\n\u001b[31m',
        created_at: state.now,
      },
      { id: 'mai_1', to: 'a@x.example', subject: 'One', text: null, created_at: state.now },
    ];
    const { stdout, request } = await asked(['mail', '--to', 'a@x.example'], { body: mails });
    expect(request).toMatchObject({ path: '/_dev/mail', query: { to: 'a@x.example' } });
    expect(stdout.indexOf('One')).toBeLessThan(stdout.indexOf('Two'));
    expect(stdout).toContain('  Open http://x.test/2\n');
    expect(stdout).not.toContain('\u001b');
    const listed = await asked(['mail', '--json'], { body: mails });
    expect(JSON.parse(listed.stdout)).toMatchObject({ data: [{ id: 'mai_2' }, { id: 'mai_1' }] });
  });

  const faults = [
    { object: 'dev_fault', id: 'flt_1', kind: 'error', code: 'NOT_FOUND', operation: 'clients.*', left: 1 },
    { object: 'dev_fault', id: 'flt_2', kind: 'delivery_error', status: 503, endpoint_id: 'whe_1', times: 6, left: 6 },
  ];
  const requests = [
    { object: 'request', id: 'req_2', method: 'GET', path: '/v1/me', status: 401, tenant_id: null },
    { object: 'request', id: 'req_1', method: 'GET', path: '/v1/me', status: 200, tenant_id: 'tnt_1' },
  ];
  const mails = [
    { id: 'mai_2', to: 'a@x.example', subject: 'Two', text: 'A\nB', kind: 'invitation', created_at: state.now },
    { id: 'mai_1', to: 'b@x.example', subject: 'One', text: null, kind: 'invitation', created_at: state.now },
  ];

  it.each([
    ['faults list', { object: 'list', data: faults, has_more: false, url: '/_dev/faults' }, faults, 'kind'],
    ['requests', requests, requests, 'path'],
    ['mail', mails, mails, 'subject'],
  ])('prints %s like any other list', async (words, body, items, field) => {
    const printed = async (...args: string[]) => {
      const { code, stdout, stderr, request } = await asked([...words.split(' '), ...args], { body });
      expect([code, stderr]).toEqual([0, '']);
      expect(request).toMatchObject({ method: 'GET', path: `/_dev/${words.split(' ')[0]}` });
      return stdout;
    };
    const lines = items.map((item) => JSON.stringify(item)).join('\n');
    expect(JSON.parse(await printed('--json'))).toMatchObject({ object: 'list', data: items, has_more: false });
    expect(await printed('--ndjson')).toBe(`${lines}\n`);
    expect(await printed('--output', 'ndjson')).toBe(`${lines}\n`);
    const chosen = items.map((item) => `${item.id},${Reflect.get(item, field)}\n`).join('');
    expect(await printed('--output', 'csv', '--fields', `id,${field}`)).toBe(`id,${field}\n${chosen}`);
    const [heading, first] = (await printed('--fields', `id,${field}`)).split('\n');
    expect(heading?.split(/ +/)).toEqual(['ID', field.toUpperCase()]);
    expect(first).toContain(items[0]?.id);
    expect((await printed('--output', 'csv')).split('\n')).toHaveLength(items.length + 2);
  });

  it('shows the kind and the target of each fault, in any order of the faults', async () => {
    const body = { object: 'list', data: faults, has_more: false, url: '/_dev/faults' };
    const { stdout } = await asked(['faults', 'list'], { body });
    expect(stdout).toMatch(
      /^ID +KIND .*LEFT\n(flt_1 +error .*clients\.\*.* 1)\n(flt_2 +delivery_error .*whe_1.* 6)\n$/,
    );
  });
});
