/*
 * A Cloudflare Worker with Hono. It receives webhooks, and users of the platform launch it.
 *
 * Its variables: PLAT_ISSUER (address of the platform), PLAT_AUDIENCE (registered audience of the module), and the secrets
 * PLAT_WEBHOOK_SECRET and SESSION_SECRET (`wrangler secret put`).
 */
import { env } from 'cloudflare:workers';
import { honoLaunch, launchOf } from '@plat/launch-token/hono';
import { honoWebhook } from '@plat/webhooks/hono';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { inboxOf } from './inbox.js';
import { openSession, sessionOf } from './session.js';

export { Inbox } from './inbox.js';

const app = new Hono();

// The platform sends the delivery again unless the response is 2xx. The event is stored by then, exactly once.
app.post(
  '/webhooks',
  honoWebhook({ secrets: env.PLAT_WEBHOOK_SECRET }, async (event) => {
    const isFirst = await inboxOf(event.tenant_id).record(event);
    console.log(`${isFirst ? 'stored  ' : 'repeated'}  ${event.type}  ${event.id}`);
  }),
);

// The browser of the user posts the token here. It is verified once; later requests use the worker's own session.
const launch = honoLaunch({
  issuer: env.PLAT_ISSUER,
  audience: env.PLAT_AUDIENCE,
  entitlement: 'analytics:read',
});
app.post('/launch', launch, async (context) => {
  await openSession(context, launchOf(context));
  return context.redirect('/', 303);
});

app.get('/', async (context) => {
  const session = await sessionOf(context);
  if (!session) return context.text('Launch this module from the platform to use it.', 401);
  const events = await inboxOf(session.tenant).latest(10);
  return context.html(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Events</title></head>
<body><main><h1>Events</h1>
<p>You are <code id="user">${session.user}</code>, ${session.role}.</p>
<ul>${events.map(({ id, type, created }) => html`<li>${created} ${type} <code>${id}</code></li>`)}</ul>
</main></body></html>`);
});

export default app;
