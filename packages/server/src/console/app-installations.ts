import { INSTALLATION_STATES, type Installation, type InstallationListParams, type OAuthApp } from '@plat/contract';
import { SCHEMAS } from '@plat/contract/schemas';
import { html } from '../http/html.ts';
import type { Page } from '../http/route.ts';
import { findOwnApp } from '../oauth/apps.service.ts';
import { listInstallations } from '../oauth/installations.ts';
import { APPS_PATH } from './app-pages.ts';
import type { SignedInPage } from './layout.ts';
import type { PageCall, PageRoute } from './page-route.ts';
import { badge } from './parts/badge.ts';
import { codeBlock } from './parts/code.ts';
import { emptyState } from './parts/empty.ts';
import { shortId } from './parts/kv.ts';
import { type Filter, filterBar, isFiltered, listParams, pager, platOptions } from './parts/list.ts';
import { table } from './parts/table.ts';
import { ago, agoOrNever } from './parts/time.ts';

const FILTERS: readonly Filter[] = [
  { name: 'state', label: 'State', choices: INSTALLATION_STATES.map((value) => ({ value, words: value })) },
  { name: 'tenant_id', label: 'Tenant', placeholder: 'tnt_…' },
];

/** The tenants that gave access to an app. */
export const appInstallationRoutes: readonly PageRoute<'developer'>[] = [
  {
    room: 'apps',
    method: 'GET',
    path: `${APPS_PATH}/:id/installations`,
    async handle(call) {
      const { session, db, id, now, query } = call;
      const app = await findOwnApp(db, session.developerId, id, null);
      const params = listParams<InstallationListParams>(SCHEMAS.InstallationListParams, query, FILTERS);
      return { page: installationsPage(call, app, await listInstallations(db, app.id, params, now)) };
    },
  },
];

function installationsPage(
  { base, query, now }: PageCall<'developer'>,
  { id, name }: Pick<OAuthApp, 'id' | 'name'>,
  list: Page<Installation>,
): SignedInPage {
  const about = { own: `${base}${APPS_PATH}/${id}/installations`, query, filters: FILTERS, nouns: 'installations' };
  return {
    title: 'Installations',
    here: APPS_PATH,
    below: [
      { path: APPS_PATH, words: 'OAuth apps' },
      { path: `${APPS_PATH}/${id}`, words: name },
    ],
    lede: 'Tenants that gave this app access, newest first. Ended installations are listed for 30 days.',
    body: html`${filterBar(about)}
${list.data.length === 0 ? none(isFiltered(query, FILTERS), about.own) : rows(list.data, now)}
${pager(about, list)}
${codeBlock({ label: 'As a command', text: `plat apps installations list ${id}${platOptions(query, FILTERS)}` })}`,
  };
}

function none(isFilteredList: boolean, own: string) {
  return isFilteredList
    ? emptyState({
        title: 'No installation matches',
        words: 'Remove a filter.',
        action: html`<a class="btn" href="${own}">All installations</a>`,
      })
    : emptyState({
        title: 'No installations yet',
        words: 'A tenant appears here when one of its owners gives the app access. Try it with your sandbox:',
        command: { label: 'plat', text: 'plat oauth try' },
      });
}

function rows(installations: readonly Installation[], now: number) {
  return table({
    caption: 'Installations, newest first',
    items: installations,
    columns: [
      { words: 'Tenant', isHead: true, look: 'nowrap mono', cell: ({ tenant_id }) => tenant_id },
      { words: 'State', look: 'nowrap', cell: stateOf },
      { words: 'Scopes', look: 'grow soft', cell: ({ scopes }) => scopes.join(', ') },
      { words: 'Consented by', look: 'wide nowrap mono soft', cell: ({ granted_by }) => shortId(granted_by) },
      { words: 'Granted', look: 'nowrap muted', cell: ({ granted_at }) => ago(granted_at, now) },
      {
        words: 'Last tokens',
        look: 'wide nowrap muted',
        cell: ({ last_used_at }) => agoOrNever(last_used_at, now),
      },
    ],
  });
}

function stateOf({ state, revoked_reason: reason }: Installation) {
  const mood = state === 'active' ? 'good' : state === 'suspended' ? 'warn' : '';
  return html`${badge(state, mood)}${reason !== null && html` <span class="muted">${reason.replaceAll('_', ' ')}</span>`}`;
}
