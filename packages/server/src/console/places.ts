import type { SessionKind } from '../accounts/session-cookie.ts';

/** Where the pages of a kind of account are, and what they call themselves. Paths as the server knows them, without a prefix. */
export interface Place {
  readonly kind: SessionKind;
  readonly home: string;
  readonly signIn: string;
  readonly signOut: string;
  /** Of the page that signs in. */
  readonly title: string;
  /** Who signs in here, in one sentence. */
  readonly whom: string;
  /** Where everybody else signs in. */
  readonly other: { readonly path: string; readonly words: string };
}

export const PLACES: Readonly<Record<SessionKind, Place>> = {
  admin: {
    kind: 'admin',
    home: '/',
    signIn: '/sign-in',
    signOut: '/sign-out',
    title: 'Sign in',
    whom: 'For everybody who was invited to a tenant.',
    other: { path: '/console/sign-in', words: 'Building on the platform? Sign in to the developer console' },
  },
  developer: {
    kind: 'developer',
    home: '/console',
    signIn: '/console/sign-in',
    signOut: '/console/sign-out',
    title: 'Sign in to the developer console',
    whom: 'For developers. The first time you sign in, your account and its sandbox are made.',
    other: { path: '/sign-in', words: 'Were you invited to a tenant? Sign in there' },
  },
};
