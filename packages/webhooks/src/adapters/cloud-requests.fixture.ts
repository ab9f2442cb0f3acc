import { HttpRequest } from '@azure/functions';
import type { LambdaEventLike, LambdaResponse } from './lambda.ts';

/* Requests in the shapes that the documentation of each service shows. */

type Headers = Readonly<Record<string, string | readonly string[]>>;
type Body = Uint8Array | string | undefined;

/** Builds the event of a service for a request. */
export type LambdaEventOf = (body: Body, headers: Headers) => LambdaEventLike;

const list = (value: string | readonly string[]): string[] => [value].flat();
const entries = (headers: Headers): [name: string, values: string[]][] =>
  Object.entries(headers).map(([name, value]) => [name, list(value)]);
const base64 = (body: Body) => ({ body: Buffer.from(body ?? '').toString('base64'), isBase64Encoded: true });
const text = (body: Body) => ({
  body: body === undefined ? null : Buffer.from(body).toString('utf8'),
  isBase64Encoded: false,
});

/**
 * Function URL and HTTP API with payload format 2.0: names in lower case, repeated headers joined by commas.
 * https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html#urls-payloads
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export const format2: LambdaEventOf = (body, headers) => ({
  version: '2.0',
  routeKey: '$default',
  rawPath: '/hooks',
  rawQueryString: '',
  headers: Object.fromEntries(entries(headers).map(([name, values]) => [name.toLowerCase(), values.join(',')])),
  requestContext: {
    accountId: 'anonymous',
    apiId: 'example',
    domainName: 'example.lambda-url.eu-central-1.on.aws',
    domainPrefix: 'example',
    http: { method: 'POST', path: '/hooks', protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'Platform' },
    requestId: 'id',
    routeKey: '$default',
    stage: '$default',
    time: '25/Nov/2026:11:00:00 +0000',
    timeEpoch: 1795604400000,
  },
  ...base64(body),
});

/**
 * REST API, and HTTP API with payload format 1.0: names as they were sent, each header once and with all values.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export const format1: LambdaEventOf = (body, headers) => {
  const titled = entries(headers).map(([name, values]): [string, string[]] => [titleCase(name), values]);
  return {
    resource: '/hooks',
    path: '/hooks',
    httpMethod: 'POST',
    headers: Object.fromEntries(titled.map(([name, values]) => [name, values.at(-1)])),
    multiValueHeaders: Object.fromEntries(titled),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    requestContext: {
      resourceId: '123456',
      resourcePath: '/hooks',
      httpMethod: 'POST',
      stage: 'prod',
      path: '/prod/hooks',
    },
    ...text(body),
  };
};

/**
 * Application Load Balancer with and without multi-value headers: one of the two fields, never both. Without them it
 * passes the last value.
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html
 */
export const loadBalancer =
  (hasAllValues: boolean): LambdaEventOf =>
  (body, headers) => {
    const values = entries(headers);
    return {
      requestContext: {
        elb: {
          targetGroupArn:
            'arn:aws:elasticloadbalancing:region:123456789012:targetgroup/my-target-group/6d0ecf831eec9f09',
        },
      },
      httpMethod: 'POST',
      path: '/hooks',
      ...(hasAllValues
        ? { multiValueQueryStringParameters: {}, multiValueHeaders: Object.fromEntries(values) }
        : { queryStringParameters: {}, headers: Object.fromEntries(values.map(([name, all]) => [name, all.at(-1)])) }),
      ...(hasAllValues ? base64(body) : { ...text(body), body: text(body).body ?? '' }),
    };
  };

/** Reads a response as the service does. */
export function readLambdaResponse({ statusCode, headers, multiValueHeaders, body }: LambdaResponse) {
  const joined = Object.entries(multiValueHeaders ?? {}).map(([name, values]) => [name, values.join(',')] as const);
  return { status: statusCode, headers: headers ?? Object.fromEntries(joined), body: JSON.parse(body) };
}

/** The real request class of Azure Functions, as its worker creates it: the host joins repeated headers by commas. */
export function azureRequest(body: Body, headers: Headers): HttpRequest {
  return new HttpRequest({
    method: 'POST',
    url: 'http://localhost/hooks',
    headers: Object.fromEntries(entries(headers).map(([name, values]) => [name, values.join(', ')])),
    ...(body === undefined ? {} : { body: { bytes: Buffer.from(body) } }),
  });
}

function titleCase(name: string): string {
  return name.replace(/(^|-)\w/g, (start) => start.toUpperCase());
}
