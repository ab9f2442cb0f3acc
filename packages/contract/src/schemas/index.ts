export { COUNTRIES } from '../countries.ts';
export { FORMATS, type Format, type Formatted, hasAsciiLookalike, readDomain } from '../formats.ts';
export { eventOf } from './event.ts';
export type { FormatName, JsonSchema, JsonType } from './json-schema.ts';
export * from './operations.ts';
export { SCHEMAS } from './schemas.ts';
