import type { FieldError, OAuthApp } from '@plat/contract';
import { refusal } from '../http/validate.ts';
import { isLoopback, redirectUriProblem } from './redirect-uris.ts';

/**
 * Checks the rules of an app that its schema cannot express.
 * @throws ApiError INVALID_BODY with every invalid field
 */
export function checkApp(app: Pick<OAuthApp, 'website' | 'redirect_uris' | 'verification'>): void {
  const errors = [...websiteErrors(app.website), ...redirectUriErrors(app)];
  if (errors.length > 0) throw refusal('INVALID_BODY', errors);
}

/** Consent pages show this address as a link. */
function websiteErrors(website: string | null): FieldError[] {
  const isWeb = website === null || /^https?:$/.test(URL.parse(website)?.protocol ?? '');
  return isWeb ? [] : [{ path: 'website', message: 'must be an address such as https://app.example' }];
}

function redirectUriErrors({ redirect_uris: uris, verification }: Parameters<typeof checkApp>[0]): FieldError[] {
  return uris.flatMap((uri, i) => {
    const message =
      redirectUriProblem(uri) ??
      (verification === 'verified' && isLoopback(uri) ? 'must be https: the app is verified' : null) ??
      (uris.indexOf(uri) === i ? null : 'is given twice');
    return message === null ? [] : [{ path: `redirect_uris.${i}`, message }];
  });
}
