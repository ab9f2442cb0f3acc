import { ACCESS, type Level, type Room, type Standing } from './access.ts';
import { ADMIN_ENTRIES, type NavEntry } from './layout.ts';

type Access = Readonly<Record<Room, Readonly<Record<Standing, Level>>>>;

/** The roles of users, with their names in a sentence. */
const ROLES = [
  ['owner', 'owners'],
  ['member', 'Members'],
  ['viewer', 'Viewers'],
  ['other', 'Other roles'],
] as const satisfies readonly (readonly [Standing, string])[];

/** Returns sentences about the pages of each role, for a person who chooses one. */
export function rolesInWords(access: Access = ACCESS): string {
  const parts = ROLES.map(([standing, name]) => ({ name, pages: pagesOf(standing, access) }));
  // Roles with the same pages are one: "Other roles" is the last.
  const told = parts.filter(({ pages }, i) => pages !== parts[i + 1]?.pages);
  return `In the console, ${told.map(({ name, pages }) => `${name} ${pages}.`).join(' ')}`;
}

function pagesOf(standing: Standing, access: Access): string {
  const levelOf = ({ room }: NavEntry) => access[room][standing];
  const open = ADMIN_ENTRIES.filter((entry) => levelOf(entry) !== 'none');
  const closed = ADMIN_ENTRIES.filter((entry) => levelOf(entry) === 'none');
  if (closed.length === 0) return 'have every page';
  if (open.length < closed.length) return `have ${listed(open)}`;
  const isForAll = ({ room }: NavEntry) => ROLES.every(([role]) => access[room][role] !== 'none');
  const onlyReads = open.every((entry) => isForAll(entry) || levelOf(entry) === 'read');
  return `${onlyReads ? 'read' : 'have'} all but ${listed(closed)}`;
}

function listed(entries: readonly NavEntry[]): string {
  return new Intl.ListFormat('en-GB').format(entries.map(({ words }) => words));
}
