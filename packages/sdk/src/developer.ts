export { DeveloperApi } from './developer/developer-api.ts';
export type { DeveloperApiOptions } from './developer/developer-api-options.ts';
// With `declaration`, a compiler names the types of the main entry only if a program loads it.
export type {} from './index.ts';
export type * from './resources/developer-resources.ts';
