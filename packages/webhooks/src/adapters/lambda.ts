import { HEADERS } from '@plat/contract';
import { header } from '../headers.ts';
import { type AnyVerifierOptions, createVerifier } from '../verifier.ts';
import { type AdapterOptions, type EventHandler, readAdapterOptions } from './options.ts';
import { type Answer, receive } from './receive.ts';
import { tooLarge } from './too-large.ts';

// With `declaration`, a compiler names the types of the main entry only if a program loads it.
export type {} from '../index.ts';
export type { AdapterOptions, DeliveryContext, EventHandler } from './options.ts';

/** Options of {@link lambdaWebhook}. */
export interface LambdaWebhookOptions extends AnyVerifierOptions, AdapterOptions {}

/**
 * The parts of an event that the adapter uses: of a function URL, of API Gateway with payload format 1.0 or 2.0, or of an
 * Application Load Balancer.
 */
export interface LambdaEventLike {
  /** Headers with one value each. */
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined;
  /** Headers with all values, in format 1.0 and by a load balancer with this setting. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined;
  /** Body as text, or in base64. */
  readonly body?: string | null | undefined;
  /** True if the body is in base64. */
  readonly isBase64Encoded?: boolean | undefined;
  /** Path in format 2.0. */
  readonly rawPath?: string | undefined;
  /** Query in format 2.0. */
  readonly rawQueryString?: string | undefined;
  /** Path in format 1.0 and of a load balancer. */
  readonly path?: string | undefined;
  /** Query in format 1.0 and of a load balancer. */
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null | undefined;
  /** Origin of the event. */
  readonly requestContext?: object | null | undefined;
}

/** A response that each of these services accepts. */
export interface LambdaResponse {
  /** HTTP status. */
  readonly statusCode: number;
  /** Status in words, for a load balancer. */
  readonly statusDescription?: string;
  /** Response headers. */
  readonly headers?: Record<string, string>;
  /** Response headers, for a load balancer that sends all values. */
  readonly multiValueHeaders?: Record<string, string[]>;
  /** Body as text. */
  readonly body: string;
  /** Always false. */
  readonly isBase64Encoded: false;
}

/**
 * Creates the handler of an AWS Lambda function behind a function URL, API Gateway (REST and HTTP APIs, payload formats
 * 1.0 and 2.0) or an Application Load Balancer.
 *
 * @example
 * export const handler = lambdaWebhook({ secrets: process.env.WEBHOOK_SECRET ?? '' }, async (event) => {
 *   if (event.type === 'client.created') await welcome(event.data);
 * });
 *
 * @throws {WebhookConfigurationError} `SECRETS_MISSING`, `SECRET_INVALID`, `TOLERANCE_INVALID`, `CLOCK_INVALID`,
 *   `OPTION_INVALID`
 */
export function lambdaWebhook<E extends LambdaEventLike = LambdaEventLike>(
  options: LambdaWebhookOptions,
  handler: EventHandler<E>,
): (event: E) => Promise<LambdaResponse> {
  const { verifier: verifierOptions, maxBytes } = readAdapterOptions('lambdaWebhook', options, handler);
  const verifier = createVerifier(verifierOptions);
  return async (request) => {
    // Format 1.0 has both, and only one of them has every value of a repeated signature.
    const headers = request.multiValueHeaders ?? request.headers ?? {};
    const answer = await receive(
      {
        verify: async () => verifier.verifyDelivery(bodyOf(request, maxBytes), headers, { url: targetOf(request) }),
        handle: ({ event, secret }) => {
          const id = header(headers, HEADERS.deliveryId);
          return handler(event, { deliveryId: typeof id === 'string' ? id : undefined, request, secret });
        },
      },
      options,
    );
    return responseOf(request, answer);
  };
}

function bodyOf({ body, isBase64Encoded }: LambdaEventLike, maxBytes: number): string | Uint8Array {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

/** Returns path and query in the form of Node's `request.url`. */
function targetOf(request: LambdaEventLike): string {
  const { rawPath, path = '/', rawQueryString, queryStringParameters } = request;
  const query = rawQueryString ?? queryOf(Object.entries(queryStringParameters ?? {}), isLoadBalancer(request));
  return `${rawPath ?? path}${query === '' ? '' : `?${query}`}`;
}

/** A load balancer passes names and values as they arrived; API Gateway decodes them. */
function queryOf(parameters: readonly (readonly [string, string | undefined])[], isEncoded: boolean): string {
  const encode = isEncoded ? (text: string): string => text : encodeURIComponent;
  return parameters.map(([name, value = '']) => `${encode(name)}=${encode(value)}`).join('&');
}

function isLoadBalancer({ requestContext }: LambdaEventLike): boolean {
  return 'elb' in (requestContext ?? {});
}

function responseOf(request: LambdaEventLike, { status, headers, body }: Answer): LambdaResponse {
  const all = { 'content-type': 'application/json; charset=utf-8', ...headers };
  const response = { statusCode: status, body: JSON.stringify(body), isBase64Encoded: false } as const;
  if (!isLoadBalancer(request)) return { ...response, headers: all };
  // API Gateway refuses a response with this field.
  const described = { ...response, statusDescription: `${status} ${DESCRIPTIONS[status]}` };
  // A load balancer that sends all values reads no others.
  if (!request.multiValueHeaders) return { ...described, headers: all };
  const lists = Object.entries(all).map(([name, value]): [string, string[]] => [name, [value]]);
  return { ...described, multiValueHeaders: Object.fromEntries(lists) };
}

const DESCRIPTIONS: Readonly<Record<Answer['status'], string>> = {
  200: 'OK',
  400: 'Bad Request',
  409: 'Conflict',
  413: 'Content Too Large',
  500: 'Internal Server Error',
};
