import { INSTALLATION_STATES, type Installation, type InstallationListParams, type OAuthApp } from '@plat/contract';
import { SCHEMAS } from '@plat/contract/schemas';
import { html } from '../http/html.ts';
import type { Page } from '../http/route.ts';
import { findOwnApp } from '../oauth/apps.service.ts';
import { getInstallation, listInstallations } from '../oauth/installations.ts';
import { APPS_PATH, appTrailOf } from './app-pages.ts';
import type { SignedInPage } from './layout.ts';
import type { PageCall, PageRoute } from './page-route.ts';
import { badge } from './parts/badge.ts';
import { codeBlock, commands } from './parts/code.ts';
import { emptyState, noMatch } from './parts/empty.ts';
import { copyId, kv, shortId } from './parts/kv.ts';
import { labelOf } from './parts/label.ts';
import { type Filter, filterBar, isFiltered, listParams, pager, platOptions } from './parts/list.ts';
import { table } from './parts/table.ts';
import { ago, agoOrNever, instant } from './parts/time.ts';
import { scopeList } from './scopes-field.ts';

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
      const { session, db, id, now } = call;
      const app = await findOwnApp(db, session.developerId, id, null);
      const params = listParams<InstallationListParams>(SCHEMAS.InstallationListParams, call, FILTERS);
      return { page: installationsPage(call, app, await listInstallations(db, app.id, params, now)) };
    },
  },
  {
    room: 'apps',
    method: 'GET',
    path: `${APPS_PATH}/:id/installations/:installation_id`,
    async handle({ session, db, id, ids, now, base }) {
      const app = await findOwnApp(db, session.developerId, id, null);
      const installation = await getInstallation(db, app.id, ids['installation_id'] ?? '', now);
      return { page: installationPage(installation, { base, now, name: app.name }) };
    },
  },
];

interface InstallationShown {
  readonly base: string;
  readonly now: number;
  /** Name of the app. */
  readonly name: string;
}

function installationPage(installation: Installation, { base, now, name }: InstallationShown): SignedInPage {
  const { id, app_id, tenant_id, granted_by, granted_at, last_used_at, expires_at, scopes } = installation;
  const own = `${APPS_PATH}/${app_id}`;
  return {
    title: `Installation in ${tenant_id}`,
    here: APPS_PATH,
    below: [...appTrailOf({ id: app_id, name }), { path: `${own}/installations`, words: 'Installations' }],
    badges: html` ${stateOf(installation)}`,
    meta: html`<span>${copyId(id)}</span>`,
    body: html`${kv([
      ['Tenant', copyId(tenant_id)],
      ['Consented by', html`<code>${granted_by}</code>`],
      ['Granted', instant(granted_at)],
      ['Last tokens', agoOrNever(last_used_at, now)],
      ['Ends', instant(expires_at)],
    ])}
<section class="section" aria-labelledby="scopes"><h2 id="scopes">Scopes</h2>
${scopeList(scopes)}</section>
<p class="actions"><a class="btn" href="${base}${own}/refusals">Refused requests of the app</a></p>
${commands(`plat apps installations get ${app_id} ${id}`)}`,
  };
}

function installationsPage(
  { base, query, refused, now }: PageCall<'developer'>,
  { id, name }: Pick<OAuthApp, 'id' | 'name'>,
  list: Page<Installation>,
): SignedInPage {
  const about = {
    own: `${base}${APPS_PATH}/${id}/installations`,
    query,
    refused,
    filters: FILTERS,
    nouns: 'installations',
  };
  return {
    title: 'Installations',
    here: APPS_PATH,
    below: appTrailOf({ id, name }),
    lede: 'Tenants that gave this app access, newest first. Ended installations are listed for 30 days.',
    body: html`${filterBar(about)}
${list.data.length === 0 ? none(isFiltered(query, FILTERS), about.own) : rows(list.data, now, about.own)}
${pager(about, list)}
${codeBlock({ label: 'As a command', text: `plat apps installations list ${id}${platOptions(query, FILTERS, now)}` })}`,
  };
}

function none(isFilteredList: boolean, own: string) {
  return isFilteredList
    ? noMatch({ one: 'installation', many: 'installations', own, words: 'Remove a filter.' })
    : emptyState({
        title: 'No installations yet',
        words: 'A tenant appears here when one of its owners gives the app access. Try it with your sandbox:',
        command: { label: 'plat', text: 'plat oauth try' },
      });
}

function rows(installations: readonly Installation[], now: number, own: string) {
  return table({
    caption: 'Installations, newest first',
    items: installations,
    columns: [
      {
        words: 'Tenant',
        isHead: true,
        look: 'grow mono',
        cell: ({ id, tenant_id }) => html`<a class="row-link" href="${own}/${id}">${tenant_id}</a>`,
      },
      { words: 'State', look: 'nowrap', cell: stateOf },
      { words: 'Scopes', look: 'wide num', cell: ({ scopes }) => scopes.length },
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
  return html`${badge(labelOf(state), mood)}${reason !== null && html` <span class="muted">${reason.replaceAll('_', ' ')}</span>`}`;
}
