import { LIMITS } from './limits.ts';

const SUFFIX_CHARACTERS = 7;

/** A slug for a name: its letters and digits in ASCII, lower case, single hyphens; the fallback when nothing is left. */
export function slugFromName(name: string, fallback: string): string {
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

/** The same slug, told apart by the end of the object's id. */
export function distinctSlug(slug: string, id: string): string {
  return `${slug}-${id.slice(-SUFFIX_CHARACTERS)}`;
}
