import type { ErrorCode } from '@plat/contract';
import { listOf } from '@plat/contract/schemas';
import { errorCodesOf } from '../http/error-codes.ts';
import type { AnyRoute, Route } from '../http/route.ts';
import { codeSamplesOf } from './code-samples.ts';
import type { Components } from './components.ts';
import type { ErrorResponses } from './errors.ts';
import { headers } from './headers.ts';
import type { OpenApiDocument, Operation, Response } from './openapi-document.ts';
import type { Parameters } from './parameters.ts';
import { tagOf } from './tags.ts';

/** Parts of the document that operations refer to. */
export interface Shared {
  readonly components: Components;
  readonly parameters: Parameters;
  readonly errorResponses: ErrorResponses;
}

/** The part of a route that the document shows. */
export type Documented = Omit<AnyRoute, 'read' | 'write'>;

/** Facts of one API that its operations share. */
interface Surface {
  readonly tag: string;
  readonly scheme: keyof OpenApiDocument['components']['securitySchemes'];
  readonly operationId: string;
  /** False for a code that no operation of the API has. */
  hasCode(code: ErrorCode): boolean;
}

/** Returns the OpenAPI operation of a route of /v1. */
export function operationOf(route: Route, shared: Shared): Operation {
  const { name } = route;
  const surface: Surface = { tag: tagOf(name), scheme: 'bearer', operationId: name, hasCode: () => true };
  return { ...describe(route, surface, shared), 'x-codeSamples': codeSamplesOf(name) };
}

/** Returns the OpenAPI operation of a route of any API. */
export function describe(
  route: Documented,
  { tag, scheme, operationId, hasCode }: Surface,
  { components, parameters, errorResponses }: Shared,
): Operation {
  const { operation, body } = route;
  const { scope, emits, status, summary, deprecated } = operation;
  const codes = errorCodesOf(route).filter(hasCode);
  const taken = parameters.of(route);
  return {
    operationId,
    summary,
    description: descriptionOf(route),
    tags: [tag],
    ...(deprecated ? { deprecated: true } : {}),
    security: [{ [scheme]: scope === null ? [] : [scope] }],
    ...(taken.length === 0 ? {} : { parameters: taken }),
    ...(body ? { requestBody: { required: isRequired(route), content: components.content(body, 'request') } } : {}),
    responses: { [status]: success(route, components), ...errorResponses.of(codes) },
    'x-required-scope': scope,
    'x-emitted-events': emits,
    'x-error-codes': codes,
  };
}

function descriptionOf({ operation, details }: Documented): string {
  const { scope, emits, method, list, deprecated } = operation;
  const code = (word: string): string => `\`${word}\``;
  return [
    ...(deprecated
      ? [
          `**Deprecated** since ${deprecated.since}${deprecated.sunset ? `; may be gone from ${deprecated.sunset}` : ''}.`,
        ]
      : []),
    ...(details === undefined ? [] : [details]),
    scope === null ? 'Any valid credential may call it.' : `Needs the scope ${code(scope)}.`,
    ...(emits.length === 0 ? [] : [`Can emit ${emits.map(code).join(', ')}.`]),
    ...(list
      ? [
          'Paginates by `starting_after` and `ending_before`; continue while `has_more` is true, at `next_cursor` if the page has it.',
        ]
      : []),
    ...(method === 'POST' ? ['With an `Idempotency-Key` it can be sent again safely.'] : []),
  ].join('\n\n');
}

function success({ operation, response }: Documented, components: Components): Response {
  const { list, method, deprecated, summary } = operation;
  const schema = list ? listOf(response) : response;
  return {
    description: schema.description ?? summary,
    headers: headers(
      'X-Request-Id',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      ...(method === 'POST' ? (['Idempotent-Replayed'] as const) : []),
      ...(deprecated ? (['Deprecation'] as const) : []),
      ...(deprecated?.sunset ? (['Sunset'] as const) : []),
      ...(deprecated?.link ? (['Link'] as const) : []),
    ),
    content: components.content(schema, 'answer'),
  };
}

/** Returns false for a body without required fields, which may be omitted. */
function isRequired({ body }: Documented): boolean {
  return (body?.required ?? []).length > 0;
}
