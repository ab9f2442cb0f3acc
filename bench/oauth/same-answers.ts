import { deepStrictEqual } from 'node:assert';
import type { Server } from './servers.ts';

/**
 * Asserts that the servers do the same work: a token is active, a refresh returns another pair, and the previous token
 * is refused.
 * @throws Error with the name of the server that differs
 */
export async function checkSameAnswers(servers: readonly Server[]): Promise<void> {
  for (const { name, token, introspection, supply } of servers) {
    const { tokens, ...app } = await supply(1);
    const [first] = tokens;
    const ask = (url: string, fields: object) => post(url, { ...app, ...fields });
    const refresh = (refresh_token?: string) => ask(token, { grant_type: 'refresh_token', refresh_token });
    const active = async (access?: string) => {
      const { body } = await ask(introspection, { token: access });
      return { active: body['active'], client_id: body['client_id'], scope: body['scope'] };
    };
    const isActive = { active: true, client_id: app.client_id, scope: 'me:read' };
    deepStrictEqual(await active(first?.access), isActive, `${name} does not know the token`);
    const { status, body } = await refresh(first?.refresh);
    const { access_token, refresh_token, token_type, expires_in, scope } = body;
    const answer = { status, token_type, expires_in, scope };
    deepStrictEqual(answer, { status: 200, token_type: 'Bearer', expires_in: 3600, scope: 'me:read' }, name);
    deepStrictEqual(await active(access_token), isActive, `${name} does not know its own token`);
    deepStrictEqual((await refresh(refresh_token)).status, 200, `${name} does not take its own token`);
    const again = await refresh(first?.refresh);
    deepStrictEqual([again.status, again.body['error']], [400, 'invalid_grant'], `${name} takes a token twice`);
  }
}

async function post(url: string, fields: object): Promise<{ status: number; body: Record<string, string> }> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ ...fields }) });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}
