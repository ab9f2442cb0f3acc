import type { AdminSession } from '../accounts/session.ts';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import { ApiError } from '../kernel/api-error.ts';
import { csrfField } from './layout.ts';

/** Problems of a posted form: a sentence per field. The empty name holds a problem of the whole form. */
export type Problems = Readonly<Record<string, string>>;

/** A link for the problem of a field, such as to the object that has the same value. */
export type ProblemLinks = Readonly<Record<string, Html>>;

interface Form {
  readonly session: Pick<AdminSession, 'csrfToken'>;
  /** Path with the prefix. */
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** `inline`: one button beside others. */
  readonly look?: 'form' | 'inline';
}

export function form({ session, action, hidden = {}, look = 'form' }: Form, content: HtmlValue): Html {
  const fields = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${action}"${look === 'form' && html` class="form flow"`}>
${csrfField(session)}${fields}
${content}
</form>`;
}

/**
 * Summary above a refused form. It takes the focus and links to each field, in the order of the fields. The heading
 * appears only if a field is at fault.
 */
export function problemSummary(problems: Problems, order: readonly string[] = [], links: ProblemLinks = {}): HtmlValue {
  const found = Object.entries(problems).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  if (found.length === 0) return null;
  const items = found.map(([name, words]) =>
    name === ''
      ? html`<li>${words}</li>`
      : html`<li><a href="#${name}">${words}</a>${links[name] && html` ${links[name]}`}</li>`,
  );
  return html`<div class="notice bad" role="alert" tabindex="-1" autofocus>
${found.some(([name]) => name !== '') && html`<h2>Fix the fields below</h2>`}
<ul>${items}</ul>
</div>`;
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: HtmlValue;
  readonly problems: Problems;
}

/** A value that a field can have. */
export interface Choice {
  readonly value: string;
  readonly words: string;
}

interface TextField extends Field {
  readonly value: string;
  readonly type?: 'text' | 'url' | 'number';
  readonly maxLength: number;
  readonly isRequired?: boolean;
  readonly isFixed?: boolean;
  /** Values that the browser suggests. */
  readonly suggestions?: readonly Choice[];
}

export function textField(field: TextField): Html {
  const { name, label, value, type = 'text', maxLength, isRequired = false, isFixed = false, suggestions = [] } = field;
  const list = html`<datalist id="${name}-list">${suggestions.map((one) => html`<option value="${one.value}">${one.words}</option>`)}</datalist>`;
  return html`<div class="field">
<label for="${name}">${label}</label>
${notes(field)}
<input class="input" id="${name}" name="${name}" type="${type}" value="${value}" maxlength="${maxLength}" autocomplete="off"${isRequired && html` required`}${isFixed && html` readonly`}${suggestions.length > 0 && html` list="${name}-list"`}${described(field)}>${suggestions.length > 0 && list}
</div>`;
}

interface LinesField extends Field {
  readonly value: string;
  readonly rows: number;
  readonly isRequired?: boolean;
}

export function linesField(field: LinesField): Html {
  const { name, label, value, rows, isRequired = true } = field;
  return html`<div class="field">
<label for="${name}">${label}</label>
${notes(field)}
<textarea class="input" id="${name}" name="${name}" rows="${rows}" spellcheck="false" autocomplete="off"${isRequired && html` required`}${described(field)}>
${value}</textarea>
</div>`;
}

export function selectField(field: Field & { readonly value: string }, choices: readonly Choice[]): Html {
  const { name, label, value } = field;
  const options = choices.map(
    (choice) =>
      html`<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.words}</option>\n`,
  );
  return html`<div class="field">
<label for="${name}">${label}</label>
${notes(field)}
<select class="input" id="${name}" name="${name}"${described(field)}>
${options}</select>
</div>`;
}

/** One box to tick. */
export function checkField(
  field: Omit<Field, 'label'> & { readonly label: HtmlValue; readonly isChosen: boolean },
): Html {
  const { name, label, isChosen } = field;
  return html`<div class="field">
