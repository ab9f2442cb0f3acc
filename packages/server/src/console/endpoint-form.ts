import {
  ALL_EVENT_TYPES,
  EVENT_TYPES,
  type EventType,
  LIMITS,
  type WebhookEndpoint,
  type WebhookEndpointCreateParams,
} from '@plat/contract';
import { SCHEMAS } from '@plat/contract/schemas';
import { type Html, html } from '../http/html.ts';
import { validate } from '../http/validate.ts';
import { ApiError } from '../kernel/api-error.ts';
import { fieldset, form, type Problems, problemSummary, type RefusedForm, refusedForm, textField } from './forms.ts';
import type { PageCall } from './page-route.ts';

/** The fields of an endpoint as typed, valid or not. */
export interface TypedEndpoint {
  readonly url: string;
  readonly description: string;
  readonly events: readonly (EventType | '*')[];
}

const TYPES: readonly (EventType | '*')[] = ['*', ...ALL_EVENT_TYPES];

export function typedEndpoint({ url, description, events }: WebhookEndpoint): TypedEndpoint {
  return { url, description: description ?? '', events };
}

export function postedEndpoint(fields: Readonly<Record<string, string>>): TypedEndpoint {
  const { url = '', description = '' } = fields;
  return { url, description, events: TYPES.filter((type) => fields[`event.${type}`] === 'on') };
}

/** @throws {@link ApiError} INVALID_BODY */
export function readEndpoint({ url, description, events }: TypedEndpoint): WebhookEndpointCreateParams {
  const typed = { url, events, description: description.trim() === '' ? null : description };
  return validate('INVALID_BODY', SCHEMAS.WebhookEndpointCreateParams, typed) as WebhookEndpointCreateParams;
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

interface EndpointForm extends Pick<PageCall<'developer' | 'admin'>, 'session'> {
  readonly action: string;
  readonly typed: TypedEndpoint;
  readonly problems: Problems;
  readonly button: string;
}

export function endpointForm({ session, action, typed, problems, button }: EndpointForm): Html {
  const boxes = TYPES.map(
    (
      type,
    ) => html`<label class="check"><input type="checkbox" name="event.${type}" value="on"${typed.events.includes(type) && html` checked`}>
<span><code>${type}</code> <span class="muted">${type === '*' ? 'All types, including later ones.' : EVENT_TYPES[type]}</span></span></label>
`,
  );
  return html`${problemSummary(problems, ['url', 'description', 'events'])}
${form(
  { session, action },
  html`${textField({
    name: 'url',
    label: 'URL',
    hint: 'Your receiver, at a public address. It answers 2xx within 10 s.',
    type: 'url',
    value: typed.url,
    maxLength: LIMITS.url.max,
    isRequired: true,
    problems,
  })}
${textField({ name: 'description', label: 'Description (optional)', value: typed.description, maxLength: 500, problems })}
${fieldset({ name: 'events', label: 'Events', problems }, html`<div class="checks">${boxes}</div>`)}
<div class="actions"><button type="submit" class="btn btn-primary">${button}</button></div>`,
)}`;
}
