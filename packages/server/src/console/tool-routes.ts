import type { ErrorBody } from '@plat/contract';
import { object } from '@plat/contract/schemas';
import { actAs } from '../accounts/acting-user.ts';
import {
  billingName,
  type InvoiceContent,
  invoiceContent,
  type PaymentContent,
  paymentContent,
} from '../accounts/billing-content.ts';
import { putInvoice } from '../accounts/invoices.ts';
import { recordPayment } from '../accounts/payments.ts';
import { findTenant } from '../accounts/tenants.ts';
import { validate } from '../http/validate.ts';
import { ApiError } from '../kernel/api-error.ts';
import { DAY_MS } from '../kernel/clock.ts';
import { captureBodies } from '../sandbox/body-capture.ts';
import { numberOrText, type Problems } from './forms.ts';
import type { PageAnswer, PageCall, PageRoute } from './page-route.ts';
import { PLACES } from './places.ts';
import { TOOLS_PATH } from './sandbox-pages.ts';
import { type DevState, toolsPage } from './tool-pages.ts';

/** The tools of a sandbox: users to act as, bodies in the log, billing by hand; in development mode clock and faults. */
export const toolRoutes: readonly PageRoute<'developer'>[] = [
  { room: 'sandbox', method: 'GET', path: TOOLS_PATH, handle: (call) => shown(call) },
  post('act-as', async ({ change, fields }) => {
    const account = await change((made) => actAs(made, fields['role'] ?? ''));
    return { goTo: PLACES.admin.home, actAs: account };
  }),
  post('bodies', async ({ change, fields }) => {
    await change((made) => captureBodies(made, fields['captures'] === 'on'));
    return done('bodies');
  }),
  post('invoice', async ({ change, fields, now }) => {
    const { number = '', currency, description, amount, days } = fields;
    const inDays = numberOrText(days);
    const due = new Date(typeof inDays === 'number' ? now + inDays * DAY_MS : Number.NaN);
    const content = validate('INVALID_BODY', invoiceContent, {
      status: 'open',
      currency,
      amount_due: numberOrText(amount),
      period_start: new Date(now).toISOString(),
      period_end: new Date(now + 30 * DAY_MS).toISOString(),
      due_at: Number.isNaN(due.getTime()) ? days : due.toISOString(),
      lines: [{ description, quantity: 1, amount: numberOrText(amount) }],
    }) as InvoiceContent;
    await change((made) => putInvoice(made, nameOf('number', number), content));
    return done('invoice');
  }),
  post('payment', async ({ change, fields }) => {
    const { reference = '', invoice_number, status, currency, amount, method } = fields;
    const given = { invoice_number, status, currency, amount: numberOrText(amount), method };
    const content = validate('INVALID_BODY', paymentContent, given) as PaymentContent;
    await change((made) => recordPayment(made, nameOf('reference', reference), content));
    return done('payment');
  }),
  post('clock', async (call) => {
    const { act = '', seconds, persistent } = call.fields;
    const moves = act === 'advance' ? { seconds: numberOrText(seconds) } : {};
    const consent = act === 'freeze' || act === 'advance' ? { persistent: persistent === 'on' } : {};
    await dev(call, 'POST', `/clock/${encodeURIComponent(act)}`, { ...moves, ...consent });
    return done('clock');
  }),
  post('faults', async (call) => {
    const { kind = '', times, operation, value } = call.fields;
    const fault = { kind, times: numberOrText(times), tenant_id: call.session.tenantId };
    const target = kind.includes('delivery') ? {} : { operation };
    await dev(call, 'POST', '/faults', { ...fault, ...target, ...effectOf(kind, value ?? '') });
    return done('fault');
  }),
  post('faults/remove', async (call) => {
    const { faults = [] } = (await devStateOf(call)) ?? {};
    for (const { id } of faults) await dev(call, 'DELETE', `/faults/${id}`);
    return done('faults');
  }),
];

function post(name: string, handle: PageRoute<'developer'>['handle']): PageRoute<'developer'> {
  return {
    room: 'sandbox',
    method: 'POST',
    path: `${TOOLS_PATH}/${name}`,
    // A clock that moves waits for work of the server.
    callsApi: true,
    async handle(call) {
      try {
        return await handle(call);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error;
        const words = error.errors?.map(({ path, message }) => `${path} ${message}`).join('; ');
        return shown(call, { status: error.status, problems: { '': `${words || error.message}.` } });
      }
    },
  };
}

function done(what: string): PageAnswer {
  return { goTo: `${TOOLS_PATH}?done=${what}` };
}

/** Returns the name that a billing system would give an invoice or a payment. */
function nameOf(field: string, name: string): string {
  validate('INVALID_BODY', object({ [field]: billingName }, [field]), { [field]: name });
  return name;
}

/** Returns the field that determines the effect of a fault. */
function effectOf(kind: string, value: string): Readonly<Record<string, unknown>> {
  switch (kind) {
    case 'error':
      return { code: value };
    case 'delay':
      return { ms: numberOrText(value) };
    case 'delivery_error':
      return /^\d+$/.test(value) ? { status: Number(value) } : {};
    case 'cut':
      return { when: 'before' };
    default:
      return {};
  }
}

async function shown(
  call: PageCall<'developer'>,
  refused: { readonly status?: number; readonly problems: Problems } = { problems: {} },
): Promise<PageAnswer> {
  const { session, db, base, query, fields } = call;
  const [tenant, state] = await Promise.all([findTenant(db, session.tenantId, null), devStateOf(call)]);
  return {
    ...(refused.status !== undefined && { status: refused.status }),
    page: toolsPage({
      ...{ session, base, state, fields, problems: refused.problems, done: query['done'] },
      capturesBodies: tenant?.captures_bodies === 1,
    }),
  };
}

/** Returns clock and own faults of the development mode; null where its tools are closed. */
async function devStateOf(call: PageCall<'developer'>): Promise<DevState | null> {
  const [clock, faults, mail] = await Promise.all(
    ['/clock', '/faults', '/mail'].map((path) => devCall(call, 'GET', path)),
  );
  if (clock?.status !== 200 || faults?.status !== 200) return null;
  const { data } = JSON.parse(faults.body) as { readonly data: DevState['faults'] };
  const own = data.filter(({ tenant_id }) => tenant_id === call.session.tenantId);
  const state = JSON.parse(clock.body) as Omit<DevState, 'faults' | 'hasMail'>;
  return { ...state, faults: own, hasMail: mail?.status === 200 };
}

/**
 * Calls the API of the development mode, which has the rules.
 * @throws {@link ApiError} its refusal
 */
async function dev(call: PageCall<'developer'>, method: string, path: string, body?: object): Promise<void> {
  const { status, body: text } = await devCall(call, method, path, body);
  if (status !== null && status < 400) return;
  const { code, message, errors } = JSON.parse(text) as ErrorBody;
  throw new ApiError(code, message, errors ? { errors } : {});
}

function devCall({ call }: PageCall<'developer'>, method: string, path: string, body?: object) {
  const json = body === undefined ? null : JSON.stringify(body);
  return call({ caller: null, method, target: `/_dev${path}`, headers: {}, body: json });
}
