import type { Request, Response } from 'express';
import { ICON, STYLESHEET } from './assets.ts';
import { type Html, type HtmlValue, html } from './html.ts';
import { policySource } from './policy-source.ts';

/** The content of a page. The layout is the same for every page. */
export interface Page {
  readonly title: string;
  readonly body: HtmlValue;
  /** The title with markup, for the heading of the page. */
  readonly heading?: Html;
  /** Links and the signed-in user, in the header beside the name of the service. */
  readonly bar?: HtmlValue;
  /** Breadcrumbs, above the heading. */
  readonly trail?: HtmlValue;
  /** True for a narrow column, for a page with one form. */
  readonly narrow?: boolean;
}

interface Policy {
  /** Sources that forms of the page may be sent or redirected to. None if absent. */
  readonly formActions?: readonly string[];
}

/** Policy of pages whose forms are sent to this server only. */
export const OWN_FORMS: Policy = { formActions: ["'self'"] };

/** Returns the policy of a page whose forms are sent to this server, or sent or redirected to another one. */
export function formsTo(address: string): Policy {
  const source = policySource(address);
  return source === null ? OWN_FORMS : { formActions: ["'self'", source] };
}

/**
 * Sends a page that may contain one-time links. It is not cached or framed, and its address is not sent to other sites.
 */
export function sendPage(res: Response, status: number, page: Page, policy: Policy = {}): void {
  const text = layOut(page, res.locals.site.base).toString();
  res.statusCode = status;
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.setHeader('Content-Security-Policy', contentSecurityPolicy(policy));
  // With no-referrer, browsers would send the Origin of a form as `null`.
  res.setHeader('Referrer-Policy', 'same-origin');
  res.setHeader('Cache-Control', 'no-store');
  res.end(text);
}

/** Returns true for a program that accepts JSON and not HTML. A caller that accepts any type gets the page. */
export function prefersJson(req: Request): boolean {
  return req.accepts(['html', 'json']) === 'json';
}

/** Returns a complete page. It works without script. */
function layOut({ title, heading, body, bar, trail, narrow = false }: Page, base: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Plat</title>
<link rel="stylesheet" href="${base}${STYLESHEET.path}">
<link rel="icon" type="image/svg+xml" href="${base}${ICON.path}">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="bar"><span class="brand">Plat</span>${bar}</header>
<main id="content" tabindex="-1"${narrow && html` class="narrow"`}>
${trail}
<h1>${heading ?? title}</h1>
${body}
</main>
</body>
</html>
`;
}

/** Allows no script, no content of other sites and no frame around the page. */
function contentSecurityPolicy({ formActions = ["'none'"] }: Policy): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${formActions.join(' ')}`,
  ].join('; ');
}
