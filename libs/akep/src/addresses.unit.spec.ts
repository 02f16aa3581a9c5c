import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkPushUrl, isLoopback, isPublic, mayConnect } from './addresses.ts';

const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.215.14',
  '172.15.255.255',
  '172.32.0.1',
  '169.253.1.1',
  '100.63.255.255',
  '100.128.0.1',
  '223.255.255.254',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82b::200e',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::808:808',
  '64:ff9b::8.8.8.8',
];
const insideAddresses = [
  // this network, unspecified, loopback
  '0.0.0.0',
  '0.1.2.3',
  '127.0.0.1',
  '127.255.255.254',
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  // private
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  'fc00::1',
  'fdff::1',
  'fec0::1',
  // link-local, metadata
  '169.254.0.1',
  '169.254.169.254',
  'fe80::1',
  'fd00:ec2::254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  // shared, benchmark, documentation, multicast, reserved, broadcast
  '100.64.0.1',
  '100.127.255.255',
  '198.18.0.1',
  '198.19.255.255',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '2001:db8::1',
  '3fff::1',
  '224.0.0.1',
  '239.255.255.255',
  'ff02::1',
  '240.0.0.1',
  '255.255.255.255',
  '192.88.99.1',
  // ways to IPv4 by IPv6
  '::127.0.0.1',
  '::7f00:1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '0:0:0:0:0:ffff:0a00:0001',
  '::ffff:0:10.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::7f00:1',
  '64:ff9b:1::808:808',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2002:808:808::1',
  '2001:0:53aa:64c::1',
  // not assigned, discard, others
  '100::1',
  '5f00::1',
  '2001:2::1',
  '2001:10::1',
  '4000::1',
  '::1:2:3',
  // notations
  '0177.0.0.1',
  '0x7f.0.0.1',
  '0x7f000001',
  '2130706433',
  '017700000001',
  '127.1',
  '127.0.1',
  '10.1',
];
const noAddresses = [
  '',
  'localhost',
  'example.com',
  'fe80::1%eth0',
  '2606:4700:4700::1111%lo',
  '[::1]',
  '1.1.1.1:80',
  '1.1.1.1/8',
  ' 1.1.1.1',
  '256.1.1.1x',
  '::g',
  '1.1.1.1\n',
  '١.١.١.١',
];

describe('an address', () => {
  it.each(publicAddresses)('[D-5] of the public internet: %s', (address) => {
    expect(isPublic(address)).toBe(true);
    expect(mayConnect(address, 'public')).toBe(true);
    expect(mayConnect(address, 'loopback')).toBe(false);
  });
  it.each(insideAddresses)('[D-5] of the inside: %s', (address) => {
    expect(isPublic(address)).toBe(false);
    expect(mayConnect(address, 'public')).toBe(false);
  });
  it.each(noAddresses)('[D-5] that is none is not public: %j', (text) => {
    expect(isPublic(text)).toBe(false);
    expect(isLoopback(text)).toBe(false);
  });
  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', '0x7f000001'])(
    '[D-5] of this machine: %s',
    (address) => {
      expect(mayConnect(address, 'loopback')).toBe(true);
    },
  );
  it('[D-5] is as private when it is mapped, or reached by NAT64', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPublic(`::ffff:${address}`)).toBe(isPublic(address));
        expect(isPublic(`64:ff9b::${address}`)).toBe(isPublic(address));
        expect(isPublic(`::${address}`)).toBe(false);
      }),
    );
  });
  it('[D-5] in the blocks that are private is never public', () => {
    const octet = fc.nat({ max: 255 });
    const block = fc.constantFrom('10', '127', '0', '224', '250');
    fc.assert(
      fc.property(block, octet, octet, octet, (first, b, c, d) => {
        expect(isPublic(`${first}.${b}.${c}.${d}`)).toBe(false);
        expect(isPublic(`192.168.${c}.${d}`)).toBe(false);
        expect(isPublic(`169.254.${c}.${d}`)).toBe(false);
        expect(isPublic(`172.${16 + (b % 16)}.${c}.${d}`)).toBe(false);
        expect(isPublic(`100.${64 + (b % 64)}.${c}.${d}`)).toBe(false);
      }),
    );
  });
});

const checked = (url: string, loopback = false): string => {
  const result = checkPushUrl(url, { loopback });
  return result.kind === 'ok' ? result.reach : result.fault;
};

