export { DeveloperApi } from './developer/developer-api.ts';
export type { DeveloperApiOptions } from './developer/developer-api-options.ts';
export type * from './resources/developer-resources.ts';
