import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UtxoChain } from '../../../../src/chains/utxo/adapter.ts';
import { childFee } from '../../../../src/chains/utxo/child.ts';
import { madeOf } from '../../../../src/chains/utxo/made.ts';
import { virtualSize } from '../../../../src/htlc/spend.ts';
import type { Answer, PaymentTerms, PreparedTransaction } from '../../../../src/ports/chain.ts';
import { type DecimalText, decimalOf, fromBaseUnits, toBaseUnits } from '../../../../src/primitives/decimal.ts';
import { hash160 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { unixSecondsOf } from '../../../../src/primitives/time.ts';
import { type EmbeddedChain, startEmbeddedChain } from '../../../support/utxo/embedded-chain.ts';
import { type VirtualClock, virtualClock } from '../../../support/virtual-clock.ts';

const units = (least: number, most: number) => fc.bigInt({ min: BigInt(least), max: BigInt(most) });

describe('the fee of a child', () => {
  it('brings everything waiting below it to the wanted rate, by at least one step, and never above the ceiling or the bound', () => {
    const sizes = fc.integer({ min: 60, max: 4000 });
    const cases = fc.record({
      rate: units(1, 200_000),
      floor: units(1, 3000),
      ceiling: units(3000, 100_000),
      size: sizes,
      below: fc.record({ size: sizes, fee: units(0, 400_000) }),
      maxFee: fc.option(units(0, 200_000)),
    });
    const seen = { paid: 0, bound: 0, none: 0 };
    fc.assert(
      fc.property(cases, ({ rate, floor, ceiling, size, below, maxFee }) => {
        const fee = childFee({ rate: null, floor, ceiling }, { rate, size, below, maxFee });
        // In base units for 1,000 bytes times bytes, so that nothing is rounded.
        const before = below.fee * 1000n;
        const all = BigInt(below.size + size);
        if (fee === null) {
          seen.none += 1;
          const step = (before + floor * BigInt(below.size)) * all;
          const isAtCeiling = before + (floor + 1n) * BigInt(below.size) > ceiling * BigInt(below.size);
          const least = step / BigInt(below.size) - before;
          const isBound =
            maxFee !== null &&
            (maxFee * 1000n < least + 2n * all + 1000n || maxFee * 1000n < floor * BigInt(size) + 1000n);
          expect(isAtCeiling || isBound).toBe(true);
          return;
        }
        const together = (below.fee + fee) * 1000n;
        expect(fee * 1000n).toBeGreaterThanOrEqual(floor * BigInt(size));
        expect(together * BigInt(below.size)).toBeGreaterThanOrEqual((before + floor * BigInt(below.size)) * all);
        // Rounded up to a whole unit.
        expect(together - 1000n).toBeLessThan(ceiling * all + floor * all);
        if (rate <= ceiling && before <= ceiling * BigInt(below.size))
          expect(together - 1000n).toBeLessThanOrEqual(ceiling * all);
        if (maxFee !== null) expect(fee).toBeLessThanOrEqual(maxFee);
        if (maxFee === null || fee < maxFee) {
          const wanted = rate < ceiling ? rate : ceiling;
          expect(together).toBeGreaterThanOrEqual(wanted * all);
          seen.paid += 1;
        } else seen.bound += 1;
      }),
      { numRuns: 3000 },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100);
  });

  it('is what the rate asks for both together, less what waits already pays, to the last unit', () => {
    const rule = { rate: null, floor: 1000n, ceiling: 100_000n };
    const below = { size: 300, fee: 900n };
    // 20 units for each of 500 bytes, and one byte that makes it a broken number.
    expect(childFee(rule, { rate: 20_000n, size: 200, below, maxFee: null })).toBe(9100n);
    expect(childFee(rule, { rate: 20_001n, size: 200, below, maxFee: null })).toBe(9101n);
    expect(childFee(rule, { rate: 20_000n, size: 200, below, maxFee: 5000n })).toBe(5000n);
    // 300 bytes at 3, with a step of 1: 500 bytes at 4, of which 900 are paid.
    expect(childFee(rule, { rate: 1n, size: 200, below, maxFee: 1100n })).toBe(1100n);
    expect(childFee(rule, { rate: 1n, size: 200, below, maxFee: 1099n })).toBeNull();
    expect(childFee({ ...rule, ceiling: 3999n }, { rate: 50_000n, size: 200, below, maxFee: null })).toBeNull();
    expect(childFee({ ...rule, ceiling: 4000n }, { rate: 50_000n, size: 200, below, maxFee: null })).toBe(1100n);
  });
});

const SECRET = '7c'.repeat(32);
const AMOUNT = '0.0123' as DecimalText;

describe('a child of what waits on the embedded chain, whose nodes replace nothing', () => {
  let chain: EmbeddedChain;
  let clock: VirtualClock;
  let sender: UtxoChain;
  let receiver: UtxoChain;
  let runs = 0;

  beforeAll(async () => {
    chain = await startEmbeddedChain({ fees: { rate: 2000n, floor: 1000n, ceiling: 60_000n } });
    clock = virtualClock(chain.now() * 1000);
    sender = chain.wallet('sender', clock);
    receiver = chain.wallet('receiver', clock);
    await chain.fund('sender', { count: 12, value: 3_000_000n });
  });
  afterAll(() => chain.close());

  const answered = <T>(answer: Answer<T>): T => {
    if (!answer.ok) throw new Error(`${answer.fault.kind}: ${answer.fault.message}`);
    return answer.value;
  };
  const faultOf = (answer: Answer<unknown>): string => (answer.ok ? 'none' : answer.fault.kind);
  const feeOf = ({ fee }: PreparedTransaction): bigint => toBaseUnits(fee, 8);
  const sizeOf = ({ tx_hex }: PreparedTransaction): number => {
    const made = madeOf(tx_hex);
    if (made === null) throw new Error('no transaction');
    return virtualSize(made.tx);
  };
  const forSwap = () => ({ swap: `swap ${runs}` });

  /** A payment in a block, and the terms that it is under. */
  async function paid() {
    runs += 1;
    const terms: PaymentTerms = {
      lock: unixSecondsOf(chain.now() + 9000),
      secretHash: bytesToHex(hash160(hexToBytes(SECRET))),
      sender: sender.htlcKey(`swap ${runs}`),
      receiver: receiver.htlcKey(`swap ${runs}`),
      amount: decimalOf(fromBaseUnits(toBaseUnits(AMOUNT, 8) + BigInt(runs), 8)),
      contract: null,
    };
    const payment = answered(
      await sender.prepare({ purpose: 'payment', terms, urgency: 0, replaces: null }, forSwap()),
    );
    answered(await sender.broadcast(payment));
    return { terms, payment };
  }

  async function claimed(urgency = 0) {
    const { terms, payment } = await paid();
    await chain.mine(1);
    const claim = answered(
      await receiver.prepare(
        { purpose: 'claim', terms, funding: payment, secret: SECRET, urgency, replaces: null },
        forSwap(),
      ),
    );
    return { terms, payment, claim };
  }

  const childOf = (
    wallet: UtxoChain,
    parent: PreparedTransaction,
    { urgency = 6, ...more }: { urgency?: number; maxFee?: DecimalText; replaces?: PreparedTransaction | null } = {},
  ) => wallet.prepare({ purpose: 'child', parent, urgency, replaces: null, ...more }, forSwap());

  it('takes the claim’s own output, pays once for both, and is the parent of a further child', async () => {
    const { claim } = await claimed();
    expect(faultOf(await childOf(receiver, claim))).toBe('parentsUnknown');
    answered(await receiver.broadcast(claim));
    const first = answered(await childOf(receiver, claim, { urgency: 3 }));
    expect(first.spends).toEqual([`${claim.tx_hash}:0`]);
    // 2,000 with three steps of half as much again: 6,750 for 1,000 bytes of both.
    const both = sizeOf(claim) + sizeOf(first);
    const paidTogether = Number(feeOf(claim) + feeOf(first));
    expect(paidTogether).toBeGreaterThanOrEqual((6750 * both) / 1000);
    // A signature may be a byte or two shorter than it was reckoned with.
    expect(paidTogether).toBeLessThanOrEqual((6750 * (both + 2)) / 1000 + 1);
    // Nobody else is to take the output, and what is signed twice is one child.
    expect(faultOf(await childOf(receiver, claim, { urgency: 4 }))).toBe('coinsPromised');
    const instead = answered(await childOf(receiver, claim, { urgency: 4, replaces: first }));
    expect(instead.spends).toEqual(first.spends);
    answered(await receiver.broadcast(instead));
    const second = answered(await childOf(receiver, claim, { urgency: 5 }));
    expect(second.spends).toEqual([`${instead.tx_hash}:0`]);
    const three = sizeOf(claim) + sizeOf(instead) + sizeOf(second);
    const all = Number(feeOf(claim) + feeOf(instead) + feeOf(second));
    expect(all).toBeGreaterThanOrEqual((15_187 * three) / 1000);
    expect(all).toBeLessThanOrEqual((15_188 * (three + 4)) / 1000 + 1);
    answered(await receiver.broadcast(second));
    // What rests on a claim counts as little as the claim does, until a block holds it.
    expect(toBaseUnits(answered(await receiver.quote()).spendable, 8)).toBe(0n);
    await chain.mine(1);
    const has = toBaseUnits(answered(await receiver.quote()).spendable, 8);
    expect(has).toBe(toBaseUnits(AMOUNT, 8) + BigInt(runs) - BigInt(all));
    expect(faultOf(await childOf(receiver, claim))).toBe('inputsSpent');
  });

  it('keeps to the ceiling for both together, to its bound, and leaves no dust', async () => {
    const { claim } = await claimed();
    answered(await receiver.broadcast(claim));
    const dear = answered(await childOf(receiver, claim, { urgency: 40 }));
    const both = sizeOf(claim) + sizeOf(dear);
    expect(Number(feeOf(claim) + feeOf(dear))).toBeLessThanOrEqual((60_000 * (both + 2)) / 1000 + 1);
    expect(Number(feeOf(claim) + feeOf(dear))).toBeGreaterThanOrEqual((60_000 * both) / 1000);
    const bound = answered(
      await childOf(receiver, claim, { urgency: 40, maxFee: '0.00003' as DecimalText, replaces: dear }),
    );
    expect(feeOf(bound)).toBe(3000n);
    expect(faultOf(await childOf(receiver, claim, { maxFee: '0.00000004' as DecimalText, replaces: dear }))).toBe(
      'feeTooLow',
    );
    expect(faultOf(await childOf(receiver, claim, { maxFee: '0.00000004' as DecimalText, replaces: bound }))).toBe(
      'feeTooLow',
    );
  });

  it('spends the change of a payment, and not the payment; without change there is no child', async () => {
    const { payment } = await paid();
    const all = answered(await sender.quote()).spendable;
    sender.hold?.({ swap: 'another', amount: all });
    expect(faultOf(await childOf(sender, payment))).toBe('coinsPromised');
    sender.hold?.({ swap: 'another', amount: '0' as DecimalText });
    const child = answered(await childOf(sender, payment));
    const change = madeOf(payment.tx_hex)?.tx.outputs.length ?? 0;
    expect(child.spends).toEqual([`${payment.tx_hash}:${change - 1}`]);
    answered(await sender.broadcast(child));
    await chain.mine(1);
    const { payment: other } = await paid();
    expect(faultOf(await childOf(receiver, other))).toBe('unsupported');
    expect(faultOf(await childOf(sender, { ...other, tx_hash: payment.tx_hash }))).toBe('invalid');
    await chain.mine(1);
  });
});
