import type { TestSession } from '@plat/server/testing';
import { ADMIN_PAGES, DEVELOPER_PAGES } from '@plat/server/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { type RawAnswer, sendRaw } from '../support/raw-request.ts';
import { useServer } from '../support/story.ts';

/* Paths and queries that no link of the service has. */

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
let developer: TestSession;
let admin: TestSession;

async function newAdmin(): Promise<TestSession> {
  return story.server.signInAdmin((await story.server.createSandbox()).ownerId);
}

async function newDeveloper(): Promise<TestSession> {
  return story.server.signInDeveloper((await story.server.createApp()).developerId);
}

beforeAll(async () => {
  admin = await newAdmin();
  developer = await newDeveloper();
});

const MALFORMED = [
  '%00',
  'app_%00',
  'app_01k0z8k3v7e5q2m9t4r6w1x8c%00',
  '%zz',
  '%',
  '%ff%fe',
  'x'.repeat(9_000),
  '..%2f',
  '%20',
  '%C3%A9',
];

interface Sent {
  readonly session?: TestSession;
  readonly accept?: string;
}

function get(path: string, { session, accept = 'text/html' }: Sent = {}): Promise<RawAnswer> {
  const cookie = session ? [['Cookie', session.cookie] as const] : [];
  const raw = Buffer.from(path, 'utf8').toString('latin1');
  return sendRaw(story.server.baseUrl, { method: 'GET', path: raw, headers: [['Accept', accept], ...cookie] });
}

function post(path: string, { session }: { readonly session: TestSession }): Promise<RawAnswer> {
  return sendRaw(story.server.baseUrl, {
    method: 'POST',
    path: Buffer.from(path, 'utf8').toString('latin1'),
    headers: [
      ['Accept', 'text/html'],
      ['Cookie', session.cookie],
      ['Sec-Fetch-Site', 'same-origin'],
      ['Content-Type', 'application/x-www-form-urlencoded'],
    ],
    body: Buffer.from(new URLSearchParams({ _csrf: session.csrfToken, expires_in: '0' }).toString()),
  });
}

const withId = <T extends { readonly path: string }>(pages: readonly T[]) =>
  pages.filter(({ path }) => path.includes('/:'));

describe.each([
  ['developer', withId(DEVELOPER_PAGES), newDeveloper],
  ['admin', withId(ADMIN_PAGES), newAdmin],
] as const)('pages of a %s', (_kind, pages, signIn) => {
  test.each(pages.map(({ method, path }) => [method, path] as const))(
    '%s %s is not found for a malformed id',
    async (method, path) => {
      // Each account may send some forms a minute.
      const session = await signIn();
      // Each parameter in turn; two long ones would exceed the limit of a request line.
      const places = (path.match(/:\w+/g) ?? []).flatMap((parameter) =>
        MALFORMED.map((id) => path.replace(parameter, () => id).replaceAll(/:\w+/g, 'x')),
      );
      for (const place of places) {
        const answer = method === 'GET' ? await get(place, { session }) : await post(place, { session });
        expect(answer.status, place).toBe(404);
        expect(answer.text).not.toContain('\0');
      }
    },
  );
});

test.each([
  '/console/%zz',
  '/%zz',
  '/%00',
  '/console/%00',
  '/sign-in/%zz',
  '/assets/%zz',
  '/docs/%zz',
  '/_dev/%zz',
  '/_dev/faults/%00',
  '/_dev/faults/%zz',
  '/oauth/%zz',
  '/invitations/%zz',
])('%s is not found', async (path) => {
  for (const accept of ['text/html', 'application/json']) {
    for (const session of [undefined, developer]) {
      const { status } = await get(path, { accept, ...(session ? { session } : {}) });
      expect(status, path).toBe(404);
    }
  }
});

test.each([
  '/sign-in?return_to=%00',
  '/sign-in/link?token=%00',
  '/console/sign-in/link?token=%00',
  '/console/cli?user_code=%00',
  '/console/cli?done=%00',
  '/invitations/accept?token=%00',
  '/invitations/accept?token=%zz',
  '/oauth/authorize?client_id=%00&redirect_uri=%00',
  '/oauth/authorize?client_id=app_01k0z8k3v7e5q2m9t4r6w1x8c%00',
  '/consents?starting_after=%00',
  '/console/consents?starting_after=%00',
  '/console/consents?ending_before=%zz',
  '/console/apps?%00=%00',
  '/_dev/requests?limit=%00',
  '/_dev/mail?to=%00',
])('%s is answered without a 5xx', async (path) => {
  for (const session of [undefined, developer, admin]) {
    const { status } = await get(path, session ? { session } : {});
    expect(status, path).toBeLessThan(500);
  }
});
