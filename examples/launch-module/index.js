/*
 * A module that users launch from the platform. It shows the entitlements of the user.
 *
 * - `node index.js` trusts the sandbox that `npm start` runs.
 * - `PLAT_ISSUER=https://… node index.js` trusts another platform.
 *
 * PLAT_AUDIENCE (default: analytics) is the registered audience of the module. PORT (default: 4020) is its port.
 */
import { LaunchTokenError, requireEntitlement } from '@plat/launch-token';
import { expressLaunch, launchOf } from '@plat/launch-token/express';
import express from 'express';
import { refusalPage, reportPage } from './pages.js';
import { findIssuer } from './sandbox.js';
import { openSession, sessionOf } from './sessions.js';

const issuer = process.env.PLAT_ISSUER || (await findIssuer().catch((error) => giveUp(error.message)));
const audience = process.env.PLAT_AUDIENCE || 'analytics';
const app = express().disable('x-powered-by');

app.use((_request, response, next) => {
  response.set({
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
  next();
});

// The browser of the user posts the token here. It is verified once; later requests use the module's own session.
// There is no CSRF check on this route: the form is on a page of the platform, and the token is the proof.
const launch = expressLaunch({
  issuer,
  audience,
  entitlement: 'analytics:read',
  onError: ({ code, message }) => console.warn(`refused   ${code}  ${message}`),
});
app.post('/launch', launch, (request, response) => {
  const claims = launchOf(request);
  openSession(response, claims);
  console.log(`launched  ${claims.user}  ${claims.role} of ${claims.client} in ${claims.tenant}`);
  response.redirect(303, '/');
});

app.use((request, response, next) => {
  request.session = sessionOf(request);
  if (request.session) next();
  else response.status(401).send(refusalPage('Launch this module from the platform to use it.'));
});

app.get('/', ({ session }, response) => {
  response.send(reportPage(session));
});

app.get('/export', ({ session }, response) => {
  requireEntitlement(session, 'analytics:export');
  response.type('text/csv').send('day,orders\r\nMonday,12\r\nTuesday,17\r\n');
});

app.use((error, _request, response, next) => {
  if (!(error instanceof LaunchTokenError)) next(error);
  else response.status(error.status).send(refusalPage('Your role or your plan does not include this feature.'));
});

const server = app.listen(Number(process.env.PORT || 4020), '127.0.0.1', (error) => {
  if (error) giveUp(`cannot listen: ${error.message}`);
  console.log(`Listening on http://127.0.0.1:${server.address().port}/launch for ${issuer}`);
});

function giveUp(message) {
  console.error(message);
  process.exit(1);
}
