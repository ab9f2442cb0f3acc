import { check } from '@plat/contract/schemas';
import { errorCodesOf } from '../http/error-codes.ts';
import type { AnyRoute, Page } from '../http/route.ts';
import { ApiError } from '../kernel/api-error.ts';

/**
 * Wraps a route so that a response outside its schema, or an error code that it does not declare, becomes an internal
 * error: the OpenAPI document would not mention it.
 */
export function checkRoute(route: AnyRoute): AnyRoute {
  return {
    ...route,
    read: (ctx, input) => checked(route, route.read(ctx, input)),
    write: (ctx, input) => checked(route, route.write(ctx, input)),
  };
}

async function checked(route: AnyRoute, work: Promise<unknown>): Promise<unknown> {
  const response = await work.catch((error: unknown) => {
    const isDeclared = !(error instanceof ApiError) || errorCodesOf(route).includes(error.code);
    throw isDeclared ? error : new Error(`${route.name} does not declare the error code ${error.code}`);
  });
  const objects = route.operation.list ? (response as Page<unknown>).data : [response];
  for (const object of objects) assertDeclared(route, object);
  return response;
}

function assertDeclared({ name, response }: AnyRoute, object: unknown): void {
  const { errors } = check(response, object);
  if (errors.length === 0) return;
  const violations = errors.map(({ path, message }) => `${path} ${message}`).join(', ');
  throw new Error(`the response of ${name} does not match its schema: ${violations}`);
}
