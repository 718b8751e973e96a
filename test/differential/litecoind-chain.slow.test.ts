import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { p2pkhScript } from '../../src/htlc/script.ts';
import type { DecodedTransaction } from '../../src/htlc/transaction.ts';
import type { OutPoint } from '../../src/htlc/transaction-encoding.ts';
import { createMemoryLog } from '../../src/log/memory/index.ts';
import { hash160 } from '../../src/primitives/hash.ts';
import { bytesToHex } from '../../src/primitives/hex.ts';
import { millisOf } from '../../src/primitives/time.ts';
import type { Block } from '../../src/smartchain/chain/block.ts';
import type { BlockNode } from '../../src/smartchain/chain/tree.ts';
import { encodeAddress } from '../../src/smartchain/encoding/address.ts';
import { openSmartChain, type SmartChain } from '../../src/smartchain/node.ts';
import { decodeChainTransaction, transactionIdOf } from '../../src/smartchain/transaction.ts';
import { type Answer, LITECOIND, type Litecoind, startLitecoind } from '../support/litecoind.ts';
import { describeWith } from '../support/optional-part.ts';
import { answerOf } from '../support/smart-chain.ts';
import { beginChain, LITECOIN_REGTEST, mine, OWNER_SCRIPT, ownersSpend, reachedBy } from './funded-chain.ts';
import { REFUSAL_WORDS } from './refusal-words.ts';
import { COIN, type Hand, REFUSALS } from './refusals.ts';

const SEED = Number(process.env['SWAPFOLD_SEED'] ?? 1);
const OUR_BLOCKS = 230;

/** A chain of this project without what Komodo and Zcash added, whose coins are as large as those of the other side. */
async function openPlainChain(): Promise<{ chain: SmartChain; coins: OutPoint[] }> {
  let seconds = 1_800_000_000;
  const params = {
    prefixes: LITECOIN_REGTEST,
    saplingHeight: undefined,
    cryptoConditions: false,
    supply: 0n,
    reward: COIN,
    maturity: 100,
  };
  const chain = await openSmartChain({ log: createMemoryLog(), now: () => millisOf(1000 * seconds++), params });
  const coins: OutPoint[] = [];
  for (let count = 0; count < OUR_BLOCKS; count++) coins.push(coinOf(await chain.mine({ script: OWNER_SCRIPT })));
  return { chain, coins };
}

function coinOf({ transactions }: Block): OutPoint {
  return { txid: transactions[0]?.txid as string, vout: 0 };
}

/** Submits to the chain of this project, and says what it says. */
function submitHere(chain: SmartChain, raw: Uint8Array): string {
  const transaction = decodeChainTransaction(raw)?.transaction as DecodedTransaction;
  return answerOf(chain.submit({ txid: transactionIdOf(raw), transaction, bytes: raw }));
}

function wordsOf(answer: Answer): string {
  return 'result' in answer ? 'taken' : `${answer.error.code}: ${answer.error.message}`;
}

describeWith(LITECOIND, 'a chain of each kind', () => {
  let node: Litecoind;
  let theirCoins: OutPoint[];
  let chain: SmartChain;
  let ourCoins: OutPoint[];

  beforeAll(async () => {
    node = await startLitecoind();
    theirCoins = [...(await beginChain(node))];
    ({ chain, coins: ourCoins } = await openPlainChain());
  }, 120_000);
  afterAll(() => node?.stop());

  const submitThere = async (raw: Uint8Array) => {
    const [answer] = await node.batch([['sendrawtransaction', bytesToHex(raw)]]);
    return wordsOf(answer as Answer);
  };

  it('sendrawtransaction: the same transactions are accepted, and the rest refused in the words of the table', async () => {
    const spentHere = ourCoins.shift() as OutPoint;
    const spentThere = theirCoins.shift() as OutPoint;
    const pay = [{ value: COIN - 10_000n, script: OWNER_SCRIPT }];
    const spenders = { here: ownersSpend([spentHere], pay), there: ownersSpend([spentThere], pay) };
    expect([submitHere(chain, spenders.here), await submitThere(spenders.there)]).toEqual(['taken', 'taken']);
    const youngHere = coinOf(await chain.mine({ script: OWNER_SCRIPT }));
    await mine(node, 1);
    const [hash] = (await node.call(
      'generatetoaddress',
      1,
      encodeAddress({ kind: 'key', hash: OWNER_SCRIPT.slice(3, 23) }, LITECOIN_REGTEST),
    )) as string[];
    const young = (await node.call('getblock', hash)) as { tx: string[] };
    const here: Hand = {
      take: () => ourCoins.shift() as OutPoint,
      young: youngHere,
      spent: spentHere,
      spender: spenders.here,
      height: OUR_BLOCKS + 2,
    };
    const there: Hand = {
      take: () => theirCoins.shift() as OutPoint,
      young: { txid: young.tx[0] as string, vout: 0 },
      spent: spentThere,
      spender: spenders.there,
      height: (await reachedBy(node)).height + 1,
    };
    const told = [];
    for (const { name, build } of REFUSALS) {
      const ours = build(here)
        .map((raw) => submitHere(chain, raw))
        .at(-1);
      let theirs = '';
      for (const raw of build(there)) theirs = await submitThere(raw);
      told.push([name, [ours?.replace(/[0-9a-f]{64}/, '<txid>'), theirs]] as const);
    }
    expect(Object.fromEntries(told)).toEqual(REFUSAL_WORDS);
  });

  it('invalidateblock and reconsiderblock: the same branch is active after every step, and the same transactions wait', async () => {
    const plans = fc.sample(fc.array(step, { minLength: 5, maxLength: 14 }), { numRuns: 25, seed: SEED });
    let switched = 0;
    for (const plan of plans) {
      await chain.mine({ script: OWNER_SCRIPT });
      await mine(node, 1);
      const twins = new Twins({ chain, node, ourCoins, theirCoins });
      for (const each of plan) {
        await twins.take(each);
        const { here, there } = await twins.shown();
        expect(here, JSON.stringify(plan)).toEqual(there);
      }
      switched += twins.switches;
    }
    expect(switched).toBeGreaterThan(25);
  });
});

