import { LaunchTokenError } from '../errors.ts';
import { checkFormType, tokenOfForm, tooLarge } from './form.ts';
import type { Refusal } from './receive.ts';

/**
 * Returns the launch token of a `Request`.
 * @throws {LaunchTokenError} `TOKEN_MISSING`, `TOKEN_REPEATED`, `BODY_TOO_LARGE`
 */
export async function tokenOfRequest(request: Request, maxBytes: number): Promise<string> {
  checkFormType(request.headers.get('content-type'));
  if (request.bodyUsed) {
    throw new LaunchTokenError('TOKEN_MISSING', 'Something has read the request before: give it request.clone().');
  }
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes);
  const decoder = new TextDecoder();
  const reader = request.body?.getReader();
  let form = '';
  let size = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      throw tooLarge(maxBytes);
    }
    form += decoder.decode(value, { stream: true });
  }
  return tokenOfForm(form + decoder.decode(), maxBytes);
}

/** Converts a refusal to a `Response`. */
export function toResponse({ status, headers, body }: Refusal): Response {
  return Response.json(body, { status, headers: { ...headers } });
}
