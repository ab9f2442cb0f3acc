import type { AdminSession } from '../accounts/session.ts';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import { ApiError } from '../kernel/api-error.ts';
import { csrfField } from './layout.ts';

/** What is wrong with a posted form: a sentence for each field, and under the empty name one for all of it. */
export type Problems = Readonly<Record<string, string>>;

interface Form {
  readonly session: Pick<AdminSession, 'csrfToken'>;
  /** Prefix included. */
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly look?: 'card' | 'inline';
}

export function form({ session, action, hidden = {}, look = 'card' }: Form, content: HtmlValue): Html {
  const fields = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${action}" class="${look}">
${csrfField(session)}${fields}
${content}
</form>`;
}

/** Above a form that was refused. It takes the focus, and leads to each field in the order that they are in. */
export function problemSummary(problems: Problems, order: readonly string[] = []): HtmlValue {
  const found = Object.entries(problems).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  if (found.length === 0) return null;
  const items = found.map(([name, words]) =>
    name === '' ? html`<li>${words}</li>` : html`<li><a href="#${name}">${words}</a></li>`,
  );
  return html`<div class="alert" role="alert" tabindex="-1" autofocus>
<p><strong>Nothing was changed yet.</strong></p>
<ul>${items}</ul>
</div>`;
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: HtmlValue;
  readonly problems: Problems;
}

interface TextField extends Field {
  readonly value: string;
  readonly type?: 'text' | 'url';
  readonly maxLength: number;
  readonly isRequired?: boolean;
  readonly isFixed?: boolean;
}

export function textField(field: TextField): Html {
  const { name, label, value, type = 'text', maxLength, isRequired = false, isFixed = false } = field;
  return html`<div class="field">
<label for="${name}">${label}</label>
${notes(field)}
<input id="${name}" name="${name}" type="${type}" value="${value}" maxlength="${maxLength}" autocomplete="off"${isRequired && html` required`}${isFixed && html` readonly`}${described(field)}>
</div>`;
}

export function linesField(field: Field & { readonly value: string; readonly rows: number }): Html {
  const { name, label, value, rows } = field;
  return html`<div class="field">
<label for="${name}">${label}</label>
${notes(field)}
<textarea id="${name}" name="${name}" rows="${rows}" spellcheck="false" autocomplete="off" required${described(field)}>
${value}</textarea>
</div>`;
}

interface Choice {
  readonly value: string;
  readonly words: string;
  readonly isChosen: boolean;
}

export function radioField(field: Field, choices: readonly Choice[]): Html {
  const { name } = field;
  const radios = choices.map(
    ({ value, words, isChosen }) =>
      html`<label class="choice"><input type="radio" name="${name}" value="${value}" required${isChosen && html` checked`}> ${words}</label>\n`,
  );
  return fieldset(field, radios);
}

/** Fields that are one question. A summary of problems leads to it, so it can have the focus. */
export function fieldset(field: Field, content: HtmlValue): Html {
  const { name, label } = field;
  return html`<fieldset id="${name}" tabindex="-1"${describedBy(field)}>
<legend>${label}</legend>
${notes(field)}
${content}</fieldset>`;
}

/** What is said of a field beside its label: help, and what is wrong. */
function notes({ name, hint, problems }: Field): HtmlValue {
  const problem = problems[name];
  return [
    hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`,
    problem !== undefined && html`<p class="problem" id="${name}-problem">${problem}</p>`,
  ];
}

function described(field: Field): HtmlValue {
  return [describedBy(field), field.problems[field.name] !== undefined && html` aria-invalid="true"`];
}

/** Ties a field to its notes. */
function describedBy({ name, hint, problems }: Field): HtmlValue {
  const ids = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(problems[name] === undefined ? [] : [`${name}-problem`]),
  ];
  return ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`;
}

/**
 * For a form whose answer shows a secret: it carries what it was made from, which the answer changes. A reload of the
 * answer, a second click and a form that was left open in another tab make nothing more.
 * @throws {@link ApiError} CONFLICT
 */
export function refuseSentBefore(seen: string | undefined, current: string): void {
  if (seen === current) return;
  throw new ApiError(
    'CONFLICT',
    'This form was sent before, or something else changed meanwhile. Nothing was changed now. A secret is shown once; if it is lost, make another one',
  );
}

export interface RefusedForm {
  readonly status: number;
  readonly problems: Problems;
}

/**
 * What a form is shown again with that was refused for what it says; anything else is thrown on.
 * @param words the field and the sentence for a fault that the rules found
 */
export function refusedForm(
  error: unknown,
  words: (path: string, message: string) => readonly [field: string, sentence: string],
): RefusedForm {
  if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 422)) throw error;
  const { status, message, errors = [] } = error;
  const problems: Record<string, string> = {};
  for (const fault of errors) {
    const [field, sentence] = words(fault.path, fault.message);
    problems[field] = problems[field] === undefined ? sentence : `${problems[field]} ${sentence}`;
  }
  return { status, problems: errors.length === 0 ? { '': `${message}.` } : problems };
}
