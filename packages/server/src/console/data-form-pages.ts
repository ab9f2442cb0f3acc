import { type ErrorCode, type Group, isId, LIMITS, type TraceSubject } from '@plat/contract';
import { html, isolated } from '../http/html.ts';
import { ApiError } from '../kernel/api-error.ts';
import { groupOfSlug } from '../resources/groups/groups.service.ts';
import { type ApiObject, bodyOf, type PageOperation, readPage } from './api-operation.ts';
import { clientOfSlug } from './entered-client.ts';
import { form, type ProblemLinks, type Problems, problemSummary, type RefusedForm, refusedForm } from './forms.ts';
import type { SignedInPage } from './layout.ts';
import { namedObject } from './named-object.ts';
import type { PageCall } from './page-route.ts';
import { labelOf } from './parts/label.ts';
import { type FieldChoices, fieldNames, schemaFields, type Typed } from './parts/schema-form.ts';
import { rolesInWords } from './roles-here.ts';

const MOST = 100;

interface DataForm extends Pick<SignedInPage, 'title' | 'here' | 'below'> {
  readonly operation: PageOperation;
  /** Path of the form, with the prefix. */
  readonly action: string;
  readonly typed: Typed;
  readonly problems: Problems;
  readonly links: ProblemLinks;
  readonly button: string;
  readonly backTo: string;
  readonly isNew: boolean;
  /** Time of the last change that the form was built from. */
  readonly seen?: string;
}

/** Page with the form of an operation of /v1. */
export async function dataFormPage(call: PageCall, shown: DataForm): Promise<SignedInPage> {
  const { operation, action, typed, problems, links, button, backTo, isNew, seen, ...page } = shown;
  const schema = bodyOf(operation);
  const choices = await choicesOf(call, fieldNames(schema), typed);
  return {
    ...page,
    body: html`${problemSummary(problems, fieldNames(schema), links)}
${form(
  { session: call.session, action, hidden: seen === undefined ? {} : { seen } },
  html`${schemaFields({ schema, typed, problems, choices, isNew })}
<div class="actions"><button type="submit" class="btn btn-primary">${button}</button><a class="btn" href="${backTo}">Cancel</a></div>`,
)}`,
  };
}

/** Fields whose values are other objects of the tenant. */
const CHOICES: Readonly<Record<string, (call: PageCall, typed: string) => Promise<FieldChoices>>> = {
  async role(call) {
    const { data, hasMore } = await readPage(call, 'roles.list', {}, { limit: MOST });
    return {
      values: data.map(({ name, title }) => ({ value: String(name), words: String(title) })),
      isComplete: !hasMore,
      hint: rolesInWords(),
    };
  },
  async client_id(call, typed) {
    const [{ data }, client] = await Promise.all([
      readPage(call, 'clients.list', {}, { limit: MOST }),
      isId('client', typed) ? namedObject(call, { type: 'client', id: typed }) : null,
    ]);
    return {
      values: data.map(({ id, name, slug }) => ({ value: String(id), words: `${name} (${slug})` })),
      isComplete: false,
      hint: 'You can also enter its name or slug.',
      current: client ? html`Currently <a href="${client.href}">${isolated(client.name)}</a>.` : undefined,
      maxLength: LIMITS.name.max,
    };
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

async function choicesOf(
  call: PageCall,
  names: readonly string[],
  typed: Typed,
): Promise<Readonly<Record<string, FieldChoices>>> {
  const pairs = names.flatMap((name) => {
    const read = CHOICES[name];
    return read ? [read(call, typed[name] ?? '').then((choices) => [name, choices] as const)] : [];
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

interface Holder {
  readonly type: TraceSubject['type'];
  /** Finds the object of the tenant that has a value. */
  readonly find: (call: PageCall, value: string) => Promise<ApiObject | Group | undefined>;
}

/** Objects with a unique value, by the family of the operation and the field. */
const HOLDERS: Readonly<Record<string, Holder>> = {
  'clients.slug': {
    type: 'client',
    find: clientOfSlug,
  },
  'groups.slug': { type: 'group', find: ({ ctx }, slug) => groupOfSlug(ctx, slug) },
  'users.email': {
    type: 'user',
    find: async (call, email) => (await readPage(call, 'users.list', {}, { email, limit: 1 })).data[0],
  },
};

/** Returns a link to the object that has the value of a refused form already, if the account may read it. */
export async function linkToHolder(call: PageCall, error: unknown, operation: PageOperation): Promise<ProblemLinks> {
  const field = error instanceof ApiError && error.code.endsWith('_IN_USE') ? FIELDS[error.code] : undefined;
  const [family] = operation.split('.');
  const holder = HOLDERS[`${family}.${field}`];
  if (field === undefined || !holder) return {};
  const object = await holder.find(call, (call.fields[field] ?? '').trim());
  const named = object && (await namedObject(call, { type: holder.type, id: String(object['id']) }));
  return named ? { [field]: html`<a href="${named.href}">Open the ${named.words} ${isolated(named.name)}</a>` } : {};
}
