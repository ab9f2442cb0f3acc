import { WEBHOOK_DELIVERY_ERROR_CLASSES } from '@plat/contract';
import { describe, expect, it } from 'vitest';
import { BlockedAddressError, classifyFailure, failureText } from './failure.ts';

describe('a failure', () => {
  it.each([
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['ECONNREFUSED', 'refused'],
    ['EHOSTUNREACH', 'unreachable'],
    ['EPERM', 'unreachable'],
    ['EACCES', 'unreachable'],
    ['ECONNRESET', 'reset'],
    ['UND_ERR_SOCKET', 'reset'],
    ['ETIMEDOUT', 'timeout'],
    ['EPROTO', 'tls'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tls'],
    ['HPE_INVALID_CONSTANT', 'protocol'],
    ['UND_ERR_HEADERS_OVERFLOW', 'protocol'],
    ['EMFILE', 'other'],
  ])('with the code %s has the class %s', (code, errorClass) => {
    expect(classifyFailure(Object.assign(new Error('why'), { code }))).toBe(errorClass);
  });

  it('without a code is classified by its kind, or as other', () => {
    expect(classifyFailure(new BlockedAddressError('10.0.0.1'))).toBe('blocked_address');
    expect(classifyFailure(Object.assign(new Error('why'), { name: 'HTTPParserError' }))).toBe('protocol');
    expect(classifyFailure(new TypeError('Invalid URL'))).toBe('other');
    expect(classifyFailure('why')).toBe('other');
  });

  it('has a text for each class except HTTP statuses', () => {
    const texts = WEBHOOK_DELIVERY_ERROR_CLASSES.map((errorClass) => [errorClass, failureText(errorClass)]);
    expect(texts.filter(([, text]) => text === null)).toEqual([['http_status', null]]);
    for (const [errorClass, text] of texts) if (text) expect(text).toMatch(new RegExp(`^${errorClass}: .`));
    expect(failureText(null)).toBeNull();
  });
});
