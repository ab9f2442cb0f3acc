import { OAUTH_PATHS } from '@plat/contract';
import { type Browser, createBrowser, fieldsOf, type Page, textOf } from './browser.ts';

/** Options of {@link signInOwner}. */
export interface SignInOwnerOptions {
  /** Base URL of a development server: of `npm start`, `plat dev` or `usePlatform`. */
  readonly baseUrl: string;
  /** Address of the owner. The sandbox of `npm start` has `developer@sandbox.example`. */
  readonly email: string;
  /** Id of the owner. It selects the tenant if the address is that of users of several tenants. */
  readonly userId?: string | undefined;
}

/** An owner of a tenant who is signed in to a development server. */
export interface SignedInOwner {
  /**
   * Decides on the consent page, as `oauth.authorize` of the mock does. Resolves to the address to which the platform sends
   * the browser: the redirect URI with `code`, or with `error`, and with `state` and `iss`. No request is sent there.
   * @param url address of the authorization request, for example `url` of `oauth.authorizationUrl()`
   * @throws TypeError for an address of another server
   * @throws Error with the words of the page, if the platform shows the refusal instead of sending it to the app
   */
  authorize(url: string | URL, decision?: 'allow' | 'deny'): Promise<string>;
}

/**
 * Signs an owner in on the pages of a development server by HTTP, without a browser: the server shows the mail with the
 * link at `/_dev/mail`.
 *
 * @example
 * const owner = await signInOwner({ baseUrl: 'http://127.0.0.1:4010', email: 'developer@sandbox.example' });
 * const pending = await oauth.authorizationUrl({ scopes: ['clients:read'] });
 * await oauth.exchange(await owner.authorize(pending.url), pending);
 *
 * @throws Error for a server without `/_dev/mail`, an unknown address, and a refused sign-in
 */
export async function signInOwner({ baseUrl, email, userId }: SignInOwnerOptions): Promise<SignedInOwner> {
  const base = baseUrl.replace(/\/+$/, '');
  const browser = createBrowser();
  await signIn(browser, { base, email, userId });
  return {
    async authorize(url, decision = 'allow') {
      const address = String(url);
      if (!address.startsWith(`${base}${OAUTH_PATHS.authorize}?`)) {
        throw new TypeError(`the address must begin with ${base}${OAUTH_PATHS.authorize}?`);
      }
      const question = await browser.get(address);
      if (question.location?.startsWith(`${base}/sign-in?`)) throw new Error(`the session of ${email} has ended`);
      if (question.location !== null) return question.location;
      const form = fieldsOf(question, `${OAUTH_PATHS.authorize}/decision`);
      if (!form) throw refused('The authorization', question);
      const decided = await browser.post(form.action, { ...form.fields, decision });
      if (decided.location === null) throw refused('The decision', decided);
      return decided.location;
    },
  };
}

interface Asked {
  readonly base: string;
  readonly email: string;
  readonly userId: string | undefined;
}

async function signIn(browser: Browser, { base, email, userId }: Asked): Promise<void> {
  const form = fieldsOf(await browser.get(`${base}/sign-in`), '/sign-in');
  if (!form) throw new Error(`${base} has no sign-in page`);
  const asked = await browser.post(form.action, { ...form.fields, email });
  if (asked.location === null) throw refused('The sign-in', asked);
  let done = await browser.post(...(await openLink(browser, base, email)));
  if (done.location === `${base}/sign-in/tenant`) {
    const choice = fieldsOf(await browser.get(done.location), '/sign-in/tenant');
    if (!choice || userId === undefined) throw new Error(`${email} is a user of several tenants: pass userId`);
    done = await browser.post(choice.action, { ...choice.fields, user_id: userId });
  }
  if (done.location === null) throw refused('The sign-in', done);
}

/** Opens the link that this browser requested, and returns its form. Another test may have requested a later one. */
async function openLink(
  browser: Browser,
  base: string,
  email: string,
): Promise<[string, Readonly<Record<string, string>>]> {
  for (const { text } of await mailsTo(base, email)) {
    const [, query] = /\/sign-in\/link(\?token=\S+)/.exec(text) ?? [];
    if (query === undefined) continue;
    const form = fieldsOf(await browser.get(`${base}/sign-in/link${query}`), '/sign-in/link');
    if (form) return [form.action, form.fields];
  }
  throw new Error(`no user has the address ${email}, so no link was sent to it`);
}

async function mailsTo(base: string, email: string): Promise<readonly { readonly text: string }[]> {
  const response = await fetch(`${base}/_dev/mail?${new URLSearchParams({ to: email })}`, {
    headers: { accept: 'application/json' },
  });
  if (response.ok) return (await response.json()) as { text: string }[];
  throw new Error(`${base} shows no mails at /_dev/mail (${response.status}): it is no development server`);
}

function refused(what: string, page: Page): Error {
  return new Error(`${what} was refused (${page.status}): ${textOf(page)}`);
}
