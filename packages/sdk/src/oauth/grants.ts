import { checkOptionNames } from '../checks/options.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { type Grant, presentGrant } from './grant.ts';
import type { GrantContext, GrantTools } from './grant-context.ts';
import { type ImportedGrant, importGrant } from './import-grant.ts';

/** Options of {@link OAuthGrants.list}. */
export interface GrantListOptions {
  /** Key after which the list begins; from the first key when absent. */
  readonly after?: string | undefined;
}

/** The grants of an app in its store. */
export interface OAuthGrants {
  /**
   * Returns all grants of the store, connected and ended, page by page. No request is sent to the service.
   * Grants that are stored meanwhile may be missing.
   * @example
   * ```ts
   * for await (const { key, status } of oauth.grants.list()) if (status === 'connected') await sync(key);
   * ```
   * @throws {@link InvalidArgumentError} if the store has no method `list`
   * @throws {@link GrantStoreError} if the store failed, or a grant cannot be decrypted
   */
  list(options?: GrantListOptions): AsyncIterable<Grant>;
  /**
   * Stores a pair of tokens that the app obtained without this SDK. With a valid access token nothing is spent: the
   * service names tenant, user, scopes and expiry. Without one, the refresh token is exchanged at once. The import can be
   * repeated with the same pair, also after a crash: it then returns the grant as it is. Stop the program that used
   * the pair before: a refresh token that two programs use ends the grant.
   * @throws {@link InvalidArgumentError} with the name of the invalid field; `key` if there is a connected grant already
   * @throws {@link ReauthorizationRequired} if the service refused the refresh token
   * @throws {@link RefreshError} {@link GrantLockedError} {@link GrantStoreError} if it is to be imported again later
   */
  import(grant: ImportedGrant): Promise<Grant>;
}

/** Number of grants that one query of the store returns. */
const PAGE = 100;

export function createGrants(tools: GrantTools, grantOf: (key: string) => GrantContext): OAuthGrants {
  const { records } = tools;
  return {
    list(options = {}) {
      checkOptionNames('grants.list', options, { after: true });
      if (!records.list) throw new InvalidArgumentError('store', 'cannot list its grants: it has no method list');
      return all(records.list, options.after ?? null);
    },
    import: (grant) => importGrant(tools, grant, grantOf),
  };
}

async function* all(list: NonNullable<GrantTools['records']['list']>, first: string | null): AsyncGenerator<Grant> {
  for (let after = first; ; ) {
    const page = await list(after, PAGE);
    for (const { key, record } of page) yield presentGrant(key, record);
    const last = page.at(-1)?.key;
    if (page.length < PAGE || last === undefined) return;
    after = last;
  }
}
