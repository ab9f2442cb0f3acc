import { LIMITS, OAUTH_PATHS, type OAuthApp, type OAuthAppWithSecret } from '@plat/contract';
import type { DeveloperSession } from '../accounts/session.ts';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import { appForm, type TypedApp } from './app-form.ts';
import { form, type Problems, radioField } from './forms.ts';
import type { SignedInPage } from './layout.ts';
import { scopeList } from './scopes-field.ts';
import { confirmation, doneNotice, secretSheet, verificationBadge, when } from './texts.ts';

export const APPS_PATH = '/console/apps';
const TRAIL = [{ path: APPS_PATH, words: 'OAuth apps' }];

interface Shown {
  readonly session: DeveloperSession;
  readonly base: string;
}

interface AppsShown {
  readonly base: string;
  readonly apps: readonly OAuthApp[];
  readonly done: string | undefined;
}

export function appsPage({ base, apps, done }: AppsShown): SignedInPage {
  const table = html`<div class="card"><table>
<caption>Your apps, newest first</caption>
<thead><tr><th scope="col">App</th><th scope="col">Client id</th><th scope="col">Review</th><th scope="col">Registered</th></tr></thead>
<tbody>
${apps.map(
  ({
    id,
    name,
    verification,
    disabled_by,
    created_at,
  }) => html`<tr><th scope="row"><a href="${base}${APPS_PATH}/${id}">${name}</a></th><td><code>${id}</code></td><td>${verificationBadge(verification)}${disabled_by !== null && DISABLED}</td><td>${when(created_at)}</td></tr>
`,
)}</tbody></table></div>`;
  return {
    title: 'OAuth apps',
    here: APPS_PATH,
    body: html`${doneNotice(done, { deleted: 'The app was deleted, and every consent to it has ended.' })}
<p class="lead">An app acts for many tenants, each of which gives its consent. A program for your own sandbox needs none: it takes the <a href="${base}/console/key">API key</a>.</p>
${apps.length === 0 ? html`<div class="card"><p>You have no apps yet.</p></div>` : table}
<p><a class="button" href="${base}${APPS_PATH}/new">Register an app</a></p>`,
  };
}

interface FormShown extends Shown {
  readonly typed: TypedApp;
  readonly problems: Problems;
}

export function registerPage(shown: FormShown & { readonly seen: string }): SignedInPage {
  const { session, base, typed, problems, seen } = shown;
  const action = `${base}${APPS_PATH}/new`;
  return {
    title: 'Register an app',
    here: APPS_PATH,
    below: TRAIL,
    body: appForm({ session, action, typed, problems, button: 'Register the app', hidden: { seen } }),
  };
}

export function editPage({
  session,
  base,
  typed,
  problems,
  app,
}: FormShown & { readonly app: OAuthApp }): SignedInPage {
  const action = `${base}${APPS_PATH}/${app.id}/edit`;
  const isVerified = app.verification === 'verified';
  return {
    title: `Edit ${app.name}`,
    here: APPS_PATH,
    below: [...TRAIL, { path: `${APPS_PATH}/${app.id}`, words: app.name }],
    body: html`<p>Consents that tenants gave go on as they are.</p>
${appForm({ session, action, typed, problems, button: 'Save', isVerified })}`,
  };
}

interface AppShown extends Shown {
  readonly app: OAuthApp;
  readonly baseUrl: string;
  readonly now: number;
  readonly done: string | undefined;
}

export function appPage({ session, base, baseUrl, app, now, done }: AppShown): SignedInPage {
  const own = `${base}${APPS_PATH}/${app.id}`;
  return {
    title: app.name,
    here: APPS_PATH,
    below: TRAIL,
    body: html`${doneNotice(done, DONE)}
<div class="card">
<dl>
<dt>Client id</dt><dd><code>${app.id}</code></dd>
<dt>Website</dt><dd>${app.website === null ? html`<span class="quiet">none</span>` : html`<a href="${app.website}" rel="noreferrer">${app.website}</a>`}</dd>
<dt>Review</dt><dd>${verificationBadge(app.verification)}${app.disabled_by !== null && DISABLED}</dd>
<dt>Registered</dt><dd>${when(app.created_at)}</dd>
</dl>
<h2>Redirect URIs</h2>
<ul class="plain-list">
${app.redirect_uris.map((uri) => html`<li><code>${uri}</code></li>\n`)}</ul>
<h2>Scopes</h2>
${scopeList(app.scopes)}
<p><a class="button plain" href="${own}/edit">Edit</a></p>
</div>
<h2>Client secret</h2>
<p>Only a hash of it is kept here. If it is lost, or somebody else may have seen it, make another one.${overlapOf(app, now)}</p>
<p><a class="button plain" href="${own}/secret">Make a new secret</a></p>
<h2>Review by the platform</h2>
${review(app, session, own)}
<h2>Disable or delete</h2>
${stateOf(app, session, own)}
<h2>Endpoints</h2>
<dl class="card">
<dt>Authorize</dt><dd><code>${baseUrl}${OAUTH_PATHS.authorize}</code></dd>
<dt>Token</dt><dd><code>${baseUrl}${OAUTH_PATHS.token}</code></dd>
<dt>Revoke</dt><dd><code>${baseUrl}${OAUTH_PATHS.revoke}</code></dd>
<dt>Introspect</dt><dd><code>${baseUrl}${OAUTH_PATHS.introspect}</code></dd>
<dt>Metadata</dt><dd><a href="${baseUrl}${OAUTH_PATHS.metadata}"><code>${baseUrl}${OAUTH_PATHS.metadata}</code></a></dd>
</dl>`,
  };
}

const DISABLED = html` <span class="badge bad">Disabled</span>`;

