/** Response of a page; redirects are not followed. */
export interface Visit {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Redirect target as a path. */
  readonly location: string;
}

/** A browser without a screen: it keeps cookies and posts forms of the server's pages. */
export interface Visitor {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Visit>;
  /** Posts a form with the token of the latest page unless `_csrf` is given. */
  post(
    path: string,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Visit>;
  /** Follows a redirect. */
  follow(visit: Visit): Promise<Visit>;
}

export function visitor(baseUrl: string, cookie = ''): Visitor {
  const cookies = new Map<string, string>();
  for (const pair of cookie.split(/;\s*/).filter((text) => text !== '')) keep(pair);
  let csrfToken = '';

  async function send(path: string, init: RequestInit, headers: Readonly<Record<string, string>>): Promise<Visit> {
    const sent = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(baseUrl + path, {
      ...init,
      redirect: 'manual',
      headers: {
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        ...(sent === '' ? {} : { cookie: sent }),
        ...headers,
      },
    });
    for (const line of response.headers.getSetCookie())
      keep(line.split(';', 1).join(), /expires=Thu, 01 Jan 1970/i.test(line));
    const text = await response.text();
    csrfToken = /name="_csrf" value="([^"]+)"/.exec(text)?.[1] ?? csrfToken;
    const location = response.headers.get('location') ?? '';
    return { status: response.status, headers: response.headers, text, location };
  }

  function keep(pair: string, isGone = false): void {
    const at = pair.indexOf('=');
    if (isGone) cookies.delete(pair.slice(0, at));
    else cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }

  const get: Visitor['get'] = (path, headers = {}) => send(path, {}, headers);
  return {
    cookies,
    get,
    post(path, fields = {}, headers = { 'sec-fetch-site': 'same-origin', origin: new URL(baseUrl).origin }) {
      const body = new URLSearchParams({ _csrf: csrfToken, ...fields });
      return send(path, { method: 'POST', body }, headers);
    },
    follow: ({ location }) => get(location),
  };
}
