import { type Answers, createdWithin, find, matching, pageById } from '../call.ts';

/** Read-only families. */
export const catalog: Answers<
  | 'modules.list'
  | 'plans.list'
  | 'billing.invoices.list'
  | 'billing.invoices.get'
  | 'billing.payments.list'
  | 'audit.events.list'
  | 'audit.events.get'
  | 'requests.list'
  | 'requests.get'
> = {
  'modules.list': (call) => pageById(call, 'module', call.world.modules.values()),
  'plans.list': (call) => pageById(call, 'plan', call.world.plans.values()),
  'billing.invoices.list': (call) => {
    const { status } = call.query;
    return pageById(call, 'invoice', matching(call.world.invoices, { status }));
  },
  'billing.invoices.get': ({ world, path }) => find(world.invoices, path.invoice_id, 'INVOICE_NOT_FOUND'),
  'billing.payments.list': (call) => {
    const { invoice_id } = call.query;
    return pageById(call, 'payment', matching(call.world.payments, { invoice_id }));
  },
  'audit.events.list': (call) => {
    const { action, actor_id, target_id, session_id } = call.query;
    const rows = matching(call.world.auditEvents, { action }).filter(
      ({ actor, target, session_id: signIn, created_at }) =>
        (actor_id === undefined || actor.id === actor_id) &&
        (target_id === undefined || target.id === target_id) &&
        (session_id === undefined || signIn === session_id) &&
        createdWithin(created_at, call.query),
    );
    return pageById(call, 'audit_event', rows);
  },
  'audit.events.get': ({ world, path }) => find(world.auditEvents, path.audit_event_id, 'AUDIT_EVENT_NOT_FOUND'),
  'requests.list': (call) => {
    const { outcome, code, method, operation, credential_id } = call.query;
    const rows = matching(call.world.requests, { outcome, method, operation }).filter(
      ({ error, credential, created_at }) =>
        (code === undefined || error?.code === code) &&
        (credential_id === undefined || credential.id === credential_id) &&
        createdWithin(created_at, call.query),
    );
    return pageById(call, 'request', rows);
  },
  'requests.get': ({ world, path }) => find(world.requests, path.request_id, 'REQUEST_NOT_FOUND'),
};
