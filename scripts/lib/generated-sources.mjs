import { registries } from './registries.mjs';

/**
 * Returns the source files that are generated from others. The registries come first, because the schemas are read through one of them.
 * @param {(files: { path: string, text: string }[]) => void} use called with the files of each step before the next one starts
 */
export async function eachGenerated(use) {
  use(registries());
  const { schemaInterfaces } = await import('./schema-interfaces.mjs');
  use(schemaInterfaces());
  const { sdkResources } = await import('./sdk-resources.mjs');
  use(sdkResources());
}
