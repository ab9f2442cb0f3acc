import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceFolder } from './api-reference.mjs';
import { errorsFile } from './error-tables.mjs';
import { openApiFile } from './openapi.mjs';
import { at } from './paths.mjs';

/*
 * The surface is all that users depend on, as flat facts by which two versions are compared. It has the routes with their requests and
 * responses, the error codes, the event types, and the exports of the packages.
 */

/** The surface of the last release. */
export const releasedFile = at('docs', 'released-surface.json');

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Returns the surface of the committed documents: docs/openapi.json, docs/errors.md and docs/api. */
export function readSurface() {
  const document = JSON.parse(readFileSync(openApiFile, 'utf8'));
  return { ...surfaceOf(document), codes: codesIn(readFileSync(errorsFile, 'utf8')), exports: readExports() };
}

/**
 * Returns the surface of an OpenAPI document, without the exports of the packages. Schemas of requests are `accepts`, those of
 * responses and events are `returns`; a schema of both is in both.
 */
export function surfaceOf(document) {
  const accepts = {};
  const returns = {};
  const operations = {};
  const codes = new Set();
  const resolve = (node) => (node?.$ref ? resolve(pointed(document, node.$ref)) : node);
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS.filter((name) => item[name])) {
      const operation = item[method];
      const name = `${method.toUpperCase()} ${path}`;
      operations[name] = { id: operation.operationId, scope: operation['x-required-scope'] ?? null };
      for (const code of operation['x-error-codes'] ?? []) codes.add(code);
      for (const parameter of [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve)) {
        const { name: own, in: place, required = false, schema } = parameter;
        add(accepts, `${name} ${place}.${own}`, schema, required, document);
      }
      const body = resolve(operation.requestBody);
      for (const [type, { schema }] of Object.entries(body?.content ?? {})) {
        add(accepts, `${name} body ${type}`, schema, body.required === true, document);
      }
      for (const [status, response] of Object.entries(operation.responses)) {
        if (!/^[23]/.test(status)) continue;
        operations[name][status] = true;
        for (const [type, { schema }] of Object.entries(resolve(response).content ?? {})) {
          add(returns, `${name} ${status} ${type}`, schema, true, document);
        }
      }
    }
  }
  for (const [type, { post }] of Object.entries(document.webhooks ?? {})) {
    for (const { schema } of Object.values(resolve(post.requestBody).content))
      add(returns, type, schema, true, document);
  }
  return { operations, accepts, returns, codes: [...codes].sort(), events: Object.keys(document.webhooks ?? {}) };
}

const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'pattern', 'format'];

/** Adds the fact of a place, and those of the places in it. A schema with a name is added once, below its name. */
function add(facts, place, schema, required, document) {
  const name = /^#\/components\/schemas\/(.+)$/.exec(schema?.$ref ?? '')?.[1];
  if (name !== undefined) {
    facts[place] = { types: [`#${name}`], required };
    if (!(name in facts)) add(facts, name, pointed(document, schema.$ref), true, document);
    return;
  }
  const {
    type,
    const: only,
    additionalProperties: others,
    not,
    enum: values = only === undefined ? undefined : [only],
    properties = {},
    items,
  } = schema ?? {};
  const parts = [...(schema?.oneOf ?? []), ...(schema?.anyOf ?? []), ...(schema?.allOf ?? [])];
  facts[place] = {
    types: type === undefined ? [] : [type].flat().sort(),
    required,
    ...(values && { values: values.map(String).sort() }),
    ...(others === false && { closed: true }),
    ...(not && { not: JSON.stringify(not) }),
    ...Object.fromEntries(LIMITS.filter((limit) => limit in (schema ?? {})).map((limit) => [limit, schema[limit]])),
  };
  for (const [i, part] of parts.entries()) add(facts, `${place}|${i}`, part, required, document);
  for (const [key, value] of Object.entries(properties)) {
    add(facts, `${place}.${key}`, value, (schema.required ?? []).includes(key), document);
  }
  if (typeof others === 'object') add(facts, `${place}{}`, others, false, document);
  if (items) add(facts, `${place}[]`, items, false, document);
}

function pointed(document, reference) {
  return reference
    .slice(2)
    .split('/')
    .reduce((node, key) => node[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

/** Returns the codes of all tables of docs/errors.md: of the API, the SDK and the CLI. */
export function codesIn(page) {
  return [...new Set(Array.from(page.matchAll(/^\| `([A-Z][A-Z_]+)` \|/gm), ([, code]) => code))].sort();
}

/** Returns the exports of each entry of a package, as its page in docs/api lists them. */
function readExports() {
  const exports = {};
  for (const file of readdirSync(referenceFolder, { recursive: true })) {
    if (!file.endsWith('.md') || file.endsWith('README.md')) continue;
    const text = readFileSync(join(referenceFolder, file), 'utf8');
    const [, entry] = /^# (.+)$/m.exec(text) ?? [];
    exports[entry] = [...new Set(Array.from(text.matchAll(/^### `?([\w$]+)/gm), ([, name]) => name))].sort();
  }
  return exports;
}
