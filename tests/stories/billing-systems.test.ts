import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HEADERS } from '@plat/contract';
import { newId } from '@plat/server/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { operate } from '../support/operator.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

const story = useServer();
let tenantId: string;
let api: Api;

beforeAll(async () => {
  const tenant = await story.server.createTenant({ sandbox: false });
  ({ tenantId } = tenant);
  api = apiOf(story.server.baseUrl, tenant.apiKey);
});

const line = { description: 'Growth, March 2026', quantity: 1, amount: 4900 };
const invoice = {
  status: 'open',
  currency: 'EUR',
  amount_due: 4900,
  period_start: '2026-03-01T00:00:00Z',
  period_end: '2026-04-01T00:00:00Z',
  due_at: '2026-04-15T00:00:00Z',
  lines: [line],
};
const payment = { status: 'succeeded', currency: 'EUR', amount: 4900, method: 'bank_transfer' };

const actions = async (): Promise<string[]> =>
  (await api('/v1/audit/events')).body.data.map(({ action }: { action: string }) => action);
const invoices = async () => (await api('/v1/billing/invoices')).body.data;
const payments = async () => (await api('/v1/billing/payments')).body.data;
const events = async () => (await api('/v1/webhooks/events')).body.data;

describe('an operator', () => {
  const folder = tempFolder('billing').path;
  let files = 0;
  const run = (command: string, content: object, tenant = tenantId) => {
    const file = join(folder, `${files++}.json`);
    writeFileSync(file, JSON.stringify(content));
    return operate(story.database.url, ...command.split(' '), tenant, file);
  };
  const put = (content: object, tenant?: string) => run('invoices put', { number: '2026/03', ...content }, tenant);
  const record = (content: object) =>
    run('payments record', { reference: 'bank:1', invoice_number: '2026/03', ...content });

  test('puts an invoice, and the same again changes nothing', async () => {
    const { json } = await put(invoice);
    expect(json).toMatchObject({ number: '2026/03', status: 'open', amount_due: 4900, amount_paid: 0 });
    expect(await put(invoice)).toMatchObject({ json, code: 0 });
    expect(await invoices()).toEqual([{ object: 'invoice', ...json, lines: [line] }]);
    expect(await actions()).toEqual(['invoice.created']);
  });

  test('records a payment once, which pays the invoice, and refunds it', async () => {
    await record(payment);
    expect(await payments()).toMatchObject([payment]);
    expect(await invoices()).toMatchObject([{ status: 'paid', amount_paid: 4900 }]);
    expect((await api('/v1/audit/events?limit=1')).body.data[0]).toMatchObject({
      action: 'invoice.updated',
      actor: { type: 'operator', id: null },
      changes: { status: { before: 'open', after: 'paid' }, amount_paid: { before: 0, after: 4900 } },
    });
    expect((await record({ ...payment, status: 'refunded' })).json).toMatchObject({ status: 'refunded' });
    expect(await invoices()).toMatchObject([{ status: 'open', amount_paid: 0 }]);
    expect((await actions()).slice(0, 2)).toEqual(['invoice.updated', 'payment.refunded']);
    expect(await events()).toEqual([]);
  });

  test('reads why a file is refused', async () => {
    const answers = [record(payment), record({ ...payment, amount: 1.5, methods: 1 }), put(invoice, 'tnt_none')];
    const [changed, invalid, unknown] = (await Promise.all(answers)).map(({ stderr }) => stderr);
    expect(changed).toMatch(/Another payment has the reference bank:1: different status/);
    expect(invalid).toMatch(/amount must .*\n.*methods/);
    expect(unknown).toMatch(/there is no tenant tnt_none/);
  });
});

