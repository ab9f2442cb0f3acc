import type { User } from '@plat/contract';
import { selectOne } from '@plat/server/testing';
import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { beginLogin, login, signedInDeveloper } from '../support/developer.ts';
import { createObjects } from '../support/every-operation.ts';
import { expectBounded, sendCounted } from '../support/fuzz/bounds.ts';
import { callsOf, type FuzzRoute, flawlessCallsOf, routesOf, type Visitors } from '../support/fuzz/routes.ts';
import type { RawAnswer, RawRequest } from '../support/raw-request.ts';
import { useServer } from '../support/story.ts';

/*
 * Everything outside /v1 (which fuzz.test.ts calls by its document): routes without a credential, the developer API
 * without its token, and every page of the console with its form. The seed is printed with a failure. FUZZ_RUNS and
 * FUZZ_SEED repeat it, or let it run longer.
 */

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 25);
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

/**
 * Time between two calls. Without it, the limits of accounts and networks would refuse most calls before their handler.
 */
const STEP_MS = 10_000;

/** For so long, routes share a sandbox. Beyond it, the objects that forms create would reach the limits of a tenant. */
const SHARED_MS = 3_600_000;

/** Responses do not depend on the kind of database. */
describe.runIf(inject('database').kind === 'sqlite')('with any input', () => {
  let now = Date.now();
  const env = { PLAT_DISPATCH: 'false', PLAT_SIGN_IN_MAIL_LIMITS: 'recipient=1000000,network=1000000' };
  const story = useServer({ env, clock: () => now });
  const none = { cookie: 'none', csrfToken: 'none' };
  const fields = { client_id: '', event_id: '', key_id: '', user_code: '' };
  const noVisitors = {
    developer: none,
    admin: none,
    appId: '',
    consentId: '',
    switching: none,
    otherOwnerId: '',
    rows: [],
    objects: {},
    fields,
  };
  const names = routesOf(noVisitors).map(({ name }) => name);

  /** Creates a sandbox with every object that a route needs. */
  async function visit(): Promise<Visitors> {
    const { server } = story;
    const account = await signedInDeveloper(server);
    const { id: developerId, tenantId, apiKey, session } = account;
    const app = await server.createApp({ developerId });
    const { grantId } = await server.grant({ app, tenantId });
    const api = apiOf(server.baseUrl, apiKey);
    const objects = await createObjects(api, tenantId);
    const endpoint = await api('/v1/webhooks/endpoints', { body: { url: 'https://receiver.example', events: ['*'] } });
    await api('/v1/clients', { body: { name: 'Seen by the endpoint' } });
    const firstOf = async (path: string): Promise<string> => (await api(path)).body.data[0].id;
    const { body } = await api('/v1/clients');
    const { body: events } = await api('/v1/webhooks/events');
    const { body: users } = await api('/v1/users');
    const owner: User = users.data.find(({ role }: User) => role === 'owner');
    const production = { sandbox: false, ownerEmail: `${developerId}@example.com` };
    const { ownerId: switchingId } = await server.createTenant(production);
    const { ownerId: otherOwnerId } = await server.createTenant(production);
    const sql = 'SELECT id FROM api_keys WHERE tenant_id = :tenantId';
    const key = await selectOne<{ id: string }>(server.db, sql, { tenantId });
    const { api: terminal } = await login(server, account);
    const { body: me } = await terminal('/developer/v1/me');
    const { user_code } = await beginLogin(server);
    const webhooks = `/developer/v1/apps/${app.appId}/webhooks`;
    const sent = { body: { url: 'https://app.example/hooks', events: ['*'] } };
    const { body: ofApp } = await terminal(`${webhooks}/endpoints`, sent);
    // The app has an event: the rotation of its secret.
    await terminal(`/developer/v1/apps/${app.appId}/rotate_secret`, { body: {} });
    const { body: eventsOfApp } = await terminal(`${webhooks}/events`);
    const { body: replayOfApp } = await terminal(`${webhooks}/replays`, { body: { since: '2026-01-01T00:00:00Z' } });
    return {
      ...{ developer: session, admin: await server.signInAdmin(owner.id) },
      ...{ appId: app.appId, consentId: grantId, switching: await server.signInAdmin(switchingId), otherOwnerId },
      rows: [
        endpoint.body.id,
        events.data[0].id,
        await firstOf('/v1/webhooks/deliveries'),
        await firstOf('/v1/audit/events'),
        await firstOf('/v1/requests'),
        me.token.id,
      ],
      objects: {
        ...{ ...objects, app_endpoint_id: ofApp.id, app_event_id: eventsOfApp.data[0].id },
        ...{ app_replay_id: replayOfApp.id, app_installation_id: grantId },
      },
      fields: { client_id: body.data[0].id, event_id: events.data[0].id, key_id: key?.id ?? '', user_code },
    };
  }

  let shared: { readonly visitors: Visitors; readonly until: number } | undefined;
  const newVisitors = async (): Promise<Visitors> => {
    shared = { visitors: await visit(), until: now + SHARED_MS };
    return shared.visitors;
  };
  const currentVisitors = async (): Promise<Visitors> =>
    shared && now < shared.until ? shared.visitors : newVisitors();

  test.each(names)('%s answers within bounds, and never with a 5xx', async (name) => {
    const routeFor = (visitors: Visitors): FuzzRoute => {
      const route = routesOf(visitors).find((each) => each.name === name);
      if (!route) throw new Error(`there is no ${name}`);
      return route;
    };
    let limited = 0;
    const send = async (call: RawRequest): Promise<RawAnswer> => {
      now += STEP_MS;
      const { answer, statements } = await sendCounted(story.server, call);
      if (answer.status === 429) limited += 1;
      expectBounded(call, answer, statements);
      return answer;
    };
    const fuzz = async (visitors: Visitors): Promise<void> => {
      const property = fc.asyncProperty(callsOf(routeFor(visitors)), async (call) => void (await send(call)));
      await fc.assert(property, { numRuns: RUNS, seed: SEED + names.indexOf(name), interruptAfterTimeLimit: 25_000 });
      // A call that a limit refuses tests the limit only.
      expect(limited).toBe(0);
    };
    const sendFlawless = async (visitors: Visitors): Promise<readonly RawAnswer[]> => {
      const answers: RawAnswer[] = [];
      for (const call of flawlessCallsOf(routeFor(visitors))) answers.push(await send(call));
      return answers;
    };
    const visitors = await currentVisitors();
    await fuzz(visitors);
    // Flawless calls show that the calls above could pass every gate.
    if (routeFor(visitors).session === null || (await sendFlawless(visitors)).some(isFromHandler)) return;
    // This route or one before it deleted an object that the calls need.
    await fuzz(await newVisitors());
    const answers = await sendFlawless(await newVisitors());
    expect(answers.filter(isFromHandler), answers.map(({ status }) => status).join()).not.toEqual([]);
  });
});

/**
 * Returns true if the handler of a page answered with an object that it found: no gate refused the call or redirected
 * it to sign in.
 */
function isFromHandler({ status, headers }: RawAnswer): boolean {
  return ![401, 403, 404, 429].includes(status) && !String(headers['location']).includes('/sign-in');
}
