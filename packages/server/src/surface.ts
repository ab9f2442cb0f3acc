import { createDocument } from './openapi/create-document.ts';
import type { OpenApiDocument } from './openapi/openapi-document.ts';
import { ROUTES } from './resources/index.ts';

/** Returns the OpenAPI 3.1 document of the API, as a server with this base URL serves it at `/openapi.json`. */
export function openApiDocument(baseUrl: string): OpenApiDocument {
  return createDocument(ROUTES, [{ url: baseUrl }]);
}
