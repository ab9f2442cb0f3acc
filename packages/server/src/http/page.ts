import type { Request, Response } from 'express';
import { ICON, STYLESHEET } from './assets.ts';
import { type Html, type HtmlValue, html } from './html.ts';
import { policySource } from './policy-source.ts';

/** What is said on a page; the rest is the same on all of them. */
export interface Page {
  readonly title: string;
  readonly body: HtmlValue;
  /** The title with markup, as the heading of the page. */
  readonly heading?: Html;
  /** At the top, beside the name of the service: where to go, who is signed in. */
  readonly bar?: HtmlValue;
  /** Above the heading: what the page is part of. */
  readonly trail?: HtmlValue;
  /** A narrow column, for a page of one form. */
  readonly narrow?: boolean;
}

interface Policy {
  /** Where forms of the page lead, and where they are redirected to; nowhere when absent. */
  readonly formActions?: readonly string[];
}

/** For pages whose forms lead to this server and no further. */
export const OWN_FORMS: Policy = { formActions: ["'self'"] };

/** For a page with a form that leads to another server, or is redirected there, beside those that lead to this one. */
export function formsTo(address: string): Policy {
  const source = policySource(address);
  return source === null ? OWN_FORMS : { formActions: ["'self'", source] };
}

/** Answers with a page that nobody keeps or frames, and that no other site hears of: it may hold one-time links. */
export function sendPage(res: Response, status: number, page: Page, policy: Policy = {}): void {
  const text = layOut(page, res.locals.site.base).toString();
  res.statusCode = status;
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.setHeader('Content-Security-Policy', contentSecurityPolicy(policy));
  // With no-referrer, browsers would say of a form that it comes from nowhere.
  res.setHeader('Referrer-Policy', 'same-origin');
  res.setHeader('Cache-Control', 'no-store');
  res.end(text);
}

/** Whether a page is no answer: for programs. Who takes anything gets the page. */
export function wantsJson(req: Request): boolean {
  return req.accepts(['html', 'json']) === 'json';
}

/** A whole page, which works without script. */
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
<a class="skip" href="#content">Skip to the content</a>
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

/** No script, nothing of others, no frame around it. */
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
