import type { TestServer, TestServerOptions, TestTenant } from '@plat/server/testing';
import { loadServer } from './load-server.ts';

/** Options of {@link usePlatform}. */
export interface UsePlatformOptions {
  /**
   * Hook of the test runner that runs after the file: `afterAll` of vitest, `after` of node:test. It closes the
   * server. Without it, close the platform yourself, or bind it with `await using`.
   */
  readonly afterAll?: ((close: () => Promise<void>) => unknown) | undefined;
  /** Options of the server: its database, its clock, its environment. */
  readonly server?: TestServerOptions | undefined;
}

/** The real server in this process, with a seeded sandbox. */
export interface TestPlatform extends AsyncDisposable {
  /** `baseUrl` for a client: `http://127.0.0.1:…`. */
  readonly baseUrl: string;
  /** A key of the first sandbox, with all scopes. */
  readonly apiKey: string;
  /** Id of the tenant. */
  readonly tenantId: string;
  /** The owner of the first sandbox, an active user. */
  readonly ownerId: string;
  /** Creates another sandbox with the same seeded content, for tests that run concurrently. */
  tenant(): Promise<TestTenant>;
  /** The server itself: its clock, its mail, `idle()` and the other controls for tests. */
  readonly server: TestServer;
  /** Stops the server and removes its database. A second call does nothing. */
  close(): Promise<void>;
}

/**
 * Starts the real platform on a free port of the loopback interface, with a new database.
 *
 * @example
 * const platform = await usePlatform({ afterAll });
 * const plat = new Platform({ apiKey: platform.apiKey, baseUrl: platform.baseUrl });
 *
 * @throws Error when `@plat/server`, an optional peer, is not installed
 */
export async function usePlatform({ afterAll, server: options }: UsePlatformOptions = {}): Promise<TestPlatform> {
  const { createTestServer } = await loadServer();
  const server = await createTestServer(options);
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= server.close();
    return closing;
  };
  afterAll?.(close);
  try {
    const first = await server.createSandbox();
    return {
      baseUrl: server.baseUrl,
      ...first,
      tenant: () => server.createSandbox(),
      server,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
