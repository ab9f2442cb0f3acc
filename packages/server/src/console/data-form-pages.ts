import type { ErrorCode } from '@plat/contract';
import { html } from '../http/html.ts';
import { ApiError } from '../kernel/api-error.ts';
import { ROLES_HERE } from './access.ts';
import { bodyOf, type PageOperation, readPage } from './api-operation.ts';
import { form, type Problems, problemSummary, type RefusedForm, refusedForm } from './forms.ts';
import type { SignedInPage } from './layout.ts';
import type { PageCall } from './page-route.ts';
import { labelOf } from './parts/label.ts';
import { type FieldChoices, fieldNames, schemaFields, type Typed } from './parts/schema-form.ts';

const MOST = 100;

interface DataForm extends Pick<SignedInPage, 'title' | 'here' | 'below'> {
  readonly operation: PageOperation;
  /** Path of the form, with the prefix. */
  readonly action: string;
  readonly typed: Typed;
  readonly problems: Problems;
  readonly button: string;
  readonly backTo: string;
  readonly isNew: boolean;
  /** Time of the last change that the form was built from. */
  readonly seen?: string;
}

/** Page with the form of an operation of /v1. */
export async function dataFormPage(call: PageCall, shown: DataForm): Promise<SignedInPage> {
  const { operation, action, typed, problems, button, backTo, isNew, seen, ...page } = shown;
  const schema = bodyOf(operation);
  const choices = await choicesOf(call, fieldNames(schema));
  return {
    ...page,
    body: html`${problemSummary(problems, fieldNames(schema))}
${form(
  { session: call.session, action, hidden: seen === undefined ? {} : { seen } },
  html`${schemaFields({ schema, typed, problems, choices, isNew })}
<div class="actions"><button type="submit" class="btn btn-primary">${button}</button><a class="btn" href="${backTo}">Cancel</a></div>`,
)}`,
  };
}

/** Fields whose values are other objects of the tenant. */
const CHOICES: Readonly<Record<string, (call: PageCall) => Promise<FieldChoices>>> = {
  async role(call) {
    const { data, hasMore } = await readPage(call, 'roles.list', {}, { limit: MOST });
    return {
      values: data.map(({ name, title }) => ({ value: String(name), words: String(title) })),
      isComplete: !hasMore,
      hint: ROLES_HERE,
    };
  },
  async client_id(call) {
    const { data } = await readPage(call, 'clients.list', {}, { limit: MOST });
    return { values: data.map(({ id, name }) => ({ value: String(id), words: String(name) })), isComplete: false };
  },
  async endpoint_id(call) {
    // The form of an app's replay has the id of the app in its path.
    const list = call.ids['app_id'] === undefined ? 'webhooks.endpoints.list' : 'apps.webhooks.endpoints.list';
    const { data } = await readPage(call, list, call.ids, { limit: MOST });
    return { values: data.map(({ id, url }) => ({ value: String(id), words: String(url) })), isComplete: true };
  },
  async capabilities(call) {
    const { data } = await readPage(call, 'modules.list', {}, { limit: MOST });
    const all = new Set(data.flatMap(({ capabilities }) => capabilities as readonly string[]));
    return { values: [...all].map((value) => ({ value, words: value })), isComplete: true };
  },
};

async function choicesOf(call: PageCall, names: readonly string[]): Promise<Readonly<Record<string, FieldChoices>>> {
  const pairs = names.flatMap((name) => {
    const read = CHOICES[name];
    return read ? [read(call).then((choices) => [name, choices] as const)] : [];
  });
  return Object.fromEntries(await Promise.all(pairs));
}

/** The field that a refusal is about. */
const FIELDS: Partial<Record<ErrorCode, string>> = {
  SLUG_IN_USE: 'slug',
  DOMAIN_IN_USE: 'domain',
  EMAIL_IN_USE: 'email',
  ROLE_NAME_IN_USE: 'name',
  ROLE_NOT_FOUND: 'role',
  CLIENT_NOT_FOUND: 'client_id',
  LOCATION_NOT_FOUND: 'location_id',
  ALREADY_MEMBER: 'client_id',
  ALREADY_OWNER: 'email',
  DEFAULT_LOCATION_PROTECTED: 'default',
};

/** Returns the problems of a refused change, which is shown again as typed. Rethrows any other error. */
export function refusedChange(error: unknown, operation?: PageOperation): RefusedForm {
  if (!(error instanceof ApiError)) throw error;
  const names = operation === undefined ? [] : fieldNames(bodyOf(operation));
  const own = FIELDS[error.code];
  if (own !== undefined && names.includes(own))
    return { status: error.status, problems: { [own]: `${error.message}.` } };
  const words = (path: string, message: string): readonly [string, string] => {
    const [name = ''] = path.split('.');
    return [names.includes(name) ? name : '', `${labelOf(name)} ${message}.`.trim()];
  };
  return refusedForm(error, words, [400, 409, 422, 429]);
}
