import { at } from './paths.mjs';

export const openApiFile = at('docs', 'openapi.json');

/** The OpenAPI document as it is committed: made of the built server's routes, for the sandbox that `npm start` runs. */
export async function openApiText() {
  const { openApiDocument } = await import('@plat/server');
  return `${JSON.stringify(openApiDocument('http://127.0.0.1:4010'), null, 2)}\n`;
}
