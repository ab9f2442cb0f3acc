import { OAUTH_PATHS } from '@plat/contract';
import { type Request, type Response, Router } from 'express';
import { admitPages } from '../../accounts/admit-page.ts';
import { findOtherAccounts } from '../../accounts/other-accounts.ts';
import { type AdminSession, adminSessionOf, postedFields, requireCsrf } from '../../accounts/session.ts';
import { switchAccount } from '../../accounts/switch-account.ts';
import type { Counter } from '../../auth/counter.ts';
import type { RateLimit } from '../../auth/rate-limit.ts';
import type { TenantRow } from '../../db/tables/tenants.ts';
import { formOf } from '../../http/form.ts';
import { redirectTo } from '../../http/site.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { allowOnly } from '../refusals.ts';
import { ownersOnly } from '../tenant-rules.ts';
import { allowAccess } from './allow-access.ts';
import {
  type AuthorizationRequest,
  carriedParameters,
  checkAppEnabled,
  checkNoRepeatedParameter,
  checkResponseType,
  checkState,
  type FoundApp,
  findApp,
  type RawParameters,
  type RequestingApp,
  type ReturnAddress,
  readCodeChallenge,
  readReturnAddress,
  readScopes,
} from './authorization-request.ts';
import {
  checkAppMayUse,
  checkDecision,
  checkOwner,
  checkTenantActive,
  findOtherAccount,
  findSessionTenant,
  isOwner,
} from './checks.ts';
import { FORM_ID_FIELD } from './consent-form.ts';
import { ACCOUNT_PATH } from './consent-page.ts';
import { countRefusals, logRefusals } from './log-refusals.ts';
import { returnErrorsToApp, sendCode } from './return-to-app.ts';
import { answerErrors, showConsentPage, showRefusal, switchingOf } from './show.ts';
import { requestSignIn, signInFirst } from './sign-in-first.ts';

const DECISION_PATH = `${OAUTH_PATHS.authorize}/decision`;

export interface AuthorizeServices extends Pick<OAuthServices, 'db' | 'clock' | 'baseUrl' | 'sealer' | 'admission'> {
  readonly rateLimit: Pick<RateLimit, 'counter'>;
}

/** The services of the endpoint, and the counter of its refusals. */
type EndpointServices = AuthorizeServices & { readonly refusals: Counter };

/** An app and the signed-in user that it asks. */
interface Parties {
  readonly app: RequestingApp;
  readonly back: ReturnAddress;
  readonly session: AdminSession;
  readonly tenant: TenantRow;
}

/**
 * `GET /oauth/authorize`, and the decision of the page that it shows. Mounted behind the sessions of tenants' users. The
 * errors of `findApp` and `identifyParties` are pages (JSON for programs), all later ones are sent to the app. The browser
 * is redirected only after the sign-in, so that links to this server cannot lead elsewhere (RFC 9700, section 4.11.2).
 */
export function authorizeRoutes(services: AuthorizeServices): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const admitted = admitPages(services.admission);
  const counted = { ...services, refusals: countRefusals(services.rateLimit) };
  router.get(
    OAUTH_PATHS.authorize,
    admitted((req, res) => ask(counted, req, res)),
  );
  router.post(DECISION_PATH, (req, res, next) => {
    if (adminSessionOf(req)) return next();
    // The session ended while the page was open: sign in, then ask again.
    requestSignIn(req, res, questionPath(formOf(req)));
  });
  router.post(
    DECISION_PATH,
    requireCsrf,
    admitted((req, res) => decide(counted, req, res)),
  );
  router.post(
    ACCOUNT_PATH,
    requireCsrf,
    admitted((req, res) => useOtherAccount(services, req, res)),
  );
  router.all(OAUTH_PATHS.authorize, allowOnly('GET', 'HEAD'));
  router.all([DECISION_PATH, ACCOUNT_PATH], allowOnly('POST'));
  router.use(OAUTH_PATHS.authorize, answerErrors(services.db));
  return router;
}

async function ask(services: EndpointServices, req: Request, res: Response): Promise<void> {
  const parameters: RawParameters = req.query;
  const app = await findApp(services.db, parameters);
  const logged = logRefusals(services.refusals, req, res, app.id);
  const parties = await logged(() => identifyParties(services, app, parameters, adminSessionOf(req)));
  if (!parties) return requestSignIn(req, res, req.originalUrl);
  const { session, back } = parties;
  const others = await findOtherAccounts(services.db, session);
  const switching = switchingOf(res, session, others, parameters);
  const answer = async () => {
    const request = readRequest(parameters, parties);
    if (isOwner(session)) return showConsentPage(res, { ...parties, request, parameters, switching });
    // A user who owns another tenant can switch to it, so this error is a page and not yet the response to the app.
    if (others.some(isOwner)) return showRefusal(res, ownersOnly(), switching);
    throw ownersOnly();
  };
  await returnErrorsToApp(res, services.baseUrl(), back, () => logged(answer));
}

async function decide(services: EndpointServices, req: Request, res: Response): Promise<void> {
  const { decision, [FORM_ID_FIELD]: formId = '', ...parameters } = postedFields(req);
  const app = await findApp(services.db, parameters);
  const logged = logRefusals(services.refusals, req, res, app.id);
  const parties = await logged(() => identifyParties(services, app, parameters, adminSessionOf(req)));
  if (!parties) throw signInFirst();
  const answer = async () => {
    const request = readRequest(parameters, parties);
    checkOwner(parties.session);
    checkDecision(decision);
    const form = { formId, parameters: carriedParameters(parameters) };
    const code = await allowAccess(services, req, res, { ...parties, request, form });
    if (code !== null) return sendCode(res, services.baseUrl(), parties.back, code);
    // The form was sent before and its code is used: the app would end the grant if it received the code again.
    redirectTo(res, questionPath(parameters));
  };
  await returnErrorsToApp(res, services.baseUrl(), parties.back, () => logged(answer));
}

async function useOtherAccount(services: AuthorizeServices, req: Request, res: Response): Promise<void> {
  const { user_id: userId, ...parameters } = postedFields(req);
  const account = await findOtherAccount(services.db, adminSessionOf(req), userId);
  await switchAccount(services, req, res, account);
  redirectTo(res, questionPath(parameters));
}

/** Further steps whose errors are not sent to the app, in order. Resolves to undefined when no user is signed in. */
async function identifyParties(
  { db }: AuthorizeServices,
  app: FoundApp,
  parameters: RawParameters,
  session: AdminSession | null,
): Promise<Parties | undefined> {
  checkAppEnabled(app);
  const back = readReturnAddress(app, parameters);
  const tenant = await findSessionTenant(db, session);
  if (!session || !tenant) return undefined;
  checkAppMayUse(app, tenant);
  return { app, back, session, tenant };
}

/** Steps whose errors are sent to the app, in order. */
function readRequest(parameters: RawParameters, { app, tenant }: Parties): AuthorizationRequest {
  checkNoRepeatedParameter(parameters);
  checkState(parameters);
  checkResponseType(parameters);
  const codeChallenge = readCodeChallenge(parameters);
  const scopes = readScopes(parameters, app);
  checkTenantActive(tenant);
  return { scopes, codeChallenge };
}

/** Path of the page that asks for the decision. */
function questionPath(parameters: RawParameters): string {
  return `${OAUTH_PATHS.authorize}?${new URLSearchParams(carriedParameters(parameters))}`;
}
