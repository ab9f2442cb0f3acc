import { ALL_APP_EVENT_TYPES, ALL_EVENT_TYPES } from '@plat/contract';
import { accepts, type Case, findRefused, type Receiver, refusalOf, send, settledCount } from './case.ts';
import { type Changes, newId, newObject } from './delivery.ts';

const RAW_BODY =
  'Hash the bytes of the body as they arrived, before any parser: JSON that was parsed and written again is other text.';

/** Number of deliveries that are sent at once. */
const PARALLEL = 20;

/** Cases of valid deliveries. A correct receiver answers each with 2xx, at once and without a redirect. */
export const ACCEPTED: readonly Case[] = [
  everyType(),
  accepts(
    'unknown-type',
    'accepts an event type that it does not know',
    'Answer 2xx to unknown types and ignore them: later versions of the platform send more.',
    { 'an event of a type that does not exist yet': { type: 'invoice.paid' } },
  ),
  accepts(
    'new-fields',
    'accepts fields that it does not know',
    'Ignore unknown fields: later versions of the platform send more.',
    {
      'an event with a new field': {
        write: (event) => JSON.stringify({ ...event, api_version: '2027-01-01' }),
      },
      'an event with a new field in its data': { data: { tier: 'gold' } },
    },
  ),
  accepts('whitespace', 'verifies the body as it arrived: white space', RAW_BODY, {
    'a body with line breaks and indentation': { write: (event) => `${JSON.stringify(event, null, 2)}\n` },
  }),
  accepts('key-order', 'verifies the body as it arrived: order and spelling', RAW_BODY, {
    'a body with its fields in another order': {
      write: (event) => JSON.stringify(Object.fromEntries(Object.entries(event).reverse())),
    },
    'a body with escaped characters': { write: (event) => JSON.stringify(event).replace('"event"', '"\\u0065vent"') },
    'a body with the number 1.0': {
      write: (event) => JSON.stringify(event).replace(/\}$/, ',"ratio":1.0}'),
    },
  }),
  accepts(
    'non-ascii',
    'verifies the body as it arrived: characters beyond ASCII',
    'Hash the bytes of the body, not a text that was decoded in another encoding than UTF-8.',
    { 'a body with characters beyond ASCII': { data: { name: 'Grüße – 東京 🚀 \u2028' } } },
  ),
  accepts('large-body', 'accepts a body of 1 MiB', 'Raise the limit of the body to at least 1 MiB.', {
    'a body of 1 MiB': { data: { note: 'x'.repeat(1024 * 1024 - 600) } },
  }),
  accepts(
    'slow-body',
    'accepts a body that arrives in pieces',
    'Read the body to its end before it is verified.',
    { 'a body in four pieces, with pauses': {} },
    { pieces: 4 },
  ),
  accepts(
    'two-signatures',
    'accepts a delivery with two v1 while a secret is rotated',
    'Compare each v1 of the header, and accept the delivery when one of them matches.',
    {
      'a delivery whose first v1 is right': { sign: (valid) => `${valid},v1=${'0'.repeat(64)}` },
      'a delivery whose second v1 is right': { sign: (valid) => valid.replace(',v1=', `,v1=${'0'.repeat(64)},v1=`) },
    },
  ),
  accepts(
    'other-scheme',
    'ignores signatures of other schemes',
    'Ignore the parts of the header that are neither t nor v1: later versions of the platform may add some.',
    { 'a delivery with a v2 before its v1': { sign: (valid) => valid.replace(',v1=', `,v2=${'0'.repeat(128)},v1=`) } },
  ),
  accepts(
    'tolerance',
    'accepts a signature that is less than 5 minutes old, or ahead',
    'Allow 300 s between t and the clock of the receiver, in both directions, and synchronise that clock.',
    {
      'a delivery that was signed 280 s ago': { shift: -280 },
      'a delivery that was signed 280 s ahead': { shift: 280 },
    },
  ),
  reordered(),
  parallel(),
  duplicates(),
];

