import type { CommandContext } from '../command/context.ts';

/** Result of one check. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** The next step; null if there is none. */
  readonly next: string | null;
}

/** A check of one subject. It never throws. */
export type RunCheck = (context: CommandContext, options: { readonly fix: boolean }) => Promise<readonly Check[]>;

export const ok = (name: string, message: string): Check => ({ name, status: 'ok', message, next: null });
export const warn = (name: string, message: string, next: string): Check => ({ name, status: 'warn', message, next });
export const fail = (name: string, message: string, next: string): Check => ({ name, status: 'fail', message, next });
