import { LIMITS } from '@plat/contract';
import { Refusal } from './refusal.ts';

const SUFFIX_CHARACTERS = 7;

interface Named {
  readonly id: string;
  readonly slug: string;
}

/** The slug of a new object: the given one, or one made of the name that gives way when it is taken. @throws {@link Refusal} SLUG_IN_USE */
export function slugFor(
  rows: ReadonlyMap<string, Named>,
  { id, name, slug, fallback }: { id: string; name: string; slug: string | undefined; fallback: string },
): string {
  if (slug !== undefined) {
    refuseTakenSlug(rows, slug, id);
    return slug;
  }
  const made = slugFromName(name, fallback);
  return isTaken(rows, made, id) ? `${made}-${id.slice(-SUFFIX_CHARACTERS)}` : made;
}

/** @throws {@link Refusal} SLUG_IN_USE */
export function refuseTakenSlug(rows: ReadonlyMap<string, Named>, slug: string, id: string): void {
  if (isTaken(rows, slug, id)) throw new Refusal('SLUG_IN_USE', `The slug ${slug} is used already`);
}

function isTaken(rows: ReadonlyMap<string, Named>, slug: string, id: string): boolean {
  return [...rows.values()].some((row) => row.slug === slug && row.id !== id);
}

function slugFromName(name: string, fallback: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LIMITS.slug.max - SUFFIX_CHARACTERS - 1)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? fallback : slug;
}
