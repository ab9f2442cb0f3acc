import fc from 'fast-check';
import { type OpenApi, resolve, type Schema } from '../openapi.ts';
import type { KnownIds } from './known-ids.ts';

/** Source of the generated values. */
export interface World {
  readonly document: OpenApi;
  readonly ids: KnownIds;
}

/** Generates values that a schema accepts. A filter handles rules about the whole value (`not`). */
export function valid(schema: Schema, world: World): fc.Arbitrary<unknown> {
  const shown = resolve(world.document, schema);
  const prefix = idPrefixOf(shown);
  if (prefix !== undefined) return idsOf([prefix], world).map(([id]) => id);
  const made = make(shown, world);
  const { examples = [] } = shown;
  if (examples.length === 0) return made;
  // Values like the examples reach furthest. With random letters appended, uniqueness checks pass too.
  const example = fc.constantFrom(...examples);
  const another = fc
    .tuple(example, fc.stringMatching(/^[a-z]{1,9}$/))
    .map(([text, more]) => extended(text, more, shown));
  return fc.oneof({ weight: 3, arbitrary: example }, { weight: 3, arbitrary: another }, { weight: 2, arbitrary: made });
}

/** Generates ids: mostly of one existing object, else well-formed ones. */
export function idsOf(prefixes: readonly string[], { ids }: World): fc.Arbitrary<readonly string[]> {
  const opaque = fc.stringMatching(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  const invented = fc.tuple(...prefixes.map((prefix) => opaque.map((text) => `${prefix}_${text}`)));
  const known = fc.tuple(fc.nat(1000), invented).map(([nth, others]) => ids.together(prefixes, nth) ?? others);
  return fc.oneof({ weight: 6, arbitrary: known }, { weight: 1, arbitrary: invented });
}

/** Returns the id prefix that a schema requires. */
export function idPrefixOf({ pattern = '' }: Schema): string | undefined {
  return /^\^([a-z]{3})_\[/.exec(pattern)?.[1];
}

function make(schema: Schema, world: World): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices) return fc.oneof(...choices.map((choice) => valid(choice, world)));
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['null']);
  return fc.oneof(...types.map((type) => makeType(type, schema, world)));
}

function makeType(type: string, schema: Schema, world: World): fc.Arbitrary<unknown> {
  if (type === 'object') return object(schema, world);
  if (type === 'array') {
    return fc.array(valid(schema.items ?? {}, world), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.min(schema.maxItems ?? 3, 3),
    });
  }
  if (type === 'string') return string(schema);
  if (type === 'integer') {
    return fc.maxSafeInteger().map((n) => clamp(n, schema.minimum ?? -1e6, schema.maximum ?? 1e6));
  }
  if (type === 'boolean') return fc.boolean();
  return fc.constant(null);
}

/** Optional fields are mostly left out: all fields at once rarely go together. */
function object({ properties = {}, required = [] }: Schema, world: World): fc.Arbitrary<object> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const value = valid(schema, world).map((given) => [[name, given] as const]);
    return required.includes(name)
      ? value
      : fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: value });
  });
  return fc.tuple(...fields).map((given) => Object.fromEntries(given.flat()));
}

function string({ format, pattern, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time') return fc.date({ noInvalidDate: true, ...YEARS }).map((date) => date.toISOString());
  const max = Math.min(maxLength, 60);
  const fits = (text: string) => text.length >= minLength && text.length <= max && storable(text);
  if (pattern !== undefined && pattern !== '\\S') return fc.stringMatching(new RegExp(pattern, 'u')).filter(fits);
  const text = fc.string({ unit: 'grapheme', minLength, maxLength: max });
  return text.filter((each) => fits(each) && (pattern === undefined || each.trim() !== ''));
}

const YEARS = { min: new Date('2000-01-01T00:00:00Z'), max: new Date('2099-12-31T23:59:59Z') };

function extended(example: unknown, more: string, { maxLength = Number.POSITIVE_INFINITY }: Schema): unknown {
  return typeof example === 'string' && example.length + more.length <= maxLength ? example + more : example;
}

function storable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function clamp(n: number, min: number, max: number): number {
  const width = max - min + 1;
  return width <= 0 || !Number.isSafeInteger(width) ? n : min + (Math.abs(n) % width);
}
