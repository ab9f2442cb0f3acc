import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestServer, type TestServer } from '@plat/server/testing';
import { expect, inject, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { migratedDatabase } from '../support/database.ts';
import { createFullTenant } from '../support/full-tenant.ts';
import { operate } from '../support/operator.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { rowsOfTenant } from '../support/tenant-rows.ts';

const PLAT_MASTER_KEY = randomBytes(32).toString('base64');
const story = useServer({ env: { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY } });

/** Copies the catalog and the apps, which an import requires. */
async function copyCommon(from: TestServer, to: TestServer): Promise<void> {
  for (const name of ['plan', 'module', 'oauthApp'] as const) {
    const rows = await from.db.sequelize.model(TABLE_OF[name]).findAll({ raw: true });
    await to.db.sequelize.model(TABLE_OF[name]).bulkCreate(rows as never[], { ignoreDuplicates: true });
  }
}
const TABLE_OF = { plan: 'plans', module: 'modules', oauthApp: 'oauth_apps' } as const;

/** Rows whose values can be compared between kinds of databases. */
const comparable = async (server: TestServer, tenantId: string, table: string) =>
  JSON.parse(JSON.stringify((await rowsOfTenant(server, tenantId)).get(table)));

test.runIf(inject('database').kind !== 'sqlite')(
  'a tenant moves from a database server to SQLite and back, with all rows and its keys',
  async () => {
    const { server } = story;
    const { tenantId } = await createFullTenant(server, story.database.url);
    const key = await server.mintKey(tenantId);
    const me = (await apiOf(server.baseUrl, key)('/v1/me')).body;
    await server.setTenantStatus(tenantId, 'suspended');
    const file = `sqlite:${join(tempFolder('moved').path, 'moved.db')}`;
    const back = await migratedDatabase();
    const places = [server];
    for (const databaseUrl of [file, back.url]) {
      const env = { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY };
      places.push(await createTestServer({ databaseUrl, env }));
    }
    const [here, there, again] = places as [TestServer, TestServer, TestServer];
    const archives = ['out', 'home'].map((name) => join(tempFolder(name).path, 'tenant')) as [string, string];
    for (const [from, fromUrl, to, toUrl, folder] of [
      [here, story.database.url, there, file, archives[0]],
      [there, file, again, back.url, archives[1]],
    ] as const) {
      await copyCommon(from, to);
      const at = (url: string) => ({ DATABASE_URL: url, PLAT_MASTER_KEY });
      const exported = await operate(at(fromUrl), 'tenants', 'export', tenantId, folder);
      expect(exported.stderr).toBe('');
      expect((await operate(at(toUrl), 'tenants', 'import', folder)).json).toEqual(exported.json);
      const { files } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
      for (const { table } of files) {
        // Log entries are written later than their requests.
        if (table === 'requests') continue;
        const rows = await comparable(to, tenantId, table);
        // The import is in the audit trail.
        const found = table === 'audit_events' ? rows.slice(0, -1) : rows;
        expect(found, table).toEqual(await comparable(from, tenantId, table));
      }
    }
    await again.setTenantStatus(tenantId, 'active');
    expect((await apiOf(again.baseUrl, key)('/v1/me')).body).toEqual(me);
    await there.close();
    await again.close();
    await back.drop();
  },
);
