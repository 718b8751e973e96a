import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UtxoChain } from '../../../../src/chains/utxo/adapter.ts';
import { madeOf } from '../../../../src/chains/utxo/made.ts';
import type { Answer } from '../../../../src/ports/chain.ts';
import { type DecimalText, toBaseUnits } from '../../../../src/primitives/decimal.ts';
import { type EmbeddedChain, startEmbeddedChain } from '../../../support/utxo/embedded-chain.ts';
import { type VirtualClock, virtualClock } from '../../../support/virtual-clock.ts';

let chain: EmbeddedChain;
let clock: VirtualClock;

beforeAll(async () => {
  chain = await startEmbeddedChain({ fees: { rate: 2000n, floor: 1000n, ceiling: 10_000_000n } });
  clock = virtualClock(chain.now() * 1000);
});
afterAll(() => chain.close());

const answered = <T>(answer: Answer<T>): T => {
  if (!answer.ok) throw new Error(`${answer.fault.kind}: ${answer.fault.message}`);
  return answer.value;
};

/** What waits for a block on the chain. */
async function waiting(): Promise<readonly string[]> {
  const [answer] = await chain.client.batch([['getrawmempool']]);
  return answer !== undefined && 'result' in answer ? (answer.result as string[]) : [];
}

/** What was made one last. */
async function mergedNow() {
  const [answer] = await chain.client.batch([['getrawtransaction', (await waiting())[0]]]);
  return madeOf(String(answer !== undefined && 'result' in answer ? answer.result : ''));
}

async function funded(name: string, values: readonly bigint[]): Promise<UtxoChain> {
  const wallet = chain.wallet(name, clock);
  for (const value of values) await chain.fund(name, { count: 1, value });
  return wallet;
}

const spendable = async (wallet: UtxoChain): Promise<bigint> =>
  toBaseUnits(answered(await wallet.balances()).spendable, chain.coin.decimals);

describe('coins of one address', () => {
  it('are left unmerged if more than a tenth of them would go to miners', async () => {
    // Three inputs of 148 bytes and what stands around them, at 2,000 base units for 1,000 bytes, cost some 980.
    const dear = await funded('dear', [3100n, 3200n, 3300n]);
    expect(answered(await dear.merge({ at: 3, most: 100 }))).toBe(0);
    expect(await waiting()).toEqual([]);
    const cheap = await funded('cheap', [4100n, 4200n, 4300n]);
    expect(answered(await cheap.merge({ at: 3, most: 100 }))).toBe(3);
    await chain.mine(1);
  });

  it('stay as they are below the number, and become one from it on, less the fee', async () => {
    const wallet = await funded('few', [30_000n, 50_001n, 40_000n]);
    expect(answered(await wallet.merge({ at: 4, most: 100 }))).toBe(0);
    expect(await waiting()).toEqual([]);
    expect(answered(await wallet.merge({ at: 3, most: 100 }))).toBe(3);
    const made = await mergedNow();
    expect(made?.tx.inputs).toHaveLength(3);
    expect(made?.tx.outputs).toHaveLength(1);
    const paid = 120_001n - (made?.tx.outputs[0]?.value ?? 0n);
    // 2,000 base units for 1,000 bytes.
    expect(Number(paid) / ((made?.hex.length ?? 0) / 2)).toBeCloseTo(2, 1);
    await chain.mine(1);
    expect(await spendable(wallet)).toBe(120_001n - paid);
    // One coin is made one no more.
    expect(answered(await wallet.merge({ at: 2, most: 100 }))).toBe(0);
  });

  it('are taken the smallest first, up to a maximum at once, and none that costs more than it brings', async () => {
    const wallet = await funded('many', [900_000n, 250n, 20_000n, 70_000n, 10_000n]);
    expect(answered(await wallet.merge({ at: 2, most: 3 }))).toBe(3);
    const value = (await mergedNow())?.tx.outputs[0]?.value ?? 0n;
    expect([value > 98_000n, value < 100_000n]).toEqual([true, true]);
    await chain.mine(1);
    const left = await spendable(wallet);
    expect(left).toBeLessThan(1_000_250n);
    // 250, 900,000 and what the three became.
    expect(answered(await wallet.merge({ at: 4, most: 9 }))).toBe(0);
    expect(answered(await wallet.merge({ at: 3, most: 9 }))).toBe(2);
    await chain.mine(1);
  });

  it('that a signed transaction spends, or that a swap will spend, are not selected', async () => {
    const wallet = await funded('busy', [30_000n, 40_000n, 50_000n]);
    await wallet.balances();
    const to = madeOf((await signedOut(wallet, 20_000n)).tx_hex)?.tx.inputs[0];
    expect(to).toBeDefined();
    expect(answered(await wallet.merge({ at: 3, most: 9 }))).toBe(0);
    wallet.hold?.({ swap: 'one', amount: '0.0009' as DecimalText });
    expect(await wallet.merge({ at: 2, most: 9 })).toMatchObject({ ok: false, fault: { kind: 'coinsPromised' } });
    wallet.hold?.({ swap: 'one', amount: '0.0005' as DecimalText });
    expect(answered(await wallet.merge({ at: 2, most: 9 }))).toBe(2);
    const made = await mergedNow();
    expect(made?.tx.inputs.map((input) => `${input.txid}:${input.vout}`)).not.toContain(`${to?.txid}:${to?.vout}`);
    await chain.mine(1);
  });

  it('that wait for a block do not count', async () => {
    const wallet = await funded('new', [30_000n, 40_000n]);
    expect(answered(await wallet.merge({ at: 2, most: 9 }))).toBe(2);
    await chain.fund('new', { count: 1, value: 60_000n });
    await chain.mine(1);
    expect(answered(await wallet.merge({ at: 3, most: 9 }))).toBe(0);
    expect(answered(await wallet.merge({ at: 2, most: 9 }))).toBe(2);
    // What they became waits: there is no confirmed coin.
    expect(answered(await wallet.merge({ at: 1, most: 9 }))).toBe(0);
  });
});

async function signedOut(wallet: UtxoChain, amount: bigint) {
  const to = Uint8Array.of(0x76, 0xa9, 20, ...new Uint8Array(20).fill(3), 0x88, 0xac);
  return answered(await wallet.withdraw({ to, amount, fee: null }));
}
