import type { JsonSchema } from './json-schema.ts';

/** The description of a field, and its example. */
export function words(description?: string, example?: unknown): Pick<JsonSchema, 'description' | 'examples'> {
  return {
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}
