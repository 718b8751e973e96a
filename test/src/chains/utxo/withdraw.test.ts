import { afterAll, beforeAll, expect, it } from 'vitest';
import { madeOf } from '../../../../src/chains/utxo/made.ts';
import { p2pkhScript } from '../../../../src/htlc/index.ts';
import { answerOf } from '../../../../src/testing/contracts/chain/scene.ts';
import { type EmbeddedChain, startEmbeddedChain } from '../../../support/utxo/embedded-chain.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

let chain: EmbeddedChain;
beforeAll(async () => {
  chain = await startEmbeddedChain({ fees: { rate: 2000n, floor: 1000n, ceiling: 10_000_000n } });
});
afterAll(() => chain.close());

it('takes none of the coins that cost more than they bring, whatever somebody has sent', async () => {
  const wallet = chain.wallet('dusty', virtualClock(chain.now() * 1000));
  // An input of 148 bytes costs 296.
  await chain.fund('dusty', { count: 40, value: 296n });
  await chain.fund('dusty', { count: 1, value: 50_000n });
  await chain.fund('dusty', { count: 1, value: 30_000n });
  await chain.fund('dusty', { count: 40, value: 295n });
  const to = p2pkhScript(new Uint8Array(20).fill(9));
  const inputsOf = async (amount: bigint | null) => {
    const { tx_hex, fee } = await answerOf(wallet.withdraw({ to, amount, fee: null }));
    const made = madeOf(tx_hex);
    if (made === null) throw new Error(tx_hex);
    wallet.release?.([{ tx_hex, tx_hash: made.txid }]);
    // Two base units for each byte.
    expect(Number(fee) * 1e8).toBeLessThan(2.1 * (tx_hex.length / 2));
    return made.tx.inputs.length;
  };
  expect(await inputsOf(20_000n)).toBe(1);
  expect(await inputsOf(60_000n)).toBe(2);
  expect(await inputsOf(null)).toBe(2);
});

it('says of too much what it takes with the fee, however the coins lie', async () => {
  const wallet = chain.wallet('short', virtualClock(chain.now() * 1000));
  for (const value of [50_000n, 30_000n]) await chain.fund('short', { count: 1, value });
  const to = p2pkhScript(new Uint8Array(20).fill(9));
  // Two inputs of 149 bytes, two outputs of 34, and 29 more, at two base units for each.
  for (const [amount, required] of [
    [79_500n, '0.0008029'],
    [90_000n, '0.0009079'],
  ] as const)
    expect(await wallet.withdraw({ to, amount, fee: null })).toMatchObject({
      ok: false,
      fault: { kind: 'insufficientFunds', shortage: { available: '0.0008', required } },
    });
});
