import type { Request, Response } from 'express';
import { ICON, SCRIPT_FILE, STYLESHEET } from './assets.ts';
import { type Html, type HtmlValue, html } from './html.ts';
import { policySource } from './policy-source.ts';

/** The content of a page. The layout is the same for every page. */
export interface Page {
  readonly title: string;
  readonly body: HtmlValue;
  /** The title with markup, for the heading of the page. */
  readonly heading?: Html;
  /** Badges of the state, after the heading. */
  readonly badges?: HtmlValue;
  /** One sentence below the heading. */
  readonly lede?: HtmlValue;
  /** Ids and times, below the heading. */
  readonly meta?: HtmlValue;
  /** Buttons beside the heading. */
  readonly actions?: HtmlValue;
  /** Name of the selected object, before the title of the list in the title of the window. */
  readonly selected?: string | undefined;
  /** The selected object, beside the list on wide screens and instead of it on narrow ones. */
  readonly pane?: Html | null;
  /** Navigation and top bar of a signed-in account. Without it, the page is one narrow column. */
  readonly shell?: Shell;
  /** Link to the parent page, above the heading. */
  readonly crumb?: HtmlValue;
  /** True for a narrow column, for a page with one form. */
  readonly narrow?: boolean;
}

/** The frame around every page of a signed-in account. */
export interface Shell {
  readonly nav: Html;
  readonly bar: Html;
  /** Time of the server, in ms. The script shows how long ago something was by it, not by the clock of the viewer. */
  readonly now: number;
}

interface Policy {
  /** Sources that forms of the page may be sent or redirected to. None if absent. */
  readonly formActions?: readonly string[];
  /** True if other sites get the origin of the page, but not its address. */
  readonly showsOrigin?: boolean;
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
  res.setHeader('Content-Security-Policy', contentSecurityPolicy(policy, page.shell !== undefined));
  // With no-referrer, browsers would send the Origin of a form as `null`; with same-origin, that of a form to another site.
  res.setHeader('Referrer-Policy', policy.showsOrigin ? 'strict-origin-when-cross-origin' : 'same-origin');
  res.setHeader('Cache-Control', 'no-store');
  res.end(text);
}

/** Returns true for a program that accepts JSON and not HTML. A caller that accepts any type gets the page. */
export function prefersJson(req: Request): boolean {
  return req.accepts(['html', 'json']) === 'json';
}

/** Returns true for a browser, which names HTML in `Accept`. A caller that accepts any type is a program. */
export function isBrowser(req: Request): boolean {
  return req.accepts(['json', 'html']) === 'html';
}

/** Returns a complete page. It works without script. */
function layOut(page: Page, base: string): Html {
  const { title, selected, shell } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${selected !== undefined && `${selected} – `}${title} – Plat</title>
<link rel="stylesheet" href="${base}${STYLESHEET.path}">
<link rel="icon" type="image/svg+xml" href="${base}${ICON.path}">
${shell && html`<script src="${base}${SCRIPT_FILE.path}" defer></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>${page.pane && html`<a class="skip" href="#selected">Skip to details</a>`}
${
  shell
    ? html`<div class="shell" data-now="${shell.now}">
${shell.nav}
<div>
${shell.bar}
${main(page)}
</div>
</div>`
    : html`<div class="door"><header class="brand">Plat</header>
${main(page)}
</div>`
}
</body>
</html>
`;
}

function main({ pane, narrow = false, ...page }: Page): Html {
  const content = html`${page.crumb}
<div class="head"><div class="head-text"><h1>${page.heading ?? page.title}${page.badges}</h1>
${page.lede && html`<p class="lede">${page.lede}</p>`}${page.meta && html`<p class="meta">${page.meta}</p>`}</div>
${page.actions && html`<div class="actions">${page.actions}</div>`}</div>
<div class="flow body${narrow && ' narrow'}">
${page.body}
</div>`;
  return html`<main class="main" id="main" tabindex="-1">
${pane ? html`<div class="split"><div class="list" id="list">${content}</div>\n${pane}</div>` : content}
</main>`;
}

/** Allows no inline script, no content of other sites and no frame around the page. Pages before the sign-in have no script. */
export function contentSecurityPolicy({ formActions = ["'none'"] }: Policy, hasScript: boolean): string {
  return [
    "default-src 'none'",
    ...(hasScript ? ["script-src 'self'", "connect-src 'self'"] : []),
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${formActions.join(' ')}`,
  ].join('; ');
}
