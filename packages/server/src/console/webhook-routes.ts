import { ALL_EVENT_TYPES, LIMITS, type WebhookDeliveryListParams, type WebhookEndpoint } from '@plat/contract';
import { SCHEMAS } from '@plat/contract/schemas';
import { refusal, validate } from '../http/validate.ts';
import { ApiError } from '../kernel/api-error.ts';
import { getDelivery, listDeliveries } from '../resources/webhook-deliveries/webhook-deliveries.service.ts';
import { sendTestEvent } from '../resources/webhook-endpoints/send-test-event.ts';
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  secretOverlapOf,
  updateEndpoint,
} from '../resources/webhook-endpoints/webhook-endpoints.service.ts';
import { cataloguePage } from './catalogue-page.ts';
import { deliveryPane } from './delivery-pane.ts';
import { DELIVERY_FILTERS as FILTERS } from './delivery-state.ts';
import {
  EMPTY_ENDPOINT,
  TENANT_ENDPOINTS as OWN,
  postedEndpoint,
  readEndpoint,
  refusedEndpoint,
  typedEndpoint,
} from './endpoint-form.ts';
import {
  deleteEndpointPage,
  editEndpointPage,
  endpointPage,
  endpointSecretPage,
  endpointsPage,
  newEndpointPage,
  WEBHOOKS_PATH as PATH,
  RECENT_ATTEMPTS,
  rotateEndpointPage,
} from './endpoint-pages.ts';
import { refuseResubmission, refuseStale } from './forms.ts';
import type { SignedInPage } from './layout.ts';
import { postedOverlap } from './overlap-field.ts';
import type { PageCall, PageRoute } from './page-route.ts';
import { listParams } from './parts/list.ts';
import { TRACE_PATH } from './places.ts';

const NO_PROBLEMS = {};

