import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
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
