import { describe, expect, it } from 'vitest';
import type { PrepareRequest } from '../../../src/ports/chain.ts';
import type { RuntimeChain, RuntimeOptions } from '../../../src/runtime/index.ts';
import { createPair, type Pair, requestOf, type Side, UUID } from '../../support/swap-pair.ts';

// A maker pays two swaps from one account. Its process dies in the moment in which the wallet has signed for the first swap and the
// log does not hold it yet; the second swap's transaction, with the nonce after that, is in the log.

const SECOND = '7b3c1a52-90de-4f7b-8a6e-2f4d5c6b7a81';

type Purpose = PrepareRequest['purpose'];
type Plan = { silent: boolean; readonly swap: string; readonly purpose: Purpose; reached: boolean };

/** A wallet whose answer to one question never comes back, while the process lives: it has signed all the same. */
function withholding(chain: RuntimeChain, plan: Plan, changes: Partial<RuntimeChain> = {}): RuntimeChain {
  return {
    ...chain,
    prepare: (request, forSwap) => {
      const answer = chain.prepare(request, forSwap);
      if (!plan.silent || request.purpose !== plan.purpose || forSwap.swap !== plan.swap) return answer;
      plan.reached = true;
      return new Promise(() => {});
    },
    ...changes,
  };
}

function pairOf(plan: Plan, changes: Partial<RuntimeChain> = {}): Pair {
  const options = (side: Side, { chains }: RuntimeOptions): Partial<RuntimeOptions> =>
    side === 'maker' ? { chains: chains.map((chain) => withholding(chain, plan, changes)) } : {};
  return createPair({ accounts: ['DOC'], options });
}

async function startBoth({ nodes: { maker, taker } }: Pair): Promise<void> {
  for (const uuid of [UUID, SECOND]) {
    await Promise.all([
      maker.runtime.startSwap(requestOf('maker', { uuid, maker_amount: (uuid === UUID ? '1.5' : '2.25') as never })),
      taker.runtime.startSwap(requestOf('taker', { uuid, maker_amount: (uuid === UUID ? '1.5' : '2.25') as never })),
    ]);
  }
}

const statesOf = (pair: Pair) =>
  Promise.all([UUID, SECOND].map(async (uuid) => (await pair.nodes.maker.runtime.status(uuid))?.state));

/** The maker is gone for so long that the first swap is given up; then it is back. */
async function killedBetween(changes: Partial<RuntimeChain> = {}): Promise<Pair> {
  const plan: Plan = { silent: true, swap: UUID, purpose: 'payment', reached: false };
  const pair = pairOf(plan, changes);
  await startBoth(pair);
  const signed = () => plan.reached && pair.types('maker', SECOND).includes('TransactionPrepared');
  expect(await pair.until(signed, 60)).toBe(true);
  pair.nodes.maker.die();
  plan.silent = false;
  await pair.minutes(240);
  pair.restart('maker');
  await pair.nodes.maker.runtime.resumeAll();
  return pair;
}

describe('a nonce that was signed for and is in no log', () => {
  it('is filled after the restart, so that the later one of another swap is included', async () => {
    const pair = await killedBetween();
    expect(await pair.until(async () => (await statesOf(pair)).every((state) => state === 'finished'), 240)).toBe(true);
    expect(pair.types('maker', UUID)).not.toContain('TransactionPrepared');
    expect(pair.types('maker', SECOND)).toContain('PaymentSettled');
  });

  it('would keep the other swap waiting forever if the wallet does not learn that the log holds all', async () => {
    const pair = await killedBetween({ resumed: () => {} });
    expect(await pair.until(async () => (await statesOf(pair)).every((state) => state === 'finished'), 480)).toBe(
      false,
    );
    expect((await statesOf(pair))[0]).toBe('finished');
  });
});
