/*
 * The rules of input and of answers. Each is two things made by one helper: the Joi schema that checks, and the JSON
 * Schema that the OpenAPI document shows. A new rule gives both: `of(Joi.string()…, { type: 'string', … })`.
 *
 * How a schemas file reads:
 *
 *   const fields = {
 *     name: describe(name(), 'What people call the group.', 'Retail North'),   // what it is, an example
 *     slug: describe(slug(), 'Unique in the tenant.', 'retail-north'),
 *   };
 *   export const group = describe(
 *     object<Group>('Group', { object: oneOf(['group']), id: id('group'), ...fields, created_at: timestamp(), … }),
 *     'A group of clients.',
 *   );
 *   export const groupUpdate = object<GroupUpdateParams>('GroupUpdate', { name: optional(fields.name), … });
 *   export const deletedGroup = deleted('group', 'group');
 *
 * Every body and every answer is an object with a name, which becomes a component of the document; a query needs none.
 * Every field needs a description. `id()`, a `oneOf` of one value, `created_at` and `updated_at` bring their own. The
 * example of an object is made of those of its fields; only texts and strings need one by hand.
 */

export * from './rules/conventions.ts';
export * from './rules/names.ts';
export * from './rules/objects.ts';
export { type AnyRule, describe, type Fields, nullable, optional, type Rule } from './rules/rule.ts';
export * from './rules/values.ts';
