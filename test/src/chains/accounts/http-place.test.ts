import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { httpPlace } from '../../../../src/chains/accounts/http-place.ts';
import { draws } from '../../../support/draws.ts';

describe('the place of an address', () => {
  it('has user and password in a header, and nothing else of them', () => {
    // The pair of RFC 7617, section 2.
    expect(httpPlace('https://Aladdin:open%20sesame@node.example:8443/rpc?network=9#top')).toEqual({
      ...{ url: 'https://node.example:8443/rpc?network=9', host: 'node.example:8443' },
      headers: { authorization: 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==' },
    });
    expect(httpPlace('http://node.example')).toEqual({
      url: 'http://node.example/',
      host: 'node.example',
      headers: {},
    });
    expect(() => httpPlace('nobody')).toThrow(TypeError);
  });

  it('gives every caller the exact pair, whatever characters it has', () => {
    const word = fc.string({ unit: 'binary', minLength: 1 });
    fc.assert(
      fc.property(word, word, (user, password) => {
        const address = `http://${encodeURIComponent(user)}:${encodeURIComponent(password)}@node.example/`;
        const { authorization = '' } = httpPlace(address).headers;
        const told = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString('utf8');
        expect(told).toBe(`${user}:${password}`);
      }),
      { numRuns: draws({ sample: 25, change: 100 }) },
    );
  });
});
