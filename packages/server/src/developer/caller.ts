import type { Caller } from '../auth/credential.ts';
import type { Context, WriteContext } from '../context.ts';

/** The caller of the developer API: a developer with a command line. The tenant is the developer's sandbox. */
export interface DeveloperCaller extends Caller {
  /** Id of the token. */
  readonly id: string;
  readonly actor: { readonly type: 'developer'; readonly id: string };
}

export type DeveloperContext = Context<DeveloperCaller>;
export type DeveloperWriteContext = WriteContext<DeveloperCaller>;
