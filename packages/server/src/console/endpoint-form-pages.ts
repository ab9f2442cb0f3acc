import { type AnyEventType, LIMITS } from '@plat/contract';
import type { EndpointOf } from '../accounts/owned-webhooks.ts';
import { html } from '../http/html.ts';
import { type EndpointOwner, endpointForm, type TypedEndpoint } from './endpoint-form.ts';
import { form, type Problems } from './forms.ts';
import type { Entry, SignedInPage } from './layout.ts';
import { overlapField } from './overlap-field.ts';
import type { PageCall } from './page-route.ts';
import { confirmation, secretSheet } from './texts.ts';

/** The place in the console where the endpoints of an owner are. */
export interface EndpointPlace<T extends AnyEventType> {
  readonly owner: EndpointOwner<T>;
  /** Entry of the navigation that is marked. */
  readonly here: string;
  /** Path of the list of endpoints, with the prefix. */
  readonly path: string;
  /** Entries above the page of an endpoint: the last is the list. */
  readonly below: readonly Entry[];
}

type Endpoint = Pick<EndpointOf<AnyEventType>, 'id' | 'url' | 'updated_at'>;

interface FormShown<T extends AnyEventType> {
  readonly typed: TypedEndpoint<T>;
  readonly problems: Problems;
}

export function newEndpointPage<T extends AnyEventType>(
  { session, base }: PageCall,
  { owner, here, path, below }: EndpointPlace<T>,
  shown: FormShown<T>,
): SignedInPage {
  const action = `${base}${path}/new`;
  return {
    title: 'Create endpoint',
    here,
    below,
    body: endpointForm(owner, { session, action, ...shown, button: 'Create endpoint' }),
  };
}

export function editEndpointPage<T extends AnyEventType>(
  { session, base }: PageCall,
  place: EndpointPlace<T>,
  { id, updated_at: seen }: Endpoint,
  shown: FormShown<T>,
): SignedInPage {
  const action = `${base}${place.path}/${id}/edit`;
  return {
    title: 'Edit endpoint',
    ...belowEndpoint(place, id),
    body: endpointForm(place.owner, { session, action, seen, ...shown, button: 'Save changes' }),
  };
}

/** Builds the page that shows a signing secret. It is the response to a form, and the only page with the secret. */
export function endpointSecretPage<T extends AnyEventType>(
  { base }: PageCall,
  place: EndpointPlace<T>,
  title: string,
  { id, url, secret }: Endpoint & { readonly secret: string },
): SignedInPage {
  const environment = { [place.owner.secretVariable]: secret };
  return {
    title,
    ...belowEndpoint(place, id),
    lede: html`Requests to ${url} are signed with this secret.`,
    body: html`${secretSheet({ label: 'Signing secret', value: secret, environment })}
<p><a class="btn btn-primary" href="${base}${place.path}/${id}">Continue to the endpoint</a></p>`,
  };
}

export function rotateEndpointPage<T extends AnyEventType>(
  { session, base }: PageCall,
  place: EndpointPlace<T>,
  { id, url, updated_at: seen }: Endpoint,
): SignedInPage {
  return {
    title: 'Rotate secret',
    ...belowEndpoint(place, id),
    lede: url,
    narrow: true,
    body: form(
      { session, action: `${base}${place.path}/${id}/secret`, hidden: { seen } },
      html`${overlapField({
        max: LIMITS.webhook.secretOverlapSeconds,
        label: 'When does the current secret end?',
        hint: 'Until then each request has a signature for both secrets, so that you can update your receiver.',
      })}
<p class="hint">A secret from an earlier rotation ends at once.</p>
<button type="submit" class="btn btn-primary">Rotate secret</button>`,
    ),
  };
}

export function deleteEndpointPage<T extends AnyEventType>(
  { session, base }: PageCall,
  place: EndpointPlace<T>,
  { id, url }: Endpoint,
): SignedInPage {
  const own = `${base}${place.path}/${id}`;
  return {
    title: 'Delete the endpoint?',
    ...belowEndpoint(place, id),
    narrow: true,
    body: confirmation({
      words: html`<p><code>${url}</code> receives no more events, and its due attempts are not sent. You can't undo this. To stop for a while, disable it.</p>`,
      form: form(
        { session, action: `${own}/delete`, look: 'inline' },
        html`<button type="submit" class="btn btn-danger">Delete endpoint</button>`,
      ),
      backTo: own,
    }),
  };
}

function belowEndpoint<T extends AnyEventType>({ here, path, below }: EndpointPlace<T>, id: string) {
  return { here, below: [...below, { path: `${path}/${id}`, words: 'Endpoint' }] };
}
