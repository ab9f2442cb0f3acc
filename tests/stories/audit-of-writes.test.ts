import { HEADERS } from '@plat/contract';
import { describe, expect, test } from 'vitest';
import { callOperation, createEveryObject, operations } from '../support/every-operation.ts';
import { useServer } from '../support/story.ts';

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

const writes = operations.filter(([, { method }]) => method !== 'GET');

describe('every operation that writes', () => {
  test.each(writes)(
    '%s leaves an audit event with the actor, the change and the request id',
    async (name, operation) => {
      const { api, ids, tenantId } = await createEveryObject(story.server);
      const answer = await callOperation(api, name, (key) => ids[key]);
      expect(answer.status, JSON.stringify(answer.body)).toBe(operation.status);

      const { body: trail } = await api('/v1/audit/events?limit=100');
      const requestId = answer.headers.get(HEADERS.requestId);
      const own = trail.data.filter((event: { request_id: string | null }) => event.request_id === requestId);
      expect(own.length).toBeGreaterThan(0);
      for (const event of own) {
        expect(event).toMatchObject({
          object: 'audit_event',
          actor: { type: 'api_key', id: expect.stringMatching(/^key_/) },
          action: expect.stringMatching(/^[a-z_]+\.[a-z_]+$/),
          target: { type: expect.stringMatching(/^[a-z_]+$/), id: expect.stringMatching(/^[a-z]{3}_\w{26}$/) },
          ip: '127.0.0.1',
        });
        expect(JSON.stringify(event)).not.toMatch(/whsec_|plat_(test|live|inv)_/);
        expect((await api(`/v1/audit/events/${event.id}`)).body).toEqual(event);
      }
      const targets = [...Object.values(ids), tenantId, answer.body.id];
      expect(targets).toContain(own[0].target.id);
      if (name.endsWith('.update')) expect(Object.keys(own[0].changes)).not.toEqual([]);
    },
  );
});
