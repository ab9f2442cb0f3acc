import type { JsonSchema } from '@plat/contract/schemas';

/** Builds an example from the examples of the parts. Returns undefined if a text has none: write one by hand. */
export function exampleOf(json: JsonSchema): unknown {
  if (json.examples) return json.examples[0];
  if (json.const !== undefined) return json.const;
  if (json.enum) return json.enum[0];
  const inner = json.allOf?.[0] ?? json.oneOf?.[0] ?? json.anyOf?.[0];
  if (inner) return exampleOf(inner);
  if (json.properties) return exampleOfObject(json);
  if (json.items) return [exampleOf(json.items)];
  return json.type === 'integer' ? json.minimum : undefined;
}

function exampleOfObject({ properties = {}, required = [], not }: JsonSchema): object {
  // Of two alternative names, uses the first.
  const [, ...tooMany] = not?.required ?? [];
  const fields = Object.entries(properties).filter(([name]) => !tooMany.includes(name));
  const values = fields.map(([name, field]) => [name, exampleOf(field)] as const);
  // An optional field without an example is for rare cases.
  return Object.fromEntries(values.filter(([name, value]) => value !== undefined || required.includes(name)));
}
