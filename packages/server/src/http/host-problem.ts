import type { IncomingMessage } from 'node:http';

/** A host with an optional port; empty for a target without a host. */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/;

/** Returns the reason why the header Host is refused (RFC 9112, section 3.2); null if it is valid. */
export function hostProblem({ headers: { host }, httpVersion, rawHeaders }: IncomingMessage): string | null {
  if (host === undefined) return httpVersion === '1.1' ? 'is required' : null;
  // Node keeps the first of several.
  if (rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length > 1) {
    return 'is given more than once';
  }
  return HOST.test(host) ? null : 'must be a host with an optional port';
}
