import { createDocument, type Surface } from './openapi/create-document.ts';
import type { OpenApiDocument } from './openapi/openapi-document.ts';
import { ROUTES } from './resources/index.ts';
import { EVENTS } from './resources/webhook-events/webhook-events.schemas.ts';

/** All that the API offers: what it answers, and what it sends. */
export const SURFACE: Surface = { routes: ROUTES, events: EVENTS };

/** The OpenAPI 3.1 document of the API, as a server with this base URL serves it at `/openapi.json`. */
export function openApiDocument(baseUrl: string): OpenApiDocument {
  return createDocument(SURFACE, [{ url: baseUrl }]);
}
