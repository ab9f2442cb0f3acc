import {
  charsetProblem,
  type FieldError,
  isScope,
  LIMITS,
  type OAuthError,
  type Scope,
  scopeProblem,
} from '@plat/contract';
import { invalid, Refusal } from '../refusal.ts';

/** Fields of a form. One without a value counts as absent (RFC 6749, section 3.2). */
export type Fields = Readonly<Record<string, string>>;

/** A refusal with an error of RFC 6749 that its code does not determine. */
export class OAuthRefusal extends Refusal {
  readonly oauthError: OAuthError;

  constructor(oauthError: OAuthError, { code, message, errors = [] }: Refusal) {
    super(code, message, { errors });
    this.oauthError = oauthError;
  }
}

/** Returns the refusal of one field. */
export function refuseField(path: string, message: string, error: OAuthError = 'invalid_request'): OAuthRefusal {
  return new OAuthRefusal(error, invalid('INVALID_REQUEST', [{ path, message }]));
}

const TYPE = 'application/x-www-form-urlencoded';

/** Reads a form. @throws {@link Refusal} INVALID_REQUEST, PAYLOAD_TOO_LARGE */
export function readForm(request: Request, text: string): Fields {
  const type = request.headers.get('content-type') ?? '';
  if (type.split(';')[0]?.trim().toLowerCase() !== TYPE) {
    throw invalid('INVALID_REQUEST', [{ path: '', message: `must be sent with Content-Type: ${TYPE}` }]);
  }
  const wrongCharset = charsetProblem(type);
  if (wrongCharset !== null) throw invalid('INVALID_REQUEST', [{ path: '', message: wrongCharset }]);
  if (text.length > LIMITS.formBytes) throw new Refusal('PAYLOAD_TOO_LARGE');
  const values = new URLSearchParams(text);
  const errors: FieldError[] = [...new Set(values.keys())]
    .filter((path) => values.getAll(path).length > 1)
    .map((path) => ({ path, message: 'is given more than once' }));
  if (errors.length > 0) throw invalid('INVALID_REQUEST', errors);
  return Object.fromEntries([...values].filter(([, value]) => value !== ''));
}

/** Returns the named fields. @throws {@link Refusal} INVALID_REQUEST with every missing field */
export function requireFields<const Names extends readonly string[]>(
  fields: Fields,
  names: Names,
): Readonly<Record<Names[number], string>> {
  const missing = names.filter((name) => fields[name] === undefined);
  if (missing.length > 0) {
    throw invalid(
      'INVALID_REQUEST',
      missing.map((path) => ({ path, message: 'is required' })),
    );
  }
  // The check above proves that every field is present.
  return fields as Record<Names[number], string>;
}

/** Parses a parameter `scope`. @throws {@link Refusal} INVALID_SCOPE */
export function readScope(text: string, allowed: readonly Scope[], whose: string): readonly Scope[] {
  const names = [...new Set(text.split(' ').filter((name) => name !== ''))];
  if (names.length === 0) throw new Refusal('INVALID_SCOPE', 'scope must name at least one scope');
  return names.map((name) => {
    if (isScope(name) && allowed.includes(name)) return name;
    throw new Refusal('INVALID_SCOPE', scopeProblem(name, allowed, whose));
  });
}
