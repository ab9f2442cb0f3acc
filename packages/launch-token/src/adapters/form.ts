import { LAUNCH_TOKEN_FIELD } from '@plat/contract';
import { LaunchTokenError } from '../errors.ts';

const FORM = /^application\/x-www-form-urlencoded *(;|$)/i;

/**
 * Refuses a body that is not a form, before it is read.
 * @throws {LaunchTokenError} `TOKEN_MISSING`
 */
export function checkFormType(contentType: string | null | undefined): void {
  if (FORM.test(contentType ?? '')) return;
  throw new LaunchTokenError('TOKEN_MISSING', 'A launch is a form post: application/x-www-form-urlencoded.');
}

/**
 * Returns the launch token of a posted form.
 * @throws {LaunchTokenError} `TOKEN_MISSING`, `TOKEN_REPEATED`, `BODY_TOO_LARGE`
 */
export function tokenOfForm(form: string | ArrayBufferView, maxBytes: number): string {
  // A view of any realm: test runners give programs their own Uint8Array.
  const body = typeof form === 'string' ? form : new Uint8Array(form.buffer, form.byteOffset, form.byteLength);
  if (body.length > maxBytes) throw tooLarge(maxBytes);
  const text = typeof body === 'string' ? body : decoder.decode(body);
  return theOne(new URLSearchParams(text).getAll(LAUNCH_TOKEN_FIELD));
}

/**
 * Returns the launch token of a form that was already parsed: an object of fields, in which a repeated field is an
 * array, or a `FormData`.
 * @throws {LaunchTokenError} `TOKEN_MISSING`, `TOKEN_REPEATED`
 */
export function tokenOfFields(fields: object): string {
  if ('getAll' in fields && typeof fields.getAll === 'function') return theOne(fields.getAll(LAUNCH_TOKEN_FIELD));
  const value: unknown = Object.hasOwn(fields, LAUNCH_TOKEN_FIELD) ? Reflect.get(fields, LAUNCH_TOKEN_FIELD) : [];
  return theOne(Array.isArray(value) ? value : [value]);
}

/** @throws {LaunchTokenError} `BODY_TOO_LARGE` */
export function tooLarge(maxBytes: number): LaunchTokenError {
  return new LaunchTokenError('BODY_TOO_LARGE', `The limit here is ${maxBytes} bytes (maxBodyBytes).`);
}

const decoder = new TextDecoder();

function theOne([token, ...others]: readonly unknown[]): string {
  if (others.length > 0) throw new LaunchTokenError('TOKEN_REPEATED');
  if (typeof token === 'string' && token !== '') return token;
  throw new LaunchTokenError('TOKEN_MISSING', `It is posted as the form field ${LAUNCH_TOKEN_FIELD}.`);
}
