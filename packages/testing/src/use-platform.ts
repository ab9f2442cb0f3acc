import type { TestServer, TestServerOptions, TestTenant } from '@plat/server/testing';
import { loadServer } from './load-server.ts';

/** What {@link usePlatform} is told. */
export interface UsePlatformOptions {
  /**
   * The hook of the test runner that runs when the file is done: `afterAll` of vitest, `after` of node:test. The server
   * is closed by it. Without it, close the platform yourself, or bind it with `await using`.
   */
  readonly afterAll?: (close: () => Promise<void>) => unknown;
  /** How the server is started: its database, its clock, its environment. */
  readonly server?: TestServerOptions;
}

/** The real server in this process, with a seeded sandbox to work in. */
export interface TestPlatform extends AsyncDisposable {
  /** For the `baseUrl` of a client: `http://127.0.0.1:…`. */
  readonly baseUrl: string;
  /** A key of the first sandbox, with all scopes. */
  readonly apiKey: string;
  /** Id of the tenant. */
  readonly tenantId: string;
  /** The owner of the first sandbox, an active user. */
  readonly ownerId: string;
  /** Another sandbox with the same seeded content, which no other test sees: for tests that run side by side. */
  tenant(): Promise<TestTenant>;
  /** The server itself: its clock, its mails, `idle()` and all else that a test can command. */
  readonly server: TestServer;
  /** Stops the server and removes its database. A second call does nothing. */
  close(): Promise<void>;
}

/**
 * Starts the real platform on a free port of the loopback interface, with a database of its own.
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
