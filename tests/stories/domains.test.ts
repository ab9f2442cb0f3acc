import { selectOne } from '@plat/server/testing';
import { describe, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { operate } from '../support/operator.ts';
import { useServer } from '../support/story.ts';

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

let serial = 0;
const newDomain = () => `shop-${++serial}.example`;
async function newTenant(sandbox: boolean) {
  const { tenantId, apiKey } = await story.server.createTenant({ sandbox });
  return { tenantId, api: apiOf(story.server.baseUrl, apiKey) };
}
const claim = async (api: Api, domain: string) => {
  const { body } = await api('/v1/clients', { body: { name: 'Shop' } });
  return api(`/v1/clients/${body.id}`, { method: 'PATCH', body: { domain } });
};
const run = (...args: string[]) => operate(story.database.url, 'domains', ...args);

describe('a domain', () => {
  test('of a sandbox blocks neither a production tenant nor another sandbox', async () => {
    const domain = newDomain();
    const holders = [await newTenant(true), await newTenant(true), await newTenant(false)];
    for (const { api } of holders) expect((await claim(api, domain)).body.custom_domain).toBe(domain);
    const late = await newTenant(true);
    expect((await claim(late.api, domain)).status).toBe(200);
  });

  test('is unique among production tenants, and within a sandbox', async () => {
    const domain = newDomain();
    const [first, second, sandbox] = [await newTenant(false), await newTenant(false), await newTenant(true)];
    expect((await claim(first.api, domain)).status).toBe(200);
    expectRefusal(await claim(second.api, domain), 'DOMAIN_IN_USE');
    expect((await claim(sandbox.api, domain)).status).toBe(200);
    expectRefusal(await claim(sandbox.api, domain.toUpperCase()), 'DOMAIN_IN_USE');
  });

  test('that is unset, or whose client is deleted, is free again', async () => {
    const domain = newDomain();
    const [first, second] = [await newTenant(false), await newTenant(false)];
    const { body: client } = await claim(first.api, domain);
    await first.api(`/v1/clients/${client.id}`, { method: 'PATCH', body: { domain: null } });
    const { body: other } = await claim(second.api, domain);
    await second.api(`/v1/clients/${other.id}`, { method: 'DELETE' });
    expect((await claim(first.api, domain)).status).toBe(200);
  });
});

describe('the operator', () => {
  test('finds the tenant that has a domain, and releases it for another tenant', async () => {
    const domain = newDomain();
    const [squatter, rightful, sandbox] = [await newTenant(false), await newTenant(false), await newTenant(true)];
    const { body: client } = await claim(squatter.api, domain);
    await claim(sandbox.api, domain);
    const { json: found } = await run('find', domain.toUpperCase());
    expect(found).toMatchObject([
      { domain, tenant_id: squatter.tenantId, client_id: client.id, sandbox: false },
      { domain, tenant_id: sandbox.tenantId, sandbox: true },
    ]);

    const { code, json } = await run('release', domain);
    expect(code).toBe(0);
    expect(json).toEqual({ released: domain, tenant_id: squatter.tenantId, client_id: client.id });
    const { body: after } = await squatter.api(`/v1/clients/${client.id}`);
    expect(after.custom_domain).toBeNull();
    const [event] = (await squatter.api('/v1/webhooks/events?type=client.updated')).body.data;
    expect(event.data).toEqual(after);
    const [entry] = (await squatter.api(`/v1/audit/events?target_id=${client.id}`)).body.data;
    expect(entry).toMatchObject({
      action: 'client.updated',
      actor: { type: 'operator', id: null },
      changes: { custom_domain: { before: domain, after: null } },
    });
    expect((await claim(rightful.api, domain)).status).toBe(200);
  });

  test('releases the domain of a sandbox when given that tenant, and nothing else', async () => {
    const domain = newDomain();
    const [tenant, sandbox] = [await newTenant(false), await newTenant(true)];
    const { body: kept } = await claim(tenant.api, domain);
    await claim(sandbox.api, domain);
    expect((await run('release', domain, '--tenant', sandbox.tenantId)).code).toBe(0);
    expect((await tenant.api(`/v1/clients/${kept.id}`)).body.custom_domain).toBe(domain);
    const sql = 'SELECT COUNT(*) AS n FROM clients WHERE custom_domain = :domain';
    expect(await selectOne(story.server.db, sql, { domain })).toEqual({ n: 1 });
  });

  test('gets an error for a domain that no tenant has, or that is malformed', async () => {
    const domain = newDomain();
    for (const [args, line] of [
      [['release', domain], 'no production tenant has the domain'],
      [['release', domain, '--tenant', 'tnt_nope'], 'there is no tenant tnt_nope'],
      [['release', 'no domain'], 'must be a domain'],
    ] as const) {
      const { code, stderr } = await run(...args);
      expect(code).toBe(1);
      expect(stderr).toContain(line);
    }
    expect((await run('find', domain)).json).toEqual([]);
  });
});
