import type { ErrorCode } from '@plat/contract';
import type { Response } from 'express';
import { ApiError } from '../../kernel/api-error.ts';
import { withParameters } from '../redirect-uris.ts';
import { oauthErrorFields } from '../refusals.ts';
import type { ReturnAddress } from './authorization-request.ts';

/** Redirects the browser to the app with a code. */
export function sendCode(res: Response, issuer: string, back: ReturnAddress, code: string): void {
  sendBack(res, issuer, back, { code });
}

/** Error codes whose page is shown to the user and not sent to the app. */
const SHOWN_HERE: ReadonlySet<ErrorCode> = new Set(['APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT', 'APP_DISABLED']);

/** Sends the errors of `answer` to the app. Failures of this server are not sent. */
export async function returnErrorsToApp(
  res: Response,
  issuer: string,
  back: ReturnAddress,
  answer: () => Promise<void>,
): Promise<void> {
  try {
    await answer();
  } catch (error) {
    if (!(error instanceof ApiError) || SHOWN_HERE.has(error.code)) throw error;
    sendRefusal(res, issuer, back, error);
  }
}

function sendRefusal(res: Response, issuer: string, back: ReturnAddress, refused: ApiError): void {
  sendBack(res, issuer, back, { ...oauthErrorFields(refused) });
}

/** 303, so that the browser sends a GET; with `iss`, so that the app can check the issuer (RFC 9207). */
function sendBack(
  res: Response,
  issuer: string,
  { redirectUri, state }: ReturnAddress,
  answer: Readonly<Record<string, string>>,
): void {
  const location = withParameters(redirectUri, { ...answer, ...(state === undefined ? {} : { state }), iss: issuer });
  res.statusCode = 303;
  res.setHeader('Location', location);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Referrer-Policy', 'no-referrer');
  res.setHeader('Content-Length', 0);
  res.end();
}
