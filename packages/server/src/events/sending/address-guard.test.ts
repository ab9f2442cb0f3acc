import { describe, expect, it } from 'vitest';
import { checkTargetUrl, createAddressGuard } from './address-guard.ts';

const guard = createAddressGuard([]);

describe('the address guard', () => {
  it.each([
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['10.255.255.255', 'private'],
    ['100.64.0.1', 'shared (carrier NAT)'],
    ['100.100.100.200', 'shared (carrier NAT)'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['168.63.129.16', 'cloud metadata'],
    ['169.254.169.254', 'link-local'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.192', 'reserved'],
    ['192.168.1.1', 'private'],
    ['198.19.255.255', 'reserved'],
    ['203.0.113.7', 'reserved'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'IPv4 inside IPv6'],
    ['::ffff:8.8.8.8', 'IPv4 inside IPv6'],
    ['::127.0.0.1', 'IPv4 inside IPv6'],
    ['::ffff:0:127.0.0.1', 'IPv4 inside IPv6'],
    ['64:ff9b::7f00:1', 'IPv4 inside IPv6'],
    ['64:ff9b:1::a00:1', 'IPv4 inside IPv6'],
    ['2002:7f00:1::', 'IPv4 inside IPv6'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'IPv4 inside IPv6'],
    ['2a01:4f8:c0c:1::5efe:a00:1', 'IPv4 inside IPv6'],
    ['2a01:4f8:c0c:1:200:5efe:a00:1', 'IPv4 inside IPv6'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['febf::1', 'link-local'],
    ['fec0::1', 'private'],
    ['fd00:ec2::254', 'private'],
    ['ff02::1', 'multicast'],
    ['100::1', 'reserved'],
    ['2001:2::1', 'reserved'],
    ['2001:1ff:ffff::1', 'reserved'],
    ['2001:db8::1', 'reserved'],
    ['3fff::1', 'reserved'],
    ['5f00::1', 'reserved'],
    ['4000::1', 'reserved'],
    ['localhost', 'not an address'],
    ['', 'not an address'],
  ])('refuses %s as %s', (address, kind) => {
    expect(guard.refusalOf(address)).toBe(kind);
  });

  it.each(['1.1.1.1', '100.63.255.255', '100.128.0.1', '172.15.0.1', '172.32.0.1', '169.253.1.1', '223.255.255.255'])(
    'permits %s',
    (address) => {
      expect(guard.refusalOf(address)).toBeNull();
    },
  );

  it.each(['2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2001:4860:4860::8888', '2a01:4f8:c0c:1:1:5efe:a00:1'])(
    'permits %s',
    (address) => {
      expect(guard.refusalOf(address)).toBeNull();
    },
  );

  it('permits a listed range and addresses mapped into it, and no others', () => {
    const listed = createAddressGuard(['10.1.0.0/16', 'fd00:1::/32']);
    expect(listed.refusalOf('10.1.2.3')).toBeNull();
    expect(listed.refusalOf('::ffff:10.1.2.3')).toBeNull();
    expect(listed.refusalOf('fd00:1::5')).toBeNull();
    expect(listed.refusalOf('10.2.0.1')).toBe('private');
    expect(listed.refusalOf('::ffff:10.2.0.1')).toBe('IPv4 inside IPv6');
    expect(listed.refusalOf('64:ff9b::a01:203')).toBe('IPv4 inside IPv6');
    expect(listed.refusalOf('127.0.0.1')).toBe('loopback');
  });
});

describe('a target URL', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '0177.0.0.01',
    '0',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '169.254.169.254',
    '0xa9fea9fe',
    '10.0.0.1',
    'localhost',
    'LOCALHOST.',
    'db.localhost',
    'intranet',
    'metadata.google.internal',
    'printer.local',
    'printer.local.',
    'intranet.',
    'nas.lan',
    'nas.home.arpa',
    'wiki.intranet',
    'wiki.corp',
  ])('may not have the host %s', (host) => {
    expect(checkTargetUrl(`https://${host}/hook`, [])).toMatch(/^must lead to a public address; /);
  });

  it.each([
    ['', 'must be an absolute https URL'],
    ['example.com/hook', 'must be an absolute https URL'],
    ['ftp://example.com/', 'must be an absolute https URL'],
    ['https:example.com', 'must be an absolute https URL'],
    ['https:\\\\example.com', 'must be an absolute https URL'],
    [' https://example.com', 'must be an absolute https URL'],
    ['https://exa\tmple.com', 'must be an absolute https URL'],
    ['https://exa\u0007mple.com', 'must be an absolute https URL'],
    ['https://example.com/\u0007', 'must be an absolute https URL'],
    ['https://256.1.1.1/', 'must be an absolute https URL'],
    ['https://[fe80::1%25eth0]/', 'must be an absolute https URL'],
    ['http://example.com/', 'must use https'],
    ['http://1.1.1.1/', 'must use https'],
    ['https://user@example.com/', 'must not hold a user name or a password'],
    ['https://:pass@example.com/', 'must not hold a user name or a password'],
    ['https://example.com/#part', 'must not have a fragment'],
    ['https://example.com/#', 'must not have a fragment'],
    ['https://example.com:22/', 'must not use port 22'],
    ['https://example.com:0/', 'must not use port 0'],
    ['https://example.com:6379/', 'must not use port 6379'],
  ])('%j is refused: it %s', (url, reason) => {
    expect(checkTargetUrl(url, [])).toBe(reason);
  });

  it.each(['https://example.com', 'https://example.com:8443/a?b=c', 'https://1.1.1.1/', 'https://bücher.example/'])(
    'may be %s',
    (url) => {
      expect(checkTargetUrl(url, [])).toBeNull();
    },
  );

  it('may be plain http to loopback in development, and nowhere else', () => {
    const development = ['127.0.0.0/8', '::1/128'];
    for (const host of ['127.0.0.1:3000', 'localhost:3000', '[::1]:3000', '127.1']) {
      expect(checkTargetUrl(`http://${host}/`, development)).toBeNull();
    }
    expect(checkTargetUrl('http://example.com/', development)).toBe('must use https');
    expect(checkTargetUrl('https://10.0.0.1/', development)).toMatch(/private/);
  });

  it('may be a name of an inner network when the operator lists one', () => {
    expect(checkTargetUrl('http://receiver:3000/', ['172.16.0.0/12'])).toBeNull();
    expect(checkTargetUrl('https://receiver.internal/', ['172.16.0.0/12'])).toBeNull();
    expect(checkTargetUrl('http://1.1.1.1/', ['172.16.0.0/12'])).toBe('must use https');
  });
});
