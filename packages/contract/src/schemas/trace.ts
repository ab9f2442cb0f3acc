import { LIMITS } from '../limits.ts';
import { TRACE_GRANT_STEPS, TRACE_PARTS, TRACE_SUBJECTS } from '../objects/trace.ts';
import { WEBHOOK_ENDPOINT_STATUSES } from '../objects/webhook.ts';
import { ALL_SCOPES } from '../scopes.ts';
import { appEvent } from './app-event.ts';
import { auditEvent } from './audit-event.ts';
import { event } from './event.ts';
import type { JsonSchema } from './json-schema.ts';
import { answer, field, nullable, params } from './objects.ts';
import type { Operations } from './operations.ts';
import { loggedRequest } from './request.ts';
import { anyId, anyString, id, string, time } from './texts.ts';
import { always, array, boolean, integer, oneOf } from './values.ts';
import { appWebhookDelivery, webhookDelivery, webhookResponseHeader } from './webhook-delivery.ts';
import { appWebhookReplay, webhookReplay } from './webhook-replay.ts';

const part = (description: string) => oneOf('TracePart', Object.keys(TRACE_PARTS), description, 'attempts');

const step = {
  id: anyId('Id of the object. The steps of a grant share the id of the grant.', 'evt_01k0z8k3v7e5q2m9t4r6w1x8c0'),
  at: time('Time of the step. For an attempt that is not made yet: the time at which it is due.'),
  caused_by: nullable(
    anyId('Id of the entry that led to this one; null if the trace has none.', 'req_01k0z8k3v7e5q2m9t4r6w1x8c0'),
  ),
};

export const traceRequest = answer('TraceRequest', 'A request.', {
  kind: always('request'),
  ...step,
  request: nullable(field(loggedRequest, 'Entry of the request log; null if the log does not have it.')),
});

export const traceChange = answer('TraceChange', 'A change, with its actor and the changed fields.', {
  kind: always('change'),
  ...step,
  change: field(auditEvent, 'Entry of the audit trail.'),
});

export const traceEvent: JsonSchema = {
  ...answer('TraceEvent', 'An event in a trace.', {
    kind: always('event'),
    ...step,
    event: field(event, 'The event. Its JSON without white space is the body of each delivery.'),
  }),
  'x-type': 'TraceEvent',
};

export const traceEndpoint = answer('TraceEndpoint', 'The endpoint of an attempt, as it is now.', {
  id: id('webhook_endpoint'),
  url: string(
    'URL of the endpoint. An earlier attempt may have been sent to another one.',
    'https://example.com/hooks',
  ),
  status: oneOf('WebhookEndpointStatus', WEBHOOK_ENDPOINT_STATUSES, 'Status of the endpoint.', 'enabled'),
  paused_until: nullable(time('End of the pause after repeated failures; null if the endpoint is not paused.')),
});

export const traceSent = answer(
  'TraceSent',
  'Headers of an attempt, and the time of its signature. The signed text is `signed_at`, a full stop and the body.',
  {
    signed_at: integer(0, Number.MAX_SAFE_INTEGER, 'Time of the signature in Unix seconds.', 1_795_377_761),
    headers: array(
      webhookResponseHeader,
      'Headers without those of the connection. Of the signature of a failed attempt, the first digits are kept; of other attempts, none.',
    ),
  },
);

export const traceAttempt = answer('TraceAttempt', 'An attempt to deliver an event, made or scheduled.', {
  kind: always('attempt'),
  ...step,
  delivery: field(webhookDelivery, 'The attempt.'),
  endpoint: nullable(field(traceEndpoint, 'Endpoint of the attempt; null if it was deleted.')),
  sent: nullable(field(traceSent, 'Headers and signature time; null if nothing was sent.')),
});

export const traceReplay = answer('TraceReplay', 'A replay of many events.', {
  kind: always('replay'),
  ...step,
  replay: field(webhookReplay, 'The replay.'),
});

export const traceGrant = answer(
  'TraceGrant',
  'A step of an OAuth grant. Of the exchanges of a grant, the first one and the ten latest are recorded.',
  {
    kind: always('grant'),
    ...step,
    step: oneOf(
      'TraceGrantStep',
      TRACE_GRANT_STEPS,
      'The step. `exchanged`: the code was exchanged for the first tokens.',
      'refreshed',
    ),
    reason: nullable(string('Reason for which the grant ended; null for other steps.', 'refresh_token_reused')),
    app_id: id('app', 'Id of the OAuth app.'),
    generation: nullable(
      integer(1, Number.MAX_SAFE_INTEGER, 'Number of the refresh token that was issued; null for other steps.', 2),
    ),
    request_id: nullable(id('request', 'Id of the request; null if it was not recorded.')),
    ip: nullable(string('IP address of the app; null if it was not recorded.', '203.0.113.7')),
  },
);

const entries = [traceRequest, traceChange, traceEvent, traceAttempt, traceReplay, traceGrant];

