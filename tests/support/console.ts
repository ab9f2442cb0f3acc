import type { TestServer, TestSession } from '@plat/server/testing';
import { type Api, apiOf } from './api.ts';
import { type SignedInDeveloper, signedInDeveloper } from './developer.ts';
import { type Visit, visitor } from './visitor.ts';

/** A console that a signed-in account has open. */
export interface OpenConsole {
  get(path: string): Promise<Visit>;
  /** Posts a form with the token of the session. */
  post(path: string, fields?: Readonly<Record<string, string>>): Promise<Visit>;
  /** Opens the page of a form, and posts the form with its values, of which some are replaced. */
  submit(path: string, fields?: Readonly<Record<string, string>>): Promise<Visit>;
}

export function openConsole({ baseUrl }: TestServer, { cookie, csrfToken }: TestSession): OpenConsole {
  const { get, post } = visitor(baseUrl, cookie);
  const send: OpenConsole['post'] = (path, fields = {}) => post(path, { _csrf: csrfToken, ...fields });
  return {
    get,
    post: send,
    submit: async (path, fields = {}) => send(path, { ...shownFields(await get(path)), ...fields }),
  };
}

/** A developer with a console, and a way to call the API. */
export async function developerConsole(
  server: TestServer,
): Promise<OpenConsole & { readonly developer: SignedInDeveloper; readonly api: Api }> {
  const developer = await signedInDeveloper(server);
  return { developer, api: apiOf(server.baseUrl, developer.apiKey), ...openConsole(server, developer.session) };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const plain = (text: string) => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? '');

/** Returns the fields of the form of a page with the values that a browser would send. */
export function shownFields({ text }: Visit): Record<string, string> {
  const main = text.slice(text.indexOf('<main'));
  const fields: Record<string, string> = {};
  for (const [, tag = ''] of main.matchAll(/<input ([^>]*)>/g)) {
    const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
    const name = attribute('name');
    if (name === undefined || (attribute('type') === 'checkbox' && !/ checked/.test(tag))) continue;
    fields[plain(name)] = plain(attribute('value') ?? '');
  }
  for (const [, name = '', value = ''] of main.matchAll(/<textarea [^>]*name="([^"]*)"[^>]*>\n?([^<]*)<\/textarea>/g)) {
    fields[name] = plain(value);
  }
  for (const [, name = '', options = ''] of main.matchAll(/<select [^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)) {
    const values = [...options.matchAll(/<option value="([^"]*)"( selected)?>/g)];
    fields[name] = plain((values.find(([, , selected]) => selected) ?? values[0])?.[1] ?? '');
  }
  return fields;
}
