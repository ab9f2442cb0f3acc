import {
  ALL_APP_EVENT_TYPES,
  ALL_EVENT_TYPES,
  type AnyEventType,
  APP_EVENT_TYPES,
  type AppEventType,
  EVENT_TYPES,
  type EventType,
  LIMITS,
} from '@plat/contract';
import { type JsonSchema, SCHEMAS } from '@plat/contract/schemas';
import type { EndpointOf } from '../accounts/owned-webhooks.ts';
import { type Html, html } from '../http/html.ts';
import { validate } from '../http/validate.ts';
import { ApiError } from '../kernel/api-error.ts';
import { fieldset, form, type Problems, problemSummary, type RefusedForm, refusedForm, textField } from './forms.ts';
import type { PageCall } from './page-route.ts';

/** The owner of an endpoint: its event types, and what its form says. */
export interface EndpointOwner<T extends AnyEventType> {
  readonly types: readonly T[];
  readonly words: Readonly<Record<T, string>>;
  /** Schema of the fields of the form. */
  readonly schema: JsonSchema;
  /** Words after "Your receiver, at a public address". */
  readonly place: string;
  /** Environment variable for the signing secret, in the examples. */
  readonly secretVariable: string;
}

export const TENANT_ENDPOINTS: EndpointOwner<EventType> = {
  types: ALL_EVENT_TYPES,
  words: EVENT_TYPES,
  schema: SCHEMAS.WebhookEndpointCreateParams,
  place: '',
  secretVariable: 'PLAT_WEBHOOK_SECRET',
};

export const APP_ENDPOINTS: EndpointOwner<AppEventType> = {
  types: ALL_APP_EVENT_TYPES,
  words: APP_EVENT_TYPES,
  schema: SCHEMAS.AppWebhookEndpointCreateParams,
  place: " and a path that no tenant's endpoint uses",
  secretVariable: 'PLAT_APP_WEBHOOK_SECRET',
};

/** The fields of an endpoint as typed, valid or not. */
export interface TypedEndpoint<T extends AnyEventType> {
  readonly url: string;
  readonly description: string;
  readonly events: readonly (T | '*')[];
}

/** The fields of an endpoint as the API takes them. */
interface EndpointFields<T extends AnyEventType> {
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly (T | '*')[];
}

/** The form before a person types. */
export const EMPTY_ENDPOINT = { url: '', description: '', events: [] };

export function typedEndpoint<T extends AnyEventType>({ url, description, events }: EndpointOf<T>): TypedEndpoint<T> {
  return { url, description: description ?? '', events };
}

export function postedEndpoint<T extends AnyEventType>(
  { types }: EndpointOwner<T>,
  fields: Readonly<Record<string, string>>,
): TypedEndpoint<T> {
  const { url = '', description = '' } = fields;
  return { url, description, events: choicesOf(types).filter((type) => fields[`event.${type}`] === 'on') };
}

/** @throws {@link ApiError} INVALID_BODY */
export function readEndpoint<T extends AnyEventType>(
  { schema }: EndpointOwner<T>,
  { url, description, events }: TypedEndpoint<T>,
): EndpointFields<T> {
  const typed = { url: url.trim(), events, description: description.trim() === '' ? null : description };
  return validate('INVALID_BODY', schema, typed) as EndpointFields<T>;
}

/** Returns the problems of a refused form. Rethrows any other error. */
export function refusedEndpoint(error: unknown): RefusedForm {
  if (error instanceof ApiError && error.code === 'WEBHOOK_URL_IN_USE') {
    return { status: 409, problems: { url: `${error.message}.` } };
  }
  return refusedForm(error, (path, message) => {
    const [field = ''] = path.split('.');
    if (field === 'events') return [field, 'Select at least one event type.'];
    if (field === 'url')
      return [field, message.includes('empty') ? 'Enter the URL of your receiver.' : `The URL ${message}.`];
    return [field, `The ${field === '' ? 'form' : field} ${message}.`];
  });
}

interface EndpointForm<T extends AnyEventType> extends Pick<PageCall<'developer' | 'admin'>, 'session'> {
  readonly action: string;
  readonly typed: TypedEndpoint<T>;
  readonly problems: Problems;
  readonly button: string;
  /** Time of the last change that the form was built from; absent for a new endpoint. */
  readonly seen?: string;
}

export function endpointForm<T extends AnyEventType>(
  { types, words, place }: EndpointOwner<T>,
  { session, action, typed, problems, button, seen }: EndpointForm<T>,
): Html {
  const boxes = choicesOf(types).map(
    (
      type,
    ) => html`<label class="check"><input type="checkbox" name="event.${type}" value="on"${typed.events.includes(type) && html` checked`}>
<span><code>${type}</code> <span class="muted">${type === '*' ? 'All types, including later ones.' : words[type]}</span></span></label>
`,
  );
  return html`${problemSummary(problems, ['url', 'description', 'events'])}
${form(
  { session, action, hidden: seen === undefined ? {} : { seen } },
  html`${textField({
    name: 'url',
    label: 'URL',
    hint: `Your receiver, at a public address${place}. It answers 2xx within 10 s.`,
    type: 'url',
    value: typed.url,
    maxLength: LIMITS.url.max,
    isRequired: true,
    problems,
  })}
${textField({ name: 'description', label: 'Description (optional)', value: typed.description, maxLength: LIMITS.description.max, problems })}
${fieldset({ name: 'events', label: 'Events', problems }, html`<div class="checks">${boxes}</div>`)}
<div class="actions"><button type="submit" class="btn btn-primary">${button}</button></div>`,
)}`;
}

function choicesOf<T extends AnyEventType>(types: readonly T[]): readonly (T | '*')[] {
  return ['*', ...types];
}
