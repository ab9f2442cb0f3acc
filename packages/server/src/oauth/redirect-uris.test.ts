import { describe, expect, test } from 'vitest';
import { policySource } from '../http/policy-source.ts';
import { isLoopback, redirectUriProblem, withParameters } from './redirect-uris.ts';

describe('valid redirect URIs', () => {
  test.each([
    'https://app.example/callback',
    'https://app.example',
    'https://app.example?tenant=1',
    'https://app.example/callback?a=1&b=%20',
    'https://app.example:8443/a/../b',
    'https://192.0.2.1/callback',
    'https://[2001:db8::1]/callback',
    'https://xn--mnchen-3ya.example/callback',
    `https://app.example/${'a'.repeat(2048 - 20)}`,
    'http://localhost/callback',
    'http://localhost:3000/callback',
    'http://127.0.0.1:3000',
    'http://[::1]:3000/callback?x=1',
    'https://my_app.example/callback',
    'https://app.example/callback?a=1,2;3&codes=1&State=2',
    'https://app.example/callback%2C%3B',
  ])('%s', (uri) => {
    expect(redirectUriProblem(uri)).toBeNull();
  });
});

describe('invalid redirect URIs', () => {
  test.each([
    ['', /visible ASCII/],
    ['/callback', /absolute/],
    ['//app.example/callback', /absolute/],
    ['https:app.example/callback', /absolute/],
    ['https:///callback', /absolute/],
    ['HTTPS://app.example/callback', /absolute/],
    ['app://callback', /absolute/],
    ['javascript:alert(1)', /absolute/],
    ['data:text/html,x', /absolute/],
    ['https://app.example/#', /fragment/],
    ['https://app.example/callback#here', /fragment/],
    ['https://user:password@app.example/', /user information/],
    ['https://@app.example/', /user information/],
    ['https://app.example\\@evil.example/', /backslash/],
    ['https://*.app.example/', /wildcard/],
    ['https://app.example/*', /wildcard/],
    ['https://app.example/call back', /ASCII/],
    ['https://app.example/\tx', /ASCII/],
    ['https://app.example/\r\nSet-Cookie:x', /ASCII/],
    ['https://app.example/\0', /ASCII/],
    ['https://münchen.example/', /ASCII/],
    ['https://app.example/ä', /ASCII/],
    ['https://app.example:99999/', /valid URL/],
    ['https://[::1/', /valid URL/],
    ['http://app.example/callback', /must be https/],
    ['http://localhost.app.example/', /must be https/],
    ['http://127.0.0.1.app.example/', /must be https/],
    ['http://2130706433/', /must be https/],
    ['http://127.1/', /must be https/],
    ['http://0.0.0.0/', /must be https/],
    [`https://app.example/${'a'.repeat(2048 - 19)}`, /2048 characters/],
    ['https://a;script-src.example/cb', /host/],
    ['https://a,b.example/cb', /host/],
    ["https://a'b.example/cb", /host/],
    ['https://a"b.example/cb', /host/],
    ['https://a(b).example/cb', /host/],
    ['https://app.example/a;b', /semicolon/],
    ['https://app.example/a,b', /comma/],
    ["https://app.example/a'b", /quote/],
    ['https://app.example/a"b', /quote/],
    ['https://app.example/cb?code=1', /code/],
    ['https://app.example/cb?x=1&state', /state/],
    ['https://app.example?iss=x', /iss/],
    ['https://app.example/cb?error=x', /error/],
    ['https://app.example/cb?error_description=x', /error_description/],
    ['https://app.example/cb?error_uri=x', /error_uri/],
    ['https://app.example/cb?%63ode=1', /code/],
  ])('%j', (uri, problem) => {
    expect(redirectUriProblem(uri)).toMatch(problem);
  });
});

test('only http on this machine is loopback', () => {
  expect(isLoopback('http://localhost:3000/callback')).toBe(true);
  expect(isLoopback('https://localhost:3000/callback')).toBe(false);
});

test.each([
  ['https://app.example/cb', 'https://app.example/cb?code=c&state=a%20b%26'],
  ['https://app.example', 'https://app.example?code=c&state=a%20b%26'],
  ['https://app.example/cb?x=%2f', 'https://app.example/cb?x=%2f&code=c&state=a%20b%26'],
  ['https://app.example/cb?', 'https://app.example/cb?code=c&state=a%20b%26'],
  ['https://app.example/cb?x=1&', 'https://app.example/cb?x=1&code=c&state=a%20b%26'],
])('parameters are appended to %s, which stays unchanged', (uri, expected) => {
  expect(withParameters(uri, { code: 'c', state: 'a b&' })).toBe(expected);
});

test('a content security policy contains the origin, or the scheme if it has no form for the address', () => {
  expect(policySource('https://app.example/cb?x=1')).toBe('https://app.example');
  expect(policySource('http://127.0.0.1:3000/cb')).toBe('http://127.0.0.1:3000');
  expect(policySource('http://[::1]:3000/cb')).toBe('http:');
});

test('an address registered before the rule on hosts is omitted from the policy', () => {
  for (const host of ['a;script-src', 'a,b', "a'b", 'a"b']) {
    expect(policySource(`https://${host}.example/cb`)).toBeNull();
  }
});
