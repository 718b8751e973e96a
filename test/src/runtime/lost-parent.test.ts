import { describe, expect, it } from 'vitest';
import type { RuntimeChain } from '../../../src/runtime/index.ts';
import type { SimChain } from '../../../src/sim/chains/types.ts';
import { createPair, type Pair, requestOf } from '../../support/swap-pair.ts';

// Two swaps of one taker. The first has paid its fee, which waits for a block, and waits itself for the maker's payment to have many
// confirmations. What the second signs spends the change of that fee, or has the nonce after it. Then every node forgets the fee.

const FIRST = '3447b727-fe93-4357-8e5a-000000000001';
const SECOND = '3447b727-fe93-4357-8e5a-000000000002';

type Plan = { forget: (() => void) | null };

/** A wallet whose network forgets something in the moment before it gets the next broadcast. */
function forgetful(chain: RuntimeChain, plan: Plan): RuntimeChain {
  return {
    ...chain,
    broadcast: (transaction) => {
      const { forget } = plan;
      plan.forget = null;
      forget?.();
      return chain.broadcast(transaction);
    },
  };
}

const feesOf = ({ chains }: Pair) =>
  chains.MARTY.ledger?.transactions('taker').filter(({ purpose }) => purpose === 'fee') ?? [];

async function start(pair: Pair, uuid: string, confirmations: number): Promise<void> {
  for (const side of ['maker', 'taker'] as const) {
    const amounts = uuid === FIRST ? {} : { maker_amount: '2.25' as never, taker_amount: '4.75' as never };
    const asked = { uuid, maker_payment_confirmations: confirmations, ...amounts };
    await pair.nodes[side].runtime.startSwap(requestOf(side, asked));
  }
}

/** Both are under way, and the fee of the first was forgotten by all in the moment in which the second broadcasts its own. */
async function forgotten(accounts: readonly ['MARTY'] | readonly []): Promise<Pair> {
  const plan: Plan = { forget: null };
  const pair = createPair({
    accounts,
    // One coin, so that the second spends the change of the first.
    coins: 1,
    options: (side, { chains }) =>
      side === 'taker'
        ? { chains: chains.map((chain) => (chain.traits.coin === 'MARTY' ? forgetful(chain, plan) : chain)) }
        : {},
  });
  await start(pair, FIRST, 45);
  await pair.clock.advance(3000);
  const [fee] = feesOf(pair);
  expect([fee?.status, pair.types('taker', FIRST).includes('TakerFeeSent')]).toEqual(['mempool', true]);
  const sim = pair.chains.MARTY.sim as SimChain;
  plan.forget = () => expect(sim.drop(fee?.hash ?? '')).toBe(true);
  await start(pair, SECOND, 1);
  await pair.clock.advance(3000);
  expect(plan.forget).toBe(null);
  return pair;
}

describe.each([
  ['the change', [], 'parentsUnknown'],
  ['the nonce', ['MARTY'], 'nonceGap'],
] as const)('a swap that waits for %s of what another one has lost', (_, accounts, kind) => {
  it('sends that to the chain again itself, and continues while the other one still waits', async () => {
    const pair = await forgotten(accounts);
    const { log } = pair.nodes.taker;
    const refusals = () =>
      (log.read(`taker-swap/${SECOND}`) as readonly { readonly type: string; readonly data: unknown }[])
        .filter(({ type }) => type === 'BroadcastRefused')
        .map(({ data }) => (data as { readonly kind: string }).kind);
    expect(await pair.until(() => pair.types('taker', SECOND).includes('Finished'), 40)).toBe(true);
    expect(refusals()).toContain(kind);
    expect(pair.types('taker', FIRST)).not.toContain('MakerPaymentValidatedAndConfirmed');
    expect(feesOf(pair).map(({ status }) => status)).toEqual(['confirmed', 'confirmed']);
    expect(await pair.until(() => pair.types('taker', FIRST).includes('Finished'), 120)).toBe(true);
    for (const uuid of [FIRST, SECOND]) expect(pair.types('taker', uuid)).toContain('MakerPaymentSpendConfirmed');
  });

  it('does so after a restart as well', async () => {
    const pair = await forgotten(accounts);
    pair.restart('taker');
    await pair.nodes.taker.runtime.resumeAll();
    expect(await pair.until(() => pair.types('taker', SECOND).includes('Finished'), 40)).toBe(true);
    expect(pair.types('taker', SECOND)).toContain('MakerPaymentSpendConfirmed');
    expect(pair.types('taker', FIRST)).not.toContain('MakerPaymentValidatedAndConfirmed');
    expect(feesOf(pair)).toHaveLength(2);
  });
});
