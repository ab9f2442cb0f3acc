import type { OperationInfo } from '@plat/contract';
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

/** Builds the shortest example of a body: its required fields, or the first field of a change that requires none. */
export function shortExampleOf(json: JsonSchema, method: OperationInfo['method']): Readonly<Record<string, unknown>> {
  const { properties = {}, required = [] } = json;
  const names = required.length === 0 && method === 'PATCH' ? Object.keys(properties).slice(0, 1) : required;
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {})]));
}

function exampleOfObject({ properties = {}, required = [], not }: JsonSchema): object {
  // Of two alternative names, uses the first.
  const [, ...tooMany] = not?.required ?? [];
  const fields = Object.entries(properties).filter(([name]) => !tooMany.includes(name));
  const values = fields.map(([name, field]) => [name, exampleOf(field)] as const);
  // An optional field without an example is for rare cases.
  return Object.fromEntries(values.filter(([name, value]) => value !== undefined || required.includes(name)));
}
