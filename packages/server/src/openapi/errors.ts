import { ERROR_CODES, type ErrorCode, RETRY_AFTER_CODES } from '@plat/contract';
import { ERROR_REFERENCE } from '@plat/contract/error-reference';
import type { JsonSchema } from '@plat/contract/schemas';
import type { Components } from './components.ts';
import { headers } from './headers.ts';
import type { Ref, Response } from './openapi-document.ts';

export interface ErrorResponses {
  readonly responses: Readonly<Record<string, Response>>;
  /** Returns the refusals by status. Operations with the same refusals share one component. */
  of(codes: readonly ErrorCode[]): Readonly<Record<string, Ref>>;
}

export function createErrorResponses(components: Components): ErrorResponses {
  const responses: Record<string, Response> = {};
  return {
    responses,
    of(codes) {
      const byStatus = Map.groupBy(codes, (code) => ERROR_CODES[code].status);
      return Object.fromEntries(
        [...byStatus].sort().map(([status, group]) => {
          const name = group.join('.');
          responses[name] ??= refusal(status, group, components);
          return [status, { $ref: `#/components/responses/${name}` }];
        }),
      );
    },
  };
}

function refusal(status: number, codes: readonly ErrorCode[], components: Components): Response {
  const { schema } = components.content(ERROR, 'answer')['application/json'];
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_REFERENCE[code].description}`).join('\n\n'),
    headers: headers(
      'X-Request-Id',
      ...(status === 401 ? [] : (['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const)),
      ...(status === 401 || codes.includes('INSUFFICIENT_SCOPE') ? (['WWW-Authenticate'] as const) : []),
      ...(codes.some((code) => RETRY_AFTER_CODES.includes(code)) ? (['Retry-After'] as const) : []),
    ),
    content: {
      'application/json': {
        schema,
        examples: Object.fromEntries(codes.map((code) => [code, exampleOfCode(code, components)])),
      },
    },
    'x-error-codes': codes,
  };
}

function exampleOfCode(code: ErrorCode, components: Components): Ref {
  const errors = FIELD_ERRORS[code];
  const message = ERROR_REFERENCE[code].description;
  return components.addExample(code, { summary: code, value: { code, message, ...(errors ? { errors } : {}) } });
}

/** The two codes that name fields. */
const FIELD_ERRORS: { readonly [C in ErrorCode]?: readonly object[] } = {
  INVALID_REQUEST: [{ path: 'limit', message: 'must be a whole number from 1 to 100' }],
  INVALID_BODY: [{ path: 'name', message: 'is required' }],
};

const ERROR: JsonSchema = {
  title: 'Error',
  type: 'object',
  description: 'The body of every refusal.',
  properties: {
    code: {
      type: 'string',
      pattern: '^[A-Z][A-Z0-9_]*$',
      description: 'Stable. Codes are only ever added: keep a default branch that goes by the status.',
      examples: ['INVALID_BODY'],
    },
    message: {
      type: 'string',
      minLength: 1,
      description: 'For people; may change.',
      examples: ['The body is not valid: name is required'],
    },
    errors: {
      type: 'array',
      description: 'Each field that is wrong; with `INVALID_REQUEST` and `INVALID_BODY` only.',
      items: {
        title: 'FieldError',
        type: 'object',
        description: 'What is wrong with one field.',
        properties: {
          path: {
            type: 'string',
            description: 'Dotted path of the field; empty for the body as a whole.',
            examples: ['name'],
          },
          message: { type: 'string', minLength: 1, description: 'For people; may change.', examples: ['is required'] },
        },
        required: ['path', 'message'],
      },
    },
  },
  required: ['code', 'message'],
};
