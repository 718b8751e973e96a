import type { NftChain, NftFault, NftProvider, NftsAnswer } from '../../ports/nft-provider.ts';
import type { Secret } from '../../primitives/secret.ts';
import { type ContractCase, casesOn } from './contract-case.ts';

/** A collectible as someone holds it. */
export type HeldNft = {
  /** Address of its contract: 0x and 40 hex digits, of whatever case. */
  readonly contract: string;
  /** Below 2^256. */
  readonly id: bigint;
  readonly type: 'ERC721' | 'ERC1155';
  /** Below 2^256. */
  readonly amount: bigint;
  /** 0x and 40 hex digits. */
  readonly owner: string;
  readonly chain: NftChain;
};

/**
 * What can go wrong with whoever knows of collectibles.
 *
 * - `gone`: nobody is there.
 * - `refuses`: it says that it cannot.
 * - `breaks`: the same, after it has told a part.
 * - `garbled`: what it tells is in no form that it has.
 * - `foreign`: one of those that it tells belongs to someone else.
 * - `silent`: it takes the question, and does not answer.
 */
export type NftTrouble = 'gone' | 'refuses' | 'breaks' | 'garbled' | 'foreign' | 'silent';

/** A provider under test, with a world of collectibles behind it. */
export type NftProviderUnderTest = {
  readonly provider: NftProvider;
  /** By which it is asked, with what opens it. */
  readonly url: Secret<string>;
  /** Parts of it that no text may show; at least one. */
  readonly secrets: readonly string[];
  /** From now on these are all that there are, of whatever owner and chain. */
  readonly hold: (nfts: readonly HeldNft[]) => void | Promise<void>;
  /** What goes wrong from now on; null for nothing any more. */
  readonly trouble: (trouble: NftTrouble | null) => void | Promise<void>;
  /** Lets time pass until something has happened. @defaultValue it passes by itself */
  readonly passUntil?: <T>(promise: Promise<T>) => Promise<T>;
  readonly close?: () => void | Promise<void>;
};

export type NftProviderContractCase = ContractCase;

export type NftProviderContractOptions = {
  /** What can go wrong with this one. Cases of other troubles are omitted. @defaultValue all of it */
  readonly troubles?: readonly NftTrouble[];
};

const TROUBLES: readonly NftTrouble[] = ['gone', 'refuses', 'breaks', 'garbled', 'foreign', 'silent'];

/**
 * What every adapter of the NftProvider port must do. Each case asks for a provider of its own.
 *
 * @example
 * ```ts
 * import { decimalOf, Secret } from 'swapfold';
 * import type { NftProvider } from 'swapfold/node';
 * import { type HeldNft, nftProviderContract } from 'swapfold/testing';
 *
 * const held: HeldNft[] = [];
 * const nftsOf: NftProvider['nftsOf'] = async ({ owner, chain }) => {
 *   const account = owner.toLowerCase();
 *   const own = held.filter((nft) => nft.chain === chain && nft.owner.toLowerCase() === account);
 *   const rows = own.map(({ contract, id, type: contract_type, amount }) => {
 *     const [token_address, token_id] = [contract.toLowerCase(), String(id)] as const;
 *     return { token_address, token_id, chain, contract_type, amount: decimalOf(String(amount)) };
 *   });
 *   const named = rows.map((nft) => [`${nft.token_address},${nft.token_id}`, nft] as const);
 *   return { ok: true, value: Object.fromEntries(named) };
 * };
 * const hold = (nfts: readonly HeldNft[]) => void held.splice(0, held.length, ...nfts);
 * const place = { url: new Secret('memory:k3y'), secrets: ['k3y'] };
 * const under = { ...place, provider: { nftsOf }, hold, trouble() {} };
 * const [first] = nftProviderContract(() => under, { troubles: [] });
 * first?.title.startsWith('N1: lists everything that an account has on a chain'); // → true
 * await first?.run(); // → undefined
 * ```
 */
export function nftProviderContract(
  create: () => NftProviderUnderTest | Promise<NftProviderUnderTest>,
  { troubles = TROUBLES }: NftProviderContractOptions = {},
): readonly NftProviderContractCase[] {
  const wanted = CASES.filter(({ needs }) => needs === undefined || troubles.includes(needs));
  return casesOn(
    create,
    wanted.map(({ title, steps }) => [title, steps]),
  );
}

type Case = {
  readonly title: string;
  readonly needs?: NftTrouble;
  readonly steps: (under: NftProviderUnderTest) => Promise<void>;
};

const MOST = 2n ** 256n - 1n;
const OWNER = '0x9130b257D37A52E52F21054c4DA3450c72f595CE';
const OTHER = '0x24ABE4c71FC658C91313b6552cd40cD808b3Ea80';
const CONTRACT = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D';
const SECOND = '0x57F1887A8bF19b14fC0DF6Fd9b2acc9Af147eA85';

function held(changes: Partial<HeldNft> = {}): HeldNft {
  return { contract: CONTRACT, id: 7n, type: 'ERC721', amount: 1n, owner: OWNER, chain: 'POLYGON', ...changes };
}

/** More than one page of any provider that has pages, with the largest numbers that there are. */
const MANY: readonly HeldNft[] = [
  ...Array.from({ length: 230 }, (_, place) => held({ id: BigInt(place) * 1_000_003n })),
  held({ contract: SECOND, id: MOST }),
  held({ contract: SECOND, id: 0n, type: 'ERC1155', amount: MOST }),
];
const OF_OTHERS: readonly HeldNft[] = [
  held({ owner: OTHER, id: 11n }),
  held({ chain: 'ETH', id: 7n }),
  held({ owner: OTHER, chain: 'ETH', contract: SECOND, id: 7n }),
];

