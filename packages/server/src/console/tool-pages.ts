import { ERROR_CODES, OPERATION_NAMES, PAYMENT_STATUSES } from '@plat/contract';
import { ACTING_ROLES } from '../accounts/acting-user.ts';
import type { DeveloperSession } from '../accounts/session.ts';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import { checkField, form, type Problems, problemSummary, selectField, textField } from './forms.ts';
import type { SignedInPage } from './layout.ts';
import { commands } from './parts/code.ts';
import { kv, mono } from './parts/kv.ts';
import type { Query } from './parts/list.ts';
import { table } from './parts/table.ts';
import { instant } from './parts/time.ts';
import { RESET_PATH, TOOLS_PATH } from './sandbox-pages.ts';
import { doneNotice } from './texts.ts';

/** Clock and faults of the development mode, as `/_dev` returns them. */
export interface DevState {
  readonly now: string;
  readonly frozen: boolean;
  readonly pending: { readonly deliveries: number; readonly mails: number; readonly next_at: string | null };
  /** True if the server shows its mails instead of sending them. */
  readonly hasMail: boolean;
  readonly faults: readonly {
    readonly id: string;
    readonly kind: string;
    readonly left: number;
    readonly operation?: string;
    readonly tenant_id?: string;
  }[];
}

interface Shown {
  readonly session: DeveloperSession;
  readonly base: string;
  /** Null where the tools of the development mode are closed. */
  readonly state: DevState | null;
  readonly capturesBodies: boolean;
  /** Fields of a refused form. */
  readonly fields: Query;
  readonly problems: Problems;
  readonly done: string | undefined;
}

const DONE = {
  bodies: 'Saved. It holds for requests from now on.',
  invoice: 'Invoice saved.',
  payment: 'Payment recorded.',
  clock: 'Clock changed. The work that became due has run.',
  fault: 'Fault added.',
  faults: 'All faults of this sandbox removed.',
};

export function toolsPage(shown: Shown): SignedInPage {
  const { base, problems, done, state } = shown;
  return {
    title: 'Sandbox',
    here: TOOLS_PATH,
    lede: 'Tools to try an integration. They affect this sandbox only, except for the clock, which is that of the server.',
    body: html`${doneNotice(done, DONE)}${problemSummary(problems)}
${section('act-as', 'Act as a user', actAsForms(shown))}
${section('bodies', 'Bodies in the request log', bodiesForm(shown))}
${section('billing', 'Invoices and payments', billingForms(shown))}
${state && section('clock', 'Clock', clockForms(shown, state))}
${state && section('faults', 'Faults', faultForms(shown, state))}
${state?.hasMail && section('mail', 'Mail', html`<p>This server sends no mail in development mode. <a href="${base}/_dev/mail">Open the mailbox</a></p>`)}
${section('reset', 'Reset', html`<p>A reset restores the sample data. The sandbox keeps its id, its API key and your OAuth apps.</p><p class="actions"><a class="btn" href="${base}${RESET_PATH}">Reset sandbox</a></p>`)}
${state && commands('plat dev clock advance --seconds 3600', 'curl -X POST "$PLAT_BASE_URL/_dev/clock/advance" \\\n  -H "Content-Type: application/json" -d \'{"seconds":3600}\'')}`,
  };
}

function section(id: string, title: string, content: HtmlValue): Html {
  return html`<section class="section flow" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}</section>`;
}

function actAsForms({ session, base }: Shown): Html {
  const forms = ACTING_ROLES.map((role) =>
    form(
      { session, action: `${base}${TOOLS_PATH}/act-as`, hidden: { role }, look: 'inline' },
      html`<button type="submit" class="btn">Act as ${role}</button>`,
    ),
  );
  return html`<p>Opens the pages of a user of this tenant, without another sign-in. You stay signed in here.</p>
<div class="actions">${forms}</div>`;
}

/** Attribute of a refused form, whose problem is above. */
const OPEN = html` open`;

function bodiesForm({ session, base, capturesBodies }: Shown): Html {
  const [words, next] = capturesBodies ? ['Stop keeping bodies', 'off'] : ['Keep bodies', 'on'];
  return html`<p>${capturesBodies ? 'The log keeps' : 'The log can keep'} the bodies of requests and responses, up to 16 KiB each, for 24 hours. Secrets are redacted. The inspector and the trace show them.</p>
${form(
  { session, action: `${base}${TOOLS_PATH}/bodies`, hidden: { captures: next ?? '' }, look: 'inline' },
  html`<button type="submit" class="btn">${words}</button>`,
)}`;
}

