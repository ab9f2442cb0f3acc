import { APP_ENDPOINTS, type AppRefusal, type AppRefusalListParams } from '@plat/contract';
import { ERROR_REFERENCE } from '@plat/contract/error-reference';
import { SCHEMAS } from '@plat/contract/schemas';
import { html } from '../http/html.ts';
import type { Page } from '../http/route.ts';
import { listRefusals } from '../oauth/app-refusals.ts';
import type { AppView } from '../oauth/apps.present.ts';
import { findOwnApp } from '../oauth/apps.service.ts';
import { APPS_PATH, appTrailOf } from './app-pages.ts';
import type { SignedInPage } from './layout.ts';
import type { PageCall, PageRoute } from './page-route.ts';
import { statusBadge } from './parts/badge.ts';
import { codeBlock } from './parts/code.ts';
import { emptyState, noMatch } from './parts/empty.ts';
import { shortId } from './parts/kv.ts';
import { type Filter, filterBar, isFiltered, listParams, pager, platOptions, TIMES } from './parts/list.ts';
import { referenceOf } from './parts/look-up.ts';
import { referenceText } from './parts/pane.ts';
import { table } from './parts/table.ts';
import { ago } from './parts/time.ts';

const FILTERS: readonly Filter[] = [
  { name: 'endpoint', label: 'Endpoint', choices: APP_ENDPOINTS.map((value) => ({ value, words: value })) },
  { name: 'code', label: 'Code', placeholder: 'INVALID_GRANT' },
  ...TIMES,
];

/** The refused requests of an app to the OAuth endpoints. */
export const appRefusalRoutes: readonly PageRoute<'developer'>[] = [
  {
    room: 'apps',
    method: 'GET',
    path: `${APPS_PATH}/:id/refusals`,
    async handle(call) {
      const { session, db, id } = call;
      const app = await findOwnApp(db, session.developerId, id, null);
      const params = listParams<AppRefusalListParams>(SCHEMAS.AppRefusalListParams, call, FILTERS);
      return { page: refusalsPage(call, app, await listRefusals(db, app.id, params)) };
    },
  },
];

function refusalsPage(
  { base, query, refused, now }: PageCall<'developer'>,
  { id, name }: Pick<AppView, 'id' | 'name'>,
  list: Page<AppRefusal>,
): SignedInPage {
  const about = { own: `${base}${APPS_PATH}/${id}/refusals`, query, refused, filters: FILTERS, nouns: 'refusals' };
  return {
    title: 'Refused requests',
    here: APPS_PATH,
    below: appTrailOf({ id, name }),
    lede: 'Requests of this app that the authorize, token, introspection or revocation endpoint refused, newest first.',
    body: html`${filterBar(about)}
${list.data.length === 0 ? none(isFiltered(query, FILTERS), about.own) : rows(list.data, now, `${base}${APPS_PATH}/${id}/installations`)}
${pager(about, list)}
${codeBlock({ label: 'As a command', text: `plat apps refusals list ${id}${platOptions(query, FILTERS, now)}` })}`,
  };
}

function none(isFilteredList: boolean, own: string) {
  return isFilteredList
    ? noMatch({ one: 'refusal', many: 'refusals', own })
    : emptyState({ title: 'No request was refused', words: 'Each refusal appears here within a second.' });
}

function rows(refusals: readonly AppRefusal[], now: number, installations: string) {
  return table({
    caption: 'Refused requests, newest first',
    items: refusals,
    columns: [
      { words: 'Time', look: 'nowrap muted', cell: ({ created_at }) => ago(created_at, now) },
      { words: 'Endpoint', look: 'nowrap mono', cell: ({ endpoint }) => endpoint },
      { words: 'Status', look: 'wide', cell: ({ status }) => statusBadge(status) },
      {
        words: 'Reason',
        isHead: true,
        // The fix is in no other place.
        look: 'whole',
        cell: ({ error }) =>
          error &&
          html`<code>${error.code}</code> ${error.message} <span class="muted">${referenceText(referenceOf(ERROR_REFERENCE, error.code).fix)}</span>`,
      },
      {
        words: 'Installation',
        look: 'wide nowrap mono soft',
        cell: ({ installation_id: grant }) =>
          grant !== null && html`<a class="row-link" href="${installations}/${grant}">${shortId(grant)}</a>`,
      },
      { words: 'From', look: 'wide nowrap soft', cell: ({ ip }) => ip },
      { words: 'Request', look: 'wide nowrap mono soft', cell: ({ id }) => shortId(id) },
    ],
  });
}
