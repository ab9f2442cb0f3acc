import { LIMITS, OAUTH_PATHS, type OAuthApp, type OAuthAppWithSecret } from '@plat/contract';
import type { DeveloperSession } from '../accounts/session.ts';
import { type Html, type HtmlValue, html, isolated } from '../http/html.ts';
import { appForm, type TypedApp } from './app-form.ts';
import { form, type Problems } from './forms.ts';
import type { SignedInPage } from './layout.ts';
import { overlapField } from './overlap-field.ts';
import { emptyState } from './parts/empty.ts';
import { table } from './parts/table.ts';
import { ago, agoOrNever, instant } from './parts/time.ts';
import { scopeList } from './scopes-field.ts';
import { confirmation, doneNotice, secretSheet, verificationBadge } from './texts.ts';

export const APPS_PATH = '/console/apps';
const TRAIL = [{ path: APPS_PATH, words: 'OAuth apps' }];

/** Returns the entries above the pages of an app. */
export const appTrailOf = ({ id, name }: Pick<OAuthApp, 'id' | 'name'>) => [
  ...TRAIL,
  { path: `${APPS_PATH}/${id}`, words: name },
];

/** Returns the path of the traces of an app. */
export function appTracePathOf(appId: string): string {
  return `${APPS_PATH}/${appId}/trace`;
}

interface Shown {
  readonly session: DeveloperSession;
  readonly base: string;
}

interface AppsShown {
  readonly base: string;
  readonly apps: readonly OAuthApp[];
  /** App id → time of its latest tokens. */
  readonly lastTokens: ReadonlyMap<string, string>;
  readonly now: number;
  readonly done: string | undefined;
}

