import { createRequire } from 'node:module';

/**
 * Returns the version of this package. It resolves its own package name, since sources and bundle are at different
 * depths.
 */
export function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('@plat/cli/package.json');
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
  throw new Error('package.json has no version');
}
