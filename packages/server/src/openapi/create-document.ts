import type { Route } from '../http/route.ts';
import { createComponents } from './components.ts';
import { DEVELOPER_TAG, developerPaths } from './developer-paths.ts';
import { createErrorResponses } from './errors.ts';
import { HEADERS } from './headers.ts';
import { OAUTH_TAGS, oauthPaths } from './oauth-paths.ts';
import type { OpenApiDocument, Server } from './openapi-document.ts';
import { operationOf } from './operation.ts';
import { createParameters } from './parameters.ts';
import { TAGS } from './tags.ts';
import { webhooksOf } from './webhooks.ts';

/** Creates the OpenAPI document of the API from its routes and events. */
export function createDocument(routes: readonly Route[], servers: readonly Server[]): OpenApiDocument {
  const components = createComponents();
  const parameters = createParameters();
  const errorResponses = createErrorResponses(components);

  const shared = { components, parameters, errorResponses };
  const paths = Object.fromEntries(
    [...Map.groupBy(routes, ({ operation }) => operation.path)].map(([path, group]) => [
      path,
      Object.fromEntries(group.map((route) => [route.operation.method.toLowerCase(), operationOf(route, shared)])),
    ]),
  );
  const others = { ...oauthPaths(shared), ...developerPaths(shared) };
  const webhooks = webhooksOf(components);

  return {
    openapi: '3.1.1',
    info: { title: 'Platform API', version: '1.0.0', description: DESCRIPTION },
    servers,
    tags: Object.entries({ ...TAGS, ...OAUTH_TAGS, ...DEVELOPER_TAG }).map(([name, description]) => ({
      name,
      description,
    })),
    paths: { ...paths, ...others },
    webhooks,
    components: {
      schemas: components.schemas,
      examples: components.examples,
      parameters: parameters.parameters,
      headers: HEADERS,
      responses: errorResponses.responses,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key (`plat_live_…`, `plat_test_…` in a sandbox) or an OAuth access token.',
        },
        developer: { type: 'http', scheme: 'bearer', description: 'A token of `plat login` (`plat_dv_…`).' },
        app: {
          type: 'http',
          scheme: 'basic',
          description: 'Id and secret of the app. Both can be fields of the form instead (RFC 6749, section 2.3.1).',
        },
      },
    },
  };
}

const DESCRIPTION = `A multi-tenant administration API.

- **Credentials**: every call carries \`Authorization: Bearer <API key or access token>\`. The scopes of a credential, \`<resource>:<read or write>\`, determine its operations. Write does not imply read.
- **Errors**: every refusal has the body \`{code, message, errors?}\`. Branch on \`code\`; each operation lists its codes.
- **Lists**: newest first, \`limit\` 1 to 100. For the next page pass the last \`id\` as \`starting_after\`, for the page before the first \`id\` as \`ending_before\`.
- **Idempotency**: any POST takes an \`Idempotency-Key\`.
- **Rate limit**: every response to a known credential has its limit in \`X-RateLimit-*\`. \`Retry-After\` of a 429 is the number of seconds to wait.
- **Versions**: within \`/v1\`, responses can gain fields, and codes and event types can be added. None is renamed or removed.
- **Times** are ISO 8601 in UTC; ids are opaque behind their prefix.`;
