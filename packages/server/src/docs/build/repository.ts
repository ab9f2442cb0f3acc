import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The files of the repository that the site is made from. Paths are relative to the root, with `/`. */
export interface Repository {
  /** Paths of the Markdown files, in alphabetical order. */
  readonly pages: readonly string[];
  /** Paths of the changes that the next release brings. */
  readonly changesets: readonly string[];
  /** Paths of the changelogs of the packages. */
  readonly changelogs: readonly string[];
  /** Web page of the repository, from package.json: `https://github.com/owner/name`. */
  readonly webPage: string;
  read(path: string): string;
  readBytes(path: string): Buffer;
  kindOf(path: string): 'file' | 'folder' | null;
  /** Returns the page of the repository that shows or edits a file or folder. */
  linkTo(path: string, action?: 'edit'): string;
}

/** Markdown that becomes pages. Other Markdown is linked in the repository. */
const PAGES = ['*.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/*/README.md'];

export function openRepository(root: string): Repository {
  const at = (path: string) => join(root, path);
  const find = (patterns: readonly string[]) =>
    globSync([...patterns], { cwd: root })
      .map((path) => path.replaceAll('\\', '/'))
      .sort();
  const kindOf = (path: string) => {
    if (!existsSync(at(path))) return null;
    return statSync(at(path)).isDirectory() ? 'folder' : 'file';
  };
  const manifest: { readonly repository: { readonly url: string } } = JSON.parse(
    readFileSync(at('package.json'), 'utf8'),
  );
  const webPage = manifest.repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  return {
    pages: find(PAGES),
    changesets: find(['.changeset/*.md']).filter((path) => !path.endsWith('README.md')),
    changelogs: find(['packages/*/CHANGELOG.md']),
    webPage,
    read: (path) => readFileSync(at(path), 'utf8'),
    readBytes: (path) => readFileSync(at(path)),
    kindOf,
    linkTo: (path, action) => `${webPage}/${action ?? (kindOf(path) === 'folder' ? 'tree' : 'blob')}/main/${path}`,
  };
}
