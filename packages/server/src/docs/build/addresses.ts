import { posix } from 'node:path';
import type { Repository } from './repository.ts';

/** Files whose address does not follow from their path. The reference is made from the OpenAPI document. */
const RENAMED: Readonly<Record<string, string>> = {
  'README.md': 'overview/',
  'SECURITY.md': 'reporting/',
  'docs/openapi.json': 'reference/',
};

/** Returns the address of a file in the site: a folder, so that every static host serves it. */
export function addressOf(path: string): string {
  const renamed = RENAMED[path];
  if (renamed !== undefined) return renamed;
  const name = path.replace(/^docs\//, '').replace(/\.md$/, '');
  return name === 'README' ? '' : `${name.replace(/(^|\/)README$/, '').toLowerCase()}/`;
}

/** Returns a link from one page to another, relative so that the site works below every path. */
export function relativeLink(from: string, to: string): string {
  const path = posix.relative(`/${from}`, `/${to}`);
  const isFolder = to === '' || to.endsWith('/');
  return path === '' ? './' : isFolder ? `${path}/` : path;
}

/** A link in a Markdown file, resolved to a page or file of the site, or to a page of the repository. A missing file is linked there. */
export type Target =
  | { readonly kind: 'page' | 'asset'; readonly path: string; readonly fragment: string }
  | { readonly kind: 'outside' | 'missing'; readonly href: string };

/** Resolves the target of a link. */
export function resolveTarget(repository: Repository, source: string, href: string): Target {
  const own = [`${repository.webPage}/blob/main/`, `${repository.webPage}/tree/main/`].find((start) =>
    href.startsWith(start),
  );
  if (own === undefined && /^[a-z]+:/.test(href)) return { kind: 'outside', href };
  const [path = '', fragment = ''] = (own === undefined ? href : href.slice(own.length)).split('#');
  const file =
    own !== undefined ? path : path === '' ? source : posix.normalize(posix.join(posix.dirname(source), path));
  const plain = file.replace(/\/$/, '');
  const page = [plain, `${plain}/README.md`].find(
    (candidate) => repository.pages.includes(candidate) || Object.hasOwn(RENAMED, candidate),
  );
  if (page !== undefined) return { kind: 'page', path: page, fragment };
  if (plain.startsWith('docs/') && repository.kindOf(plain) === 'file') return { kind: 'asset', path: plain, fragment };
  const kind = repository.kindOf(plain) === null ? 'missing' : 'outside';
  return { kind, href: repository.linkTo(plain) + (fragment && `#${fragment}`) };
}
