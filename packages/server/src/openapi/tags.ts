import { FAMILIES, type OperationName } from '@plat/contract';

const LOCATIONS = 'locations';

/** Tags of the document with their descriptions: the families, and one for the locations of every owner. */
export const TAGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(FAMILIES).filter(([name]) => !name.includes('.'))),
  [LOCATIONS]: 'Locations of clients and groups',
};

/** Returns the tag of an operation. */
export function tagOf(name: OperationName): string {
  return name.includes(`.${LOCATIONS}.`) ? LOCATIONS : (name.split('.')[0] ?? name);
}
