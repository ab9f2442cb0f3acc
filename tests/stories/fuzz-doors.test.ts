import fc from 'fast-check';
import { afterAll, describe, inject, test } from 'vitest';
import { signedInDeveloper } from '../support/developer.ts';
import { expectBounded, sendCounted } from '../support/fuzz/bounds.ts';
import { callsOf, type Door, doorsOf } from '../support/fuzz/doors.ts';
import { useServer } from '../support/story.ts';

/*
 * Everything outside /v1 (which fuzz.test.ts calls by its document): routes without a credential, the developer API without
 * its token, and every page of the console with its form. The seed is printed with a failure; FUZZ_RUNS and FUZZ_SEED repeat
 * it, or let it run longer.
 */

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 25);
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

/** Answers do not depend on the kind of database. */
describe.runIf(inject('database').kind === 'sqlite')('whatever it is sent', () => {
  const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
  const none = { cookie: 'none', csrfToken: 'none' };
  const names = doorsOf({ developer: none, admin: none }).map(({ name }) => name);
  let doors: readonly Door[] = [];
  afterAll(() => {
    doors = [];
  });

  test.each(names)('%s answers within bounds, and never with a failure', async (name) => {
    if (doors.length === 0) {
      const { server } = story;
      const { ownerId } = await server.createTenant();
      const developer = await signedInDeveloper(server);
      doors = doorsOf({ developer: developer.session, admin: await server.signInAdmin(ownerId) });
    }
    const door = doors.find((each) => each.name === name);
    if (!door) throw new Error(`there is no ${name}`);
    const property = fc.asyncProperty(callsOf(door), async (call) => {
      const { answer, statements } = await sendCounted(story.server, call);
      expectBounded(call, answer, statements);
    });
    await fc.assert(property, { numRuns: RUNS, seed: SEED + names.indexOf(name), interruptAfterTimeLimit: 25_000 });
  });
});
