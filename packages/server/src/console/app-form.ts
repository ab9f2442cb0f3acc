import {
  type AppVerification,
  type FieldError,
  LIMITS,
  type OAuthApp,
  type OAuthAppCreateParams,
  type Scope,
} from '@plat/contract';
import { SCHEMAS } from '@plat/contract/schemas';
import type { DeveloperSession } from '../accounts/session.ts';
import { type Html, html } from '../http/html.ts';
import { refusal, validate } from '../http/validate.ts';
import { ApiError } from '../kernel/api-error.ts';
import { isReviewed } from '../oauth/apps.service.ts';
import { redirectUriProblem } from '../oauth/redirect-uris.ts';
import { form, linesField, type Problems, problemSummary, type RefusedForm, refusedForm, textField } from './forms.ts';
import { postedScopes, scopesField } from './scopes-field.ts';

/** The fields of an app as typed, valid or not. */
export interface TypedApp {
  readonly name: string;
  readonly website: string;
  /** One per line. */
  readonly redirectUris: string;
  readonly scopes: readonly Scope[];
}

export const EMPTY_APP: TypedApp = { name: '', website: '', redirectUris: '', scopes: [] };

export function typedApp({ name, website, redirect_uris, scopes }: OAuthApp): TypedApp {
  return { name, website: website ?? '', redirectUris: redirect_uris.join('\n'), scopes };
}

export function postedApp(fields: Readonly<Record<string, string>>): TypedApp {
  const { name = '', website = '', redirect_uris: redirectUris = '' } = fields;
  return { name, website, redirectUris, scopes: postedScopes(fields) };
}

/**
 * Validates the typed fields by the rules of the developer API, and reports all faults together.
 * @throws ApiError INVALID_BODY
 */
export function readApp({ name, website, redirectUris, scopes }: TypedApp): OAuthAppCreateParams {
  const uris = linesOf(redirectUris);
  const faults: FieldError[] = uris.flatMap((uri, i) => {
    const message = redirectUriProblem(uri);
    return message === null ? [] : [{ path: `redirect_uris.${i}`, message }];
  });
  const typed = { name, website: website.trim() || null, redirect_uris: uris, scopes };
  try {
    const app = validate('INVALID_BODY', SCHEMAS.OAuthAppCreateParams, typed);
    if (faults.length === 0) return app as OAuthAppCreateParams;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    faults.unshift(...(error.errors ?? []));
  }
  throw refusal('INVALID_BODY', faults);
}

interface AppForm {
  readonly session: DeveloperSession;
  readonly action: string;
  readonly typed: TypedApp;
  readonly problems: Problems;
  readonly button: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** Absent for a new app. */
  readonly verification?: AppVerification;
}

export function appForm({
  session,
  action,
  typed,
  problems,
  button,
  hidden = {},
  verification = 'unverified',
}: AppForm): Html {
  const isVerified = verification === 'verified';
  const isFixed = isReviewed({ verification });
  const shown = { problems, isFixed };
  const fixed = isVerified
    ? "It was reviewed, so you can't change it."
    : "It is being reviewed, so you can't change it.";
  return html`${problemSummary(problems, ['name', 'website', 'redirect_uris', 'scopes'])}
${form(
  { session, action, hidden },
  html`${textField({
    ...shown,
    name: 'name',
    label: 'Name',
    hint: isFixed ? fixed : 'Shown to users when the app requests access.',
    value: typed.name,
    maxLength: LIMITS.name.max,
    isRequired: true,
  })}
${textField({
  ...shown,
  name: 'website',
  label: 'Website (optional)',
  hint: isFixed ? fixed : 'Where users can read about the app: https://app.example',
  type: 'url',
  value: typed.website,
  maxLength: LIMITS.url.max,
})}
${linesField({
  name: 'redirect_uris',
  label: 'Redirect URIs',
  hint: html`Where users return to after consent. One per line, up to ${LIMITS.app.redirectUris}. Compared byte for byte. <code>https</code>${
    isVerified ? '' : html`, or <code>http</code> to <code>localhost</code> until the app is verified`
  }.`,
  value: typed.redirectUris,
  rows: 3,
  problems,
})}
${scopesField({
  hint: 'The scopes that the app may request. Users see each of them, so select as few as possible.',
  chosen: typed.scopes,
  problems,
})}
<button type="submit" class="btn btn-primary">${button}</button>`,
)}`;
}

/** Returns the problems of a refused form. Rethrows any other error. */
export function refusedApp(error: unknown): RefusedForm {
  return refusedForm(error, (path, message) => {
    const [field = '', index] = path.split('.');
    const isMissing = /required|empty|at least/.test(message);
    if (field === 'name') return [field, isMissing ? 'Give the app a name.' : `The name ${message}.`];
    if (field === 'website') return [field, `The website ${message}.`];
    if (field === 'scopes') return [field, isMissing ? 'Select at least one scope.' : `A scope ${message}.`];
    if (index !== undefined) return [field, `Redirect URI ${Number(index) + 1} ${message}.`];
    if (field === 'redirect_uris') {
      const max = LIMITS.app.redirectUris;
      return [field, isMissing ? 'Give at least one redirect URI.' : `Give ${max} redirect URIs at most.`];
    }
    return ['', `${path} ${message}.`];
  });
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
