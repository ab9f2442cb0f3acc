import { at } from './paths.mjs';

export const openApiFile = at('docs', 'openapi.json');

/** Returns the OpenAPI document of the built server's routes, with the address that `npm start` serves. */
export async function openApiText() {
  const { openApiDocument } = await import('@plat/server');
  return `${JSON.stringify(openApiDocument('http://127.0.0.1:4010'), null, 2)}\n`;
}
