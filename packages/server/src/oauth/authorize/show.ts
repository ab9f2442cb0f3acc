import type { ErrorRequestHandler, Response } from 'express';
import { findOtherAccounts } from '../../accounts/other-accounts.ts';
import { type AdminSession, adminSessionOf } from '../../accounts/session.ts';
import type { Account } from '../../accounts/sign-in.ts';
import type { Database } from '../../db/database.ts';
import type { TenantRow } from '../../db/tables/tenants.ts';
import { errorHandler, setHeaders, toApiError } from '../../http/error-handler.ts';
import { formOf } from '../../http/form.ts';
import { formsTo, isBrowser, OWN_FORMS, sendPage } from '../../http/page.ts';
import type { ApiError } from '../../kernel/api-error.ts';
import {
  type AuthorizationRequest,
  carriedParameters,
  type RawParameters,
  type RequestingApp,
  type ReturnAddress,
} from './authorization-request.ts';
import { newFormId } from './consent-form.ts';
import { consentPage, refusalPage, type Switching } from './consent-page.ts';

interface Question {
  readonly app: RequestingApp;
  readonly back: ReturnAddress;
  readonly session: AdminSession;
  readonly tenant: TenantRow;
  readonly request: AuthorizationRequest;
  readonly parameters: RawParameters;
  readonly switching: Switching;
}

export function showConsentPage(
  res: Response,
  { app, back, session, tenant, request, parameters, switching }: Question,
): void {
  const page = consentPage({
    app,
    scopes: request.scopes,
    redirectUri: back.redirectUri,
    tenantName: tenant.name,
    email: session.email,
    csrfToken: session.csrfToken,
    parameters: carriedParameters(parameters),
    formId: newFormId(),
    switching,
  });
  // Chromium applies form-action to the redirect after a form too.
  sendPage(res, 200, page, formsTo(back.redirectUri));
}

export function showRefusal(res: Response, refused: ApiError, switching: Switching | null): void {
  setHeaders(res, refused);
  sendPage(res, refused.status, refusalPage(refused, res.locals.requestId, switching), OWN_FORMS);
}

export function switchingOf(
  res: Response,
  { csrfToken }: AdminSession,
  others: readonly Account[],
  parameters: RawParameters,
): Switching {
  return { others, base: res.locals.site.base, csrfToken, parameters: carriedParameters(parameters) };
}

/** Answers errors that are not sent to the app: a page for browsers, JSON for programs. */
export function answerErrors(db: Database): ErrorRequestHandler {
  return async (error: unknown, req, res, next) => {
    const refused = toApiError(error);
    res.setHeader('Cache-Control', 'no-store');
    if (!isBrowser(req)) return void errorHandler(error, req, res, next);
    if (refused.status >= 500) return next(error);
    const session = refused.code === 'APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT' ? adminSessionOf(req) : null;
    if (!session) return showRefusal(res, refused, null);
    const parameters = req.method === 'POST' ? formOf(req) : req.query;
    showRefusal(res, refused, switchingOf(res, session, await findOtherAccounts(db, session), parameters));
  };
}