const DONE = {
  saved: 'Saved.',
  asked: 'The platform was asked to review the app.',
  disabled: 'The app is disabled, and every consent to it has ended.',
  enabled: 'The app is enabled. Tenants have to consent again.',
};

function stateOf({ disabled_by: disabledBy }: OAuthApp, session: DeveloperSession, own: string): Html {
  const remove = html`<a class="button plain" href="${own}/delete">Delete</a>`;
  if (disabledBy === 'operator') {
    return html`<p>The platform disabled the app. Only the platform can enable it.</p><p>${remove}</p>`;
  }
  if (disabledBy === 'developer') {
    return html`<p>The app is disabled: it gets no tokens, and no tenant can consent to it.</p>
${form({ session, action: `${own}/enable`, look: 'inline' }, html`<button type="submit" class="plain">Enable</button>`)}<p>${remove}</p>`;
  }
  return html`<p>Both end every consent to the app at once.</p>
<p><a class="button plain" href="${own}/disable">Disable</a> ${remove}</p>`;
}

/** The page before an app is disabled or deleted. */
export function endAppPage({ session, base, app, verb }: AppEndShown): SignedInPage {
  const own = `${base}${APPS_PATH}/${app.id}`;
  const isDeletion = verb === 'delete';
  return {
    title: `${isDeletion ? 'Delete' : 'Disable'} ${app.name}?`,
    here: APPS_PATH,
    below: [...TRAIL, { path: `${APPS_PATH}/${app.id}`, words: app.name }],
    narrow: true,
    body: confirmation({
      words: html`<p>All tokens of the app stop working at once, for every tenant. ${
        isDeletion
          ? 'Its client id and secret are unknown from then on, and it cannot be brought back.'
          : 'You can enable it again; tenants then have to consent again.'
      }</p>`,
      form: form(
        { session, action: `${own}/${verb}`, look: 'inline' },
        html`<button type="submit" class="risky">${isDeletion ? 'Delete the app' : 'Disable the app'}</button>`,
      ),
      backTo: own,
    }),
  };
}

type AppEndShown = Shown & { readonly app: OAuthApp; readonly verb: 'disable' | 'delete' };

function review({ verification, verification_note: note }: OAuthApp, session: DeveloperSession, own: string): Html {
  const said = note !== null && html`<p>The review said: <q>${note}</q></p>`;
  const ask = (words: string): Html =>
    form(
      { session, action: `${own}/verification`, look: 'inline' },
      html`<button type="submit" class="plain">${words}</button>`,
    );
  switch (verification) {
    case 'verified':
      return html`<p>The app is verified: any tenant may consent to it. Its name and website stay as they were reviewed.</p>${said}`;
    case 'pending':
      return html`<p>The platform has been asked to review the app. Until then it works with the sandboxes of developers only.</p>`;
    case 'rejected':
      return html`<p>The app was not accepted, and works with the sandboxes of developers only.</p>${said}${ask('Ask for another review')}`;
    default:
      return html`<p>Until the platform has verified it, the app works with the sandboxes of developers only. Ask when it is ready, with <code>https</code> redirect URIs alone.</p>${ask('Ask for a review')}`;
  }
}

function overlapOf({ previous_secret_expires_at: until }: OAuthApp, now: number): HtmlValue {
  return (
    until !== null && Date.parse(until) > now && html` The secret before the present one is taken until ${when(until)}.`
  );
}

export function rotatePage({ session, base, app, now }: Omit<AppShown, 'baseUrl' | 'done'>): SignedInPage {
  return {
    title: 'Make a new secret',
    here: APPS_PATH,
    below: [...TRAIL, { path: `${APPS_PATH}/${app.id}`, words: app.name }],
    narrow: true,
    body: form(
      { session, action: `${base}${APPS_PATH}/${app.id}/secret`, hidden: { seen: app.updated_at } },
      html`${radioField(
        {
          name: 'expires_in',
          label: 'When does the present secret stop?',
          hint: 'Until then both are taken, so that your servers can change over one by one.',
          problems: {},
        },
        OVERLAPS.map(([seconds, words]) => ({ value: String(seconds), words, isChosen: seconds === DAY })),
      )}
${overlapOf(app, now) && html`<p class="warning">The secret before the present one stops at once, whatever you choose.</p>`}
<p>Tokens that the app has go on working.</p>
<button type="submit">Make a new secret</button>`,
    ),
  };
}

const DAY = 86_400;

/** How long the present secret goes on beside the new one, in seconds. */
export const OVERLAPS: readonly (readonly [seconds: number, words: string])[] = [
  [3600, 'In an hour'],
  [DAY, 'In a day'],
  [LIMITS.app.secretOverlapSeconds, 'In 7 days'],
  [0, 'At once: somebody else may have it'],
];

interface SecretShown {
  readonly base: string;
  readonly baseUrl: string;
  readonly app: OAuthAppWithSecret;
  readonly title: string;
}

/** The answer to the form itself, and the only page that ever has the secret. */
export function secretPage({ base, baseUrl, app, title }: SecretShown): SignedInPage {
  const { id, name, client_secret: secret, previous_secret_expires_at: until } = app;
  return {
    title,
    here: APPS_PATH,
    below: [...TRAIL, { path: `${APPS_PATH}/${id}`, words: name }],
    body: html`${secretSheet({
      label: 'Client secret',
      value: secret,
      environment: { PLAT_BASE_URL: baseUrl, PLAT_CLIENT_ID: id, PLAT_CLIENT_SECRET: secret },
    })}
${until !== null && html`<p>The secret before it is taken until ${when(until)}.</p>`}
<p><a class="button" href="${base}${APPS_PATH}/${id}">I have stored it: go on</a></p>`,
  };
}
