import { distinctSlug, slugFromName } from '@plat/contract';
import { Refusal } from './refusal.ts';

interface Named {
  readonly id: string;
  readonly slug: string;
}

/**
 * Returns the slug of a new object: the given one, or a unique one derived from the name. @throws {@link Refusal}
 * SLUG_IN_USE
 */
export function slugFor(
  rows: ReadonlyMap<string, Named>,
  { id, name, slug, fallback }: { id: string; name: string; slug: string | undefined; fallback: string },
): string {
  if (slug !== undefined) {
    refuseTakenSlug(rows, slug, id);
    return slug;
  }
  const made = slugFromName(name, fallback);
  return isTaken(rows, made, id) ? distinctSlug(made, id) : made;
}

/** @throws {@link Refusal} SLUG_IN_USE */
export function refuseTakenSlug(rows: ReadonlyMap<string, Named>, slug: string, id: string): void {
  if (isTaken(rows, slug, id)) throw new Refusal('SLUG_IN_USE', `The slug ${slug} is used already`);
}

function isTaken(rows: ReadonlyMap<string, Named>, slug: string, id: string): boolean {
  return [...rows.values()].some((row) => row.slug === slug && row.id !== id);
}
