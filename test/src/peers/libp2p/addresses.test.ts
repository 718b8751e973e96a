import { describe, expect, it } from 'vitest';
import { addressText, isLoopback, multiaddrText, parsePeerAddress } from '../../../../src/peers/libp2p/address.ts';
import { peerPort } from '../../../../src/peers/libp2p/ports.ts';

describe('the address of a node', () => {
  it.each([
    ['seed.example.org', '/dns/seed.example.org/tcp/42845', 'seed.example.org:42845'],
    ['seed.example.org:9', '/dns/seed.example.org/tcp/9', 'seed.example.org:9'],
    ['198.51.100.7', '/ip4/198.51.100.7/tcp/42845', '198.51.100.7:42845'],
    ['2001:db8::7', '/ip6/2001:db8::7/tcp/42845', '[2001:db8::7]:42845'],
    ['[2001:db8::7]:65535', '/ip6/2001:db8::7/tcp/65535', '[2001:db8::7]:65535'],
  ])('%s is %s', (text, multiaddr, shown) => {
    const address = parsePeerAddress(text, 42_845);
    expect([multiaddrText(address), addressText(address)]).toEqual([multiaddr, shown]);
  });

  it.each([
    '',
    ':1',
    'a b',
    'host:65536',
    'host:',
    '/ip4/1.2.3.4/tcp/1',
    'http://host',
    '[198.51.100.7]:1',
    '-a',
    'a..b',
  ])('%j is invalid', (text) => {
    expect(() => parsePeerAddress(text, 1)).toThrow(/PEER_ADDRESS_INVALID/);
  });

  it('is of this host itself, or not', () => {
    expect(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'].map(isLoopback)).toEqual([true, true, true, true]);
    expect(['126.0.0.1', '10.0.0.1', '::2', ''].map(isLoopback)).toEqual([false, false, false, false]);
  });
});

describe('the port of a network', () => {
  it.each([
    [8762, 42_845],
    [0, 7803],
    [9, 7812],
    [10, 7843],
    [14_428, 65_491],
  ])('%i has %i', (netid, port) => expect(peerPort(netid)).toBe(port));

  it.each([-1, 0.5, 7777, 14_429, Number.NaN])('%d is invalid', (netid) => {
    expect(() => peerPort(netid)).toThrow(/NETID_INVALID/);
  });
});