/** `at` says which of the blocks made so far is meant. */
type Step = { readonly do: 'mine' | 'pay' | 'invalidate' | 'reconsider'; readonly at: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Step>({ do: 'mine', at: 0 }) },
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'pay', at: 0 }) },
  { weight: 3, arbitrary: fc.nat(99).map((at): Step => ({ do: 'invalidate', at })) },
  { weight: 3, arbitrary: fc.nat(99).map((at): Step => ({ do: 'reconsider', at })) },
);

let marks = 0;

type Sides = {
  readonly chain: SmartChain;
  readonly node: Litecoind;
  readonly ourCoins: OutPoint[];
  readonly theirCoins: OutPoint[];
};

/** One block or transaction on both sides. */
type Twin = { readonly here: string; readonly there: string };

/** Does the same on both chains and numbers what comes of it. */
class Twins {
  readonly #sides: Sides;
  readonly #blocks: Twin[] = [];
  readonly #payments: Twin[] = [];
  switches = 0;

  constructor(sides: Sides) {
    this.#sides = sides;
  }

  async take(each: Step): Promise<void> {
    if (each.do === 'mine') return this.#mine();
    if (each.do === 'pay') return this.#pay();
    const twin = this.#blocks[each.at % Math.max(1, this.#blocks.length)];
    if (twin === undefined) return;
    const { chain, node } = this.#sides;
    const before = chain.tree.tip;
    await chain.mark(chain.tree.nodes.get(twin.here) as BlockNode, each.do === 'invalidate' ? 'invalid' : 'valid');
    await node.call(each.do === 'invalidate' ? 'invalidateblock' : 'reconsiderblock', twin.there);
    if (chain.tree.tip !== before) this.switches++;
  }

  /** A key of its own for every block, so that no block is that of another branch once more. */
  async #mine(): Promise<void> {
    const { chain, node } = this.#sides;
    const hash = hash160(new TextEncoder().encode(String(marks++)));
    const block = await chain.mine({ script: p2pkhScript(hash) });
    const made = await node.call('generatetoaddress', 1, encodeAddress({ kind: 'key', hash }, LITECOIN_REGTEST));
    this.#blocks.push({ here: block.hash, there: (made as string[])[0] as string });
  }

  async #pay(): Promise<void> {
    const { chain, node, ourCoins, theirCoins } = this.#sides;
    const pay = [{ value: COIN - 10_000n, script: OWNER_SCRIPT }];
    const here = ownersSpend([ourCoins.shift() as OutPoint], pay);
    const there = ownersSpend([theirCoins.shift() as OutPoint], pay);
    expect(submitHere(chain, here)).toBe('taken');
    await node.call('sendrawtransaction', bytesToHex(there));
    this.#payments.push({ here: transactionIdOf(here), there: transactionIdOf(there) });
  }

  /** The numbers of the last active block and of the waiting transactions, on each side. */
  async shown() {
    const { chain, node } = this.#sides;
    const best = await node.call('getbestblockhash');
    const waiting = new Set((await node.call('getrawmempool')) as string[]);
    const numbers = (holds: (twin: Twin) => boolean) =>
      [...this.#payments.keys()].filter((index) => holds(this.#payments[index] as Twin));
    return {
      here: {
        tip: this.#blocks.findIndex(({ here }) => here === chain.tree.tip?.block.hash),
        waiting: numbers(({ here }) => chain.mempool().entries.has(here)),
      },
      there: {
        tip: this.#blocks.findIndex(({ there }) => there === best),
        waiting: numbers(({ there }) => waiting.has(there)),
      },
    };
  }
}
