/** Decodes an HTTP Basic value, whose id and secret are form-encoded before they are joined (RFC 6749, section 2.3.1). */
export function readBasic(header: string): { readonly id: string; readonly secret: string } | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(header) ?? [];
  if (encoded === undefined) return undefined;
  try {
    const [, id, secret] = /^([^:]+):(.+)$/s.exec(atob(encoded)) ?? [];
    return id === undefined || secret === undefined ? undefined : { id: decode(id), secret: decode(secret) };
  } catch {
    return undefined;
  }
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
