import { randomUUID } from 'node:crypto';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import { activating, madeOf } from '../support/evm/activating.ts';
import { EvmTestChain } from '../support/evm/adapter-chain.ts';
import { ContractWorld } from '../support/evm/contract-world.ts';
import { countingProxy } from '../support/evm/counting-proxy.ts';
import { claim, pay } from '../support/evm/swap-contract.ts';
import { DOC_BLOCK, EVM_BLOCK, tradingEvm } from '../support/evm/trading-evm.ts';
import { ETHER } from '../support/evm/two-wallets.ts';
import { pairRequest } from '../support/trading-pair.ts';
import { assertSame, measure, type Row, type SuiteOptions } from './measure.ts';

const TOKENS = 100;

/** What a node does on an EVM chain, beside what it would take without it. */
export async function* evmNodeRows(options: SuiteOptions): AsyncGenerator<Row> {
  yield* tokensActivated(options);
  yield* swapsAMinute(options);
}

/** A hundred tokens that are activated with their platform coin, beside one. */
async function* tokensActivated({ rounds }: SuiteOptions): AsyncGenerator<Row> {
  const chain = await EvmTestChain.start();
  const proxy = await countingProxy(chain.url);
  try {
    const tokens: Record<string, { readonly contract: string }> = {};
    for (let index = 0; index < TOKENS; index += 1)
      tokens[`TOKEN${index}`] = { contract: await chain.token({ decimals: 6 + (index % 13) }) };
    const requests: Record<'ours' | 'reference', number> = { ours: 0, reference: 0 };
    const activated = (name: keyof typeof requests, count: number) => async () => {
      const before = proxy.requests.length;
      const { activate } = activating(chain, { tokens });
      const wanted = Object.keys(tokens).slice(0, count);
      const { result } = await activate({
        nodes: [{ url: proxy.url }],
        erc20_tokens_requests: wanted.map((ticker) => ({ ticker })),
      });
      const { coins } = madeOf(result);
      assertSame(coins.length, count + 1, 'coins that became active');
      for (const { close } of coins) close();
      requests[name] = proxy.requests.length - before;
      return 1;
    };
    const { ours, reference } = await measure(
      { ours: activated('ours', TOKENS), reference: activated('reference', 1) },
      { rounds },
    );
    const row = (what: string, unit: string, mine: number, theirs: number): Row => ({
      ...{ name: `evm: ${what}, ${TOKENS} tokens vs one`, unit },
      ...{ ours: mine, reference: theirs, ratio: mine / theirs },
    });
    yield row('activation', 'ms', ours / 1e6, reference / 1e6);
    yield row('requests of it', 'requests', requests.ours, requests.reference);
  } finally {
    proxy.close();
    chain.stop();
  }
}

/** Swaps of ether against coins of outputs, from their start to the end of both sides, beside the calls of the chain alone. */
async function* swapsAMinute({ swaps = 50 }: SuiteOptions): AsyncGenerator<Row> {
  const ours = await swapped(swaps);
  const reference = await called(swaps);
  yield {
    name: `evm: swaps of ether, ${swaps} at once, vs their calls`,
    unit: 'swaps/min',
    ours: swaps / ours.here,
    reference: swaps / reference,
    ratio: reference / ours.here,
  };
  const waited = (CONFIRMATIONS.maker * EVM_BLOCK + CONFIRMATIONS.taker * DOC_BLOCK) / 60;
  yield {
    name: 'evm: those swaps by the chains’ clock, vs what payments wait',
    unit: 'min',
    ...{ ours: ours.onChain, reference: waited, ratio: ours.onChain / waited },
  };
}

/** Of the request that both sides make, and seconds of a block. */
const CONFIRMATIONS = { maker: 2, taker: 1 };

const DEPTHS = {
  maker_payment_confirmations: CONFIRMATIONS.maker,
  taker_payment_confirmations: CONFIRMATIONS.taker,
};

const SIDES = ['maker', 'taker'] as const;
const AMOUNTS = { maker_amount: '0.0125' as DecimalText, taker_amount: '0.75' as DecimalText };

type Minutes = { readonly here: number; readonly onChain: number };

/** Minutes of this machine, and of the chains, for so many swaps of two nodes, both chains and all that they write included. */
async function swapped(count: number): Promise<Minutes> {
  const pair = await tradingEvm({});
  const { parties, evm, outputs } = pair;
  try {
    await evm.give(parties.maker.account, BigInt(count) * ETHER);
    await evm.give(parties.taker.account, ETHER);
    await outputs.fund(parties.taker.key, { count: 2 * count, value: 100_000_000n });
    for (const side of SIDES) await parties[side].activate();
    const begun = { here: performance.now(), onChain: pair.clock.now() };
    for (let index = 0; index < count; index += 1) {
      const changes = { uuid: randomUUID(), maker_coin: 'ETH', taker_coin: 'DOC', ...AMOUNTS, ...DEPTHS };
      for (const side of SIDES) await parties[side].node().runtime.startSwap(pairRequest(side, parties, changes));
    }
    const over = () => SIDES.every((side) => parties[side].node().runtime.sizes().runners === 0);
    assertSame(await pair.until(over, 24 * 60), true, 'every swap comes to its end');
    const spent = {
      here: (performance.now() - begun.here) / 60_000,
      onChain: (pair.clock.now() - begun.onChain) / 60_000,
    };
    for (const side of SIDES) {
      const { result } = (await parties[side].call({ method: 'my_recent_swaps', limit: count })) as {
        readonly result?: { readonly swaps: readonly { readonly is_success?: boolean }[] };
      };
      const done = result?.swaps.filter(({ is_success }) => is_success === true).length;
      assertSame(done, count, `every swap of the ${side} is a success`);
    }
    return spent;
  } finally {
    await pair.close();
  }
}

/** Minutes for the calls that so many payments and claims are, one request each and no more than the chain has to do for them. */
async function called(count: number): Promise<number> {
  const world = await ContractWorld.open();
  try {
    const payments = Array.from({ length: count }, () => world.payment({ amount: ETHER / 80n }));
    const begun = performance.now();
    const paid = await world.chain.sendAll(payments.map((payment) => pay(world.contract, payment)));
    const claimed = await world.chain.sendAll(payments.map((payment) => claim(world.contract, payment)));
    const spent = (performance.now() - begun) / 60_000;
    assertSame([...paid, ...claimed].filter(({ done }) => done).length, 2 * count, 'every call has its effect');
    return spent;
  } finally {
    world.stop();
  }
}
