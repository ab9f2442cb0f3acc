import { type HttpHandler, HttpResponse, http } from 'msw';
import { ConnectionCut } from './mock/faults.ts';
import type { MockPlatform } from './mock/index.ts';

/**
 * Returns the handlers of a mock for `setupServer` and `setupWorker` of msw 3. Code that calls the global `fetch` needs
 * them. msw does not intercept requests in Bun and Deno: pass {@link MockPlatform.fetch} there.
 *
 * @example
 * const platform = createMockPlatform();
 * const server = setupServer(...mockHandlers(platform));
 * beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
 * afterEach(() => platform.reset());
 * afterAll(() => server.close());
 */
export function mockHandlers({ baseUrl, fetch }: MockPlatform): HttpHandler[] {
  // One handler for all paths: the patterns of msw accept paths that the platform's router does not.
  return [
    http.all(`${baseUrl}/*`, ({ request }) =>
      fetch(request).catch((error: unknown) => {
        if (error instanceof ConnectionCut || request.signal.aborted) return HttpResponse.error();
        throw error;
      }),
    ),
  ];
}
