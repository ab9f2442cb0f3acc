import type { JsonSchema } from './json-schema.ts';
import type { SchemaName } from './operations.ts';
import { MODULES } from './registry.ts';

/** Schemas by their title. The generated types have the same names. */
export const SCHEMAS = Object.fromEntries(
  MODULES.flatMap((module) => Object.values(module))
    .filter(isNamed)
    .map((schema) => [schema.title, schema]),
) as Readonly<Record<SchemaName, JsonSchema>>;

function isNamed(value: unknown): value is JsonSchema & { readonly title: string } {
  return typeof value === 'object' && value !== null && 'title' in value && typeof value.title === 'string';
}
