import type { MatrixChain } from './chain.ts';
import { type EvmPlace, type EvmReceipt, type EvmTransaction, evmBooks, toldOf } from './evm-ledger.ts';
import type { Anvilled, PlacedToken } from './evm-node.ts';
import { tokenCode } from './evm-tokens.ts';
import { troublesOf } from './evm-troubles.ts';
import { accountOf, GWEI, hexOf, mapped, OWNER, word } from './evm-words.ts';

export type EvmCoinTerms = {
  /** Null where the chain's own coin is traded. */
  readonly token: PlacedToken | null;
  /** What it is traded for where that is on the same chain: a token, or its own coin. */
  readonly beside: PlacedToken | 'own' | null;
};

/** What whoever claims there has beside what is traded, in wei. */
const FUEL = 10n ** 17n;
const MANY = 1_000_000_000_000n;
/** What an earlier approval of a wallet has left, in base units. */
const REST = 5n;
const ALLOWANCES = 1n;
/** Of a fee, a payment and its refund, or a claim, with what fills a nonce. */
const TRANSACTIONS = 4;
/** Blocks that are read at once. */
const AT_ONCE = 8;

/** One coin of a chain with accounts, as a matrix plays with it. */
export function coinOn(node: Anvilled, { token, beside }: EvmCoinTerms): MatrixChain {
  const { chainId, blockTime, dynamic, contract, ask, mine } = node;
  const decimals = token?.digits ?? 18;
  const other = typeof beside === 'string' ? null : (beside?.address ?? undefined);
  const place: EvmPlace = { contract, token: token?.address ?? null, ...(other === undefined ? {} : { other }) };
  const most = approvalsOf(token) + (beside === null ? 0 : TRANSACTIONS + approvalsOf(beside));
  return {
    entry: {
      mm2: 1,
      avg_blocktime: blockTime,
      max_eth_tx_type: dynamic ? 2 : 0,
      ...(token === null ? {} : { decimals }),
    },
    conf: '',
    url: node.url,
    client: null,
    blockTime,
    replaces: true,
    decimals,
    evm: { chainId, contract, token: token?.address ?? null, decimals, dynamic },
    books: evmBooks(place),
    costs: { calm: 10n ** 15n, usual: 10n ** 16n, dear: 10n ** 17n, transactions: TRANSACTIONS + most },
    height: async () => Number(await ask('eth_blockNumber')),
    time: node.time,
    // In gwei, what a block asks for.
    mine: (at, least) => mine(at, least === undefined ? undefined : weiOf(least)),
    takeBack: node.takeBack,
    anew: node.anew,
    async restart() {
      await ask('anvil_dropAllTransactions');
    },
    fund: (key, coins) => fund(node, { token, script: accountOf(key), ...coins }),
    async fuel(key) {
      const script = accountOf(key);
      if (!node.fueled.has(script)) await give(node, { script, wei: FUEL });
    },
    scriptOf: accountOf,
    blocksAbove: (height) => blocksAbove(node, height),
    async waiting() {
      const pool = (await ask('txpool_content')) as Readonly<Record<'pending' | 'queued', Pool>>;
      return [pool.pending, pool.queued].flatMap((part) =>
        Object.values(part).flatMap((all) => Object.values(all).map((each) => toldOf(each, null))),
      );
    },
    counted: (script) => balanceOf(node, { token, script }),
    troubles: troublesOf({
      ...{ place, ask },
      async spoiltToken(by) {
        if (token === null) throw new Error('there is no token');
        return String(await ask('eth_call', { from: OWNER, data: await tokenCode(token, by) }, 'latest'));
      },
    }),
    stop: async () => node.stop(),
  };
}

function approvalsOf(token: PlacedToken | 'own' | null): number {
  if (token === null || token === 'own') return 0;
  return token.manner === 'strict' ? 2 : 1;
}

/** Of gwei, to the wei. */
function weiOf(gwei: number): bigint {
  return BigInt(Math.round(gwei * Number(GWEI)));
}

type Held = { readonly token: PlacedToken | null; readonly script: string };

async function balanceOf({ ask }: Anvilled, { token, script }: Held): Promise<bigint> {
  const told =
    token === null
      ? ask('eth_getBalance', `0x${script}`, 'latest')
      : ask('eth_call', { to: `0x${token.address}`, data: `0x70a08231${word(script)}` }, 'latest');
  return BigInt(String(await told));
}

async function give({ ask, fueled }: Anvilled, { script, wei }: { readonly script: string; readonly wei: bigint }) {
  fueled.add(script);
  await ask('anvil_setBalance', `0x${script}`, hexOf(wei));
}

type Funding = Held & { readonly count: number; readonly value: bigint };

async function fund(node: Anvilled, { token, script, count, value }: Funding): Promise<void> {
  const amount = BigInt(count) * value;
  await give(node, { script, wei: token === null ? amount + FUEL : FUEL });
  if (token !== null) {
    const to = `0x${token.address}`;
    await node.act({ to, data: `0x40c10f19${word(script)}${word(amount)}` });
    // Somebody else’s, so that amounts of the contract are not the token’s whole.
    await node.act({ to, data: `0x40c10f19${word(OWNER.slice(2))}${word(MANY)}` });
    if (token.manner === 'strict') {
      const slot = mapped([script, node.contract], ALLOWANCES);
      await node.ask('anvil_setStorageAt', to, `0x${slot}`, `0x${word(REST)}`);
    }
  }
  await node.mine(0);
}

type Block = { readonly number: string; readonly hash: string; readonly transactions: readonly EvmTransaction[] };
type Pool = Readonly<Record<string, Readonly<Record<string, EvmTransaction>>>>;

async function blocksAbove({ together }: Anvilled, height: number) {
  const found: Block[] = [];
  for (let isMore = true; isMore; ) {
    const next = Array.from({ length: AT_ONCE }, (_, place) => height + 1 + found.length + place);
    const told = await together(next.map((at) => ['eth_getBlockByNumber', hexOf(at), true]));
    found.push(...told.filter((block): block is Block => block !== null));
    isMore = told.at(-1) !== null;
  }
  const full = found.filter(({ transactions }) => transactions.length > 0);
  const receipts = await together(full.map(({ number }) => ['eth_getBlockReceipts', number]));
  return found.map((block) => {
    const own = (receipts[full.indexOf(block)] ?? []) as readonly EvmReceipt[];
    const transactions = block.transactions.map((each, index) => toldOf(each, own[index] ?? null));
    return { height: Number(block.number), hash: block.hash, transactions };
  });
}
