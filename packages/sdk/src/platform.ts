import type { Engine } from './call/engine.ts';
import { type PlatformOptions, resolveOptions, withEnvironment } from './platform-options.ts';
import { PlatformResources } from './resources/platform-resources.ts';

/** Options of a client that was made from another → the warnings of that one, so that the same warning is not reported twice. */
const sharedWarnings = new WeakMap<PlatformOptions, Engine['warn']>();

/**
 * A client of the platform API.
 *
 * @example
 * ```ts
 * const platform = new Platform({ apiKey, baseUrl: 'http://127.0.0.1:4010' });
 * const client = await platform.clients.create({ name: 'Acme' });
 * for await (const { name } of platform.clients.list()) console.log(name);
 * ```
 */
export class Platform extends PlatformResources {
  readonly #options: PlatformOptions;
  readonly #engine: Engine;

  /** @throws {@link InvalidArgumentError} with the name of the invalid option */
  constructor(options: PlatformOptions = {}) {
    const complete = withEnvironment(options);
    const engine = resolveOptions(complete, sharedWarnings.get(options));
    super(engine);
    this.#engine = engine;
    this.#options = complete;
  }

  /**
   * Returns a client with some options changed, for example with the credential of another tenant. An undefined option
   * is unchanged. Connections are shared.
   * @throws {@link InvalidArgumentError} with the name of the invalid option
   */
  withOptions(changes: Partial<PlatformOptions>): Platform {
    const { apiKey, credential, transport, fetch, ...rest } = this.#options;
    const access = changes.apiKey === undefined && changes.credential === undefined ? { apiKey, credential } : {};
    const carrier = changes.transport === undefined && changes.fetch === undefined ? this.#engine.transport : undefined;
    const changed = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const options: PlatformOptions = { ...rest, ...access, ...(carrier && { transport: carrier }), ...changed };
    if (options.onWarning === this.#options.onWarning) sharedWarnings.set(options, this.#engine.warn);
    return new Platform(options);
  }
}
