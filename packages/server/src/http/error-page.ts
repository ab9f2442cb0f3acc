import type { ErrorRequestHandler, Request } from 'express';
import type { ApiError } from '../kernel/api-error.ts';
import { refusalFor, setHeaders } from './error-handler.ts';
import { html } from './html.ts';
import { isBrowser, OWN_FORMS, type Page, sendPage } from './page.ts';

/**
 * Answers the refusals of browsers with a page. For programs, the error handler writes JSON.
 * @param frame adds the header and navigation of the room to the page
 */
export function errorPage(
  describe: (refused: ApiError, base: string, req: Request) => Page = describeRefusal,
  frame: (page: Page, req: Request, base: string) => Page = (page) => page,
): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (!isBrowser(req) || res.headersSent) return next(error);
    const refused = refusalFor(error, res);
    setHeaders(res, refused);
    const { base } = res.locals.site;
    const page = refused.status >= 500 ? describeFailure(res.locals.requestId) : describe(refused, base, req);
    sendPage(res, refused.status, { narrow: true, ...frame(page, req, base) }, OWN_FORMS);
  };
}

const TITLES: Readonly<Record<number, string>> = {
  401: 'Sign in',
  403: 'Access denied',
  404: 'Page not found',
  409: 'Already done',
  429: 'Too many attempts',
};

function describeRefusal({ status, message }: ApiError, base: string, req: Request): Page {
  const [path = ''] = req.originalUrl.split('?', 1);
  const home = path.startsWith('/console') ? '/console' : '/';
  // A refused cursor: the list from its start.
  const isList = req.method === 'GET' && status === 400 && path !== req.originalUrl;
  const back = formPathOf(req) ?? base + (isList ? path : home);
  return {
    title: TITLES[status] ?? 'The request failed',
    body: html`<p>${message}.</p>
<p><a class="btn btn-primary" href="${back}">${status === 401 ? 'Sign in' : 'Go back'}</a></p>`,
  };
}

/**
 * Returns the page of this site that contained the refused form, from the Referer header. Returns null if there is
 * none.
 */
export function formPathOf(req: Request): string | null {
  const referrer = URL.parse(req.get('referer') ?? '');
  if (req.method !== 'POST' || !referrer || referrer.host !== req.get('host')) return null;
  return referrer.pathname.startsWith('//') ? null : referrer.pathname + referrer.search;
}

function describeFailure(requestId: string): Page {
  return {
    title: 'Something went wrong',
    body: html`<p>Try again in a moment. If it happens again, contact support with this id:</p><p><code>${requestId}</code></p>`,
  };
}
