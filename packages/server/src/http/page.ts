import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { Html, type HtmlValue, html } from './html.ts';

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
  pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
  article { border-top: 1px solid; margin-top: 2rem; }
  dl { display: grid; grid-template-columns: auto 1fr; gap: 0 1rem; }
  dd { margin: 0; overflow-wrap: anywhere; }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
// The element as its own template: a value in a style would be escaped, and the hash is of the text as it is.
const STYLE_ELEMENT = new Html([`<style>${STYLE}</style>`], []);

/** A whole page, which works without script. */
export function page({ title, body }: { readonly title: string; readonly body: HtmlValue }): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${STYLE_ELEMENT}
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}

/** No script, nothing of others, no frame around it; forms go where `formActions` say, by default nowhere. */
export function contentSecurityPolicy({ formActions = [] }: { readonly formActions?: readonly string[] } = {}): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${formActions.length === 0 ? "'none'" : formActions.join(' ')}`,
  ].join('; ');
}

/** Answers with a page that nobody keeps, frames, or hears of from its links: it may hold one-time links. */
export function sendPage(
  res: Response,
  status: number,
  content: Html,
  policy: Parameters<typeof contentSecurityPolicy>[0] = {},
): void {
  const text = content.toString();
  res.statusCode = status;
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.setHeader('Content-Security-Policy', contentSecurityPolicy(policy));
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Referrer-Policy', 'no-referrer');
  res.setHeader('Cache-Control', 'no-store');
  res.end(text);
}
