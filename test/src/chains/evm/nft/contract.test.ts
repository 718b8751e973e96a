import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { createNftProvider } from '../../../../../src/chains/evm/nft/provider.ts';
import type { NftProvider, NftsAnswer, NftsAsked } from '../../../../../src/ports/nft-provider.ts';
import { Secret } from '../../../../../src/primitives/secret.ts';
import {
  type HeldNft,
  type NftProviderUnderTest,
  type NftTrouble,
  nftProviderContract,
} from '../../../../../src/testing/contracts/nft-provider-contract.ts';
import { oneIn } from '../../../../support/draws.ts';

const PASSWORD = 'Sesame-0pen';
const KEY = 'k3y0fTheProvider99';
/** As providers have it. */
const PAGE = 100;

/** Answers as providers with the interface of Moralis do, over what a case holds. */
async function moralis() {
  let held: readonly HeldNft[] = [];
  let trouble: NftTrouble | null = null;
  const page = (response: ServerResponse, url: URL): void => {
    const owner = url.pathname.split('/').at(-2) ?? '';
    const own = held.filter((nft) => nft.owner.toLowerCase() === owner && nft.chain === url.searchParams.get('chain'));
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const result = own.slice(from, from + PAGE).map(({ contract, id, type, amount }, place) => ({
      ...{ token_address: contract, token_id: String(id), amount: String(amount), contract_type: type },
      owner_of: trouble === 'foreign' && place === 3 ? `0x${'12'.repeat(20)}` : owner,
      block_number: '88',
    }));
    const cursor = from + PAGE < own.length ? String(from + PAGE) : null;
    response.end(JSON.stringify({ status: 'SYNCED', result, cursor }));
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://provider');
    if (trouble === 'silent') return;
    if (trouble === 'gone') response.destroy();
    else if (trouble === 'garbled') response.end('<html>');
    else if (trouble === 'refuses' || (trouble === 'breaks' && url.searchParams.has('cursor')))
      response.writeHead(500).end(JSON.stringify({ message: `http://user:${PASSWORD}@provider/?key=${KEY} is tired` }));
    else page(response, url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new Secret(`http://user:${PASSWORD}@127.0.0.1:${port}/?key=${KEY}`),
    hold(nfts: readonly HeldNft[]) {
      held = nfts;
    },
    trouble(next: NftTrouble | null) {
      trouble = next;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function under(between: (provider: NftProvider) => NftProvider = (provider) => provider, pageMs = 1000) {
  return async (): Promise<NftProviderUnderTest> => {
    const provider = between(createNftProvider({ pageMs }));
    return { ...(await moralis()), provider, secrets: [PASSWORD, KEY] };
  };
}

// The first request of a process takes longer than any other.
beforeAll(async () => {
  const { url, close } = await moralis();
  await createNftProvider().nftsOf({ url, chain: 'ETH', owner: `0x${'12'.repeat(20)}` });
  close();
});

describe('the contract of the port', () => {
  for (const { title, run } of nftProviderContract(under())) it(title, run);

  it('has no case for what cannot go wrong with an adapter', () => {
    const titles = (troubles?: readonly NftTrouble[]) =>
      nftProviderContract(under(), troubles === undefined ? {} : { troubles }).map(({ title }) => title);
    expect(titles()).toHaveLength(11);
    expect(titles([])).toEqual(
      titles().filter((title) => !title.startsWith('N5') && !title.includes('does not answer')),
    );
    expect(titles(['breaks']).filter((title) => title.startsWith('N5'))).toHaveLength(1);
  });
});

type Between = (asked: NftsAsked, ask: NftProvider['nftsOf']) => Promise<NftsAnswer>;

function answering(between: Between): (provider: NftProvider) => NftProvider {
  return (provider) => ({ nftsOf: (asked) => between(asked, (given) => provider.nftsOf(given)) });
}

/** The same collectibles, changed. */
function changed(change: (nfts: Extract<NftsAnswer, { ok: true }>['value']) => object) {
  return answering(async (asked, ask) => {
    const answer = await ask(asked);
    return answer.ok ? { ok: true, value: { ...change(answer.value) } as typeof answer.value } : answer;
  });
}

describe('the contract notices', () => {
  const none: NftsAnswer = { ok: true, value: {} };
  const plants: readonly (readonly [string, RegExp, (provider: NftProvider) => NftProvider])[] = [
    ['one that tells a page alone', /^N1/, changed((nfts) => Object.fromEntries(Object.entries(nfts).slice(0, 100)))],
    [
      'an amount that went through a float',
      /^N1/,
      changed((nfts) =>
        Object.fromEntries(
          Object.entries(nfts).map(([key, nft]) => [key, { ...nft, amount: String(BigInt(Number(nft.amount))) }]),
        ),
      ),
    ],
    [
      'contracts that are spelt as they come',
      /^N1/,
      changed((nfts) => Object.fromEntries(Object.entries(nfts).map(([key, nft]) => [key.toUpperCase(), nft]))),
    ],
    ['another chain than the one that is asked for', /^N1/, answering((asked, ask) => ask({ ...asked, chain: 'ETH' }))],
    [
      'one that knows accounts by one spelling alone',
      /^N2/,
      answering(async (asked, ask) => (asked.owner === asked.owner.toLowerCase() ? none : ask(asked))),
    ],
    ['what was told once', /^N3/, once()],
    ['one that ends nothing', /^N4/, answering(({ signal: _, ...asked }, ask) => ask(asked))],
    [
      'an end that is told as a fault of the network',
      /^N4/,
      answering(async (asked, ask) => {
        const answer = await ask(asked);
        if (answer.ok || answer.fault.kind !== 'aborted') return answer;
        return { ok: false, fault: { ...answer.fault, kind: 'transport' } };
      }),
    ],
    [
      'nothing in the place of what is not known',
      /^N5/,
      answering(async (asked, ask) => {
        const answer = await ask(asked);
        return answer.ok || answer.fault.kind === 'aborted' ? answer : none;
      }),
    ],
    [
      'a fault that is thrown',
      /^N5/,
      answering(async (asked, ask) => {
        const answer = await ask(asked);
        if (!answer.ok && answer.fault.kind === 'transport') throw new Error(answer.fault.message);
        return answer;
      }),
    ],
    [
      'an address with its password in the text of a fault',
      /^N5/,
      answering(async (asked, ask) => {
        const answer = await ask(asked);
        if (answer.ok) return answer;
        return { ok: false, fault: { ...answer.fault, message: `${asked.url.reveal()} does not answer` } };
      }),
    ],
  ];

  it.each(oneIn(3, plants))('%s', async (_, title, between) => {
    const found: string[] = [];
    // What is silent is left soon: on a busy machine more may fail than what is looked for.
    for (const { title: name, run } of nftProviderContract(under(between, 200)))
      await run().catch(() => found.push(name));
    expect(found.filter((name) => title.test(name))).not.toEqual([]);
  });
});

/** The first answer for each account and chain. */
function once(): (provider: NftProvider) => NftProvider {
  const known = new Map<string, Promise<NftsAnswer>>();
  return answering((asked, ask) => {
    const key = `${asked.owner} ${asked.chain} ${asked.url.reveal()}`;
    const answer = known.get(key) ?? ask(asked);
    known.set(key, answer);
    return answer;
  });
}