describe('an address to push to', () => {
  it.each([
    'https://agent.example.com/akep/events',
    'https://agent.example.com',
    'https://agent.example.com:8443/a?b=c@d',
    'HTTPS://Agent.Example.COM/',
    'https://8.8.8.8/x',
    'https://[2606:4700:4700::1111]/x',
    'https://xn--bcher-kva.example/x',
    'https://a.example/path/@user',
    'https://a.example/?to=somebody@b.example',
    'https://a.example?to=somebody@b.example',
  ])('[D-5] may be %s', (url) => {
    expect(checked(url)).toBe('public');
  });
  it('[D-5] is normalised', () => {
    expect(checkPushUrl('HTTPS://Agent.Example.COM:443', { loopback: false })).toEqual({
      kind: 'ok',
      url: 'https://agent.example.com/',
      reach: 'public',
    });
  });
  it.each([
    ['http://agent.example.com/', 'scheme'],
    ['http://8.8.8.8/', 'scheme'],
    ['http://localhost/', 'scheme'],
    ['ftp://agent.example.com/', 'url'],
    ['file:///etc/passwd', 'url'],
    ['javascript:alert(1)', 'url'],
    ['agent.example.com', 'url'],
    ['//agent.example.com', 'url'],
    ['', 'url'],
    ['https://', 'url'],
    ['https:///agent.example.com', 'url'],
    ['https:\\\\agent.example.com', 'url'],
    ['https://agent.example.com\\@10.0.0.1/', 'url'],
    ['https://agent.exam\tple.com/', 'url'],
    ['https://agent.example.com/\n', 'url'],
    [' https://agent.example.com/', 'url'],
    ['https://agent.example.com/ü', 'url'],
    ['https://１２７.0.0.1/', 'url'],
    ['https://agent.example.com:99999/', 'url'],
    [`https://agent.example.com/${'x'.repeat(2_048)}`, 'url'],
    ['https://user:secret@agent.example.com/', 'credentials'],
    ['https://user@agent.example.com/', 'credentials'],
    ['https://@agent.example.com/', 'credentials'],
    ['https://:@agent.example.com/', 'credentials'],
    ['https://agent.example.com/#part', 'fragment'],
    ['https://agent.example.com/#', 'fragment'],
    ['https://localhost/', 'host'],
    ['https://LOCALHOST:8443/', 'host'],
    ['https://x.localhost/', 'host'],
    ['https://localhost./', 'host'],
    ['https://agent.example.com./', 'host'],
    ['https://intranet/', 'host'],
    ['https://metadata.google.internal/', 'host'],
    ['https://printer.local/', 'host'],
    ['https://1.0.0.127.in-addr.arpa/', 'host'],
    ['https://a..example/', 'host'],
    ['https://127.0.0.1/', 'address'],
    ['https://2130706433/', 'address'],
    ['https://0x7f000001/', 'address'],
    ['https://0x7f.1/', 'address'],
    ['https://0177.0.0.1/', 'address'],
    ['https://017700000001/', 'address'],
    ['https://127.1/', 'address'],
    ['https://127.0.0.1./', 'address'],
    ['https://%31%32%37.0.0.1/', 'address'],
    ['https://10.0.0.1/', 'address'],
    ['https://169.254.169.254/latest/meta-data', 'address'],
    ['https://2852039166/', 'address'],
    ['https://0/', 'address'],
    ['https://[::1]/', 'address'],
    ['https://[::]/', 'address'],
    ['https://[::ffff:127.0.0.1]/', 'address'],
    ['https://[::ffff:a9fe:a9fe]/', 'address'],
    ['https://[64:ff9b::10.0.0.1]/', 'address'],
    ['https://[fe80::1]/', 'address'],
    ['https://[fe80::1%25eth0]/', 'url'],
    ['https://256.1.1.1/', 'url'],
  ])('[D-5] may not be %s: %s', (url, fault) => {
    expect(checked(url)).toBe(fault);
  });
  it.each([
    'http://localhost:8080/x',
    'https://localhost/x',
    'http://127.0.0.1:8080/',
    'http://[::1]:8080/',
    'http://127.1/',
  ])('[D-5] may be this machine in development: %s', (url) => {
    expect(checked(url, true)).toBe('loopback');
    expect(checked(url)).not.toBe('loopback');
  });
  it.each([
    ['http://agent.example.com/', 'scheme'],
    ['http://10.0.0.1/', 'scheme'],
    ['https://10.0.0.1/', 'address'],
    ['http://x.localhost/', 'scheme'],
    ['http://0.0.0.0/', 'scheme'],
    ['http://user@localhost/', 'credentials'],
    ['https://agent.example.com/', 'public'],
  ])('[D-5] is as any other in development where it is not this machine: %s', (url, result) => {
    expect(checked(url, true)).toBe(result);
  });
});
