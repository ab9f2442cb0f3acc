import { type ErrorCode, OAUTH_PATHS } from '@plat/contract';
import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import { beginSession } from '../accounts/carry-sessions.ts';
import { findOtherAccounts } from '../accounts/other-accounts.ts';
import { type AdminSession, adminSessionOf, adminSignInUrl, postedFields, requireCsrf } from '../accounts/session.ts';
import type { Account } from '../accounts/sign-in.ts';
import { findTenant } from '../accounts/tenants.ts';
import { mayActFor } from '../auth/access-tokens.ts';
import { openChange } from '../change.ts';
import type { Database } from '../db/database.ts';
import { violates } from '../db/errors.ts';
import { GRANT_CODE } from '../db/tables/oauth-grants.ts';
import type { TenantRow } from '../db/tables/tenants.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { errorHandler, setHeaders, toApiError } from '../http/error-handler.ts';
import { formOf, readForm } from '../http/form.ts';
import { formsTo, OWN_FORMS, sendPage } from '../http/page.ts';
import { redirectTo } from '../http/site.ts';
import { ApiError } from '../kernel/api-error.ts';
import { sendCode, sendRefusal } from './answer-app.ts';
import {
  type AuthorizationRequest,
  type RawParameters,
  type RequestingApp,
  type ReturnAddress,
  readAuthorizationRequest,
  recogniseApp,
} from './authorization-request.ts';
import { codesOf, FORM_ID_FIELD, newFormId } from './consent-form.ts';
import { ACCOUNT_PATH, consentPage, refusalPage, type Switching } from './consent-page.ts';
import { giveConsent } from './consents.service.ts';
import type { OAuthServices } from './oauth-services.ts';
import { allowOnly, refuseField } from './refusals.ts';
import { appNotVerified, tenantSuspended } from './tenant-rules.ts';

const DECISION_PATH = `${OAUTH_PATHS.authorize}/decision`;
const PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;

export type AuthorizeServices = Pick<OAuthServices, 'db' | 'clock' | 'baseUrl' | 'wake' | 'sealer'>;

/** An authorization request that may be shown to an owner, or decided by one. */
interface Asked {
  readonly app: RequestingApp;
  readonly back: ReturnAddress;
  readonly session: AdminSession;
  readonly tenant: TenantRow;
  readonly request: AuthorizationRequest;
}

/**
 * `GET /oauth/authorize` and the decision on the page that it shows. Mounted behind the sessions of tenants' users. Until
 * app and redirect URI are certain, nobody signed in has been seen, and the app may work with the tenant, refusals are
 * pages (JSON for programs); all later ones go back to the app. Nobody is sent away before signing in, so that links to
 * this server lead nowhere else (RFC 9700, section 4.11.2).
 */
