import type { Platform } from '../platform.ts';
import { client, platformFor } from './build.ts';
import { type Answer, json, serve, type TestServer } from './serve.ts';

/** Creates a list of `count` clients, newest (highest number) first, with pages like those of the service. */
export async function listOf(count: number, before?: Answer): Promise<[Platform, TestServer]> {
  const ids = Array.from({ length: count }, (_, index) => `cli_${String(count - index).padStart(5, '0')}`);
  const server = await serve((response, request, index) => {
    before?.(response, request, index);
    if (response.headersSent || response.destroyed) return;
    const query = new URL(request.url, 'http://x').searchParams;
    const limit = Number(query.get('limit') ?? 20);
    const after = query.get('starting_after');
    const until = query.get('ending_before');
    const rest =
      after !== null ? ids.filter((id) => id < after) : until !== null ? ids.filter((id) => id > until) : ids;
    const page = until !== null ? rest.slice(-limit) : rest.slice(0, limit);
    const data = page.map((id) => client(id));
    json(response, 200, { object: 'list', data, has_more: rest.length > limit, url: '/v1/clients' });
  });
  return [platformFor(server.url, { maxRetries: 0 }), server];
}

/** Returns the URLs of the requests, without the path of the list. */
export function urlsOf(server: TestServer): string[] {
  return server.received.map((request) => request.url.replace('/v1/clients', ''));
}