/** All types of a tenant, or of an app. */
function everyType(): Case {
  const advice = 'Answer 2xx to every type, also to those that the receiver does not use.';
  return {
    name: 'every-type',
    title: 'accepts each event type',
    run(receiver) {
      const types = receiver.appId === undefined ? ALL_EVENT_TYPES : ALL_APP_EVENT_TYPES;
      const deliveries = types.map((type) => [`an event of type ${type}`, { type }] as const);
      return findRefused(receiver, advice, Object.fromEntries(deliveries));
    },
  };
}

function reordered(): Case {
  const late = 'Answer 2xx to an event that comes late.';
  const ofClient = `${late} Compare updated_at of the object with the stored one, and keep the newer.`;
  const ofApp = `${late} Compare created of the event with that of the stored one, and keep the newer.`;
  return {
    name: 'reordered',
    title: 'accepts events that arrive in another order than they happened',
    run(receiver) {
      const now = new Date().toISOString();
      const before = new Date(Date.now() - 60_000).toISOString();
      if (receiver.appId !== undefined) {
        const [id, neverBegun] = [newId('gra'), newId('gra')];
        return findRefused(receiver, ofApp, {
          'the end of an installation': { type: 'installation.revoked', created: now, data: { id } },
          'the beginning of that installation, which comes later': { created: before, data: { id } },
          'the end of an installation that never began': { type: 'installation.revoked', data: { id: neverBegun } },
        });
      }
      const [id, neverCreated] = [newId('cli'), newId('cli')];
      return findRefused(receiver, ofClient, {
        'an update of a client': { type: 'client.updated', created: now, data: { id, updated_at: now } },
        'the creation of that client, which comes later': { created: before, data: { id, updated_at: before } },
        'the deletion of a client that was never created': { type: 'client.deleted', data: { id: neverCreated } },
      });
    },
  };
}

function parallel(): Case {
  return {
    name: 'parallel',
    title: `accepts ${PARALLEL} deliveries at once`,
    async run(receiver) {
      const responses = await Promise.all(Array.from({ length: PARALLEL }, () => send(receiver)));
      const advice = 'Accept deliveries in parallel: store the event, answer 2xx, and do the work afterwards.';
      const what = `one of ${PARALLEL} deliveries at once`;
      return responses.map((response) => refusalOf(response, what, advice)).find((problem) => problem !== null) ?? null;
    },
  };
}

/** The same event twice, one after another and at once: the platform repeats a delivery whose response was lost. */
function duplicates(): Case {
  const advice =
    'Answer 2xx to an event that was handled before: the platform repeats a delivery whose response was lost.';
  return {
    name: 'duplicates',
    title: 'accepts an event that arrives again, and handles it once',
    async run(receiver) {
      const { effects } = receiver;
      const before = effects && (await settledCount(receiver, effects));
      const [first, second] = [newEvent(receiver), newEvent(receiver)];
      for (const what of ['an event', 'the same event a second time']) {
        const problem = refusalOf(await send(receiver, first), what, advice);
        if (problem) return problem;
      }
      const responses = await Promise.all(Array.from({ length: 5 }, () => send(receiver, second)));
      for (const response of responses) {
        const problem = refusalOf(response, 'the same event five times at once', advice);
        if (problem) return problem;
      }
      if (!effects || before === undefined) {
        return { note: 'Only the responses were checked: give a count of effects to check that there was one.' };
      }
      const made = (await settledCount(receiver, effects, before + 2)) - before;
      if (made === 2) return null;
      return {
        problem: `Two events that arrived twice and five times had ${made} effects`,
        advice:
          made < 2
            ? 'Handle every event once; an event was lost.'
            : 'Store X-Platform-Event-Id under a unique key, in the transaction of the effect, and skip a known one.',
      };
    },
  };
}

/** Returns an event that is sent more than once, each time with the same body. */
function newEvent({ appId }: Receiver): Changes {
  return { id: newId('evt'), created: new Date().toISOString(), data: newObject(appId) };
}
