import type { JsonSchema } from './json-schema.ts';

/** Returns the keywords for the description and the example of a field. */
export function words(description?: string, example?: unknown): Pick<JsonSchema, 'description' | 'examples'> {
  return {
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}
