import type { DeveloperToken } from '@plat/contract';
import { DEVELOPER_OPERATION_SCHEMAS, SCHEMAS } from '@plat/contract/schemas';
import { getToken, listTokens, revokeToken } from '../developer/account.service.ts';
import { html, isolated } from '../http/html.ts';
import type { Page } from '../http/route.ts';
import { form } from './forms.ts';
import { KEY_PATH, LOGINS_PATH } from './key-pages.ts';
import type { SignedInPage } from './layout.ts';
import type { PageCall, PageRoute } from './page-route.ts';
import { emptyState } from './parts/empty.ts';
import { listParams, pager } from './parts/list.ts';
import { table } from './parts/table.ts';
import { ago } from './parts/time.ts';
import { PLACES } from './places.ts';
import { confirmation, doneNotice } from './texts.ts';

const KEY = PLACES.developer.home + KEY_PATH;
const PATH = PLACES.developer.home + LOGINS_PATH;
const TITLE = 'Logins of terminals';
const TRAIL = [{ path: KEY, words: 'API key' }];

/** The command lines that are signed in as the developer. */
export const loginRoutes: readonly PageRoute<'developer'>[] = [
  {
    room: 'cli',
    method: 'GET',
    path: PATH,
    async handle(call) {
      const params = listParams<object>(SCHEMAS.ListParams, call, []);
      return { page: loginsPage(call, await listTokens(call.ctx, params)) };
    },
  },
  {
    room: 'cli',
    method: 'GET',
    path: `${PATH}/:id/revoke`,
    handle: async (call) => ({ page: revokePage(call, await getToken(call.ctx, call.id)) }),
  },
  {
    room: 'cli',
    method: 'POST',
    path: `${PATH}/:id/revoke`,
    async handle({ id, write }) {
      await write((ctx) => revokeToken(ctx, id));
      return { goTo: `${PATH}?done=revoked` };
    },
  },
];

function loginsPage({ base, query, now }: PageCall<'developer'>, list: Page<DeveloperToken>): SignedInPage {
  return {
    title: TITLE,
    here: KEY,
    below: TRAIL,
    lede: html`Terminals in which <code>plat login</code> signed you in. Each can create the key of your sandbox, and change your apps and consents.`,
    body: html`${doneNotice(query['done'], { revoked: 'Login ended.' })}
${
  list.data.length === 0
    ? emptyState({
        title: 'No terminal is signed in',
        words: 'To sign in, run this and approve the code that it shows:',
        command: { label: 'plat', text: 'plat login' },
      })
    : table({
        caption: 'Logins, newest first',
        items: list.data,
        columns: [
          { words: 'Program', isHead: true, look: 'grow', cell: ({ client_name: name }) => isolated(name) },
          { words: 'Address', look: 'wide nowrap soft mono', cell: ({ ip }) => ip },
          { words: 'Signed in', look: 'wide nowrap muted', cell: ({ created_at }) => ago(created_at, now) },
          { words: 'Last used', look: 'nowrap muted', cell: ({ last_used_at }) => ago(last_used_at, now) },
          { words: 'Ends', look: 'wide nowrap muted', cell: ({ expires_at }) => ago(expires_at, now) },
          {
            words: 'Action',
            look: 'nowrap',
            cell: ({ id, client_name: name }) =>
              html`<a class="row-link act" href="${base}${PATH}/${id}/revoke">End login<span class="sr"> of ${name}</span></a>`,
          },
        ],
      })
}
${pager({ own: base + PATH, query, nouns: 'logins' }, list)}`,
  };
}

function revokePage({ session, base }: PageCall<'developer'>, { id, client_name: name }: DeveloperToken): SignedInPage {
  return {
    title: 'End the login?',
    here: KEY,
    below: [...TRAIL, { path: PATH, words: TITLE }],
    lede: isolated(name),
    narrow: true,
    body: confirmation({
      words: html`<p>${DEVELOPER_OPERATION_SCHEMAS['tokens.revoke'].confirmation.consequence}</p>`,
      form: form(
        { session, action: `${base}${PATH}/${id}/revoke`, look: 'inline' },
        html`<button type="submit" class="btn btn-danger">End login</button>`,
      ),
      backTo: base + PATH,
    }),
  };
}
