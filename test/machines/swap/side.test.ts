import { describe, expect, it } from 'vitest';
import { makerSwap, takerSwap } from '../../../machines/index.ts';
import { makerSide } from '../../../machines/maker-swap/side.ts';
import type { SwapSide } from '../../../machines/swap/side.ts';
import { otherParty } from '../../../machines/swap/side.ts';
import { takerSide } from '../../../machines/taker-swap/side.ts';
import type { MakerEvent } from '../../../src/events/maker.ts';
import type { TakerEvent } from '../../../src/events/taker.ts';
import { compile } from '../../../src/replay/compile.ts';
import { fold } from '../../../src/replay/fold.ts';
import { buildSwapPair } from '../../../src/testing/index.ts';

const pair = buildSwapPair();
const payloadOf = (events: readonly { readonly type: string; readonly data: unknown }[], type: string) => {
  const found = events.find((event) => event.type === type);
  if (found === undefined) throw new Error(`the log holds no ${type}`);
  return found.data as Readonly<Record<string, unknown>>;
};
const hash = (events: Parameters<typeof payloadOf>[0], type: string) => payloadOf(events, type)['tx_hash'];

/** Both sides of one swap after their first events; all of them unless a count is given. */
function sides(count?: number): { readonly maker: SwapSide; readonly taker: SwapSide } {
  const maker = fold(compile(makerSwap), pair.maker.events.slice(0, count) as readonly MakerEvent[]);
  const taker = fold(compile(takerSwap), pair.taker.events.slice(0, count) as readonly TakerEvent[]);
  return { maker: makerSide(maker.state, maker.context), taker: takerSide(taker.state, taker.context) };
}

describe('both sides of a swap in neutral names', () => {
  const { maker, taker } = sides();

  it('each calls its own what the other calls the other', () => {
    const own = ({ ownCoin, ownAmount, ownLock, ownPayment }: SwapSide) => [
      ...[ownCoin, ownAmount, ownLock],
      ownPayment?.tx_hash,
    ];
    const other = ({ otherCoin, otherAmount, otherLock, otherPayment }: SwapSide) => [
      ...[otherCoin, otherAmount, otherLock],
      otherPayment?.tx_hash,
    ];
    expect(own(taker)).toEqual(other(maker));
    expect(own(maker)).toEqual(other(taker));
    expect(own(taker)).not.toEqual(own(maker));
    expect([taker.role, taker.other, maker.role, maker.other]).toEqual(['taker', 'maker', 'maker', 'taker']);
    expect([otherParty('maker'), otherParty('taker')]).toEqual(['taker', 'maker']);
  });

  it('the own payment is the one that the log says this side sent, under the lock that it stored', () => {
    const [made, taken] = [payloadOf(pair.maker.events, 'Started'), payloadOf(pair.taker.events, 'Started')];
    expect([maker.ownCoin, maker.ownAmount, maker.ownLock]).toEqual(
      ['maker_coin', 'maker_amount', 'maker_payment_lock'].map((name) => made[name]),
    );
    expect([taker.ownCoin, taker.ownAmount, taker.ownLock]).toEqual(
      ['taker_coin', 'taker_amount', 'taker_payment_lock'].map((name) => taken[name]),
    );
    expect(maker.ownPayment?.tx_hash).toBe(hash(pair.maker.events, 'MakerPaymentSent'));
    expect(taker.ownPayment?.tx_hash).toBe(hash(pair.taker.events, 'TakerPaymentSent'));
  });

  it('each claims the payment of the other, and the maker first', () => {
    expect(maker.claim?.tx_hash).toBe(hash(pair.maker.events, 'TakerPaymentSpent'));
    expect(taker.claim?.tx_hash).toBe(hash(pair.taker.events, 'MakerPaymentSpent'));
    expect(taker.ownTaken?.tx).toBe(maker.claim?.tx_hash);
    expect([maker.secretIsPublic, taker.secretIsPublic]).toEqual([true, true]);
    expect(maker.secret).toBe(taker.secret);
  });

  it('before anything is paid there is nothing to claim, and only the maker knows the secret', () => {
    const begun = sides(2);
    for (const side of [begun.maker, begun.taker]) {
      expect([side.ownPayment, side.otherPayment, side.claim, side.claimable]).toEqual([null, null, null, false]);
      expect([side.secretIsPublic, side.refunded, side.claimConfirmed]).toEqual([false, false, false]);
    }
    expect([begun.maker.knowsSecret, begun.taker.knowsSecret]).toEqual([true, false]);
    expect([begun.maker.otherKnowsSecret, begun.taker.otherKnowsSecret]).toEqual([false, true]);
  });
});
