import { hostname, networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { voicesOf } from '../../../src/node/voices.ts';

const OTHER = 'https://another.example';
const OWN = { own: ['192.168.1.7', 'fe80::1234:0:0:1', '2001:db8::00a7', 'desk', 'desk.local'] };
const THIS_HOST = [
  'http://localhost:8545',
  'http://LOCALHOST.:8546/a',
  'ws://127.0.0.1:8547',
  'http://127.9.9.9:8545',
  'http://[::1]:8545',
  'http://[::ffff:127.0.0.1]:8545',
  'http://0.0.0.0:8545',
  'http://a.localhost:8545',
  'http://ip6-localhost:8545',
  'ws://ip6-loopback:8545',
  'http://localhost6.localdomain6:8545',
  'http://localhost.localdomain:8545',
  'http://192.168.1.7:8545',
  'http://0xc0a80107:1',
  'ws://[::ffff:192.168.1.7]:9',
  'http://[fe80:0:0:0:1234::1]:8545',
  'https://[2001:db8::a7]',
  'http://DESK:8545',
  'http://desk.local:8545',
  '127.0.0.1:50001',
  'localhost:50002',
  '[::1]:50002',
];

describe('the voice of an address', () => {
  it.each([
    [
      'one host by other ports, paths, keys and schemes',
      'node.example',
      [
        'https://node.example/v3/0123456789abcdef',
        'https://NODE.example:8545',
        'http://user:password@node.example./',
        'wss://node.example/ws?key=1#part',
        'node.example:50001',
        'NODE.example:50002',
      ],
    ],
    [
      'one address in each of its spellings',
      '10.1.2.3',
      ['http://10.1.2.3:1', 'http://10.66051', 'ws://[::ffff:10.1.2.3]:9', '10.1.2.3:50001'],
    ],
  ])('is that of %s', (_, voice, urls) => {
    expect(voicesOf([...urls, OTHER], OWN)).toEqual([...urls.map(() => voice), 'another.example']);
  });

  it('is that of this host by each of its names and ports, once another host is named beside it', () => {
    const voices = voicesOf([OTHER, ...THIS_HOST], OWN);
    expect(voices).toEqual(['another.example', ...THIS_HOST.map(() => 'this host')]);
  });

  it('is a different one for each port of this host, if it alone is named', () => {
    const named = [
      'http://localhost',
      'ws://192.168.1.7:80/ws',
      'https://desk',
      'wss://[::1]',
      'http://127.0.0.1:8545',
    ];
    expect(voicesOf(named, OWN)).toEqual([
      'this host:80',
      'this host:80',
      'this host:443',
      'this host:443',
      'this host:8545',
    ]);
  });

  it('is another one of each host', () => {
    const urls = [
      'https://one.node.example',
      'https://two.node.example',
      'https://localhost.example',
      'https://desk.example',
      'http://10.1.2.3:8545',
      'http://10.1.2.4:8545',
      'http://[2001:db8::1]:8545',
      'http://127.0.0.1:8545',
    ];
    expect(new Set(voicesOf(urls, OWN)).size).toBe(urls.length);
  });

  it('is that of this host by the system’s own names for it', () => {
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    const urls = addresses.map(({ address, family }) =>
      family === 'IPv6' ? `http://[${address}]:1` : `http://${address}:2`,
    );
    const named = [...urls, `http://${hostname()}:3`];
    expect(voicesOf([OTHER, ...named]).slice(1)).toEqual(named.map(() => 'this host'));
  });

  it('is its own if the address is invalid', () => {
    expect(voicesOf(['http://', 'a b', OTHER], OWN)).toEqual(['http://', 'a b', 'another.example']);
  });
});
