import { FAMILIES, OPERATIONS } from '../../packages/contract/src/operations.ts';
import { pathParameter } from '../../packages/contract/src/schemas/path-parameter.ts';
import { OPERATION_SCHEMAS } from '../../packages/contract/src/schemas/registry.ts';
import { SCHEMAS } from '../../packages/contract/src/schemas/schemas.ts';
import { shortExampleOf } from '../../packages/server/src/http/example.ts';
import { at } from './paths.mjs';

/** Families whose name is that of an object. */
const OBJECTS = ['me', 'tenant', 'settings', 'trace'];

/**
 * Returns the file of the SDK with the interface of each family. Summary, scope, events and error codes of a method are those of
 * the contract, so they cannot differ from the OpenAPI document.
 * @returns {{ path: string, text: string }}
 */
export function sdkResources() {
  const interfaces = Object.keys(FAMILIES).map(familyInterface).join('\n');
  const roots = Object.keys(FAMILIES).filter((family) => !family.includes('.'));
  const fields = roots.map((family) => field(family, FAMILIES[family])).join('');
  const assigned = roots.map((family) => `    this.${family} = resources.${family};\n`).join('');
  const code = `${interfaces}
/** The resource families of a client. */
export interface Resources {
${fields}}

/** Base of a client: one property for each resource family. */
export class PlatformResources implements Resources {
${fields}
  /** @internal */
  protected constructor(engine: Engine) {
    const resources: Resources = createResources(engine);
${assigned}  }
}
`;
  return { path: at('packages', 'sdk', 'src', 'resources', 'generated.ts'), text: HEADER + imports(code) + code };
}

const HEADER = '// Generated from the operations of the contract by `npm run types`. Do not edit.\n\n';

function imports(code) {
  const uses = (name) => new RegExp(`\\b${name}\\b`).test(code.replace(/\/\*\*.*?\*\//gs, ''));
  const types = [...contractTypes(), 'Id'].sort().filter(uses);
  const options = ['CallOptions', 'WriteOptions'].filter(uses);
  const list = `{\n${types.map((name) => `  ${name},\n`).join('')}} from '@plat/contract';\n`;
  return `import type ${list}import type { ApiCall } from '../call/api-call.ts';
import type { ${options.join(', ')} } from '../call/call-options.ts';
import type { Engine } from '../call/engine.ts';
import type { ListCall } from '../list/list-call.ts';
import { createResources } from './create-resources.ts';
import type { ListOptions } from './operation-method.ts';

// Arguments and results of the methods, for programs that name them.
export type ${list}
`;
}

/** Names of all types of the contract that operations use. */
function contractTypes() {
  const names = Object.values(OPERATION_SCHEMAS).flatMap(({ query, body, answer }) =>
    [query, body, answer].flatMap((title) => (title ? typeOf(title).match(/\b[A-Z]\w*/g) : [])),
  );
  return [...new Set(names)].sort();
}

function familyInterface(family) {
  const children = Object.keys(FAMILIES).filter((name) => name.startsWith(`${family}.`));
  const operations = Object.keys(OPERATIONS).filter((name) => name.replace(/\.\w+$/, '') === family);
  const members = [...children.map((child) => field(child, FAMILIES[child])), ...operations.map(method)];
  return `/** ${FAMILIES[family]}. */\nexport interface ${interfaceOf(family)} {\n${members.join('')}}\n`;
}

function field(family, description) {
  const name = camel(family.split('.').at(-1));
  return `  /** ${description}. */\n  readonly ${name}: ${interfaceOf(family)};\n`;
}

/** `groups.members` → GroupMembers; `billing.invoices` → BillingInvoices. */
function interfaceOf(family) {
  if (OBJECTS.includes(family)) return `${pascal(family)}Resource`;
  const [parent, child] = family.split('.');
  return child ? pascal(parent.replace(/s$/, '')) + pascal(child) : pascal(parent);
}

function method(name) {
  const { method: verb, path, scope, emits, list, summary } = OPERATIONS[name];
  const { query, body, answer, errors = [], details } = OPERATION_SCHEMAS[name];
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id);
  const input = body ?? query;
  const isOptional = body === undefined || (verb === 'POST' && (SCHEMAS[body].required ?? []).length === 0);
  const parameters = [
    ...ids.map((id) => `${camel(id)}: ${idType(id)}`),
    ...(input ? [`params${isOptional ? '?' : ''}: ${typeOf(input)}`] : []),
    `options?: ${list ? 'ListOptions' : verb === 'POST' ? 'WriteOptions' : 'CallOptions'}`,
  ];
  const codes = [...errors, ...(list ? ['INVALID_CURSOR'] : []), ...(hasFilters(query) ? ['INVALID_REQUEST'] : [])];
  const words = [
    `${thirdPerson(summary)}.`,
    ...(details ? [details] : []),
    ...(scope ? [`Scope \`${scope}\`.`] : []),
    ...(emits.length === 0 ? [] : [`Emits ${emits.map((type) => `\`${type}\``).join(', ')}.`]),
  ];
  const tags = [
    ...ids.map((id) => `@param ${camel(id)} - ${pathParameter(id).description}`),
    ...(input ? [`@param params - ${SCHEMAS[input].description}`] : []),
    ...(codes.length === 0
      ? []
      : [`@throws {@link ApiError} ${[...new Set(codes)].map((code) => `\`${code}\``).join(', ')}`]),
    `@example ${example(name, ids, body)}`,
  ];
  const result = `${list ? 'ListCall' : 'ApiCall'}<${typeOf(answer)}>`;
  const text = [words.join(' '), ...tags].map((line) => `   * ${line}\n`).join('');
  return `  /**\n${text}   */\n  ${camel(name.split('.').at(-1))}(${parameters.join(', ')}): ${result};\n`;
}

function idType(parameter) {
  const { kind } = pathParameter(parameter);
  return kind === null ? 'string' : `Id<'${kind}'>`;
}

function example(name, ids, body) {
  const { list, method: verb } = OPERATIONS[name];
  const input = body ? shortExampleOf(SCHEMAS[body], verb) : {};
  const given = Object.keys(input).length === 0 ? [] : [literal(input)];
  const call = `platform.${name.split('.').map(camel).join('.')}(${[...ids.map(camel), ...given].join(', ')})`;
  const result = OPERATION_SCHEMAS[name].answer.replace(/^\w/, (first) => first.toLowerCase());
  return list ? `for await (const ${result} of ${call}) console.log(${result});` : `const ${result} = await ${call};`;
}

function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'string') return `'${value.replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${key}: ${literal(inner)}`)
    .join(', ')} }`;
}

function hasFilters(query) {
  return (
    query !== undefined &&
    Object.keys(SCHEMAS[query].properties).some((name) => !(name in SCHEMAS.ListParams.properties))
  );
}

/** `List clients` → `Lists clients`. */
function thirdPerson(summary) {
  return summary.replace(/^\w+/, (verb) => `${verb}s`);
}

function typeOf(title) {
  return SCHEMAS[title]['x-type'] ?? title;
}

function camel(name) {
  return name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}

function pascal(name) {
  return name.charAt(0).toUpperCase() + camel(name).slice(1);
}
