import {
  type ErrorBody,
  HEADERS,
  isErrorCode,
  LIMITS,
  OPERATION_NAMES,
  OPERATIONS,
  pathParametersOf,
} from '@plat/contract';
import { ERROR_REFERENCE } from '@plat/contract/error-reference';
import type { AdminSession, DeveloperSession } from '../accounts/session.ts';
import { asCurl, asPlat, asSdk, inputSchemaOf, type OperationCall } from '../http/call-code.ts';
import type { InsideAnswer } from '../http/call-inside.ts';
import { exampleOf } from '../http/example.ts';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import { type Filled, type InputField, inputFields } from './explorer-form.ts';
import { checkField, linesField, type Problems, problemSummary, selectField, textField } from './forms.ts';
import { csrfField, type SignedInPage } from './layout.ts';
import { statusBadge } from './parts/badge.ts';
import { codeBlock, jsonBlock, jsonIn } from './parts/code.ts';
import { copyId, kv } from './parts/kv.ts';
import { problem, referenceText } from './parts/pane.ts';

export const EXPLORER_PATH = '/explorer';

/** Characters of a response that a page shows, and with quiet keys. */
const SHOWN_BODY = 12_000;
const MARKED_BODY = 6_000;

interface Shown {
  readonly session: AdminSession | DeveloperSession;
  readonly base: string;
  readonly prefix: string;
  readonly filled: Filled;
  readonly problems: Problems;
  /** The call that the form describes; null while fields are missing. */
  readonly call: OperationCall | null;
  /** Null before the call. */
  readonly answer: InsideAnswer | null;
  /** True if the role of the account allows the operation. */
  readonly mayRun: boolean;
  /** Idempotency-Key of the next change. */
  readonly nextKey: string;
}

export function explorerPage(shown: Shown): SignedInPage {
  const { base, prefix, filled, answer, call } = shown;
  const own = base + prefix + EXPLORER_PATH;
  return {
    title: 'Explorer',
    here: prefix + EXPLORER_PATH,
    lede: 'Call an operation of the API with your own rights. Checks, limits, log and audit trail are those of any other call.',
    body: html`<form class="filters" method="get" action="${own}" aria-label="Choose an operation">
${operationField(filled.operation)}<button type="submit" class="btn">Open</button></form>
<div class="cols section"><div>${answer && answerSection(shown, answer)}${operationForm(shown, filled, own)}</div>
<aside aria-labelledby="as-code"><h2 id="as-code">As code</h2>
${
  call === null
    ? html`<p class="hint">Fill in the form to see the call as curl, SDK and plat.</p>`
    : html`${codeBlock({ label: 'curl', text: asCurl(call) })}${codeBlock({ label: 'SDK', text: asSdk(call) })}${codeBlock({ label: 'plat', text: asPlat(call) })}`
}</aside></div>`,
  };
}

const OPERATION_CHOICES = OPERATION_NAMES.map((name) => ({
  value: name,
  words: `${name}: ${OPERATIONS[name].summary}`,
}));

function operationField(value: string): Html {
  return selectField({ name: 'operation', label: 'Operation', value, problems: {} }, OPERATION_CHOICES);
}

function operationForm(shown: Shown, filled: Filled, own: string): Html {
  const { operation, given, asJson } = filled;
  const { session, problems, mayRun } = shown;
  const { method, path, scope, summary } = OPERATIONS[operation];
  const isRead = method === 'GET';
  const parameters = pathParametersOf(OPERATIONS[operation]).map((name) =>
    textField({
      name: `path.${name}`,
      label: name,
      value: given[`path.${name}`] ?? '',
      maxLength: LIMITS.email.max,
      isRequired: true,
      problems,
    }),
  );
  const hasInput = inputSchemaOf(operation) !== null;
  const other = `${own}?${new URLSearchParams({ operation, ...(asJson ? {} : { as: 'json' }) })}`;
  return html`<section class="section" aria-labelledby="call"><div class="section-head"><h2 id="call" class="mono">${method} ${path}</h2>${hasInput && !isRead && html`<a href="${other}">${asJson ? 'Use the form' : 'Edit as JSON'}</a>`}</div>
<p>${summary}. ${scope === null ? 'No scope is needed.' : html`Scope: <code>${scope}</code>.`}</p>
${!mayRun && html`<p class="notice warn">Your role cannot make this call. Ask an owner of the tenant.</p>`}
${problemSummary(problems)}
<form class="form flow" method="${isRead ? 'get' : 'post'}" action="${own}">
${!isRead && csrfField(session)}<input type="hidden" name="operation" value="${operation}">${isRead ? html`<input type="hidden" name="run" value="1">` : html`<input type="hidden" name="as" value="${asJson && 'json'}">`}
${parameters}${asJson && !isRead ? jsonField(filled, problems) : inputFields(operation).map((field) => inputField(field, given, problems))}
${
  method === 'POST' &&
  textField({
    name: 'key',
    label: HEADERS.idempotencyKey,
    value: keyOf(shown, given['key']),
    maxLength: LIMITS.idempotencyKey.max,
    hint: 'The same call with the same key runs once.',
    problems,
  })
}
${
  !isRead &&
  !session.sandbox &&
  checkField({ name: 'confirmed', label: `Change live data of ${session.tenantName}`, isChosen: false, problems })
}
${mayRun && html`<div class="actions"><button type="submit" class="btn btn-primary">Run ${operation}</button></div>`}
</form></section>`;
}