describe('a billing system with a vendor key', () => {
  let owner: Api;
  let vendor: Api;
  let base: string;

  beforeAll(async () => {
    const tenant = await story.server.createTenant({ sandbox: false });
    owner = apiOf(story.server.baseUrl, tenant.apiKey);
    vendor = apiOf(story.server.baseUrl, await story.server.createVendorKey());
    base = `/operator/v1/tenants/${tenant.tenantId}`;
  });

  const put = (path: string, body: unknown, by = vendor) => by(`${base}/${path}`, { method: 'PUT', body });
  const pay = (reference: string, change: object = {}) =>
    put(`payments/${reference}`, { ...payment, invoice_number: 'A/1', ...change });
  const list = async (family: string) => (await owner(family)).body.data;
  const shown = async () => (await list('/v1/billing/invoices'))[0];

  test('puts invoices and payments, and repeats change nothing', async () => {
    const { status, body, headers } = await put('invoices/A%2F1', invoice);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(Number(headers.get(HEADERS.rateRemaining))).toBeGreaterThan(0);
    expect(body).toEqual(await shown());
    expect(body).toMatchObject({ object: 'invoice', number: 'A/1', status: 'open', amount_paid: 0, lines: [line] });
    expect((await put('invoices/A%2F1', invoice)).body).toEqual(body);
    const [first, ...repeats] = await Promise.all([pay('p1'), pay('p1'), pay('p1')]);
    for (const repeat of repeats) expect(repeat.body).toEqual(first?.body);
    expect(await list('/v1/billing/payments')).toEqual([first?.body]);
    expect(await shown()).toMatchObject({ status: 'paid', amount_paid: 4900 });
    expect((await put('invoices/A%2F1', invoice)).body).toMatchObject({ status: 'paid' });

    const audit = await list('/v1/audit/events');
    const ordered = audit.map(({ action }: { action: string }) => action).reverse();
    expect(ordered).toEqual(['invoice.created', 'payment.recorded', 'invoice.updated']);
    expect(audit[2]).toMatchObject({
      actor: { type: 'api_key', id: expect.stringMatching(/^key_/) },
      request_id: expect.stringMatching(/^req_/),
    });
    expect(await list('/v1/webhooks/events')).toEqual([]);
    expect(await list('/v1/requests')).not.toContainEqual(expect.objectContaining({ method: 'PUT' }));
  });

  test('changes the amount that is due, and counts part payments', async () => {
    await put('invoices/A%2F1', { ...invoice, amount_due: 9800 });
    expect(await shown()).toMatchObject({ status: 'open', amount_due: 9800, amount_paid: 4900 });
    await pay('p2', { status: 'failed' });
    expect(await shown()).toMatchObject({ status: 'open', amount_paid: 4900 });
    await pay('p3');
    expect(await shown()).toMatchObject({ status: 'paid', amount_paid: 9800 });
    await pay('p3', { status: 'refunded' });
    expect(await shown()).toMatchObject({ status: 'open', amount_paid: 4900 });
  });

  test('is refused what contradicts a payment or an invoice', async () => {
    await put('invoices/draft', { ...invoice, status: 'draft', due_at: null });
    const before = [await list('/v1/billing/invoices'), await list('/v1/billing/payments')];
    expectRefusal(await pay('p1', { amount: 1 }), 'CONFLICT');
    expectRefusal(await pay('p1', { invoice_number: 'draft' }), 'CONFLICT');
    expectRefusal(await pay('p3'), 'CONFLICT');
    expectRefusal(await pay('p2', { status: 'refunded' }), 'CONFLICT');
    expectRefusal(await pay('p4', { currency: 'USD' }), 'UNPROCESSABLE');
    expectRefusal(await pay('p4', { invoice_number: 'draft' }), 'UNPROCESSABLE');
    expectRefusal(await pay('p4', { invoice_number: 'none' }), 'INVOICE_NOT_FOUND');
    for (const status of ['void', 'draft']) {
      expectRefusal(await put('invoices/A%2F1', { ...invoice, status }), 'UNPROCESSABLE');
    }
    expectRefusal(await put('invoices/A%2F1', { ...invoice, currency: 'USD' }), 'UNPROCESSABLE');
    expect([await list('/v1/billing/invoices'), await list('/v1/billing/payments')]).toEqual(before);
  });

  test('uses the number and the reference of another tenant, whose invoice and payment stay', async () => {
    const before = [await invoices(), await payments()];
    expect(before).toMatchObject([[{ number: '2026/03' }], [{ status: 'refunded' }]]);
    const oneDay = { ...invoice, currency: 'USD', period_end: invoice.period_start };
    expect((await put('invoices/2026%2F03', oneDay)).body).toMatchObject({ status: 'open', currency: 'USD' });
    const { body: paid } = await pay('bank:1', { invoice_number: '2026/03', currency: 'USD' });
    expect(paid).toMatchObject({ status: 'succeeded', currency: 'USD', invoice_id: (await shown()).id });
    expect(await shown()).toMatchObject({ number: '2026/03', status: 'paid' });
    expect([await invoices(), await payments()]).toEqual(before);
  });

  test('changes the currency of an invoice without payments, and pays no void one', async () => {
    const { status, body } = await put('invoices/draft', { ...invoice, status: 'void', currency: 'USD' });
    expect([status, body.currency]).toEqual([200, 'USD']);
    expectRefusal(await pay('p4', { invoice_number: 'draft', currency: 'USD' }), 'UNPROCESSABLE');
  });

  test('reads which fields are not valid', async () => {
    const bad = { ...invoice, status: 'paid', amount_due: -1, lines: [{ ...line, amount: '1' }], extra: 1 };
    const fields = ['amount_due', 'extra', 'lines.0.amount', 'status'];
    expectRefusal(await put('invoices/A%2F2', bad), 'INVALID_BODY', fields);
    const ends = { ...invoice, period_end: '2026-02-01T00:00:00Z' };
    expectRefusal(await put('invoices/A%2F2', ends), 'INVALID_BODY', ['period_end']);
    expectRefusal(await put('invoices/%20', invoice), 'INVALID_REQUEST', ['number']);
    expectRefusal(await put('invoices/A%2F2', '['), 'INVALID_BODY');
    expectRefusal(await vendor(`${base}/invoices/A%2F1`), 'NOT_FOUND');
  });

  test('reaches production tenants only, and only vendor keys do', async () => {
    const sandbox = await story.server.createTenant();
    for (const id of [sandbox.tenantId, 'tnt_none', newId('tenant', 1)]) {
      expectRefusal(
        await vendor(`/operator/v1/tenants/${id}/invoices/1`, { method: 'PUT', body: invoice }),
        'NOT_FOUND',
      );
    }
    const [gone, suspended] = [1, Date.now() + 86_400_000].map(async (delete_after) => {
      const { tenantId: id } = await story.server.createTenant({ sandbox: false });
      await story.server.db.models.tenant.update({ status: 'suspended', delete_after }, { where: { id } });
      return vendor(`/operator/v1/tenants/${id}/invoices/1`, { method: 'PUT', body: invoice });
    });
    expect([(await gone)?.status, (await suspended)?.status]).toEqual([404, 200]);
    expectRefusal(await put('invoices/1', invoice, owner), 'FORBIDDEN');
    expectRefusal(await put('invoices/1', invoice, apiOf(story.server.baseUrl)), 'INVALID_TOKEN');
    expectRefusal(await put('invoices/1', invoice, apiOf(story.server.baseUrl, 'plat_at_x')), 'INVALID_TOKEN');
    const missing = await apiOf(story.server.baseUrl)('/operator/v1/nothing');
    expectRefusal(missing, 'INVALID_TOKEN');
    expect(missing.body.message).toBe('Send the header Authorization: Bearer <vendor key>');
    expectRefusal(await vendor('/v1/billing/invoices'), 'VENDOR_KEY_NOT_ALLOWED_ON_V1');
    expectRefusal(await vendor('/operator/v1/nothing'), 'NOT_FOUND');
  });
});
