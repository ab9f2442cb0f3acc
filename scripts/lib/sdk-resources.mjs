import { DEVELOPER_FAMILIES, DEVELOPER_OPERATIONS } from '../../packages/contract/src/developer-operations.ts';
import { FAMILIES, OPERATIONS } from '../../packages/contract/src/operations.ts';
import { DEVELOPER_OPERATION_SCHEMAS } from '../../packages/contract/src/schemas/operations.ts';
import { pathParameter } from '../../packages/contract/src/schemas/path-parameter.ts';
import { OPERATION_SCHEMAS } from '../../packages/contract/src/schemas/registry.ts';
import { SCHEMAS } from '../../packages/contract/src/schemas/schemas.ts';
import { shortExampleOf } from '../../packages/server/src/http/example.ts';
import { at } from './paths.mjs';

/** The APIs that have a client in the SDK. */
const APIS = [
  { client: 'platform', operations: OPERATIONS, schemas: OPERATION_SCHEMAS, families: FAMILIES },
  {
    client: 'developer',
    operations: DEVELOPER_OPERATIONS,
    schemas: DEVELOPER_OPERATION_SCHEMAS,
    families: DEVELOPER_FAMILIES,
  },
];

/** Last words of families whose interface would have the name of a type of the contract, or of no object. */
const OBJECTS = ['me', 'tenant', 'settings', 'trace', 'sandbox'];

/**
 * Returns the files of the SDK with the interface of each family, one file for each API. Summary, scope, events and error codes of
 * a method are those of the contract, so they cannot differ from the OpenAPI document.
 * @returns {{ path: string, text: string }[]}
 */
export function sdkResources() {
  return APIS.map((api) => ({
    path: at('packages', 'sdk', 'src', 'resources', `${api.client}-resources.ts`),
    text: fileText(api),
  }));
}

function fileText(api) {
  const { client, families } = api;
  const interfaces = Object.keys(families).map((family) => familyInterface(api, family));
  const roots = Object.keys(families).filter((family) => !family.includes('.'));
  const fields = roots.map((family) => field(family, families[family])).join('');
  const assigned = roots.map((family) => `    this.${camel(family)} = resources.${camel(family)};\n`).join('');
  const code = `${interfaces.join('\n')}
/** One property for each resource family of a client. */
export class ${pascal(client)}Resources extends ApiClient {
${fields}
  /** @internal */
  protected constructor(engine: Engine) {
    super(engine);
    const resources = createResources(engine, ${client.toUpperCase()}_TABLE);
${assigned}  }
}
`;
  return imports(client, code, contractTypes(api)) + code;
}

function imports(client, code, types) {
  const options = ['CallOptions', 'WriteOptions'].filter((name) => code.includes(`options?: ${name}`));
  return `// Generated from the operations of the contract by \`npm run types\`. Do not edit.

import type * as api from '@plat/contract';
import { ApiClient } from '../api-client.ts';
import type { ApiCall } from '../call/api-call.ts';
import type { ${options.join(', ')} } from '../call/call-options.ts';
import type { Engine } from '../call/engine.ts';
import type { ListCall } from '../list/list-call.ts';
import { createResources } from './create-resources.ts';
import type { ListOptions } from './operation-method.ts';
import { ${client.toUpperCase()}_TABLE } from './${client}-table.ts';

// Arguments and results of the methods, for programs that name them.
export type {
${types.map((name) => `  ${name},\n`).join('')}} from '@plat/contract';

`;
}

/** Names of all types of the contract that the operations of an API use. */
function contractTypes({ schemas }) {
  const names = Object.values(schemas).flatMap(({ query, body, answer }) =>
    [query, body, answer].flatMap((title) => (title ? typeNames(titleType(title)) : [])),
  );
  return [...new Set([...names, 'Id'])].sort();
}

function familyInterface(api, family) {
  const { families, operations } = api;
  const below = Object.keys(families).filter((name) => name.replace(/\.\w+$/, '') === family && name !== family);
  const own = Object.keys(operations).filter((name) => name.replace(/\.\w+$/, '') === family);
  const members = [...below.map((child) => field(child, families[child])), ...own.map((name) => method(api, name))];
  return `/** ${families[family]}. */\nexport interface ${interfaceOf(family)} {\n${members.join('')}}\n`;
}

function field(family, description) {
  const name = camel(family.split('.').at(-1));
  return `  /** ${description}. */\n  readonly ${name}: ${interfaceOf(family)};\n`;
}

/** `groups.members` → GroupMembers; `billing.invoices` → BillingInvoices. */
function interfaceOf(family) {
  const words = family.split('.');
  const last = words.pop();
  const name = [...words.map((word) => word.replace(/s$/, '')), last].map(pascal).join('');
  return OBJECTS.includes(last) ? `${name}Resource` : name;
}

function method(api, name) {
  const { method: verb, path, scope, emits, list, summary } = api.operations[name];
  const { query, body, answer, errors = [], details } = api.schemas[name];
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
    `@example ${example(api, name, ids, body)}`,
  ];
  const result = `${list ? 'ListCall' : 'ApiCall'}<${typeOf(answer)}>`;
  const text = [words.join(' '), ...tags].map((line) => `   * ${line}\n`).join('');
  return `  /**\n${text}   */\n  ${camel(name.split('.').at(-1))}(${parameters.join(', ')}): ${result};\n`;
}

function idType(parameter) {
  const { kind } = pathParameter(parameter);
  return kind === null ? 'string' : `api.Id<'${kind}'>`;
}

function example({ client, operations, schemas }, name, ids, body) {
  const { list, method: verb } = operations[name];
  const input = body ? shortExampleOf(SCHEMAS[body], verb) : {};
  const given = Object.keys(input).length === 0 ? [] : [literal(input)];
  const call = `${client}.${name.split('.').map(camel).join('.')}(${[...ids.map(camel), ...given].join(', ')})`;
  const answer = schemas[name].answer.replace(/^(?:[A-Z]+(?=[A-Z][a-z])|\w)/, (first) => first.toLowerCase());
  const result = answer === client ? name.split('.')[0] : answer;
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
  return titleType(title).replaceAll(TYPE_NAME, 'api.$&');
}

function titleType(title) {
  return SCHEMAS[title]['x-type'] ?? title;
}

/** A name of a type in a type, which can have texts: `Deleted<'client'>`. */
const TYPE_NAME = /\b[A-Z]\w*/g;

function typeNames(type) {
  return type.match(TYPE_NAME);
}

function camel(name) {
  return name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}

function pascal(name) {
  return name.charAt(0).toUpperCase() + camel(name).slice(1);
}
