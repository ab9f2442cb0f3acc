import type { TestServer } from '@plat/server/testing';
import type { Visit, Visitor } from './visitor.ts';

/** Content of the latest sign-in mail to an address. */
export interface SignInMail {
  /** Path of the page that the link opens. */
  readonly link: string;
  readonly token: string;
  readonly code: string;
}

export async function signInMail(server: TestServer, email: string): Promise<SignInMail> {
  const mail = (await server.mails()).find(({ to, kind }) => to === email && kind === 'sign_in');
  const url = /https?:\S+\/link\?token=\S+/.exec(mail?.text ?? '')?.[0];
  const code = /^[0-9A-Z]{4}-[0-9A-Z]{4}$/m.exec(mail?.text ?? '')?.[0];
  if (!url || !code) throw new Error(`no link was mailed to ${email}`);
  const { pathname, search, searchParams } = new URL(url);
  return { link: pathname + search, token: searchParams.get('token') ?? '', code };
}

/** Opens the sign-in page and requests a link. */
export async function askForLink(
  browser: Visitor,
  email: string,
  page = '/sign-in',
  returnTo?: string,
): Promise<Visit> {
  await browser.get(page + (returnTo === undefined ? '' : `?${new URLSearchParams({ return_to: returnTo })}`));
  return browser.post(page.split('?', 1).join(), { email, ...(returnTo === undefined ? {} : { return_to: returnTo }) });
}
