import type { JsonSchema } from './json-schema.ts';

/**
 * Removes white space around the texts that the schema marks with `x-trim`. Server and mock trim before the check, so
 * that lengths and patterns hold for the trimmed text, as in any JSON Schema validator.
 */
export function trim(schema: JsonSchema, given: unknown): unknown {
  if (typeof given === 'string') return schema['x-trim'] ? given.trim() : given;
  const { items, properties } = schema;
  if (Array.isArray(given)) return items && isTrimmed(items) ? given.map((item) => trim(items, item)) : given;
  if (!properties || typeof given !== 'object' || given === null) return given;
  const fields = Object.entries(properties).filter(([name, field]) => Object.hasOwn(given, name) && isTrimmed(field));
  if (fields.length === 0) return given;
  const values: Readonly<Record<string, unknown>> = { ...given };
  return { ...values, ...Object.fromEntries(fields.map(([name, field]) => [name, trim(field, values[name])])) };
}

function isTrimmed({ 'x-trim': isText, items, properties }: JsonSchema): boolean {
  return isText === true || items?.['x-trim'] === true || properties !== undefined;
}
