import { Router } from 'express';
import { type Html, html } from '../http/html.ts';
import { loopbackOnly } from '../http/loopback-only.ts';
import { type Page, prefersJson, sendPage } from '../http/page.ts';
import { sendJson } from '../http/respond.ts';
import { isoTime } from '../kernel/clock.ts';
import type { KeptMail } from '../mail/mailbox.ts';

/** `/_dev/mail` of the development mode: shows the mails with their links, loopback only; `?to=` selects an address. */
export function devMailRoutes(readMailbox: () => Promise<readonly KeptMail[]>, baseUrl: () => string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/_dev/mail', loopbackOnly(baseUrl), async (req, res) => {
    const { to } = req.query;
    const mails = (await readMailbox()).filter((mail) => to === undefined || isTo(mail, to));
    if (!prefersJson(req)) return sendPage(res, 200, mailPage(mails));
    res.setHeader('Cache-Control', 'no-store');
    sendJson(
      res,
      200,
      JSON.stringify(mails.map(({ createdAt, ...mail }) => ({ ...mail, created_at: isoTime(createdAt) }))),
    );
  });
  return router;
}

function isTo({ to }: KeptMail, address: unknown): boolean {
  return typeof address === 'string' && to.toLowerCase() === address.toLowerCase();
}

function mailPage(mails: readonly KeptMail[]): Page {
  const body = mails.length === 0 ? html`<p>No mail yet.</p>` : mails.map(mailArticle);
  return { title: 'Development mail', body };
}

function mailArticle({ id, to, subject, text, kind, createdAt }: KeptMail): Html {
  return html`<article class="item" id="${id}">
<h2>${subject}</h2>
<dl class="kv"><dt>To</dt><dd>${to}</dd><dt>Kind</dt><dd>${kind}</dd><dt>Written</dt><dd>${isoTime(createdAt)}</dd></dl>
<pre class="mail">${text === null ? 'The text is no longer stored.' : withLinks(text)}</pre>
</article>
`;
}

/** Converts the web addresses of a text to links. */
function withLinks(text: string): (Html | string)[] {
  return text
    .split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)])/)
    .map((part, i) => (i % 2 === 0 ? part : html`<a href="${part}" rel="noreferrer">${part}</a>`));
}