const CASES: readonly Case[] = [
  {
    title:
      'N1: lists everything that an account has on a chain, and nothing else, by contract in lower case and id, to the last digit',
    async steps(under) {
      await under.hold([...MANY, ...OF_OTHERS]);
      tells(await ask(under), MANY);
      tells(await ask(under, { chain: 'ETH' }), [held({ chain: 'ETH', id: 7n })]);
      tells(await ask(under, { chain: 'BSC' }), []);
    },
  },
  {
    title: 'N2: recognizes an account however its address is spelled',
    async steps(under) {
      await under.hold([held(), ...OF_OTHERS]);
      for (const owner of [OWNER, OWNER.toLowerCase(), `0x${OWNER.slice(2).toUpperCase()}`])
        tells(await ask(under, { owner }), [held()]);
    },
  },
  {
    title: 'N3: answers each request independently, with the state at its time',
    async steps(under) {
      await under.hold([held(), ...OF_OTHERS]);
      const both = [ask(under), ask(under, { owner: OTHER, chain: 'ETH' }), ask(under, { owner: OTHER })];
      const [own, far, near] = await Promise.all(both);
      tells(own, [held()]);
      tells(far, OF_OTHERS.slice(2));
      tells(near, OF_OTHERS.slice(0, 1));
      await under.hold([held({ id: 8n })]);
      tells(await ask(under), [held({ id: 8n })]);
      tells(await ask(under, { owner: OTHER }), []);
    },
  },
  {
    title: 'N4: a request that is cancelled while the provider does not answer ends as cancelled',
    needs: 'silent',
    async steps(under) {
      await under.hold([held()]);
      await under.trouble('silent');
      const ending = new AbortController();
      const asking = ask(under, { signal: ending.signal });
      // Once whatever begins at once has begun.
      await Promise.resolve();
      ending.abort();
      fails(await asking, ['aborted'], under);
    },
  },
  {
    title: 'N4: a request that was cancelled before it began ends as cancelled, and the next one is answered',
    async steps(under) {
      await under.hold([held()]);
      fails(await ask(under, { signal: AbortSignal.abort() }), ['aborted'], under);
      tells(await ask(under), [held()]);
    },
  },
  failing('gone', ['transport']),
  failing('refuses', ['transport']),
  failing('breaks', ['transport', 'internal']),
  failing('garbled', ['transport', 'internal']),
  failing('foreign', ['transport']),
  failing('silent', ['transport']),
];

/** Who knows only a part says so: nobody is to believe that the rest is gone. */
function failing(trouble: NftTrouble, kinds: readonly NftFault['kind'][]): Case {
  const what: Readonly<Record<NftTrouble, string>> = {
    gone: 'if the provider cannot be reached',
    refuses: 'if the provider refuses the request',
    breaks: 'if a part of the answer is missing',
    garbled: 'if the answer cannot be read',
    foreign: 'if an item belongs to another account',
    silent: 'if the provider does not answer',
  };
  return {
    title: `N5: answers ${what[trouble]} with a fault that shows no credentials of the address, and answers the next request`,
    needs: trouble,
    async steps(under) {
      await under.hold([...MANY, ...OF_OTHERS]);
      await under.trouble(trouble);
      fails(await ask(under), kinds, under);
      await under.trouble(null);
      tells(await ask(under), MANY);
    },
  };
}

type Asked = { readonly owner?: string; readonly chain?: NftChain; readonly signal?: AbortSignal };

async function ask({ provider, url, passUntil }: NftProviderUnderTest, asked: Asked = {}): Promise<NftsAnswer> {
  const answer = provider.nftsOf({ url, chain: 'POLYGON', owner: OWNER, ...asked });
  return passUntil === undefined ? answer : passUntil(answer);
}

function tells(answer: NftsAnswer | undefined, wanted: readonly HeldNft[]): void {
  if (answer === undefined) throw broken('there is no answer');
  if (!answer.ok) throw broken(`it failed: ${answer.fault.kind}: ${answer.fault.message}`);
  const shown = wanted.map(({ contract, id, type, amount, chain }) => {
    const token_address = contract.toLowerCase();
    const nft = { token_address, token_id: String(id), chain, contract_type: type, amount: String(amount) };
    return [`${token_address},${id}`, nft] as const;
  });
  const found = new Map(Object.entries(answer.value));
  for (const [key, nft] of shown) {
    const told = found.get(key);
    if (told === undefined) throw broken(`${key} is missing`);
    for (const [name, value] of Object.entries(nft)) {
      const given = (told as Readonly<Record<string, unknown>>)[name];
      check(given === value, `${key} has ${name} ${String(given)} instead of ${value}`);
    }
    found.delete(key);
  }
  check(found.size === 0, `${[...found.keys()].join(', ')} is listed for an account that does not have it`);
}

function fails(answer: NftsAnswer, kinds: readonly NftFault['kind'][], { secrets }: NftProviderUnderTest): void {
  if (answer.ok) throw broken(`${Object.keys(answer.value).length} items are listed instead of a fault`);
  const { kind, message } = answer.fault;
  check(kinds.includes(kind), `${kind} instead of ${kinds.join(' or ')}`);
  check(typeof message === 'string' && message !== '', 'a fault without a text');
  const said = JSON.stringify(answer);
  check(
    secrets.length > 0 && !secrets.some((secret) => said.includes(secret)),
    'a fault shows credentials of the address',
  );
}

function broken(fault: string): Error {
  return new Error(`the contract of NftProvider is broken: ${fault}`);
}

function check(holds: boolean, fault: string): asserts holds {
  if (!holds) throw broken(fault);
}