export const traceEntry = entryOf('TraceEntry', 'One step of a trace.', entries);

export const appTraceEvent: JsonSchema = {
  ...answer('AppTraceEvent', 'An event of an app in a trace.', {
    kind: always('event'),
    ...step,
    event: field(appEvent, 'The event. Its JSON without white space is the body of each delivery.'),
  }),
  'x-type': 'AppTraceEvent',
};

export const appTraceAttempt = answer(
  'AppTraceAttempt',
  'An attempt to deliver an event of an app, made or scheduled.',
  {
    kind: always('attempt'),
    ...step,
    delivery: field(appWebhookDelivery, 'The attempt.'),
    endpoint: nullable(field(traceEndpoint, 'Endpoint of the attempt; null if it was deleted.')),
    sent: nullable(field(traceSent, 'Headers and signature time; null if nothing was sent.')),
  },
);

export const appTraceReplay = answer('AppTraceReplay', 'A replay of many events of an app.', {
  kind: always('replay'),
  ...step,
  replay: field(appWebhookReplay, 'The replay.'),
});

export const appTraceEntry = entryOf('AppTraceEntry', 'One step of the trace of an app.', [
  appTraceEvent,
  appTraceAttempt,
  appTraceReplay,
]);

/** Returns the schema of any of these entries, whose union is written by hand. */
function entryOf(title: string, words: string, oneOf: readonly JsonSchema[]): JsonSchema {
  const mapping = oneOf.map((entry) => [String(entry.properties?.['kind']?.const), entry.title ?? '']);
  return {
    title,
    'x-type': title,
    description: `${words} \`kind\` determines its type.`,
    oneOf,
    discriminator: { propertyName: 'kind', mapping: Object.fromEntries(mapping) },
  };
}

export const traceSubject = answer('TraceSubject', 'The object that a trace starts from.', {
  type: oneOf('TraceSubjectType', TRACE_SUBJECTS, 'Kind of the object.', 'event'),
  id: anyId('Id of the object.', 'evt_01k0z8k3v7e5q2m9t4r6w1x8c0'),
});

export const traceProblem = answer('TraceProblem', 'A failure that the trace shows, with its cause and fix.', {
  entry_id: anyId('Id of the entry that failed.', 'del_01k0z8k3v7e5q2m9t4r6w1x8c0'),
  code: string('Error code of the request, or error class of the attempt.', 'http_status'),
  cause: string('Cause in one line of Markdown.', 'The receiver answered with a status that is not 2xx.'),
  fix: string('Fix in one line of Markdown.', 'Find the delivery id in the log of the receiver.'),
});

export const traceWithheld = answer('TraceWithheld', 'A part of a trace that the credential may not read.', {
  part: part('The part.'),
  scope: oneOf('Scope', ALL_SCOPES, 'The scope that the part needs.', 'webhooks:read'),
});

/** Fields of any trace. */
const fieldsOf = (entry: JsonSchema) => ({
  object: always('trace'),
  id: anyString('The id, e-mail address or slug of the request.', 'evt_01k0z8k3v7e5q2m9t4r6w1x8c0'),
  subject: traceSubject,
  problems: array(traceProblem, 'Failures that no later attempt has cured, in the order of the entries.'),
  entries: array(
    entry,
    'Entries with the same first cause are together, in the order of time. The newest cause is first.',
  ),
  has_more: boolean('True if older causes follow.'),
  next_cursor: nullable(anyId('Value of `starting_after` for the older causes; null if none follow.'), null),
  truncated: array(part('A part.'), 'Parts of which only the newest entries fit into the page.'),
});

export const appTrace: JsonSchema = {
  ...answer(
    'AppTrace',
    'The events, attempts and replays of an app that are recorded about an id.',
    fieldsOf(appTraceEntry),
  ),
  'x-type': 'AppTrace',
};

export const trace: JsonSchema = {
  ...answer(
    'Trace',
    'All that is recorded about an id: requests, changes, events, attempts, replays and steps of grants.',
    {
      ...fieldsOf(traceEntry),
      withheld: array(traceWithheld, 'Parts that are left out because the credential lacks their scope.'),
    },
  ),
  'x-type': 'Trace',
};

export const traceParams = params('TraceParams', 'Page of a trace.', {
  limit: integer(
    1,
    LIMITS.page.max,
    `Number of rows about the object that the page starts from; ${LIMITS.page.default} when absent.`,
  ),
  starting_after: anyString('Cursor: `next_cursor` of the previous response.'),
});

export const operations = {
  'trace.get': {
    query: 'TraceParams',
    answer: 'Trace',
    errors: ['TRACE_NOT_FOUND', 'INSUFFICIENT_SCOPE', 'INVALID_CURSOR'],
    details:
      'Each part needs the scope of its operation, `audit:read` or `webhooks:read`; `withheld` names the parts that the credential may not read.',
  },
} as const satisfies Operations;