export function authorizeRoutes(services: AuthorizeServices): Router {
  const { db, baseUrl } = services;
  const router = Router({ caseSensitive: true, strict: true });

  router.get(OAUTH_PATHS.authorize, async (req, res) => {
    const parameters: RawParameters = req.query;
    const arrived = await arrive(db, parameters, adminSessionOf(req));
    if (!arrived) return askToSignIn(req, res, req.originalUrl);
    const others = await findOtherAccounts(db, arrived.session);
    await answering(res, baseUrl(), arrived.back, async () => {
      const request = readRequest(parameters, arrived);
      // A user who owns another tenant can switch to it, so this refusal is a page and not yet the response to the app.
      if (!isOwner(arrived) && !others.some(isOwner)) throw ownersOnly();
      if (!isOwner(arrived))
        return showRefusal(res, ownersOnly(), switchingOf(res, arrived.session, others, parameters));
      askOwner(res, { ...arrived, request }, parameters, others);
    });
  });

  router.post(DECISION_PATH, readForm, async (req, res, next) => {
    // A session may end while the page is open: back to the question, by way of the sign-in.
    if (adminSessionOf(req)) return next();
    const question = new URLSearchParams(carried(formOf(req)));
    askToSignIn(req, res, `${OAUTH_PATHS.authorize}?${question}`);
  });
  router.post(DECISION_PATH, requireCsrf, async (req, res) => {
    const { decision, [FORM_ID_FIELD]: formId = '', ...parameters } = postedFields(req);
    const arrived = await arrive(db, parameters, adminSessionOf(req));
    if (!arrived) throw signInFirst();
    await answering(res, baseUrl(), arrived.back, async () => {
      const asked = { ...arrived, request: readRequest(parameters, arrived) };
      if (!isOwner(arrived)) throw ownersOnly();
      if (decision === 'deny') throw new ApiError('FORBIDDEN', 'The owner of the tenant gave no access');
      if (decision !== 'allow') throw refuseField('decision', 'must be allow or deny');
      const code = await allow(services, req, res, asked, { formId, parameters: carried(parameters) });
      if (code !== null) return sendCode(res, baseUrl(), asked.back, code);
      // The form was sent before, and its code is used: the app would end the grant if it got that code once more.
      redirectTo(res, `${OAUTH_PATHS.authorize}?${new URLSearchParams(carried(parameters))}`);
    });
  });

  router.post(ACCOUNT_PATH, requireCsrf, async (req, res) => {
    const { user_id: userId, ...parameters } = postedFields(req);
    const session = adminSessionOf(req);
    const account = session && (await findOtherAccounts(db, session)).find((other) => other.userId === userId);
    if (!account) throw new ApiError('FORBIDDEN', 'You are not an active user of this tenant');
    await switchAccount(services, req, res, account);
    redirectTo(res, `${OAUTH_PATHS.authorize}?${new URLSearchParams(carried(parameters))}`);
  });

  router.all(OAUTH_PATHS.authorize, allowOnly('GET', 'HEAD'));
  router.all([DECISION_PATH, ACCOUNT_PATH], allowOnly('POST'));
  router.use(OAUTH_PATHS.authorize, tellRefusal(db));
  return router;
}

/**
 * Who asks whom; undefined when nobody is signed in.
 * @throws {@link ApiError} INVALID_REQUEST, INVALID_REDIRECT_URI, APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT
 */
async function arrive(
  db: Database,
  parameters: RawParameters,
  session: AdminSession | null,
): Promise<Omit<Asked, 'request'> | undefined> {
  const { app, back } = await recogniseApp(db, parameters);
  const tenant = session && (await findTenant(db, session.tenantId, null));
  if (!session || !tenant) return undefined;
  if (!mayActFor(app, tenant)) throw appNotVerified();
  return { app, back, session, tenant };
}

/** @throws {@link ApiError} INVALID_REQUEST, INVALID_SCOPE, TENANT_SUSPENDED */
function readRequest(parameters: RawParameters, { app, tenant }: Omit<Asked, 'request'>): AuthorizationRequest {
  const request = readAuthorizationRequest(parameters, app);
  if (tenant.status !== 'active') throw tenantSuspended();
  return request;
}

function isOwner(account: { readonly session: AdminSession } | Account): boolean {
  return ('session' in account ? account.session.role : account.role) === 'owner';
}

function ownersOnly(): ApiError {
  return new ApiError('FORBIDDEN', 'Only an owner of the tenant can give an app access');
}

/** Signs the user in as another of their accounts, under a new session. */
async function switchAccount(
  { db, clock }: AuthorizeServices,
  req: Request,
  res: Response,
  { userId, tenantId }: Account,
): Promise<void> {
  const actor = { type: 'user', id: userId, requestId: res.locals.requestId, ip: req.ip ?? null } as const;
  const now = clock();
  await unitOfWork(db, async (transaction) => {
    const change = openChange({ db, tenantId, now }, transaction, actor);
    await change.audit({ action: 'user.signed_in', target: { type: 'user', id: userId }, at: now });
  });
  await beginSession(req, { accountId: userId, tenantId });
}

function switchingOf(
  res: Response,
  { csrfToken }: AdminSession,
  others: readonly Account[],
  parameters: RawParameters,
): Switching {
  return { others, base: res.locals.site.base, csrfToken, parameters: carried(parameters) };
}

/** Refusals that are shown on a page and not sent to the app. */
const STAYS_HERE: ReadonlySet<ErrorCode> = new Set(['APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT', 'APP_DISABLED']);

