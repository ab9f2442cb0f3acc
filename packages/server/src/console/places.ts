import type { SessionKind } from '../accounts/session-cookie.ts';

/** Paths and titles of the sign-in of one kind of account. The paths have no prefix. */
export interface Place {
  readonly kind: SessionKind;
  readonly home: string;
  readonly signIn: string;
  readonly signOut: string;
  /** Title of the sign-in page. */
  readonly title: string;
  /** One sentence that states who signs in here. */
  readonly whom: string;
  /** Link to the sign-in of the other kind. */
  readonly other: { readonly path: string; readonly words: string };
}

export const PLACES: Readonly<Record<SessionKind, Place>> = {
  admin: {
    kind: 'admin',
    home: '/',
    signIn: '/sign-in',
    signOut: '/sign-out',
    title: 'Sign in',
    whom: 'For users who were invited to a tenant.',
    other: { path: '/console/sign-in', words: 'Are you a developer? Sign in to the developer console' },
  },
  developer: {
    kind: 'developer',
    home: '/console',
    signIn: '/console/sign-in',
    signOut: '/console/sign-out',
    title: 'Sign in to the developer console',
    whom: 'For developers. Your account and its sandbox are created the first time you sign in.',
    other: { path: '/sign-in', words: 'Were you invited to a tenant? Sign in to your tenant' },
  },
};

/** Path of traces, below the prefix of the pages. */
export const TRACE_PATH = '/trace';

/** Path of the jump box: the trace of an id, an address or a slug. */
export const JUMP_PATH: Readonly<Record<SessionKind, string>> = {
  admin: TRACE_PATH,
  developer: `/console${TRACE_PATH}`,
};
