import { describe, expect, it } from 'vitest';
import { isConfirmed } from '../../../src/runtime/is-confirmed.ts';
import { createPair, type Pair, requestOf, type Side, UUID } from '../../support/swap-pair.ts';

const SIDES = ['maker', 'taker'] as const;
const tx = { tx_hex: '00', tx_hash: 'aa' };

describe('a payment', () => {
  it('is confirmed with the agreed confirmations, and never without any', () => {
    const seen = (confirmations: number, needed: number) =>
      isConfirmed({ tx, confirmations }, { confirmations: needed, requiresNota: false });
    expect([seen(0, 0), seen(1, 0), seen(1, 2), seen(2, 2), seen(3, 2)]).toEqual([false, true, false, true, true]);
  });

  it('that must be notarized is not confirmed by confirmations alone', () => {
    const agreed = { confirmations: 1, requiresNota: true };
    expect(isConfirmed({ tx, confirmations: 99 }, agreed)).toBe(false);
    expect(isConfirmed({ tx, confirmations: 99, notarised: false }, agreed)).toBe(false);
    expect(isConfirmed({ tx, confirmations: 1, notarised: true }, agreed)).toBe(true);
    expect(isConfirmed({ tx, confirmations: 1, notarised: true }, { confirmations: 2, requiresNota: true })).toBe(
      false,
    );
  });
});

describe('a swap whose payments must be notarised', () => {
  const nota = { maker_payment_requires_nota: true, taker_payment_requires_nota: true };
  const heightsAt = async (pair: Pair, side: Side, type: string) => {
    await pair.until(() => pair.types(side).includes(type), 60);
    return { DOC: pair.chains.DOC.sim?.height() ?? 0, MARTY: pair.chains.MARTY.sim?.height() ?? 0 };
  };

  it('continues only behind notarized blocks', async () => {
    const pair = createPair({ settings: { notariseEvery: 10 } });
    for (const side of SIDES) await pair.nodes[side].runtime.startSwap(requestOf(side, nota));
    const paid = await heightsAt(pair, 'maker', 'MakerPaymentSent');
    const validated = await heightsAt(pair, 'taker', 'MakerPaymentValidatedAndConfirmed');
    expect(validated.DOC).toBeGreaterThan(paid.DOC + 2);
    expect(validated.DOC % 10).toBe(0);
    const claimed = await heightsAt(pair, 'maker', 'TakerPaymentSpent');
    expect(claimed.MARTY % 10).toBe(0);
    expect(claimed.MARTY).toBeGreaterThan(validated.MARTY);
    expect(await pair.until(() => SIDES.every((side) => pair.types(side).includes('Finished')), 60)).toBe(true);
    expect((await pair.nodes.taker.runtime.status(UUID))?.outcome).toBe('completed');
  });

  it('waits for that only after the payment for which it was asked', async () => {
    const { maker_payment_requires_nota } = nota;
    const pair = createPair({ settings: { notariseEvery: 10 } });
    for (const side of SIDES)
      await pair.nodes[side].runtime.startSwap(requestOf(side, { maker_payment_requires_nota }));
    const validated = await heightsAt(pair, 'taker', 'MakerPaymentValidatedAndConfirmed');
    expect(validated.DOC % 10).toBe(0);
    const sent = await heightsAt(pair, 'taker', 'TakerPaymentSent');
    const confirmed = await heightsAt(pair, 'maker', 'TakerPaymentValidatedAndConfirmed');
    // As many blocks as the order asks for, of which the last is not notarised.
    expect(confirmed.MARTY - sent.MARTY).toBe(requestOf('maker').taker_payment_confirmations);
    expect(Math.floor(confirmed.MARTY / 10)).toBe(Math.floor(sent.MARTY / 10));
  });

  it('ends without a payment of the taker if no block is notarised in time', async () => {
    const pair = createPair({ settings: { notariseEvery: 1_000_000 } });
    for (const side of SIDES) await pair.nodes[side].runtime.startSwap(requestOf(side, nota));
    expect(await pair.until(() => SIDES.every((side) => pair.types(side).includes('Finished')), 500)).toBe(true);
    expect(pair.types('taker')).toContain('MakerPaymentWaitConfirmFailed');
    expect(pair.types('taker')).not.toContain('TakerPaymentSent');
    expect((await pair.nodes.maker.runtime.status(UUID))?.outcome).toBe('refunded');
  });
});
