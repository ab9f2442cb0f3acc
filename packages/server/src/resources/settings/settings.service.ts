import type { Settings, SettingsUpdateParams } from '@plat/contract';
import type { Context, WriteContext } from '../../context.ts';
import { changedFields } from '../../db/changes.ts';
import type { SettingsRow } from '../../db/tables/settings.ts';
import { isoTime, laterThan } from '../../kernel/clock.ts';

export async function getSettings(ctx: Context): Promise<Settings> {
  return presentSettings(await findSettings(ctx));
}

export async function updateSettings(ctx: WriteContext, input: SettingsUpdateParams): Promise<Settings> {
  const before = await findSettings(ctx);
  // Validation removes absent fields, so that no field is undefined.
  const after: SettingsRow = { ...before, ...input, updated_at: laterThan(before.updated_at, ctx.now) };
  const settings = presentSettings(after);
  const changes = changedFields(presentSettings(before), settings);
  if (Object.keys(changes).length === 0) return presentSettings(before);
  const { tenant_id, ...columns } = after;
  await ctx.db.models.settings.update(columns, {
    where: { tenant_id },
    transaction: ctx.transaction,
  });
  const target = { type: 'settings', id: ctx.tenantId };
  await ctx.audit({ action: 'settings.updated', target, changes, at: after.updated_at });
  return settings;
}

async function findSettings({ db, tenantId, transaction }: Context): Promise<SettingsRow> {
  const lock = transaction !== null;
  const row = await db.models.settings.findByPk(tenantId, { transaction, lock, raw: true });
  if (!row) throw new Error(`the tenant ${tenantId} has no settings`);
  return row;
}

function presentSettings(row: SettingsRow): Settings {
  return {
    object: 'settings',
    ...row,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
