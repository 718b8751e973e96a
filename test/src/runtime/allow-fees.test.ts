import { describe, expect, it } from 'vitest';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { DEFAULT_POLICY, DEFAULT_RUNTIME_POLICY } from '../../../src/runtime/index.ts';
import { createPair, type PairOptions, requestOf, UUID } from '../../support/swap-pair.ts';

// A maker claims MARTY, of which its operator allows no fee that would do.

const LOWEST = '0.00000001' as DecimalText;
const fees = { ...DEFAULT_POLICY.fees, most: { MARTY: LOWEST } };
const policy = { ...DEFAULT_RUNTIME_POLICY, fees };
const stingy: PairOptions = { options: (side) => (side === 'maker' ? { policy } : {}) };

async function waitingForFee(given: PairOptions = stingy) {
  const pair = createPair(given);
  const { maker, taker } = pair.nodes;
  await Promise.all([maker.runtime.startSwap(requestOf('maker')), taker.runtime.startSwap(requestOf('taker'))]);
  const waits = async () => (await maker.runtime.status(UUID))?.waiting?.fee !== undefined;
  expect(await pair.until(waits, 60)).toBe(true);
  return pair;
}

describe('a swap that waits because no fee within its bound suffices', () => {
  it.each([
    ['UTXO', {}],
    ['account', { accounts: ['MARTY'] }],
  ] as const)('says for what, on which chain, the bound, and the least fee: %s', async (_kind, more) => {
    const { nodes } = await waitingForFee({ ...stingy, ...more });
    const status = await nodes.maker.runtime.status(UUID);
    const { fee, text } = status?.waiting ?? {};
    expect(fee).toMatchObject({ leg: 'taker', coin: 'MARTY', purpose: 'claim', most: LOWEST });
    expect(Number(fee?.least)).toBeGreaterThan(Number(LOWEST));
    expect(text).toContain(`MARTY requires a fee of ${fee?.least} for the claim, but at most ${LOWEST} may be paid.`);
    expect(status?.faults).toMatchObject([{ op: 'prepare', kind: 'feeTooLow', fee: { purpose: 'claim' } }]);
  });

  it('continues at once when an operator allows that much, and the log says how much and why', async () => {
    const pair = await waitingForFee();
    const { runtime, log } = pair.nodes.maker;
    const least = (await runtime.status(UUID))?.waiting?.fee?.least as DecimalText;
    const before = pair.types('maker').length;
    await runtime.allowFees(UUID, { coin: 'MARTY', most: least, reason: 'the price of the day' });
    await pair.clock.advance(0);
    const records = (await log.read(`maker-swap/${UUID}`)).slice(before);
    expect(records[0]?.data).toEqual({
      action: 'allowFees',
      reason: 'the price of the day',
      fees: { payment: 'taker', most: least },
    });
    expect(records.map(({ type }) => type)).toContain('BroadcastAccepted');
    expect(records[1]?.data).toMatchObject({ purpose: 'claim', tx: { fee: least } });
    expect((await runtime.status(UUID))?.feesAllowed).toEqual({ maker: null, taker: least });
    expect(await pair.until(async () => (await runtime.status(UUID))?.outcome === 'completed', 60)).toBe(true);
  });

  it('keeps waiting if too little is allowed, or something for the other chain', async () => {
    const pair = await waitingForFee();
    const { runtime } = pair.nodes.maker;
    await runtime.allowFees(UUID, { coin: 'MARTY', most: '0.00000002' as DecimalText });
    await runtime.allowFees(UUID, { coin: 'DOC', most: null });
    await pair.minutes(2);
    const status = await runtime.status(UUID);
    expect(status?.waiting?.fee).toMatchObject({ most: '0.00000002' });
    expect(status?.feesAllowed).toEqual({ maker: 'any', taker: '0.00000002' });
  });

  it('remembers an order over a restart, until it is withdrawn', async () => {
    const pair = await waitingForFee();
    const { maker } = pair.nodes;
    await maker.runtime.allowFees(UUID, { coin: 'MARTY', most: '0.00000002' as DecimalText });
    pair.restart('maker');
    await maker.runtime.resumeAll();
    await pair.clock.advance(0);
    expect((await maker.runtime.status(UUID))?.feesAllowed.taker).toBe('0.00000002');
    await maker.runtime.allowFees(UUID, { coin: 'MARTY', most: '0.0' as DecimalText });
    await pair.clock.advance(0);
    const status = await maker.runtime.status(UUID);
    expect(status).toMatchObject({ feesAllowed: { taker: null }, waiting: { fee: { most: LOWEST } } });
  });
});

describe('an order about fees', () => {
  it('names one of the coins of an existing swap, and an amount', async () => {
    const pair = createPair();
    const { runtime } = pair.nodes.taker;
    const most = '0.1' as DecimalText;
    await expect(runtime.allowFees(UUID, { coin: 'DOC', most })).rejects.toMatchObject({ code: 'SWAP_NOT_FOUND' });
    await runtime.startSwap(requestOf('taker'));
    const count = pair.types('taker').length;
    await expect(runtime.allowFees(UUID, { coin: 'doc', most })).rejects.toMatchObject({
      code: 'FEE_ORDER_INVALID',
      facts: { member: 'coin', expected: 'DOC or MARTY' },
    });
    for (const wrong of ['-1', '1,5', 'NaN', '', 5, undefined, {}]) {
      await expect(runtime.allowFees(UUID, { coin: 'DOC', most: wrong as never })).rejects.toMatchObject({
        code: 'FEE_ORDER_INVALID',
        facts: { member: 'most' },
      });
    }
    expect(pair.types('taker')).toHaveLength(count);
    void runtime.drain();
    await expect(runtime.allowFees(UUID, { coin: 'DOC', most })).rejects.toMatchObject({ code: 'RUNTIME_DRAINING' });
  });
});
