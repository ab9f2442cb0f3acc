import { ALL_EVENT_TYPES, EVENT_TYPES } from '../../packages/contract/src/event-types.ts';
import { ID_PREFIXES } from '../../packages/contract/src/ids.ts';
import { PAYLOADS } from '../../packages/contract/src/schemas/payloads.ts';
import { SCHEMAS } from '../../packages/contract/src/schemas/schemas.ts';
import { at } from './paths.mjs';

const source = (name) => at('packages', 'contract', 'src', name);

/** Types that are written by hand, with the module that exports them. */
const WRITTEN = {
  AppEvent: './app-events.ts',
  AppEventType: './event-types.ts',
  Deleted: './objects/list.ts',
  ErrorCode: './errors.ts',
  EventOf: './events.ts',
  EventType: './event-types.ts',
  FieldError: './errors.ts',
  Id: './ids.ts',
  List: './objects/list.ts',
  OperationName: './operations.ts',
  PlatformEvent: './events.ts',
  Scope: './scopes.ts',
  Trace: './trace.ts',
  AppTraceEntry: './trace.ts',
  TraceEntry: './trace.ts',
  TraceEvent: './trace.ts',
};

/**
 * Returns the interfaces of the schemas, and the map of their titles. The map is a separate file, because it names the events,
 * whose payloads are interfaces.
 * @returns {{ path: string, text: string }[]}
 */
export function schemaInterfaces() {
  return [
    { path: source('generated.ts'), text: interfacesText() },
    { path: source('schema-types.ts'), text: schemaTypesText() },
  ];
}

/** The interfaces and unions of the schemas, with a comment on every property. */
function interfacesText() {
  const unions = new Map();
  const interfaces = Object.values(SCHEMAS)
    .filter((schema) => !schema['x-type'])
    .map((schema) => `${comment(schema, '')}export interface ${schema.title} ${members(schema, '', unions)}\n`);
  const aliases = [...unions].map(
    ([name, { values, owner }]) => `/** The values of \`${owner}\`. */\nexport type ${name} = ${union(values)};\n`,
  );
  return file([...aliases, ...interfaces, payloads()].join('\n'), WRITTEN);
}

/** The map of event types to the types of their payloads. */
function payloads() {
  const rows = ALL_EVENT_TYPES.map((type) => `  /** ${EVENT_TYPES[type]} */\n  '${type}': ${PAYLOADS[type].title};\n`);
  return `/** Type of \`data\` for each event type, with the condition that fires the event. */\nexport interface EventPayloads {\n${rows.join('')}}\n`;
}

function schemaTypesText() {
  const named = Object.values(SCHEMAS);
  const generated = named.filter((schema) => !schema['x-type']).map(({ title }) => [title, './generated.ts']);
  const rows = named.map((schema) => `${comment(schema, '  ')}  readonly ${schema.title}: ${nameOf(schema)};\n`);
  const map = `/** Title of a schema → its type. */\nexport interface SchemaTypes {\n${rows.join('')}}\n`;
  return file(map, { ...WRITTEN, ...Object.fromEntries(generated) });
}

function file(text, modules) {
  return `// Generated from the schemas in \`schemas/\` by \`npm run types\`. Do not edit.\n\n${imports(text, modules)}\n${text}`;
}

function imports(text, modules) {
  const code = text.replace(/\/\*\*.*?\*\//gs, '');
  const used = Object.entries(modules).filter(([name]) =>
    new RegExp(`: [^;]*\\b${name}\\b|= [^;]*\\b${name}\\b`).test(code),
  );
  return [...Map.groupBy(used, ([, module]) => module)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([module, names]) => `import type { ${names.map(([name]) => name).join(', ')} } from '${module}';\n`)
    .join('');
}

/** The name of a type, or the expression that stands for it. */
function nameOf(schema) {
  return schema['x-type'] ?? schema.title;
}

function typeOf(schema, owner, indent, unions) {
  if (schema.title) return nameOf(schema);
  if (schema.allOf) return typeOf(schema.allOf[0], owner, indent, unions);
  if (schema.anyOf) return schema.anyOf.map((part) => typeOf(part, owner, indent, unions)).join(' | ');
  if ('const' in schema) return literal(schema.const);
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return 'unknown';
  return types.map((type) => plainType(type, schema, owner, indent, unions)).join(' | ');
}

function plainType(type, schema, owner, indent, unions) {
  if (type === 'null') return 'null';
  if (schema.enum) return enumType(schema, owner, unions);
  if (schema['x-type']) return schema['x-type'];
  switch (type) {
    case 'string':
      return idType(schema) ?? type;
    case 'boolean':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const item = typeOf(schema.items, owner, indent, unions);
      return `readonly ${item.includes(' ') ? `(${item})` : item}[]`;
    }
    case 'object':
      return schema.properties
        ? members(schema, indent, unions, owner)
        : `Readonly<Record<string, ${typeOf(schema.additionalProperties, owner, indent, unions)}>>`;
    default:
      throw new Error(`no TypeScript for the type ${type} of ${owner}`);
  }
}

/** The type of an id of one kind, which its pattern names. */
function idType({ pattern = '' }) {
  const [, prefix] = /^\^([a-z]{3})_/.exec(pattern) ?? [];
  const [kind] = Object.entries(ID_PREFIXES).find(([, each]) => each === prefix) ?? [];
  return kind && `Id<'${kind}'>`;
}

/** The name of the union, which is declared where it is not written by hand. */
function enumType(schema, owner, unions) {
  const values = schema.enum.filter((value) => value !== null);
  const name = schema['x-type'];
  if (name === undefined) return union(values);
  if (/^\w+$/.test(name) && !(name in WRITTEN)) {
    const known = unions.get(name);
    if (known && union(known.values) !== union(values)) throw new Error(`two different unions are named ${name}`);
    if (!known) unions.set(name, { values, owner });
  }
  return name;
}

function members(schema, indent, unions, owner = schema.title) {
  const inner = `${indent}  `;
  const lines = Object.entries(schema.properties).map(([name, field]) => {
    const path = `${owner}.${name}`;
    if (!field.description) throw new Error(`${path} has no description`);
    const optional = schema.required?.includes(name) ? '' : '?';
    return `${comment(field, inner)}${inner}readonly ${name}${optional}: ${typeOf(field, path, inner, unions)};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

/** A comment of the description, the limits in words, and an example. */
function comment(schema, indent) {
  const text = [schema.description, ...limits(schema)].join(' ');
  const example = schema.examples?.find((value) => value !== null);
  const lines = [text, ...(example === undefined ? [] : [`@example ${JSON.stringify(example)}`])].map((line) =>
    line.replaceAll('*/', '*\\/'),
  );
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

function limits({ type, format, minLength, maxLength, minimum, maximum, minItems, maxItems }) {
  const isSafe = (value) => value !== undefined && Math.abs(value) !== Number.MAX_SAFE_INTEGER;
  return [
    maxLength === undefined ? '' : range(minLength, maxLength, ' characters'),
    isSafe(maximum) ? range(minimum, maximum, '') : '',
    maxItems === undefined ? '' : range(minItems, maxItems, ' items'),
    format === 'date-time' && type !== undefined ? 'ISO 8601.' : '',
  ].filter(Boolean);
}

function range(low, high, unit) {
  if (low === high) return `${number(low)}${unit}.`;
  return low === undefined ? `At most ${number(high)}${unit}.` : `${number(low)} to ${number(high)}${unit}.`;
}

function number(value) {
  return value.toLocaleString('en');
}

function union(values) {
  return values.map(literal).join(' | ');
}

function literal(value) {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}
