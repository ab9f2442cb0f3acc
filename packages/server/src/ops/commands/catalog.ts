import { PLAN_INTERVALS } from '@plat/contract';
import {
  array,
  capability,
  currency,
  integer,
  name,
  nullable,
  object,
  oneOf,
  slug,
  text,
} from '@plat/contract/schemas';
import { applyCatalog, type Catalog } from '../../accounts/catalog.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { readLaunchUrl } from '../../launch/launch-url.ts';
import { CommandError } from '../command-error.ts';
import { type Operator, readJsonFile } from './operator.ts';

const shared = { slug: slug(), name: name(), capabilities: array(capability()) };
const catalogFile = object(
  {
    modules: array(
      object({ ...shared, description: text(500), launch_url: nullable(text(2048)), audience: nullable(text(200)) }, [
        'slug',
        'name',
        'description',
        'capabilities',
      ]),
    ),
    plans: array(
      object(
        {
          ...shared,
          currency: currency(),
          amount: integer(0, Number.MAX_SAFE_INTEGER),
          interval: oneOf(null, PLAN_INTERVALS),
        },
        ['slug', 'name', 'currency', 'amount', 'interval', 'capabilities'],
      ),
    ),
  },
  ['modules', 'plans'],
);

/** Creates and changes modules and plans from a JSON file. Each capability of a plan must belong to a module. */
export async function applyCatalogFile({ db, now }: Operator, path: string) {
  const catalog = (await readJsonFile(path, catalogFile)) as Catalog;
  await unitOfWork(db, async (transaction) => {
    const wrong = catalog.modules.find(({ launch_url }) => launch_url && !readLaunchUrl(launch_url));
    if (wrong) {
      throw new CommandError(
        `module "${wrong.slug}" has the launch_url ${wrong.launch_url}: it must be https, or http to localhost, without credentials and fragment`,
      );
    }
    await applyCatalog(db, transaction, catalog, now);
    const rows = await db.models.module.findAll({ attributes: ['capabilities'], transaction, raw: true });
    const known = new Set(rows.flatMap((row) => JSON.parse(row.capabilities) as string[]));
    for (const plan of catalog.plans) {
      const unknown = plan.capabilities.find((capability) => !known.has(capability));
      if (unknown !== undefined) {
        throw new CommandError(`plan "${plan.slug}" has the capability ${unknown}, which no module has`);
      }
    }
  });
  return { modules: catalog.modules.length, plans: catalog.plans.length };
}

/** Returns slugs, names and capabilities of the modules and plans. */
export async function showCatalog({ db }: Operator) {
  const modules = await db.models.module.findAll({ order: ['slug'], raw: true });
  const plans = await db.models.plan.findAll({ order: ['slug'], raw: true });
  const row =
    (kind: string) =>
    ({ slug, name, capabilities }: CatalogRow) => ({
      kind,
      slug,
      name,
      capabilities: JSON.parse(capabilities) as string[],
    });
  return [...modules.map(row('module')), ...plans.map(row('plan'))];
}

interface CatalogRow {
  readonly slug: string;
  readonly name: string;
  readonly capabilities: string;
}
