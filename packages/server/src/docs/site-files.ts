import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** A file of the site, as it is sent. */
interface SiteFile {
  readonly type: string;
  readonly plain: Body;
  readonly gzipped: Body;
}

interface Body {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Where the build writes the site: the same folder from the sources and from the compiled code. */
const FOLDER = fileURLToPath(new URL('../../dist/docs/pages', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** Reads the files of the site. Each is read and compressed once, with the first request for it. */
export function siteFiles(): { find(path: string): Promise<SiteFile> | null } {
  let paths: ReadonlySet<string> | undefined;
  const read = new Map<string, Promise<SiteFile>>();
  return {
    find(path) {
      paths ??= pathsIn(FOLDER);
      if (!paths.has(path)) return null;
      const known = read.get(path);
      if (known) return known;
      const file = readSiteFile(path);
      read.set(path, file);
      // A later request tries again.
      file.catch(() => read.delete(path));
      return file;
    },
  };
}

/** Lists the files, so that no path of a request reaches the file system. Empty if the site is not built. */
function pathsIn(folder: string): ReadonlySet<string> {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return new Set(names.map((name) => name.replaceAll('\\', '/')).filter((name) => extname(name) in TYPES));
  } catch {
    return new Set();
  }
}

async function readSiteFile(path: string): Promise<SiteFile> {
  const bytes = await readFile(join(FOLDER, path));
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    plain: { bytes, etag: `"${hash}"` },
    gzipped: { bytes: await promisify(gzip)(bytes), etag: `"${hash}-gzip"` },
  };
}
