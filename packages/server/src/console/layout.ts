import { type AdminSession, CSRF_FIELD, type DeveloperSession } from '../accounts/session.ts';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import { modeBadge } from '../http/mode-badge.ts';
import type { Page } from '../http/page.ts';
import { mayEnter, type Room } from './access.ts';
import { JUMP_PATH, PLACES } from './places.ts';

export interface Entry {
  readonly path: string;
  readonly words: string;
}

/** A page of a signed-in account. */
export interface SignedInPage extends Omit<Page, 'shell' | 'crumb'> {
  /** Path of the navigation entry that the page belongs to. */
  readonly here?: string;
  /** Parent pages. The last one is linked above the heading. */
  readonly below?: readonly Entry[];
  /** The text in the jump box. */
  readonly jump?: string;
}

type Session = AdminSession | DeveloperSession;

/** Builds the page of a signed-in account: navigation, jump box, tenant and sign-out button. `now` is in ms. */
export function signedInPage(session: Session, base: string, page: SignedInPage, now: number): Page {
  const { here, below = [], jump = '', ...rest } = page;
  const nav = navigation(session, base, here, below.length === 0 ? 'page' : 'true');
  const parent = below.at(-1);
  return {
    ...rest,
    shell: { nav, bar: bar(session, base, jump), now },
    ...(parent && { crumb: html`<a class="crumb" href="${base}${parent.path}">‹ ${parent.words}</a>` }),
  };
}

/** Returns the hidden field that every form of a signed-in page contains. */
export function csrfField({ csrfToken }: Pick<AdminSession, 'csrfToken'>): HtmlValue {
  return html`<input type="hidden" name="${CSRF_FIELD}" value="${csrfToken}">`;
}

export interface NavEntry extends Entry {
  readonly room: Room;
}

interface NavGroup {
  /** Null for the first group, which has no label. */
  readonly label: string | null;
  readonly entries: readonly NavEntry[];
}

/** Rooms that developers and users of tenants have. */
function sharedNav(prefix: string): readonly NavGroup[] {
  return [
    {
      label: null,
      entries: [
        { room: 'home', path: prefix || '/', words: 'Overview' },
        { room: 'trace', path: `${prefix}/trace`, words: 'Trace' },
        { room: 'requests', path: `${prefix}/requests`, words: 'Requests' },
        { room: 'events', path: `${prefix}/events`, words: 'Events' },
        { room: 'webhooks', path: `${prefix}/webhooks`, words: 'Webhooks' },
        { room: 'audit', path: `${prefix}/audit`, words: 'Audit' },
        { room: 'explorer', path: `${prefix}/explorer`, words: 'Explorer' },
      ],
    },
    {
      label: 'Data',
      entries: [
        { room: 'clients', path: `${prefix}/clients`, words: 'Clients' },
        { room: 'groups', path: `${prefix}/groups`, words: 'Groups' },
        { room: 'users', path: `${prefix}/users`, words: 'Users' },
        { room: 'roles', path: `${prefix}/roles`, words: 'Roles' },
        { room: 'settings', path: `${prefix}/settings`, words: 'Settings' },
      ],
    },
  ];
}

/** Rooms about the tenant as a customer of the platform. */
function accountNav(prefix: string): readonly NavEntry[] {
  return [
    { room: 'billing', path: `${prefix}/billing/invoices`, words: 'Billing' },
    { room: 'catalog', path: `${prefix}/plans`, words: 'Plans' },
  ];
}

/** Navigation of a developer: the sandbox with the tools of an integration. */
const DEVELOPER_NAV: readonly NavGroup[] = [
  ...sharedNav('/console'),
  {
    label: 'Developers',
    entries: [
      { room: 'sandbox', path: '/console/sandbox', words: 'Sandbox' },
      { room: 'key', path: '/console/key', words: 'API key' },
      { room: 'apps', path: '/console/apps', words: 'OAuth apps' },
      { room: 'consents', path: '/console/consents', words: 'Consents' },
    ],
  },
  { label: 'Account', entries: accountNav('/console') },
];

/** Navigation of a user of a tenant. */
const ADMIN_NAV: readonly NavGroup[] = [
  ...sharedNav(''),
  {
    label: 'Developers',
    entries: [
      { room: 'key', path: '/key', words: 'API key' },
      { room: 'consents', path: '/consents', words: 'Apps with access' },
    ],
  },
  { label: 'Account', entries: [{ room: 'modules', path: '/modules', words: 'Modules' }, ...accountNav('')] },
];

/** The pages of a user of a tenant, in the order of the navigation. */
export const ADMIN_ENTRIES: readonly NavEntry[] = ADMIN_NAV.flatMap(({ entries }) => entries);

function navigation(session: Session, base: string, here: string | undefined, current: 'page' | 'true'): Html {
  const groups = (session.kind === 'developer' ? DEVELOPER_NAV : ADMIN_NAV).map(({ label, entries }, i) => {
    const links = entries.flatMap(({ room, path, words }) => {
      if (!mayEnter(session, room, 'read')) return [];
      const mark = path === here && html` aria-current="${current}"`;
      return [html`<li><a class="nav-link" href="${base}${path}"${mark}>${words}</a></li>\n`];
    });
    if (links.length === 0) return null;
    const list = (attribute: HtmlValue) => html`<ul${attribute}>\n${links}</ul>`;
    return html`<div class="nav-group">${
      label === null
        ? list(null)
        : html`<p class="nav-label" id="nav-${i}">${label}</p>${list(html` aria-labelledby="nav-${i}"`)}`
    }</div>\n`;
  });
  const { home, signOut } = PLACES[session.kind];
  return html`<nav class="nav" id="nav" aria-label="Console">
<div class="nav-head"><a class="brand" href="${base}${home}">Plat</a><a class="nav-close" href="#main">Close menu</a></div>
${groups}<div class="nav-foot"><p>${session.email}</p>
<form method="post" action="${base}${signOut}">${csrfField(session)}<button type="submit" class="link-button">Sign out</button></form></div>
</nav>`;
}

function bar(session: Session, base: string, jump: string): Html {
  const action = base + JUMP_PATH[session.kind];
  return html`<header class="bar">
<a class="menu-button" href="#nav">Menu</a>
<form class="jump" role="search" action="${action}" method="get"><label class="sr" for="jump">Jump to an id, email address or slug</label><input id="jump" name="id" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="Jump to an id, email or slug" maxlength="254" list="jump-list" value="${jump}"><datalist id="jump-list"></datalist><kbd aria-hidden="true">/</kbd></form>
${tenantMenu(session, base)}
</header>`;
}

function tenantMenu(session: Session, base: string): Html {
  const other =
    session.kind === 'developer'
      ? html`<a href="${base}${PLACES.admin.home}">Tenants that invited you</a>`
      : html`<a href="${base}/tenants">Switch tenant</a>`;
  return html`<details class="tenant"><summary><span class="sr">Tenant: </span><span class="tenant-name">${session.tenantName}</span>${modeBadge(session.sandbox)}</summary>
<div class="menu"><a href="${base}${PLACES[session.kind].home}" aria-current="true">${session.tenantName} ${modeBadge(session.sandbox)}</a>${other}</div></details>`;
}
