import { createTestServer } from '@plat/server/testing';
import { describe, expect, inject, test } from 'vitest';

describe.runIf(inject('database').kind === 'sqlite')('/.well-known/security.txt', () => {
  const now = Date.UTC(2026, 0, 1);

  async function read(env: Readonly<Record<string, string>>) {
    const server = await createTestServer({ env, clock: () => now });
    try {
      const url = `${server.baseUrl}/.well-known/security.txt`;
      const answer = await fetch(url);
      return { url, status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
    } finally {
      await server.close();
    }
  }

  test('names the contact of the operator, and an expiry less than a year away (RFC 9116)', async () => {
    const answer = await read({ PLAT_SECURITY_CONTACT: 'mailto:security@plat.example' });
    expect([answer.status, answer.type]).toEqual([200, 'text/plain; charset=utf-8']);
    const lines = ['Contact: mailto:security@plat.example', 'Expires: 2026-06-30T00:00:00.000Z'];
    expect(answer.text).toBe([...lines, 'Preferred-Languages: en', `Canonical: ${answer.url}`, ''].join('\n'));
  });

  test('responds 404 without a contact', async () => {
    expect((await read({})).status).toBe(404);
  });
});