/** Sends what is refused back to the app. What happens to this server is not the app's business. */
async function answering(
  res: Response,
  issuer: string,
  back: ReturnAddress,
  answer: () => Promise<void>,
): Promise<void> {
  try {
    await answer();
  } catch (error) {
    const staysHere = !(error instanceof ApiError) || STAYS_HERE.has(error.code);
    if (staysHere) throw error;
    sendRefusal(res, issuer, back, error);
  }
}

function askOwner(
  res: Response,
  { app, back, session, tenant, request }: Asked,
  parameters: RawParameters,
  others: readonly Account[],
): void {
  const { redirectUri } = back;
  const question = consentPage({
    app,
    scopes: request.scopes,
    redirectUri,
    tenantName: tenant.name,
    email: session.email,
    csrfToken: session.csrfToken,
    parameters: carried(parameters),
    formId: newFormId(),
    switching: switchingOf(res, session, others, parameters),
  });
  // Chromium follows a redirect after a form to where the form itself might go only.
  sendPage(res, 200, question, formsTo(redirectUri));
}

/** Resolves to the code; null when the form was sent before and its code can no longer be exchanged. */
async function allow(
  { db, clock, wake, sealer }: AuthorizeServices,
  req: Request,
  res: Response,
  asked: Asked,
  form: Pick<Parameters<typeof codesOf>[1], 'formId' | 'parameters'>,
): Promise<string | null> {
  const { app, back, session, request } = asked;
  const { userId, tenantId } = session;
  const actor = {
    type: 'user',
    id: userId,
    requestId: res.locals.requestId,
    ip: req.ip ?? null,
  } as const;
  const codes = codesOf(sealer, { ...form, tenantId, userId });
  const give = () =>
    unitOfWork(db, async (transaction) => {
      const change = openChange({ db, tenantId, now: clock() }, transaction, actor);
      const given = await giveConsent(change, { app, userId, ...request, redirectUri: back.redirectUri, codes });
      return { ...given, deliveries: change.deliveries() };
    });
  // On a cluster another node may have committed the same form: the second run finds its grant.
  const { code, isOpen, deliveries } = await give().catch((error: unknown) => {
    if (!violates(error, GRANT_CODE)) throw error;
    return give();
  });
  if (deliveries > 0) wake();
  return isOpen ? code : null;
}

/** The parameters of a request that a page or a link has to hold, so that it can be read again. */
function carried(parameters: RawParameters): Record<string, string> {
  const given = PARAMETERS.map((name) => [name, parameters[name]] as const);
  return Object.fromEntries(
    given.filter((pair): pair is [(typeof PARAMETERS)[number], string] => typeof pair[1] === 'string'),
  );
}

function askToSignIn(req: Request, res: Response, returnTo: string): void {
  if (!isBrowser(req)) throw signInFirst();
  redirectTo(res, adminSignInUrl(returnTo));
}

function signInFirst(): ApiError {
  return new ApiError('UNAUTHORIZED', 'Sign in as a user of the tenant first');
}

/** A person is told on a page, a program in JSON; a failure of ours is told as everywhere. */
const tellRefusal =
  (db: Database): ErrorRequestHandler =>
  async (error: unknown, req, res, next) => {
    const refused = toApiError(error);
    res.setHeader('Cache-Control', 'no-store');
    if (!isBrowser(req)) return void errorHandler(error, req, res, next);
    if (refused.status >= 500) return next(error);
    const session = refused.code === 'APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT' ? adminSessionOf(req) : null;
    if (!session) return showRefusal(res, refused, null);
    const parameters = req.method === 'POST' ? formOf(req) : req.query;
    showRefusal(res, refused, switchingOf(res, session, await findOtherAccounts(db, session), parameters));
  };

function showRefusal(res: Response, refused: ApiError, switching: Switching | null): void {
  setHeaders(res, refused);
  sendPage(res, refused.status, refusalPage(refused, res.locals.requestId, switching), OWN_FORMS);
}

/** Browsers ask for HTML by name; programs that take anything get JSON. */
function isBrowser(req: Request): boolean {
  return /\btext\/html\b/i.test(req.headers.accept ?? '');
}