function billingForms({ session, base, fields }: Shown): Html {
  const text = (name: string, label: string, standard: string, hint?: string) =>
    textField({ name, label, value: fields[name] ?? standard, maxLength: 200, isRequired: true, problems: {}, hint });
  const statuses = PAYMENT_STATUSES.map((value) => ({ value, words: value }));
  return html`<p>Creates them like a billing system. The same number changes the invoice; the same reference refunds the payment. <a href="${base}/console/billing/invoices">Billing</a> shows them.</p>
<details class="more"${'number' in fields && OPEN}><summary>Create an invoice</summary>
${form(
  { session, action: `${base}${TOOLS_PATH}/invoice` },
  html`${text('number', 'Number', 'TEST-1')}${text('description', 'Line', 'Subscription')}${text('amount', 'Amount', '4900', 'In minor units: 4900 is 49.00.')}${text('currency', 'Currency', 'EUR')}${text('days', 'Due in days', '14')}
<div class="actions"><button type="submit" class="btn">Save invoice</button></div>`,
)}</details>
<details class="more"${'reference' in fields && OPEN}><summary>Record a payment</summary>
${form(
  { session, action: `${base}${TOOLS_PATH}/payment` },
  html`${text('reference', 'Reference', 'TEST-PAY-1')}${text('invoice_number', 'Number of the invoice', 'TEST-1')}<div class="field"><label for="paid">Amount</label><p class="hint" id="paid-hint">In minor units: 4900 is 49.00.</p><input class="input" id="paid" name="amount" value="${fields['amount'] ?? '4900'}" inputmode="numeric" autocomplete="off" required aria-describedby="paid-hint"></div>
<div class="field"><label for="paid-in">Currency</label><input class="input" id="paid-in" name="currency" value="${fields['currency'] ?? 'EUR'}" maxlength="3" autocomplete="off" required></div>
${text('method', 'Method', 'bank_transfer')}${selectField({ name: 'status', label: 'Status', value: fields['status'] ?? 'succeeded', problems: {} }, statuses)}
<div class="actions"><button type="submit" class="btn">Record payment</button></div>`,
)}</details>`;
}

const STEPS = [
  ['60', '1 minute'],
  ['3600', '1 hour'],
  ['86400', '1 day'],
  ['2592000', '30 days'],
] as const;

function clockForms({ session, base, fields }: Shown, { now, frozen, pending }: DevState): Html {
  const action = `${base}${TOOLS_PATH}/clock`;
  const button = (act: string, words: string) =>
    form(
      { session, action, hidden: { act }, look: 'inline' },
      html`<button type="submit" class="btn">${words}</button>`,
    );
  return html`${kv([
    ['Now', html`${instant(now)}${frozen && ' (frozen)'}`],
    ['Waiting', `${pending.deliveries} deliveries, ${pending.mails} mails`],
    ['Next', pending.next_at === null ? 'Nothing' : instant(pending.next_at)],
  ])}
${form(
  { session, action },
  html`${selectField(
    { name: 'seconds', label: 'Move forward by', value: fields['seconds'] ?? '3600', problems: {} },
    STEPS.map(([value, words]) => ({ value, words })),
  )}${checkField({ name: 'persistent', label: 'The data of this server may get these times, even if it outlives the server', isChosen: false, problems: {} })}
<div class="actions"><button type="submit" class="btn" name="act" value="advance">Move the clock</button>${!frozen && html`<button type="submit" class="btn" name="act" value="freeze">Freeze it now</button>`}</div>`,
)}
<div class="actions">${frozen && button('resume', 'Let it run')}${button('reset', 'Return to real time')}</div>`;
}

const KINDS = [
  { value: 'error', words: 'Answer with an error code' },
  { value: 'delay', words: 'Delay the response' },
  { value: 'rate_limited', words: 'Refuse by the rate limit' },
  { value: 'cut', words: 'Cut the connection before the response' },
  { value: 'malformed', words: 'Send half of the response' },
  { value: 'delivery_error', words: 'Fail a webhook delivery' },
  { value: 'duplicate_delivery', words: 'Send a webhook delivery twice' },
] as const;

function faultForms({ session, base, fields }: Shown, { faults }: DevState): Html {
  const operations = ['*', ...OPERATION_NAMES].map((value) => ({
    value,
    words: value === '*' ? 'Every operation' : value,
  }));
  const hint = html`An error code such as ${mono(Object.keys(ERROR_CODES)[0] ?? '')}, the delay in ms, or the status of a failed delivery.`;
  return html`<p>The next requests or deliveries of this sandbox fail in the way that you choose.</p>
${
  faults.length > 0 &&
  html`${table({
    caption: 'Faults that will still occur',
    items: faults,
    columns: [
      { words: 'Fault', isHead: true, cell: ({ kind }) => kind.replaceAll('_', ' ') },
      { words: 'Operation', look: 'mono', cell: ({ operation }) => operation ?? 'deliveries' },
      { words: 'Left', look: 'num', cell: ({ left }) => left },
    ],
  })}${form({ session, action: `${base}${TOOLS_PATH}/faults/remove`, look: 'inline' }, html`<button type="submit" class="btn">Remove all faults</button>`)}`
}
<details class="more"${'times' in fields && OPEN}><summary>Add a fault</summary>
${form(
  { session, action: `${base}${TOOLS_PATH}/faults` },
  html`${selectField({ name: 'kind', label: 'Fault', value: fields['kind'] ?? 'error', problems: {} }, KINDS)}
${textField({ name: 'value', label: 'Value', value: fields['value'] ?? 'SERVICE_UNAVAILABLE', maxLength: 64, hint, problems: {} })}
${selectField({ name: 'operation', label: 'Operation', value: fields['operation'] ?? '*', problems: {} }, operations)}
${textField({ name: 'times', label: 'Times', value: fields['times'] ?? '1', maxLength: 7, isRequired: true, problems: {} })}
<div class="actions"><button type="submit" class="btn">Add fault</button></div>`,
)}</details>`;
}