export function appsPage({ base, apps, lastTokens, done, now }: AppsShown): SignedInPage {
  const register = html`<a class="btn btn-primary" href="${base}${APPS_PATH}/new">Register an app</a>`;
  const list = table({
    caption: 'Your apps, newest first',
    items: apps,
    columns: [
      {
        words: 'App',
        isHead: true,
        look: 'grow',
        cell: ({ id, name }) => html`<a class="row-link" href="${base}${APPS_PATH}/${id}">${isolated(name)}</a>`,
      },
      { words: 'Client id', look: 'wide', cell: ({ id }) => html`<code class="nowrap">${id}</code>` },
      {
        words: 'Review',
        look: 'nowrap',
        cell: ({ verification, disabled_by }) =>
          html`${verificationBadge(verification)}${disabled_by !== null && DISABLED}`,
      },
      { words: 'Last tokens', look: 'wide nowrap muted', cell: ({ id }) => agoOrNever(lastTokens.get(id), now) },
      { words: 'Registered', look: 'wide nowrap muted', cell: ({ created_at }) => ago(created_at, now) },
    ],
  });
  return {
    title: 'OAuth apps',
    here: APPS_PATH,
    lede: html`An app acts for tenants that give it access. A program for your own sandbox needs no app: use the <a href="${base}/console/key">API key</a>.`,
    actions: apps.length > 0 && register,
    body: html`${doneNotice(done, { deleted: 'App deleted. Every consent to it has ended.' })}
${
  apps.length === 0
    ? emptyState({
        title: 'You have no apps yet',
        words: 'Register an app to get a client id and a secret for the OAuth flow. In a terminal:',
        command: {
          label: 'plat',
          text: 'plat apps create --name "Ledger Sync" --redirect-uris http://localhost:3000/callback --scopes me:read',
        },
        action: register,
      })
    : list
}`,
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
    body: appForm({ session, action, typed, problems, button: 'Register app', hidden: { seen } }),
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
  return {
    title: `Edit ${app.name}`,
    here: APPS_PATH,
    below: appTrailOf(app),
    body: html`<p>Existing consents stay valid.</p>
${appForm({ session, action, typed, problems, button: 'Save', hidden: { seen: app.updated_at }, verification: app.verification })}`,
  };
}

interface AppShown extends Shown {
  readonly app: OAuthApp;
  readonly baseUrl: string;
  /** Time of the app's latest tokens. */
  readonly lastTokens: string | undefined;
  readonly now: number;
  readonly done: string | undefined;
}

export function appPage({ session, base, baseUrl, app, lastTokens, now, done }: AppShown): SignedInPage {
  const own = `${base}${APPS_PATH}/${app.id}`;
  return {
    title: app.name,
    here: APPS_PATH,
    below: TRAIL,
    actions: html`<a class="btn" href="${own}/installations">Installations</a><a class="btn" href="${own}/webhooks">Webhooks</a><a class="btn" href="${own}/refusals">Refused requests</a><a class="btn" href="${own}/edit">Edit</a>`,
    body: html`${doneNotice(done, DONE)}
<dl class="kv">
<dt>Client id</dt><dd><code>${app.id}</code></dd>
<dt>Website</dt><dd>${app.website === null ? html`<span class="muted">None</span>` : html`<a href="${app.website}" rel="noreferrer">${app.website}</a>`}</dd>
<dt>Review</dt><dd>${verificationBadge(app.verification)}${app.disabled_by !== null && DISABLED}</dd>
<dt>Registered</dt><dd>${instant(app.created_at)}</dd>
<dt>Last tokens</dt><dd>${agoOrNever(lastTokens, now)} · <a href="${own}/installations">of each tenant</a></dd>
</dl>
<h2>Redirect URIs</h2>
<ul class="bullets">
${app.redirect_uris.map((uri) => html`<li><code>${uri}</code></li>\n`)}</ul>
<h2>Scopes</h2>
${scopeList(app.scopes)}
<h2>Client secret</h2>
<p>Only a hash of it is stored. If it is lost or may be exposed, rotate it.${overlapOf(app, now)}</p>
<p class="actions"><a class="btn" href="${own}/secret">Rotate secret</a>${hasPreviousSecret(app, now) && html`<a class="btn" href="${own}/revoke-previous">Revoke previous secret</a>`}</p>
<h2>Review by the platform</h2>
${review(app, session, own)}
<h2>Disable or delete</h2>
${stateOf(app, session, own)}
<h2>Endpoints</h2>
<dl class="kv">
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
  revoked: 'The previous secret was revoked. Requests with it are refused from now on.',
  asked: 'Review requested.',
  disabled: 'App disabled. Every consent to it has ended.',
  enabled: 'App enabled. Tenants must consent again.',
};

function stateOf({ disabled_by: disabledBy }: OAuthApp, session: DeveloperSession, own: string): Html {
  const remove = html`<a class="btn" href="${own}/delete">Delete</a>`;
  if (disabledBy === 'operator') {
    return html`<p>The platform disabled the app. Only the platform can enable it.</p><p>${remove}</p>`;
  }
  if (disabledBy === 'developer') {
    return html`<p>The app is disabled: it gets no tokens, and no tenant can consent to it.</p>
${form({ session, action: `${own}/enable`, look: 'inline' }, html`<button type="submit" class="btn">Enable</button>`)}<p>${remove}</p>`;
  }
  return html`<p>Disabling or deleting the app ends every consent to it at once.</p>
<p class="actions"><a class="btn" href="${own}/disable">Disable</a>${remove}</p>`;
}

/** Builds the page that confirms the disabling or deletion of an app. */
export function endAppPage({ verb, ...shown }: AppEndShown): SignedInPage {
  const isDeletion = verb === 'delete';
  return confirmationPage(shown, {
    path: verb,
    title: `${isDeletion ? 'Delete' : 'Disable'} ${shown.app.name}?`,
    button: isDeletion ? 'Delete app' : 'Disable app',
    words: html`<p>All tokens of the app stop working at once, for every tenant. ${
      isDeletion
        ? "Its client id and secret become invalid. You can't undo this."
        : 'You can enable it again, but tenants must then consent again.'
    }</p>`,
  });
}

/** Builds the page that confirms the revocation of the previous secret. */
export function revokeSecretPage(shown: Shown & { readonly app: AppWithPrevious }): SignedInPage {
  const { name, previous_secret_expires_at: expires_at } = shown.app;
  return confirmationPage(shown, {
    path: 'revoke-previous',
    hidden: { expires_at },
    title: 'Revoke the previous secret?',
    button: 'Revoke previous secret',
    words: html`<p>Requests of ${name} with the secret before the current one will be refused. The current secret and all tokens stay valid.</p>`,
  });
}

interface Confirmed {
  /** Path of the form below the page of the app. */
  readonly path: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly title: string;
  readonly button: string;
  readonly words: Html;
}

function confirmationPage(
  { session, base, app }: Shown & { readonly app: OAuthApp },
  { path, hidden = {}, title, button, words }: Confirmed,
): SignedInPage {
  const own = `${base}${APPS_PATH}/${app.id}`;
  return {
    title,
    here: APPS_PATH,
    below: appTrailOf(app),
    narrow: true,
    body: confirmation({
      words,
      form: form(
        { session, action: `${own}/${path}`, hidden, look: 'inline' },
        html`<button type="submit" class="btn btn-danger">${button}</button>`,
      ),
      backTo: own,
    }),
  };
}

type AppEndShown = Shown & { readonly app: OAuthApp; readonly verb: 'disable' | 'delete' };

function review({ verification, verification_note: note }: OAuthApp, session: DeveloperSession, own: string): Html {
  const said = note !== null && html`<p>Note from the review: <q>${note}</q></p>`;
  const ask = (words: string): Html =>
    form(
      { session, action: `${own}/verification`, look: 'inline' },
      html`<button type="submit" class="btn">${words}</button>`,
    );
  switch (verification) {
    case 'verified':
      return html`<p>The app is verified: any tenant can consent to it. You can't change its name and website.</p>${said}`;
    case 'pending':
      return html`<p>The platform is reviewing the app. Until it is verified, it works with developer sandboxes only. You can't change its name and website.</p>`;
    case 'rejected':
      return html`<p>The app was rejected. It works with developer sandboxes only.</p>${said}${ask('Request another review')}`;
    default:
      return html`<p>Until the platform has verified it, the app works with developer sandboxes only. Request a review when the app is ready and has only <code>https</code> redirect URIs.</p>${ask('Request review')}`;
  }
}

function overlapOf(app: OAuthApp, now: number): HtmlValue {
  return (
    hasPreviousSecret(app, now) && html` The previous secret is valid until ${instant(app.previous_secret_expires_at)}.`
  );
}

type AppWithPrevious = OAuthApp & { readonly previous_secret_expires_at: string };

/** Returns true if the secret before the current one is still valid. */
export function hasPreviousSecret(app: OAuthApp, now: number): app is AppWithPrevious {
  const { previous_secret_expires_at: until } = app;
  return until !== null && Date.parse(until) > now;
}

export function rotatePage({
  session,
  base,
  app,
  now,
}: Omit<AppShown, 'baseUrl' | 'lastTokens' | 'done'>): SignedInPage {
  return {
    title: 'Rotate secret',
    here: APPS_PATH,
    below: appTrailOf(app),
    narrow: true,
    body: form(
      { session, action: `${base}${APPS_PATH}/${app.id}/secret`, hidden: { seen: app.updated_at } },
      html`${overlapField({
        max: LIMITS.app.secretOverlapSeconds,
        label: 'When does the current secret expire?',
        hint: 'Until then both secrets are valid, so that you can update your servers one by one.',
      })}
${overlapOf(app, now) && html`<p class="notice warn">The previous secret, from an earlier rotation, expires at once in any case.</p>`}
<p>Existing tokens of the app stay valid.</p>
<button type="submit" class="btn btn-primary">Rotate secret</button>`,
    ),
  };
}

interface SecretShown {
  readonly base: string;
  readonly baseUrl: string;
  readonly app: OAuthAppWithSecret;
  readonly title: string;
}

/** Builds the page that shows the secret. It is the response to the form, and the only page with the secret. */
export function secretPage({ base, baseUrl, app, title }: SecretShown): SignedInPage {
  const { id, name, client_secret: secret, previous_secret_expires_at: until } = app;
  return {
    title,
    here: APPS_PATH,
    below: appTrailOf({ id, name }),
    body: html`${secretSheet({
      label: 'Client secret',
      value: secret,
      environment: { PLAT_BASE_URL: baseUrl, PLAT_CLIENT_ID: id, PLAT_CLIENT_SECRET: secret },
    })}
${until !== null && html`<p>The previous secret is valid until ${instant(until)}.</p>`}
<p><a class="btn btn-primary" href="${base}${APPS_PATH}/${id}">Continue</a></p>`,
  };
}
