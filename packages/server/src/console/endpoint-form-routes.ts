import { type AnyEventType, LIMITS } from '@plat/contract';
import { SCHEMAS } from '@plat/contract/schemas';
import type { SessionKind } from '../accounts/session-cookie.ts';
import type { Context } from '../context.ts';
import { validate } from '../http/validate.ts';
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  rotateSecret,
  updateEndpoint,
} from '../resources/webhook-endpoints/webhook-endpoints.service.ts';
import type { Room } from './access.ts';
import { EMPTY_ENDPOINT, postedEndpoint, readEndpoint, refusedEndpoint, typedEndpoint } from './endpoint-form.ts';
import {
  deleteEndpointPage,
  type EndpointPlace,
  editEndpointPage,
  endpointSecretPage,
  newEndpointPage,
  rotateEndpointPage,
} from './endpoint-form-pages.ts';
import { refuseResubmission, refuseStale } from './forms.ts';
import { postedOverlap } from './overlap-field.ts';
import type { PageAnswer, PageCall, PageRoute } from './page-route.ts';

/** The endpoints of the owner that a page is about. */
export interface OwnEndpoints<T extends AnyEventType> extends Pick<PageCall, 'write'> {
  readonly place: EndpointPlace<T>;
  readonly ctx: Context;
}

interface EndpointForms<T extends AnyEventType, Kind extends SessionKind> {
  readonly room: Room;
  /** Path of the list of endpoints, as the router matches it. */
  readonly path: string;
  /** Finds the owner. */
  open(call: PageCall<Kind>): OwnEndpoints<T> | Promise<OwnEndpoints<T>>;
}

/** The forms that create, change and delete the endpoints of a tenant or an app. */
export function endpointFormRoutes<T extends AnyEventType, Kind extends SessionKind = SessionKind>({
  room,
  path,
  open,
}: EndpointForms<T, Kind>): readonly PageRoute<Kind>[] {
  const page = (
    method: 'GET' | 'POST',
    below: string,
    handle: (call: PageCall<Kind>, own: OwnEndpoints<T>, id: string) => Promise<PageAnswer>,
  ): PageRoute<Kind> => ({
    room,
    needs: 'change',
    method,
    path: path + below,
    handle: async (call) => handle(call, await open(call), call.ids['endpoint_id'] ?? ''),
  });
  return [
    page('GET', '/new', async (call, { place }) => {
      return { page: newEndpointPage(call, place, { typed: EMPTY_ENDPOINT, problems: {} }) };
    }),
    // The secret is in the response to the form. A reload is refused, because the URL is in use.
    page('POST', '/new', async (call, { place, write }) => {
      const typed = postedEndpoint(place.owner, call.fields);
      try {
        const input = readEndpoint(place.owner, typed);
        const endpoint = await write((ctx) => createEndpoint<T>(ctx, input));
        return { status: 201, page: endpointSecretPage(call, place, 'Endpoint created', endpoint) };
      } catch (error) {
        const { status, problems } = refusedEndpoint(error);
        return { status, page: newEndpointPage(call, place, { typed, problems }) };
      }
    }),
    page('GET', '/:endpoint_id/edit', async (call, { place, ctx }, id) => {
      const endpoint = await getEndpoint<T>(ctx, id);
      return { page: editEndpointPage(call, place, endpoint, { typed: typedEndpoint(endpoint), problems: {} }) };
    }),
    page('POST', '/:endpoint_id/edit', async (call, { place, ctx, write }, id) => {
      const typed = postedEndpoint(place.owner, call.fields);
      try {
        const input = readEndpoint(place.owner, typed);
        await write(async (own) => {
          refuseStale(call.fields['seen'], (await getEndpoint<T>(own, id)).updated_at);
          await updateEndpoint<T>(own, id, input);
        });
        return { goTo: `${place.path}/${id}?done=saved` };
      } catch (error) {
        const { status, problems } = refusedEndpoint(error);
        return { status, page: editEndpointPage(call, place, await getEndpoint<T>(ctx, id), { typed, problems }) };
      }
    }),
    page('POST', '/:endpoint_id/status', async ({ fields }, { place, write }, id) => {
      const wanted = { status: fields['status'] };
      const input = validate('INVALID_BODY', SCHEMAS.WebhookEndpointUpdateParams, wanted) as {
        readonly status: 'enabled' | 'disabled';
      };
      const { status } = await write((ctx) => updateEndpoint<T>(ctx, id, input));
      return { goTo: `${place.path}/${id}?done=${status}` };
    }),
    page('GET', '/:endpoint_id/secret', async (call, { place, ctx }, id) => {
      return { page: rotateEndpointPage(call, place, await getEndpoint<T>(ctx, id)) };
    }),
    page('POST', '/:endpoint_id/secret', async (call, { place, write }, id) => {
      const overlap = postedOverlap(call.fields, LIMITS.webhook.secretOverlapSeconds);
      const endpoint = await write(async (ctx) => {
        refuseResubmission(call.fields['seen'], (await getEndpoint<T>(ctx, id)).updated_at);
        return rotateSecret<T>(ctx, id, { expires_in: overlap });
      });
      return { status: 201, page: endpointSecretPage(call, place, 'Your new signing secret', endpoint) };
    }),
    page('GET', '/:endpoint_id/delete', async (call, { place, ctx }, id) => {
      return { page: deleteEndpointPage(call, place, await getEndpoint<T>(ctx, id)) };
    }),
    page('POST', '/:endpoint_id/delete', async (_call, { place, write }, id) => {
      await write((ctx) => deleteEndpoint(ctx, id));
      return { goTo: `${place.path}?done=deleted` };
    }),
  ];
}
