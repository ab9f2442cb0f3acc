import type { Response } from 'express';
import type { ApiError } from '../../kernel/api-error.ts';
import { withParameters } from '../redirect-uris.ts';
import { oauthErrorFields } from '../refusals.ts';
import type { ReturnAddress } from './authorization-request.ts';

/** Sends the browser back to the app with a code. */
export function sendCode(res: Response, issuer: string, back: ReturnAddress, code: string): void {
  sendBack(res, issuer, back, { code });
}

/** Sends the browser back to the app with what it did wrong, or with the owner's no. */
export function sendRefusal(res: Response, issuer: string, back: ReturnAddress, refused: ApiError): void {
  sendBack(res, issuer, back, { ...oauthErrorFields(refused) });
}

/** 303, so that the browser comes with a GET; with `iss`, so that the app knows whose answer it is (RFC 9207). */
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
