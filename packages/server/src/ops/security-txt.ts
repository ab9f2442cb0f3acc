import { Router } from 'express';
import { type Clock, DAY_MS } from '../kernel/clock.ts';

const PATH = '/.well-known/security.txt';

/** Validity of a copy of the file, in ms; RFC 9116, 2.5.5 recommends less than a year. */
const VALID_MS = 180 * DAY_MS;

interface SecurityTxt {
  /** `mailto:` or `https:` address for reports; null: the file is not served. */
  readonly contact: string | null;
  /** The public address of the server, known once it listens. */
  readonly baseUrl: () => string;
  readonly clock: Clock;
}

/** Serves `/.well-known/security.txt` (RFC 9116) with the contact for vulnerability reports. */
export function securityTxtRoutes({ contact, baseUrl, clock }: SecurityTxt): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (contact === null) return router;
  router.get(PATH, (_req, res) => {
    const expires = new Date(clock() + VALID_MS).toISOString();
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${expires}`,
      'Preferred-Languages: en',
      `Canonical: ${baseUrl()}${PATH}`,
    ];
    res.setHeader('Content-Type', 'text/plain; charset=utf-8');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Cache-Control', 'public, max-age=86400');
    res.end(`${lines.join('\n')}\n`);
  });
  return router;
}