/**
 * The key in the form. A call with an outcome gets a new one, because another body with the same key is refused. A call
 * without an outcome keeps it, so that running it again is safe.
 */
function keyOf({ answer, nextKey }: Shown, typed: string | undefined): string {
  const hasOutcome = answer !== null && answer.status !== null && answer.status < 500;
  return typed === undefined || (hasOutcome && typed !== '') ? nextKey : typed;
}

function jsonField({ operation, given }: Filled, problems: Problems): Html {
  const schema = inputSchemaOf(operation);
  const example = JSON.stringify((schema && exampleOf(schema)) ?? {}, null, 2);
  return linesField({
    name: 'json',
    label: 'Body as JSON',
    value: given['json'] ?? example,
    rows: 10,
    problems,
  });
}

function inputField(input: InputField, given: Filled['given'], problems: Problems): Html {
  const { name, schema, isRequired, isNullable, kind } = input;
  if (isNullable) {
    const label = html`Send <code>null</code><span class="sr"> for ${name}</span>`;
    const box = checkField({ name: `null.${name}`, label, isChosen: given[`null.${name}`] === 'on', problems });
    return html`${inputField({ ...input, isNullable: false }, given, problems)}${box}`;
  }
  const field = {
    name: `in.${name}`,
    label: isRequired ? `${name} (required)` : name,
    value: given[`in.${name}`] ?? '',
    hint: hintOf(schema.description, kind),
    problems,
  };
  if (kind !== 'choice' && kind !== 'flag') return textField({ ...field, maxLength: LIMITS.url.max });
  const values =
    kind === 'flag' ? ['true', 'false'] : (schema.enum ?? []).filter((value) => value !== null).map(String);
  const choices = [{ value: '', words: 'Not sent' }, ...values.map((value) => ({ value, words: value }))];
  return selectField(field, choices);
}

function hintOf(description: string | undefined, kind: InputField['kind']): HtmlValue {
  return [referenceText(description ?? ''), kind === 'list' && ' Separate values by commas.'];
}

function answerSection({ base, prefix, filled }: Shown, { status, headers, body }: InsideAnswer): Html {
  const requestId = String(headers[HEADERS.requestId.toLowerCase()] ?? '');
  // The log has no reads of itself.
  const isLogged = !/^(?:requests|trace)\./.test(filled.operation) || (status ?? 500) >= 400;
  return html`<section aria-labelledby="answer"><h2 id="answer">Response ${statusBadge(status)}</h2>
${refusalOf(status, body)}
${kv([
  ['Request', requestId !== '' && copyId(requestId)],
  ['Trace', requestId !== '' && isLogged && html`<a href="${base}${prefix}/trace?id=${requestId}">Open trace</a>`],
])}
${bodyBlock(body)}
<details class="more"><summary>${Object.keys(headers).length} headers</summary>
${kv(Object.entries(headers).map(([name, value]) => [name, String(value)]))}</details></section>`;
}

function refusalOf(status: number | null, body: string): Html | null {
  if (status === null) return problem('bad', 'The connection ended', 'There is no response.', 'Run the call again.');
  if (status < 400) return null;
  const error = jsonIn(body) as ErrorBody | undefined;
  if (!error || !isErrorCode(error.code)) return null;
  const { cause, fix } = ERROR_REFERENCE[error.code];
  return problem(status >= 500 ? 'bad' : 'warn', error.message, referenceText(cause), referenceText(fix));
}

/** A long body is shown without marks, and then cut, so that the page stays small. */
function bodyBlock(body: string): Html {
  const value = body === '' ? null : jsonIn(body);
  const text = value === undefined ? body : JSON.stringify(value, null, 2);
  if (value !== undefined && text.length <= MARKED_BODY) return jsonBlock('Body', value);
  const isCut = text.length > SHOWN_BODY;
  const label = isCut ? `Body, the first ${SHOWN_BODY} of ${text.length} characters` : 'Body';
  return codeBlock({ label, text: text.slice(0, SHOWN_BODY) });
}
