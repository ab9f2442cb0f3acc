/** Response of a page. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  /** Absolute target of a redirect, byte for byte if it is absolute; null without one. */
  readonly location: string | null;
}

/** A browser without a screen: it keeps cookies, and follows no redirect. */
export interface Browser {
  get(url: string): Promise<Page>;
  post(url: string, fields: Readonly<Record<string, string>>): Promise<Page>;
}

export function createBrowser(): Browser {
  const cookies = new Map<string, string>();

  async function send(url: string, init: RequestInit, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', ...(cookie === '' ? {} : { cookie }), ...headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const given = response.headers.get('location');
    // The app compares its redirect URI byte for byte; only paths of the server are resolved.
    const location = given?.startsWith('/') ? new URL(given, url).href : given;
    return { url, status: response.status, text: await response.text(), location };
  }

  return {
    get: (url) => send(url, {}),
    post: (url, fields) =>
      send(url, { method: 'POST', body: new URLSearchParams(fields) }, { 'sec-fetch-site': 'same-origin' }),
  };
}

/** Returns address and hidden fields of the form whose path ends so; undefined without one. */
export function fieldsOf(
  { url, text }: Page,
  action: string,
): { readonly action: string; readonly fields: Readonly<Record<string, string>> } | undefined {
  for (const [, target = '', content = ''] of text.matchAll(
    /<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs,
  )) {
    const { href, pathname } = new URL(unescaped(target), url);
    if (!pathname.endsWith(action)) continue;
    const inputs = [...content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
    const fields = Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, unescaped(value)]));
    return { action: href, fields };
  }
  return undefined;
}

/** Returns the words of a page. */
export function textOf({ text }: Page): string {
  const [, main = text] = /<main[^>]*>(.*)<\/main>/s.exec(text) ?? [];
  return unescaped(main.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 500);
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function unescaped(text: string): string {
  return text.replace(/&(#?\w+);/g, (all, name: string) => CHARACTERS[name] ?? all);
}
