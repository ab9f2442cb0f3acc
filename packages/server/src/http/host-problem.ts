import type { IncomingMessage } from 'node:http';
import { timesGiven } from './times-given.ts';

/** A host with an optional port; empty for a target without a host. */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/;

/** Returns the reason why the header Host is refused (RFC 9112, section 3.2); null if it is valid. */
export function hostProblem(req: IncomingMessage): string | null {
  const { host } = req.headers;
  if (host === undefined) return req.httpVersion === '1.1' ? 'is required' : null;
  if (timesGiven('host', req) > 1) return 'is given more than once';
  return HOST.test(host) ? null : 'must be a host with an optional port';
}