/** Webhook endpoints: their health, settings, secret and deliveries, and the catalogue of event types. */
export const webhookRoutes: readonly PageRoute[] = [
  {
    room: 'webhooks',
    method: 'GET',
    path: PATH,
    async handle(call) {
      const params = listParams<object>(SCHEMAS.WebhookEndpointListParams, call.query, []);
      return { page: endpointsPage(call, await listEndpoints(call.ctx, params)) };
    },
  },
  {
    room: 'webhooks',
    method: 'GET',
    path: `${PATH}/catalogue`,
    async handle(call) {
      return { page: cataloguePage(call) };
    },
  },
  {
    room: 'webhooks',
    needs: 'change',
    method: 'GET',
    path: `${PATH}/new`,
    async handle(call) {
      return { page: newEndpointPage(call, { typed: EMPTY_ENDPOINT, problems: NO_PROBLEMS }) };
    },
  },
  {
    // The secret is in the response to the form. A reload is refused, because the URL is in use.
    room: 'webhooks',
    method: 'POST',
    path: `${PATH}/new`,
    async handle(call) {
      const typed = postedEndpoint(OWN, call.fields);
      try {
        const input = readEndpoint(OWN, typed);
        const endpoint = await call.write((ctx) => createEndpoint(ctx, input));
        return { status: 201, page: endpointSecretPage(call, 'Endpoint created', endpoint) };
      } catch (error) {
        const { status, problems } = refusedEndpoint(error);
        return { status, page: newEndpointPage(call, { typed, problems }) };
      }
    },
  },
  {
    room: 'webhooks',
    method: 'GET',
    path: `${PATH}/deliveries/:id`,
    async handle(call) {
      const delivery = await getDelivery(call.ctx, call.id);
      try {
        const endpoint = await getEndpoint(call.ctx, delivery.endpoint_id);
        const pane = deliveryPane(call, endpoint, delivery);
        return { page: await ofEndpoint(call, endpoint, { pane, selected: delivery }) };
      } catch (error) {
        // The trace also shows attempts at an endpoint that was deleted.
        if (!(error instanceof ApiError) || error.code !== 'WEBHOOK_ENDPOINT_NOT_FOUND') throw error;
        return { goTo: `${call.prefix}${TRACE_PATH}?id=${delivery.id}` };
      }
    },
  },
  {
    room: 'webhooks',
    method: 'GET',
    path: `${PATH}/:id`,
    async handle(call) {
      const endpoint = await getEndpoint(call.ctx, call.id);
      return { page: await ofEndpoint(call, endpoint, { pane: null, selected: null }) };
    },
  },
  {
    room: 'webhooks',
    needs: 'change',
    method: 'GET',
    path: `${PATH}/:id/edit`,
    async handle(call) {
      const endpoint = await getEndpoint(call.ctx, call.id);
      return { page: editEndpointPage(call, endpoint, { typed: typedEndpoint(endpoint), problems: NO_PROBLEMS }) };
    },
  },
  {
    room: 'webhooks',
    method: 'POST',
    path: `${PATH}/:id/edit`,
    async handle(call) {
      const { id, prefix } = call;
      const typed = postedEndpoint(OWN, call.fields);
      try {
        const input = readEndpoint(OWN, typed);
        await call.write(async (ctx) => {
          refuseStale(call.fields['seen'], (await getEndpoint(ctx, id)).updated_at);
          await updateEndpoint(ctx, id, input);
        });
        return { goTo: `${prefix}${PATH}/${id}?done=saved` };
      } catch (error) {
        const { status, problems } = refusedEndpoint(error);
        return { status, page: editEndpointPage(call, await getEndpoint(call.ctx, id), { typed, problems }) };
      }
    },
  },
  {
    room: 'webhooks',
    method: 'POST',
    path: `${PATH}/:id/status`,
    async handle({ id, prefix, fields, write }) {
      const wanted = { status: fields['status'] };
      const input = validate('INVALID_BODY', SCHEMAS.WebhookEndpointUpdateParams, wanted) as {
        readonly status: 'enabled' | 'disabled';
      };
      const { status } = await write((ctx) => updateEndpoint(ctx, id, input));
      return { goTo: `${prefix}${PATH}/${id}?done=${status}` };
    },
  },
  {
    room: 'webhooks',
    method: 'POST',
    path: `${PATH}/:id/test`,
    async handle({ id, prefix, fields, write, ctx }) {
      const type = ALL_EVENT_TYPES.find((one) => one === fields['type']);
      if (type === undefined) {
        throw refusal('INVALID_REQUEST', [{ path: 'type', message: 'must be an event type' }]);
      }
      await write((ctx) => sendTestEvent(ctx, id, type));
      // The trace of the request has the event and its attempts.
      return { goTo: `${prefix}${TRACE_PATH}?id=${ctx.requestId}` };
    },
  },
  {
    room: 'webhooks',
    needs: 'change',
    method: 'GET',
    path: `${PATH}/:id/secret`,
    async handle(call) {
      return { page: rotateEndpointPage(call, await getEndpoint(call.ctx, call.id)) };
    },
  },
  {
    room: 'webhooks',
    method: 'POST',
    path: `${PATH}/:id/secret`,
    async handle(call) {
      const overlap = postedOverlap(call.fields, LIMITS.webhook.secretOverlapSeconds);
      const endpoint = await call.write(async (ctx) => {
        const { updated_at: current } = await getEndpoint(ctx, call.id);
        refuseResubmission(call.fields['seen'], current);
        return rotateSecret(ctx, call.id, { expires_in: overlap });
      });
      return { status: 201, page: endpointSecretPage(call, 'Your new signing secret', endpoint) };
    },
  },
  {
    room: 'webhooks',
    needs: 'change',
    method: 'GET',
    path: `${PATH}/:id/delete`,
    async handle(call) {
      return { page: deleteEndpointPage(call, await getEndpoint(call.ctx, call.id)) };
    },
  },
  {
    room: 'webhooks',
    method: 'POST',
    path: `${PATH}/:id/delete`,
    async handle({ id, prefix, write }) {
      await write((ctx) => deleteEndpoint(ctx, id));
      return { goTo: `${prefix}${PATH}?done=deleted` };
    },
  },
];

/** Builds the page of an endpoint. A page of older attempts has its cursor in the address. */
async function ofEndpoint(
  call: PageCall,
  endpoint: WebhookEndpoint,
  shown: Pick<Parameters<typeof endpointPage>[1], 'pane' | 'selected'>,
): Promise<SignedInPage> {
  const { ctx, query } = call;
  const about = { endpoint_id: endpoint.id };
  const params = listParams<WebhookDeliveryListParams>(SCHEMAS.WebhookDeliveryListParams, query, FILTERS, about);
  const [{ data: recent }, list, overlapUntil] = await Promise.all([
    listDeliveries(ctx, { ...about, limit: RECENT_ATTEMPTS }),
    listDeliveries(ctx, params),
    secretOverlapOf(ctx, endpoint.id),
  ]);
  return endpointPage(call, { endpoint, recent, list, overlapUntil, ...shown });
}
