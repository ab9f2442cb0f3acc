import { readdirSync, readFileSync } from 'node:fs';
import { at } from './paths.mjs';

/** First line of each generated file. */
const HEADER = '// Generated from the files of this folder by `npm run types`. Do not edit.\n\n';

/**
 * Returns the files that list the modules of a folder, so that a new family needs no line in them.
 * @returns {{ path: string, text: string }[]}
 */
export function registries() {
  return [schemas(), payloads(), tables(), migrations(), routes(), mockAnswers()];
}

/** The modules of the schemas, and the operations of all families in one table. */
function schemas() {
  const folder = at('packages', 'contract', 'src', 'schemas');
  const modules = modulesIn(folder, /^export const \w+(?:: JsonSchema)? = (?:answer|params|changes|deleted)\(/m);
  const withOperations = modules.filter(({ text }) => /^export const operations = /m.test(text));
  const text = `import type { OperationName } from '../operations.ts';
${modules.map(({ name, file }) => `import * as ${name} from './${file}';\n`).join('')}import type { OperationSchemas } from './operations.ts';

/** The modules that export schemas. */
export const MODULES: readonly Readonly<Record<string, unknown>>[] = [
${modules.map(({ name }) => `  ${name},\n`).join('')}];

/**
 * Schemas, error codes and details of each operation of /v1. The types of the operations are derived from them. They
 * are separate from \`OPERATIONS\` so that SDK bundles do not include them.
 */
export const OPERATION_SCHEMAS = {
${withOperations.map(({ name }) => `  ...${name}.operations,\n`).join('')}} as const satisfies Readonly<Record<OperationName, OperationSchemas>>;
`;
  return { path: `${folder}/registry.ts`, text: HEADER + text };
}

/** The payloads of all families. A separate file, because the schema of the events needs it. */
function payloads() {
  const folder = at('packages', 'contract', 'src', 'schemas');
  const modules = modulesIn(folder, /^export const payloads = /m);
  const text = `import type { EventType } from '../event-types.ts';
${modules.map(({ name, file }) => `import * as ${name} from './${file}';\n`).join('')}import type { JsonSchema } from './json-schema.ts';

/** Schema of \`data\` for each event type. */
export const PAYLOADS: Readonly<Record<EventType, JsonSchema>> = {
${modules.map(({ name }) => `  ...${name}.payloads,\n`).join('')}};
`;
  return { path: `${folder}/payloads.ts`, text: HEADER + text };
}

/**
 * Every table in the order in which migrations create them, so that tenants come before their rows. The name of a model is that of
 * its table in the singular.
 */
function tables() {
  const folder = at('packages', 'server', 'src', 'db', 'tables');
  const order = modulesIn(at('packages', 'server', 'src', 'db', 'migrations'), /: Migration = /).flatMap(({ text }) =>
    [...text.matchAll(/createTable\(\s*'(\w+)'/g)].map(([, name]) => name),
  );
  const found = modulesIn(folder, /^export const \w+ = defineTable\(/m).map(({ file, text }) => ({
    file,
    table: exported(text, /^export const (\w+) = defineTable\(/m),
    created: order.indexOf(exported(text, /defineTable\(\s*'(\w+)'/)),
  }));
  found.sort((a, b) => a.created - b.created);
  const imported = found.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  const text = `${imported.map(({ table, file }) => `import { ${table} } from './${file}';\n`).join('')}
/** Every table of the service, by the name of its model. */
export const TABLES = {
${found.map(({ table }) => `  ${modelOf(table)}: ${table},\n`).join('')}};
`;
  return { path: `${folder}/registry.ts`, text: HEADER + text };
}

/** Models that are not named as their table in the singular. */
const MODELS = { CLIENT_GROUPS: 'group', PROCESSES: 'process', SETTINGS: 'settings' };

function modelOf(table) {
  const singular = table.replace(/IES$/, 'Y').replace(/S$/, '');
  return MODELS[table] ?? camel(singular.toLowerCase().replaceAll('_', '-'));
}

/** The migrations in the order of their file names, in which they run. */
function migrations() {
  const folder = at('packages', 'server', 'src', 'db', 'migrations');
  const found = modulesIn(folder, /^export const \w+: Migration = /m).map(({ file, text }) => ({
    file,
    name: exported(text, /^export const (\w+): Migration = /m),
  }));
  const text = `${found.map(({ name, file }) => `import { ${name} } from './${file}';\n`).join('')}import type { Migration } from './columns.ts';

/** In the order in which they run. */
export const MIGRATIONS: readonly Migration[] = [
${found.map(({ name }) => `  ${name},\n`).join('')}];
`;
  return { path: `${folder}/index.ts`, text: HEADER + text };
}

/** The routes of each family of /v1. */
function routes() {
  const folder = at('packages', 'server', 'src', 'resources');
  const found = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      modulesIn(`${folder}/${name}`, /: readonly Route\[\] = /).map((module) => ({ ...module, room: name })),
    )
    .map(({ room, file, text }) => ({
      file: `${room}/${file}`,
      name: exported(text, /^export const (\w+): readonly Route\[\] = /m),
    }))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
  const text = `import type { Route } from '../http/route.ts';
${found.map(({ name, file }) => `import { ${name} } from './${file}';\n`).join('')}
/** The routes of each family. */
export const FAMILY_ROUTES: readonly Route[] = [
${found.map(({ name }) => `  ...${name},\n`).join('')}];
`;
  return { path: `${folder}/registry.ts`, text: HEADER + text };
}

/** The handlers of the mock by operation. The compiler requires each. */
function mockAnswers() {
  const folder = at('packages', 'testing', 'src', 'mock');
  const found = modulesIn(`${folder}/families`, /^export const \w+: Answers</m).map(({ file, text }) => ({
    file,
    name: exported(text, /^export const (\w+): Answers</m),
  }));
  const text = `import type { Answers } from './call.ts';
${found.map(({ name, file }) => `import { ${name} } from './families/${file}';\n`).join('')}
/** Handlers of every operation except \`me.get\`, which concerns the credential rather than the tenant. */
export const ANSWERS: Omit<Answers, 'me.get'> = {
${found.map(({ name }) => `  ...${name},\n`).join('')}};
`;
  return { path: `${folder}/answers.ts`, text: HEADER + text };
}

function exported(text, pattern) {
  return pattern.exec(text)?.[1] ?? '';
}

/** The modules of a folder whose text matches, by file name. */
function modulesIn(folder, pattern) {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort()
    .map((file) => ({ file, name: camel(file.slice(0, -3)), text: readFileSync(`${folder}/${file}`, 'utf8') }))
    .filter(({ text }) => pattern.test(text));
}

function camel(name) {
  return name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
}
