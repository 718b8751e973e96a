import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nftChainOf } from '../../../../../src/chains/evm/nft/chains.ts';
import { createNftProvider, type NftProviderOptions } from '../../../../../src/chains/evm/nft/provider.ts';
import type { NftsAnswer, NftsAsked } from '../../../../../src/ports/nft-provider.ts';
import { Secret } from '../../../../../src/primitives/secret.ts';

const OWNER = '0x9130b257D37A52E52F21054c4DA3450c72f595CE';
const CONTRACT = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

let answer: Handle;
let seen: IncomingMessage[] = [];
let server: Server;
let port = 0;

// Each test has a server of its own: what one has given up may still be on its way when the next one counts.
beforeEach(async () => {
  const requests: IncomingMessage[] = [];
  seen = requests;
  server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function item(changes: object = {}) {
  return {
    ...{ token_address: CONTRACT, token_id: '7', amount: '1', owner_of: OWNER.toLowerCase(), block_number: '88' },
    contract_type: 'ERC721',
    ...changes,
  };
}

/** The pages in their order, each behind the cursor that the one before it names. */
function pages(...all: readonly (readonly unknown[])[]): Handle {
  return ({ url = '' }, response) => {
    const at = Number(new URL(url, 'http://x').searchParams.get('cursor')?.replace('page ', '') ?? 0);
    const next = at + 1 < all.length ? { cursor: `page ${at + 1}` } : { cursor: null };
    response.end(JSON.stringify({ status: 'SYNCED', result: all[at], ...next }));
  };
}

/** At once, as an engine does at any time. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

function says(status: number, body: string): Handle {
  return (_, response) => response.writeHead(status).end(body);
}

function ask(changes: Partial<NftsAsked> = {}, options: NftProviderOptions = {}): Promise<NftsAnswer> {
  const url = new Secret(`http://127.0.0.1:${port}`);
  return createNftProvider(options).nftsOf({ url, chain: 'POLYGON', owner: OWNER, ...changes });
}

const fault = (kind: string, message: unknown) => ({ ok: false, fault: { kind, message } });

describe('the collectibles of an account, as a provider reports them over HTTP', () => {
  it('are asked for by the account in lower case and the chain, with decimal numbers', async () => {
    answer = pages([]);
    expect(await ask()).toEqual({ ok: true, value: {} });
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET /api/v2/${OWNER.toLowerCase()}/nft?chain=POLYGON&format=decimal`,
    ]);
  });

  it('are reported by contract in lower case and id, over all pages; one without a type is left out', async () => {
    const large = (2n ** 256n - 1n).toString();
    answer = pages(
      [item(), item({ token_id: '8', contract_type: null })],
      [item({ token_id: large, amount: 12, contract_type: 'ERC1155', unknown: { nested: [1.5] } })],
    );
    const contract = CONTRACT.toLowerCase();
    const same = { token_address: contract, chain: 'POLYGON' };
    expect(await ask()).toEqual({
      ok: true,
      value: {
        [`${contract},7`]: { ...same, token_id: '7', contract_type: 'ERC721', amount: '1' },
        [`${contract},${large}`]: { ...same, token_id: large, contract_type: 'ERC1155', amount: '12' },
      },
    });
    expect(seen[1]?.url).toContain('&cursor=page+1');
  });

  it.each([
    ['no list', JSON.stringify({ result: 'none' })],
    ['no object', '[1]'],
    ['an empty cursor', JSON.stringify({ result: [], cursor: '' })],
  ])('are empty if a provider answers with %s', async (_, body) => {
    answer = says(200, body);
    expect(await ask()).toEqual({ ok: true, value: {} });
  });

  it.each([
    ['misses a member', item({ owner_of: undefined }), 'missing field `owner_of`'],
    ['has its id as a number', item({ token_id: 7 }), 'invalid type: token_id, expected a string'],
    ['has its block as a number', item({ block_number: 88 }), 'invalid type: block_number, expected a string'],
    ['is of 2^256', item({ amount: (2n ** 256n).toString() }), /amount, expected a whole number below 2\^256/],
    ['has an id of 2^256', item({ token_id: (2n ** 256n).toString() }), /token_id, expected a whole number below/],
    ['is less than nothing', item({ amount: '-1' }), /amount, expected a whole number/],
    ['is a part of one', item({ amount: 0.5 }), /amount, expected a whole number/],
    ['is counted in powers', item({ amount: '1e3' }), /amount, expected a whole number/],
    ['has another contract than one', item({ token_address: '0x12' }), /token_address, expected 0x and 40 hex/],
    ['is of another type', item({ contract_type: 'ERC20' }), /contract_type, expected `ERC1155` or `ERC721`/],
    ['belongs to somebody else', item({ owner_of: CONTRACT }), /owner_of is not the account/],
    ['is none', 7, 'invalid type: an item is no object'],
  ])('are unknown if one of them %s', async (_, bad, message) => {
    answer = pages([item()], [bad]);
    expect(await ask()).toEqual(
      fault('transport', typeof message === 'string' ? message : expect.stringMatching(message)),
    );
  });

  it.each([
    [
      'another status, with what was said',
      says(429, '{"message":"slow down"}'),
      'transport',
      /: 429, \{"message":"slow down"\}$/,
    ],
    ['a redirection, which is not followed', says(302, '{}'), 'transport', /not in 2xx range from .*: 302, /],
    ['no JSON', says(200, '<html>'), 'internal', /^Internal error: /],
    ['no JSON, whatever the status', says(502, '<html>'), 'internal', /^Internal error: /],
    ['nothing', says(200, ''), 'internal', /^Internal error: /],
    ['JSON without bottom', says(200, '['.repeat(100_000)), 'internal', /^Internal error: /],
    ['a member that stands for a prototype', says(200, '{"__proto__":{"result":[]}}'), 'internal', /^Internal error: /],
    ['a broken connection', ((_, response) => response.destroy()) as Handle, 'transport', /^Transport '.*' error: /],
  ] as const)('are not known from %s', async (_, handle, kind, message) => {
    answer = handle;
    expect(await ask()).toEqual(fault(kind, expect.stringMatching(message)));
  });

  it('are unknown if nobody listens', async () => {
    const url = new Secret('http://127.0.0.1:9/base');
    expect(await ask({ url })).toEqual(
      fault('transport', expect.stringMatching(/^Transport 'http:\/\/127.0.0.1:9\/base' error: /)),
    );
  });
});

describe('a provider that never ends', () => {
  it('with the same page again is left at once', async () => {
    answer = (_, response) => response.end(JSON.stringify({ result: [item()], cursor: 'again' }));
    expect(await ask()).toEqual(fault('transport', expect.stringContaining('the same page again')));
    expect(seen).toHaveLength(2);
  });

  it('with ever new pages is left at the bound', async () => {
    let page = 0;
    answer = (_, response) => {
      page += 1;
      response.end(JSON.stringify({ result: [], cursor: `page ${page}` }));
    };
    expect(await ask({}, { mostPages: 7 })).toEqual(fault('transport', expect.stringContaining('more than 7 pages')));
    expect(seen).toHaveLength(7);
  });

  it('with ever more collectibles is left at the bound', async () => {
    const many = Array.from({ length: 30 }, (_, id) => item({ token_id: String(id) }));
    answer = pages(many, many);
    expect(await ask({}, { mostItems: 59 })).toEqual(fault('transport', expect.stringContaining('more than 59')));
    expect(await ask({}, { mostItems: 60 })).toMatchObject({ ok: true });
  });

  it('in one answer is read as far as its bound, and no further', async () => {
    let sent = 0;
    answer = (_, response) => {
      const chunk = Buffer.alloc(64 * 1024, 0x20);
      const more = (): void => {
        while (sent < 100_000_000 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end('{}');
      };
      more();
    };
    expect(await ask({}, { mostBytes: 1_000_000 })).toEqual(fault('transport', expect.stringContaining('too long')));
    expect(sent).toBeLessThan(20_000_000);
  });

  it('because it is silent, or drips, is left when the time of a page is over', async () => {
    answer = () => undefined;
    expect(await ask({}, { pageMs: 60 })).toEqual(fault('transport', expect.stringContaining('no answer in time')));
    answer = (_, response) => {
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip));
    };
    expect(await ask({}, { pageMs: 60 })).toEqual(fault('transport', expect.stringContaining('no answer in time')));
  });

  it('because it is silent is left in time even if garbage is collected meanwhile', async () => {
    answer = () => {
      for (const milliseconds of [0, 20, 40]) setTimeout(collectGarbage, milliseconds);
    };
    const signal = new AbortController().signal;
    const long = 600_000;
    for (const limit of [
      { pageMs: 100, allMs: long },
      { pageMs: long, allMs: 100 },
    ])
      expect(await ask({ signal }, limit)).toEqual(fault('transport', expect.stringContaining('no answer in time')));
    // To collect the garbage of all suites in this worker takes seconds.
  }, 60_000);

  it('because each page takes its time is left when the total time is over', async () => {
    let page = 0;
    answer = (_, response) => {
      page += 1;
      setTimeout(() => response.end(JSON.stringify({ result: [], cursor: `page ${page}` })), 20);
    };
    expect(await ask({}, { allMs: 150 })).toEqual(fault('transport', expect.stringContaining('no answer in time')));
    expect(seen.length).toBeLessThan(12);
  });

  it('is left when the asking is ended, and also when it was ended before', async () => {
    const ending = new AbortController();
    answer = () => ending.abort();
    const { signal } = ending;
    expect(await ask({ signal })).toEqual(fault('aborted', expect.any(String)));
    expect(await ask({ signal })).toEqual(fault('aborted', expect.any(String)));
    expect(seen).toHaveLength(1);
  });
});

describe('the address of a provider', () => {
  it('gives its user to the provider alone, and keeps its own path and query', async () => {
    answer = pages([]);
    const url = new Secret(`http://us%65r:p%40ss@127.0.0.1:${port}/base/?key=k1`);
    expect(await ask({ url })).toMatchObject({ ok: true });
    const [request] = seen;
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
    expect(request?.url).toMatch(/^\/base\/api\/v2\/0x[0-9a-f]{40}\/nft\?key=k1&chain=POLYGON&format=decimal$/);
  });

  it('is in no text with its credentials, whatever goes wrong', async () => {
    const password = 'Sesame-0pen';
    const key = 'k3y0fTheProvider99';
    const url = new Secret(`http://user:${password}@127.0.0.1:${port}/v1/${key}?token=${key}`);
    const troubles: readonly Handle[] = [
      says(401, JSON.stringify({ message: `http://user:${password}@host refuses` })),
      says(200, '<html>'),
      (_, response) => response.destroy(),
      (_, response) => response.end(JSON.stringify({ result: [], cursor: 'same' })),
    ];
    for (const trouble of troubles) {
      answer = trouble;
      const said = JSON.stringify(await ask({ url }));
      expect(said).toContain('"ok":false');
      expect(said).not.toContain(password);
      expect(said).not.toContain(key);
    }
  });
});

describe('anything that a provider answers', () => {
  it('ends in collectibles or in a fault', () =>
    fc.assert(
      fc.asyncProperty(fc.json(), fc.integer({ min: 200, max: 599 }), async (body, status) => {
        answer = says(status === 204 || status === 304 ? 200 : status, `{"result":[${body}]}`);
        const { ok } = await ask();
        expect(typeof ok).toBe('boolean');
      }),
      { numRuns: 40 },
    ));
});

describe('the chains that providers support', () => {
  it('are five, by the ticker of their coin', () => {
    const tickers = ['AVAX', 'BNB', 'ETH', 'FTM', 'MATIC', 'ONE', 'ETH-ARB20', 'NFT_ETH'];
    expect(tickers.map(nftChainOf)).toEqual([
      'AVALANCHE',
      'BSC',
      'ETH',
      'FANTOM',
      'POLYGON',
      undefined,
      undefined,
      undefined,
    ]);
  });
});
