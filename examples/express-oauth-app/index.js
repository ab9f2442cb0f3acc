/*
 * An OAuth app that acts for many tenants. Each account of the app connects its tenants and sees their clients.
 *
 * PLAT_BASE_URL, PLAT_CLIENT_ID, PLAT_CLIENT_SECRET and PLAT_APP_WEBHOOK_SECRET name the app (`register.js` writes them to
 * `.env`). APP_URL (default: http://127.0.0.1:4070) is its public address, DATABASE (default: app.db) its SQLite file.
 */
import { AuthorizationError, CallbackError, OAuth, ReauthorizationRequired, sqlStore } from '@plat/sdk/oauth';
import { expressWebhook } from '@plat/webhooks/express';
import express from 'express';
import session from 'express-session';
import { openDatabase } from './database.js';
import { clientsPage, installationsPage, messagePage } from './pages.js';

const {
  PLAT_BASE_URL,
  PLAT_CLIENT_ID,
  PLAT_CLIENT_SECRET,
  PLAT_APP_WEBHOOK_SECRET,
  SESSION_SECRET,
  APP_URL = 'http://127.0.0.1:4070',
} = process.env;
const SCOPES = ['clients:read', 'me:read'];

const database = openDatabase(process.env.DATABASE || 'app.db');
const oauth = new OAuth({
  baseUrl: PLAT_BASE_URL,
  clientId: PLAT_CLIENT_ID,
  clientSecret: PLAT_CLIENT_SECRET,
  redirectUri: `${APP_URL}/callback`,
  store: sqlStore({ dialect: 'sqlite', query: database.query }),
});

const app = express().disable('x-powered-by');

// Before the sessions: the platform has no cookie. An event only causes a look: the platform is the authority on a grant,
// so that a late or repeated event cannot end a newer one.
app.post(
  '/app-events',
  expressWebhook({ secrets: PLAT_APP_WEBHOOK_SECRET }, async (event) => {
    console.log(`event     ${event.type}  ${event.tenant_id}`);
    if (event.type === 'installation.revoked') await checkGrant(event.data.tenant_id);
  }),
);

app.use((_request, response, next) => {
  response.set({ 'cache-control': 'no-store', 'content-security-policy': "default-src 'none'; form-action 'self'" });
  next();
});
app.use(
  session({
    name: 'app_session',
    secret: SESSION_SECRET,
    store: database.sessionStore(session.Store),
    resave: false,
    saveUninitialized: false,
    // Lax, not Strict: the callback is a navigation from the platform. Forms of other sites come without the cookie.
    cookie: { httpOnly: true, sameSite: 'lax', secure: 'auto', maxAge: 30 * 24 * 60 * 60_000 },
  }),
);

app.get('/', async ({ session: { tenants = [] } }, response) => {
  const grants = await Promise.all(tenants.map((key) => oauth.grant(key)));
  response.send(installationsPage(grants));
});

app.get('/connect', async (request, response) => {
  const pending = await oauth.authorizationUrl({ scopes: SCOPES });
  request.session.pending = pending;
  response.redirect(303, pending.url);
});

app.get('/callback', async (request, response) => {
  const { pending, tenants = [] } = request.session;
  delete request.session.pending;
  const { key } = await oauth.exchange(request.url, pending);
  // A new session id after a change of rights.
  await new Promise((done, failed) => request.session.regenerate((error) => (error ? failed(error) : done())));
  request.session.tenants = [...new Set([...tenants, key])];
  response.redirect(303, '/');
});

app.use('/tenants/:key', (request, response, next) => {
  if (request.session.tenants?.includes(request.params.key)) next();
  else response.status(404).send(messagePage('Not found', 'This account has no such tenant.'));
});

app.get('/tenants/:key/clients', async ({ params: { key } }, response) => {
  const clients = await oauth.actingFor(key).clients.list().take(100).toArray();
  response.send(clientsPage(key, clients));
});

app.post('/tenants/:key/disconnect', async ({ params: { key } }, response) => {
  await oauth.revoke(key);
  response.redirect(303, '/');
});

app.use((error, _request, response, next) => {
  // The list shows that the tenant must connect again.
  if (error instanceof ReauthorizationRequired) response.redirect(303, '/');
  else if (error instanceof AuthorizationError)
    response.status(403).send(messagePage('Not connected', 'You did not give access.'));
  else if (error instanceof CallbackError || error.code === 'INVALID_GRANT')
    response.status(400).send(messagePage('Not connected', 'This sign-in is over. Start again.'));
  else next(error);
});

/** Calls the platform with the grant. A revoked one ends in the store, and the list shows it. */
async function checkGrant(key) {
  try {
    await oauth.actingFor(key).me.get();
  } catch (error) {
    if (!(error instanceof ReauthorizationRequired)) throw error;
  }
}

const { hostname, port } = new URL(APP_URL);
app.listen(Number(process.env.PORT || port), hostname, (error) => {
  if (error) throw error;
  console.log(`Open ${APP_URL}/`);
});
