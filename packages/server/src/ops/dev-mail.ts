import { type RequestHandler, Router } from 'express';
import ipaddr from 'ipaddr.js';
import { unknownRoute } from '../http/error-handler.ts';
import { type Html, html } from '../http/html.ts';
import { type Page, sendPage, wantsJson } from '../http/page.ts';
import { sendJson } from '../http/respond.ts';
import { isoTime } from '../kernel/clock.ts';
import type { KeptMail } from '../mail/mailbox.ts';

/** What tells that a proxy stands between, so that a loopback peer says nothing about who asks. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** `/_dev/mail`: what was mailed, links and all, to whoever sits at this machine. For the development mode. */
export function devMailRoutes(readMailbox: () => Promise<readonly KeptMail[]>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/_dev/mail', onlyHere, async (req, res) => {
    const mails = await readMailbox();
    if (!wantsJson(req)) return sendPage(res, 200, mailPage(mails));
    res.setHeader('Cache-Control', 'no-store');
    sendJson(
      res,
      200,
      JSON.stringify(mails.map(({ createdAt, ...mail }) => ({ ...mail, created_at: isoTime(createdAt) }))),
    );
  });
  return router;
}

/** For all others there is no such page. A name that only resolves to this machine is a page of somebody else's asking. */
const onlyHere: RequestHandler = (req, res, next) => {
  const isProxied = PROXY_HEADERS.some((name) => req.headers[name] !== undefined);
  const { hostname } = URL.parse(`http://${req.headers.host ?? ''}`) ?? { hostname: '' };
  const isNamedHere = hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
  const isHere = !isProxied && isNamedHere && isLoopback(req.socket.remoteAddress ?? '');
  return isHere ? next() : unknownRoute(req, res, next);
};

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

function mailPage(mails: readonly KeptMail[]): Page {
  const body = mails.length === 0 ? html`<p>No mail yet.</p>` : mails.map(mailArticle);
  return { title: 'Mail of the development mode', body };
}

function mailArticle({ id, to, subject, text, kind, createdAt }: KeptMail): Html {
  return html`<article id="${id}">
<h2>${subject}</h2>
<dl><dt>To</dt><dd>${to}</dd><dt>Kind</dt><dd>${kind}</dd><dt>Written</dt><dd>${isoTime(createdAt)}</dd></dl>
<pre>${text === null ? 'The text is not kept.' : withLinks(text)}</pre>
</article>
`;
}

/** The text with its web addresses as links. */
function withLinks(text: string): (Html | string)[] {
  return text
    .split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)])/)
    .map((part, i) => (i % 2 === 0 ? part : html`<a href="${part}" rel="noreferrer">${part}</a>`));
}
