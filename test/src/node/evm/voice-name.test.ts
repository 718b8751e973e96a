import { describe, expect, it } from 'vitest';
import { voiceNameOf } from '../../../../src/node/evm/voice-name.ts';

describe('whose word it is what a node says', () => {
  it.each([
    [
      'one host by other ports, paths, keys and schemes',
      'node.example',
      [
        'https://node.example/v3/0123456789abcdef',
        'https://NODE.example:8545',
        'http://user:password@node.example./',
        'wss://node.example/ws?key=1#part',
      ],
    ],
    [
      'one address in each of its spellings',
      '10.1.2.3',
      ['http://10.1.2.3:1', 'http://10.66051', 'ws://[::ffff:10.1.2.3]:9'],
    ],
    [
      'a port of this host by each of its names',
      'loopback:8545',
      [
        'http://localhost:8545',
        'http://LOCALHOST.:8545/a',
        'ws://127.0.0.1:8545',
        'http://127.9.9.9:8545',
        'http://[::1]:8545',
        'http://[::ffff:127.0.0.1]:8545',
        'http://0.0.0.0:8545',
        'http://a.localhost:8545',
        'http://ip6-localhost:8545',
        'ws://ip6-loopback:8545',
        'http://localhost6.localdomain6:8545',
        'http://localhost.localdomain:8545',
      ],
    ],
    ['the port that a scheme has', 'loopback:443', ['https://localhost', 'wss://127.0.0.1/ws']],
    ['the other port that a scheme has', 'loopback:80', ['http://localhost', 'ws://127.0.0.1/ws']],
  ])('is that of %s', (_, voice, urls) => {
    expect(urls.map(voiceNameOf)).toEqual(urls.map(() => voice));
  });

  it('is another one of each host, and of each port of this one', () => {
    const urls = [
      'https://one.node.example',
      'https://two.node.example',
      'https://localhost.example',
      'http://10.1.2.3:8545',
      'http://10.1.2.4:8545',
      'http://[2001:db8::1]:8545',
      'http://127.0.0.1:8545',
      'http://127.0.0.1:8546',
    ];
    expect(new Set(urls.map(voiceNameOf)).size).toBe(urls.length);
  });
});
