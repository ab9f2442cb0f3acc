import type { Request } from 'express';
import type { Call } from '../auth/admission.ts';

/** Returns a request as a call for admission. It does not run after its client has left. */
export function callOf({ socket }: Request): Call {
  return { isWanted: () => !socket.destroyed };
}

/** Returns the rest of a request whose credential was looked up. */
export function begunCall(req: Request): Call {
  return { ...callOf(req), hasBegun: true };
}
