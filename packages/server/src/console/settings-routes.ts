import type { OperationName } from '@plat/contract';
import { html } from '../http/html.ts';
import { mayEnter } from './access.ts';
import { consolePath, filledPath, platOf, readObject } from './api-operation.ts';
import { updateRoutes } from './data-form-routes.ts';
import { factsOf } from './data-object-page.ts';
import { historyOf, historyTabs } from './data-tabs.ts';
import type { SignedInPage } from './layout.ts';
import type { PageCall, PageRoute } from './page-route.ts';
import { commands, curlOf } from './parts/code.ts';
import { labelOf } from './parts/label.ts';
import { tabs } from './parts/tabs.ts';
import { doneNotice } from './texts.ts';

const PATH = consolePath('settings.get');

interface Single {
  readonly title: string;
  readonly get: OperationName;
  readonly update: OperationName;
}

/** The objects that each tenant has once. */
const SINGLES: readonly Single[] = [
  { title: 'Tenant', get: 'tenant.get', update: 'tenant.update' },
  { title: 'Settings', get: 'settings.get', update: 'settings.update' },
];

const TABS = ['requests', 'audit'] as const;

/** The tenant and its settings: their fields, forms and history. */
export const settingsRoutes: readonly PageRoute[] = [
  ...[undefined, ...TABS].map(
    (tab): PageRoute => ({
      room: tab ?? 'settings',
      method: 'GET',
      path: tab === undefined ? PATH : `${PATH}/${tab}`,
      within: 'settings',
      handle: async (call) => ({ page: await settingsPage(call, tab) }),
    }),
  ),
  ...SINGLES.flatMap(({ title, get, update }) =>
    updateRoutes({
      ...{ room: 'settings', get, update },
      nameOf: () => title.toLowerCase(),
      trail: ({ prefix }) => [{ path: prefix + PATH, words: 'Settings' }],
      home: () => PATH,
    }),
  ),
];

async function settingsPage(call: PageCall, chosen: (typeof TABS)[number] | undefined): Promise<SignedInPage> {
  const { base, prefix, session, query, ctx } = call;
  const facts = await Promise.all(SINGLES.map(async ({ get }) => factsOf(call, get, await readObject(call, get, {}))));
  const mayChange = mayEnter(session, 'settings', 'change');
  const names = historyTabs(call, false);
  const tab = TABS.find((name) => name === chosen) ?? TABS.find((name) => names.includes(name));
  const own = `${base}${prefix}${PATH}`;
  const isAbout = (path: string) => SINGLES.some(({ get }) => path === `/v1${filledPath(get, {})}`);
  return {
    title: 'Settings',
    here: prefix + PATH,
    lede: 'The tenant, and the values that hold for all of it.',
    body: html`${doneNotice(query['done'], { saved: 'Saved.' })}
${SINGLES.map(
  (
    { title, get },
    i,
  ) => html`<section class="section" aria-labelledby="${get}"><div class="section-head"><h2 id="${get}">${title}</h2>${
    mayChange &&
    html`<a class="btn" href="${base}${prefix}${consolePath(get)}/edit">Edit<span class="sr"> ${title}</span></a>`
  }</div>
${facts[i]}</section>`,
)}
<section class="section" aria-labelledby="history"><h2 id="history">History</h2>
${tabs(
  'History of the settings',
  TABS.filter((name) => names.includes(name)).map((name) => ({
    href: `${own}/${name}#history`,
    words: labelOf(name),
    isCurrent: name === tab,
  })),
)}
<div class="tab-body">${tab !== undefined && (await historyOf(call, { tab, id: ctx.tenantId, isAbout, own: `${own}/${tab}` }))}</div></section>
${commands(platOf('settings.get', {}), curlOf(filledPath('settings.get', {})))}`,
  };
}
