import { checkValue, type JsonSchema, type Source, STRUCTURE_MESSAGES } from '@plat/contract/schemas';
import Joi from 'joi';

/**
 * Compiles a schema of a query or a body to Joi. Joi checks the structure. The contract checks the values, so that the
 * mock refuses the same values with the same messages.
 * @throws if the schema has a keyword without a rule, which would otherwise be ignored
 */
export function compile(schema: JsonSchema, source: Source): Joi.Schema {
  return ruleOf(schema, source).prefs(PREFERENCES);
}

/** Set once, at the root: Joi would merge the messages of inner schemas for each value. */
const PREFERENCES: Joi.ValidationOptions = {
  abortEarly: false,
  convert: true,
  errors: { wrap: { label: false, array: false }, label: false },
  messages: {
    'value.refused': '{#reason}',
    'any.required': STRUCTURE_MESSAGES.required,
    'object.base': STRUCTURE_MESSAGES.notObject,
    'array.base': STRUCTURE_MESSAGES.notArray,
    'array.min': STRUCTURE_MESSAGES.tooFewItems('{#limit}'),
    'array.max': STRUCTURE_MESSAGES.tooManyItems('{#limit}'),
  },
};

const KEYWORDS: ReadonlySet<string> = new Set([
  ...['title', 'description', 'examples', 'type', 'const', 'enum', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'items', 'minItems', 'maxItems', 'properties', 'required', 'additionalProperties', 'not'],
  ...['x-format', 'x-message', 'x-type', 'x-trim', 'x-same-as'],
]);

function ruleOf(schema: JsonSchema, source: Source): Joi.Schema {
  const unknown = Object.keys(schema).find((keyword) => !KEYWORDS.has(keyword));
  if (unknown !== undefined) throw new Error(`no rule for the keyword ${unknown}`);
  if (schema.type === 'object') return objectRule(schema, source);
  if (schema.type === 'array') return arrayRule(schema, source);
  return valueRule(schema, source);
}

/** Replaces `Joi.string()`, which counts UTF-16 units where JSON Schema counts characters. */
function valueRule(schema: JsonSchema, source: Source): Joi.Schema {
  return Joi.any().custom((given: unknown, helpers) => {
    const checked = checkValue(schema, given, source);
    return 'value' in checked ? checked.value : helpers.error('value.refused', { reason: checked.message });
  });
}

/** Checks the maximum length before the items. Joi itself checks each item first. */
const BoundedJoi = Joi.extend((joi) => ({
  type: 'boundedArray',
  base: joi.array(),
  prepare(value: unknown, { schema, error }: Joi.CustomHelpers) {
    const limit: unknown = schema.$_getRule('max')?.args?.['limit'];
    const isTooLong = Array.isArray(value) && typeof limit === 'number' && value.length > limit;
    return isTooLong ? { value, errors: error('array.max', { limit }) } : undefined;
  },
})) as { readonly boundedArray: () => Joi.ArraySchema };

function arrayRule({ items = {}, minItems, maxItems }: JsonSchema, source: Source): Joi.Schema {
  let rule = BoundedJoi.boundedArray().items(ruleOf(items, source));
  if (minItems !== undefined) rule = rule.min(minItems);
  if (maxItems !== undefined) rule = rule.max(maxItems);
  return rule;
}

function objectRule(schema: JsonSchema, source: Source): Joi.Schema {
  const { properties = {}, required = [], additionalProperties, not } = schema;
  if (additionalProperties !== false) throw new Error('no rule for an object of unknown fields');
  const rules = Object.entries(properties).map(([name, field]) => {
    const rule = ruleOf(field, source);
    return [name, required.includes(name) ? rule.required() : rule] as const;
  });
  const object = Joi.object(Object.fromEntries(rules));
  if (!not) return object;
  const messages = { 'object.oxor': STRUCTURE_MESSAGES.sameField(not.required) };
  return object.oxor(...not.required).prefs({ messages });
}
