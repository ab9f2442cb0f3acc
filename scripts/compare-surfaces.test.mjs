import { expect, test } from 'vitest';
import { codesIn, readSurface, surfaceOf } from './lib/api-surface.mjs';
import { bumpNeeded, compareSurfaces, isEnough } from './lib/compare-surfaces.mjs';

const CLIENT = {
  type: 'object',
  required: ['id', 'status'],
  properties: {
    id: { type: 'string' },
    status: { type: 'string', enum: ['active', 'inactive'] },
    tags: { type: 'object', additionalProperties: { type: 'string' } },
  },
};
const CREATE = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', maxLength: 200 }, slug: { type: ['string', 'null'], pattern: '^a' } },
};
const json = (name) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });

/** Returns a surface after a change of the document. */
function surface(change = () => {}) {
  const document = {
    paths: {
      '/v1/clients': {
        post: {
          operationId: 'clients.create',
          'x-required-scope': 'clients:write',
          'x-error-codes': ['SLUG_IN_USE'],
          parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } }],
          requestBody: { required: true, content: json('Create') },
          responses: { 201: { content: json('Client') }, 400: { description: 'refused' } },
        },
      },
    },
    webhooks: { 'client.created': { post: { requestBody: { content: json('Client') } } } },
    components: { schemas: structuredClone({ Client: CLIENT, Create: CREATE }) },
  };
  const made = { exports: { '@plat/sdk': ['Platform', 'retry'] } };
  const { Client, Create } = document.components.schemas;
  change({ document, operation: document.paths['/v1/clients'].post, Client, Create, made });
  return { ...surfaceOf(document), ...made };
}

test('the same surface has no difference', () => {
  expect(compareSurfaces(surface(), surface())).toEqual([]);
});

test.each([
  ['never', 'an error code', ({ operation }) => operation['x-error-codes'].pop()],
  ['never', 'an event type', ({ document }) => delete document.webhooks['client.created']],
  ['breaking', 'a route', ({ document }) => delete document.paths['/v1/clients']],
  ['breaking', 'the scope', ({ operation }) => (operation['x-required-scope'] = 'clients:read')],
  ['breaking', 'the status of a success', ({ operation }) => delete operation.responses[201]],
  ['breaking', 'the name of an operation', ({ operation }) => (operation.operationId = 'clients.add')],
  ['breaking', 'a parameter', ({ operation }) => operation.parameters.pop()],
  ['breaking', 'a maximum', ({ operation }) => (operation.parameters[0].schema.maximum = 50)],
  ['breaking', 'a minimum', ({ operation }) => (operation.parameters[0].schema.minimum = 2)],
  ['breaking', 'a field of a request', ({ Create }) => delete Create.properties.slug],
  ['breaking', 'null in a request', ({ Create }) => (Create.properties.slug.type = 'string')],
  ['breaking', 'a pattern', ({ Create }) => (Create.properties.slug.pattern = '^b')],
  ['breaking', 'a length', ({ Create }) => (Create.properties.name.maxLength = 100)],
  ['breaking', 'an optional field, which is required', ({ Create }) => Create.required.push('slug')],
  ['breaking', 'values, of which few are accepted', ({ Create }) => (Create.properties.name.enum = ['a'])],
  ['breaking', 'unknown fields', ({ Create }) => (Create.additionalProperties = false)],
  ['breaking', 'a value, which is excluded', ({ Create }) => (Create.properties.name.not = { const: 'a' })],
  ['breaking', 'the type of a field of a response', ({ Client }) => delete Client.properties.id.type],
  ['breaking', 'the type of a map', ({ Client }) => (Client.properties.tags.additionalProperties.type = 'integer')],
  ['breaking', 'a field of a response', ({ Client }) => delete Client.properties.status],
  ['breaking', 'a field of a response, which can be absent', ({ Client }) => Client.required.pop()],
  [
    'breaking',
    'a field of a response, which can be null',
    ({ Client }) => (Client.properties.id.type = ['string', 'null']),
  ],
  ['breaking', 'an export', ({ made }) => (made.exports = { '@plat/sdk': ['Platform'] })],
  ['breaking', 'an entry', ({ made }) => (made.exports = {})],
])('%s: a later version lacks or changes %s', (kind, _, change) => {
  expect(compareSurfaces(surface(), surface(change)).map((each) => each.kind)).toContain(kind);
});

test('a new field that a request requires breaks its callers', () => {
  const after = surface(({ Create }) => {
    Create.properties.plan = { type: 'string' };
    Create.required.push('plan');
  });
  expect(compareSurfaces(surface(), after)).toEqual([{ kind: 'breaking', text: 'Create.plan is new and required' }]);
});

test.each([
  ['an error code', ({ operation }) => operation['x-error-codes'].push('NEW')],
  ['an event type', ({ document }) => (document.webhooks['client.new'] = document.webhooks['client.created'])],
  ['an optional field of a request', ({ Create }) => (Create.properties.note = { type: 'string' })],
  ['a field of a response', ({ Client }) => (Client.properties.note = { type: 'string' })],
  ['a value of a response', ({ Client }) => Client.properties.status.enum.push('paused')],
  ['any value of a response', ({ Client }) => delete Client.properties.status.enum],
  ['a media type', ({ operation }) => (operation.responses[201].content['text/csv'] = { schema: { type: 'string' } })],
  ['an export', ({ made }) => made.exports['@plat/sdk'].push('more')],
])('a later version may add %s', (_, change) => {
  const kinds = compareSurfaces(surface(), surface(change)).map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(['addition']));
});

test('wider limits and fewer demands are no difference', () => {
  const after = surface(({ Create, operation }) => {
    Create.properties.name.maxLength = 300;
    Create.required.pop();
    operation.parameters[0].schema.minimum = 0;
  });
  expect(compareSurfaces(surface(), after)).toEqual([]);
});

test.each([
  ['breaking', '1.2.0', 'major', ['minor'], false],
  ['breaking', '1.2.0', 'major', ['patch', 'major'], true],
  ['breaking', '0.2.0', 'minor', ['minor'], true],
  ['addition', '1.2.0', 'minor', [], false],
  ['addition', '0.2.0', 'patch', ['patch'], true],
  ['never', '0.2.0', 'never', ['major'], false],
])('%s after %s needs %s; announced %j: %s', (kind, version, needed, announced, enough) => {
  expect(bumpNeeded([{ kind, text: '' }], version)).toBe(needed);
  expect(isEnough(needed, announced)).toBe(enough);
});

test('the codes of the API, the SDK and the CLI are in the surface', () => {
  expect(codesIn('| `TIMEOUT` | 1 |\n| text | `x` |\n| `NO_API_KEY` | 4 |\n')).toEqual(['NO_API_KEY', 'TIMEOUT']);
  expect(readSurface().codes).toEqual(expect.arrayContaining(['SLUG_IN_USE', 'TIMEOUT', 'NO_API_KEY', 'NOT_FOUND']));
});
