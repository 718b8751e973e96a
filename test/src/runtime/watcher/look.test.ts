import { describe, expect, it } from 'vitest';
import type { PaymentQuery } from '../../../../src/ports/chain.ts';
import { lookFresh } from '../../../../src/runtime/swap/turn.ts';
import { lookTakerPayment, lookTakerPaymentFresh } from '../../../../src/runtime/watcher/look.ts';
import type { WatcherTurn } from '../../../../src/runtime/watcher/turn.ts';
import { sample } from '../../../machines/watcher/support.ts';
import { asked, found, inMillis, looked } from '../../../support/effect-turns.ts';
import { NOW, paymentOf } from '../../../support/turns.ts';
import { type WatcherTurnChanges, watcherTurnOf } from '../../../support/watcher-turns.ts';

const { watch } = sample;
const decided = (effect: (turn: WatcherTurn) => unknown, changes: WatcherTurnChanges) => {
  const turn = watcherTurnOf({ policy: { confirmationPoll: 40, feeCheck: { retries: 2, pause: 10 } }, ...changes });
  const proposal = effect(turn);
  return [proposal, turn.wakeAt - NOW];
};

describe('a taker payment whose amount is unknown', () => {
  const hash = watch.taker_payment_hash;
  const unknown = { swap: { ownTerms: null } };

  it.each([
    ['now and then', lookTakerPayment],
    ['before an act', lookTakerPaymentFresh],
  ])('is looked for by its id %s', (_, look) => {
    const looks = (changes: WatcherTurnChanges) => decided((turn) => look(turn, 40), { ...unknown, ...changes })[0];
    const ask = { pending: asked('taker', { op: 'transaction', hash, key: `transaction:${hash}` }) };
    expect(looks({})).toStrictEqual(ask);
    expect(looks({ facts: { transactions: found(hash, {}, 40_001) } })).toStrictEqual(ask);
    const shows = (status: 'unknown' | 'mempool' | 'confirmed' | 'conflicted' | 'reverted') =>
      looks({ now: inMillis(999), facts: { transactions: found(hash, { status }) } });
    const none = { value: paymentOf({ clock: (NOW / 1000) as never, height: 0 }) };
    const problem = 'the bytes of the taker payment cannot be read';
    for (const status of ['unknown', 'conflicted', 'reverted'] as const) expect(shows(status)).toStrictEqual(none);
    for (const status of ['mempool', 'confirmed'] as const) {
      expect(shows(status)).toStrictEqual({ value: { ...none.value, problem } });
    }
  });

  it('is looked for by its terms from then on; a look before an act does not repeat itself', () => {
    const facts = { payments: { taker: looked({}, 40_000) } };
    expect(decided((turn) => lookTakerPayment(turn, 40), { facts })).toEqual([{ value: paymentOf() }, 1]);
    const [value, wakes] = decided((turn) => lookTakerPaymentFresh(turn, 40), { facts });
    expect(value).toEqual({ value: paymentOf() });
    expect(wakes).toBeGreaterThan(1e9);
  });
});

describe('a search for the payments of a watched swap', () => {
  const fromOf = (leg: 'maker' | 'taker', changes: WatcherTurnChanges = {}) => {
    const look = lookFresh(watcherTurnOf(changes), leg, 40) as { readonly pending: { readonly question: object } };
    return (look.pending.question as { readonly query: PaymentQuery }).query.from;
  };

  it('begins well below the heights of its start, on each chain its own, and not below the first block', () => {
    expect(watch).toMatchObject({ maker_coin_start_block: 2000, taker_coin_start_block: 1000 });
    expect([fromOf('maker'), fromOf('taker')]).toEqual([2000 - 144, 1000 - 144]);
    const young = { maker_coin_start_block: 145, taker_coin_start_block: 7 };
    expect([fromOf('maker', { watch: young }), fromOf('taker', { watch: young })]).toEqual([1, 0]);
  });

  it('begins at the first block if the taker gives no height', () => {
    expect(fromOf('maker', { watch: { maker_coin_start_block: 0 } })).toBe(0);
  });
});
