import { DeveloperResources } from '../resources/developer-resources.ts';
import { type DeveloperApiOptions, resolveOptions } from './developer-api-options.ts';

/**
 * A client of the developer API: OAuth apps with their installations, webhooks and refusals, logins, the sandbox and its
 * API key. It acts for the developer who ran `plat login`.
 *
 * @example
 * ```ts
 * const developer = new DeveloperApi({ token, baseUrl: 'http://127.0.0.1:4010' });
 * for await (const { tenant_id } of developer.apps.installations.list(appId)) console.log(tenant_id);
 * ```
 */
export class DeveloperApi extends DeveloperResources {
  /** @throws {@link InvalidArgumentError} with the name of the invalid option */
  constructor(options: DeveloperApiOptions = {}) {
    super(resolveOptions(options));
  }
}