<label class="check"><input type="checkbox" id="${name}" name="${name}" value="on"${isChosen && html` checked`}${described(field)}> ${label}</label>
${notes(field)}
</div>`;
}

export function radioField(field: Field, choices: readonly (Choice & { readonly isChosen: boolean })[]): Html {
  const { name } = field;
  const radios = choices.map(
    ({ value, words, isChosen }) =>
      html`<label class="check"><input type="radio" name="${name}" value="${value}" required${isChosen && html` checked`}> ${words}</label>\n`,
  );
  return fieldset(field, radios);
}

/** Groups fields that answer one question. It can have the focus, because the problem summary links to it. */
export function fieldset(field: Field, content: HtmlValue): Html {
  const { name, label } = field;
  return html`<fieldset class="field" id="${name}" tabindex="-1"${describedBy(field)}>
<legend>${label}</legend>
${notes(field)}
${content}</fieldset>`;
}

/** Returns hint and problem of a field. */
function notes({ name, hint, problems }: Omit<Field, 'label'>): HtmlValue {
  const problem = problems[name];
  return [
    hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`,
    problem !== undefined && html`<p class="error" id="${name}-problem">${problem}</p>`,
  ];
}

function described(field: Omit<Field, 'label'>): HtmlValue {
  return [describedBy(field), field.problems[field.name] !== undefined && html` aria-invalid="true"`];
}

/** Returns the attribute that connects a field with its notes. */
function describedBy({ name, hint, problems }: Omit<Field, 'label'>): HtmlValue {
  const ids = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(problems[name] === undefined ? [] : [`${name}-problem`]),
  ];
  return ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`;
}

/**
 * Refuses a form that was already submitted, if its response shows a secret. The form contains the state that it was
 * built from, which the response changes. A reload of the response, a second click or a form in another tab therefore
 * creates nothing.
 * @throws {@link ApiError} CONFLICT
 */
export function refuseResubmission(seen: string | undefined, current: string): void {
  if (seen === current) return;
  throw new ApiError(
    'CONFLICT',
    'This form was already submitted, or its data has changed. Nothing was changed now. A secret is shown once; if you lost it, create a new one',
  );
}

/** Refusal of a form that was built before another change of the object. The form is shown again as typed. */
const CHANGED_MEANWHILE = new ApiError(
  'CONFLICT',
  'The object has changed since you opened the form. Check the fields, then save again',
);

/**
 * Refuses a form that was built before another change of its object. Called in the transaction of the change, it also
 * refuses the second of two forms that are sent at the same time.
 * @throws {@link ApiError} CONFLICT
 */
export function refuseStale(seen: string | undefined, current: string): void {
  if (seen !== current) throw CHANGED_MEANWHILE;
}

export interface RefusedForm {
  readonly status: number;
  readonly problems: Problems;
}

/**
 * Returns status and problems of a refused form, which is shown again. Rethrows any other error.
 * @param words returns the field and the sentence for a fault
 */
export function refusedForm(
  error: unknown,
  words: (path: string, message: string) => readonly [field: string, sentence: string],
  statuses: readonly number[] = [400, 422],
): RefusedForm {
  if (!(error instanceof ApiError)) throw error;
  if (error !== CHANGED_MEANWHILE && !statuses.includes(error.status)) throw error;
  const { status, message, errors = [] } = error;
  const problems: Record<string, string> = {};
  for (const fault of errors) {
    const [field, sentence] = words(fault.path, fault.message);
    problems[field] = problems[field] === undefined ? sentence : `${problems[field]} ${sentence}`;
  }
  return { status, problems: errors.length === 0 ? { '': `${message}.` } : problems };
}

/** Returns the number that a text of a form has in digits. Any other text stays as it is, for a schema to refuse. */
export function numberOrText(text = ''): number | string {
  return /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(text) ? Number(text) : text;
}
