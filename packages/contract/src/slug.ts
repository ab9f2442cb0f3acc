import { LIMITS } from './limits.ts';

const SUFFIX_CHARACTERS = 7;

/**
 * Derives a slug from a name: ASCII letters and digits in lower case with single hyphens. Returns the fallback if
 * nothing is left.
 */
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

/** Appends the end of the object's id to a slug, to make it unique. */
export function distinctSlug(slug: string, id: string): string {
  return `${slug}-${id.slice(-SUFFIX_CHARACTERS)}`;
}
