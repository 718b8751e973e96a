import { describe, expect, it } from 'vitest';
import type { PaymentView } from '../../../../src/ports/chain.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import type { Millis, UnixSeconds } from '../../../../src/primitives/time.ts';
import {
  completedClaim,
  type LookingForMaker,
  lookMakerPayment,
} from '../../../../src/runtime/watcher/maker-payment.ts';
import type { WatcherTurn } from '../../../../src/runtime/watcher/turn.ts';
import { sample } from '../../../machines/watcher/support.ts';
import { asked, failed, found, fundedBy, looked, SECRET, spentWith, TAKEN } from '../../../support/effect-turns.ts';
import { after, NOW, preparedOf } from '../../../support/turns.ts';
import { type WatcherTurnChanges, watcherTurnOf } from '../../../support/watcher-turns.ts';

const { watch } = sample;
/** The maker can take its payment back from 4000 s after now on. */
const LOOKING: LookingForMaker = { maxAge: 40, contestedFrom: after(4000) };
const POLICY = { confirmationPoll: 40, freshness: 7 };
const TIMING = { search_interval: 300 };
const decided = (effect: (turn: WatcherTurn) => unknown, changes: WatcherTurnChanges) => {
  const turn = watcherTurnOf({
    state: 'claiming',
    policy: POLICY,
    timing: TIMING,
    context: { secret: SECRET },
    ...changes,
  });
  const proposal = effect(turn);
  return [proposal, turn.wakeAt - NOW];
};
const MADE = { ...TAKEN, spends: ['x'], fee: '0.1' as DecimalText };
const made = { prepared: new Map([['claimPreimage', MADE] as const]) };
const COMPLETES = asked('maker', {
  op: 'prepare',
  request: { purpose: 'completePreimage', preimage: watch.maker_payment_spend_preimage, secret: SECRET },
  key: 'prepare:claimPreimage',
});
const own = (changes: object = {}) => ({ prepared: { claim: [preparedOf({ tx: TAKEN, ...changes })] } });

describe('a maker payment whose terms are known', () => {
  const shows = (view: Partial<PaymentView>, changes: WatcherTurnChanges = {}) =>
    decided((turn) => lookMakerPayment(turn, LOOKING), { ...changes, facts: { payments: { maker: looked(view) } } })[0];

  it('is there, or taken, or lost, as its chain shows it', () => {
    expect(shows({})).toStrictEqual({ value: { status: 'absent' } });
    expect(shows({ funding: fundedBy() })).toStrictEqual({ value: { status: 'open' } });
    const lost = { status: 'lost', tx: TAKEN, confirmations: 1 };
    expect(shows({ spend: spentWith('refund') })).toStrictEqual({ value: lost });
    const claimed = { status: 'claimed', own: false, tx: TAKEN, confirmations: 1 };
    expect(shows({ spend: spentWith('secret') })).toStrictEqual({ value: claimed });
    expect(shows({ spend: spentWith('secret') }, { journal: own() })).toStrictEqual({
      value: { ...claimed, own: true },
    });
    const nameless = { ...claimed, tx: null };
    expect(shows({ spend: spentWith('secret', { tx: null }) }, { journal: own() })).toStrictEqual({ value: nameless });
  });
});

const TERMLESS = { otherTerms: null };
const looks = ({ swap, ...changes }: WatcherTurnChanges = {}, looking: LookingForMaker = LOOKING) =>
  decided((turn) => lookMakerPayment(turn, looking), { swap: { ...TERMLESS, ...swap }, ...changes });
const asks = (hash: string) => ({ pending: asked('maker', { op: 'transaction', hash, key: `transaction:${hash}` }) });
const claimed = (
  view: Parameters<typeof found>[1],
  changes: WatcherTurnChanges = {},
  contestedFrom: Millis | undefined = after(4000),
) =>
  looks(
    { ...changes, facts: { ...made, transactions: found(TAKEN.tx_hash, view), ...changes.facts } },
    { ...LOOKING, contestedFrom },
  )[0];
const value = (seen: object) => ({ value: seen });

describe('a maker payment with unknown terms', () => {
  it('is judged by the outcome of the claim', () => {
    expect(looks()[0]).toStrictEqual({ pending: COMPLETES });
    expect(looks({ facts: made })[0]).toStrictEqual(asks(TAKEN.tx_hash));
    expect(looks({ facts: { ...made, transactions: found(TAKEN.tx_hash, {}, 40_001) } })[0]).toStrictEqual(
      asks(TAKEN.tx_hash),
    );
    expect(claimed({ status: 'unknown' })).toEqual(value({ status: 'open' }));
    expect(claimed({ status: 'reverted' })).toEqual(value({ status: 'open' }));
  });

  it.each(['mempool', 'confirmed'] as const)('is taken by the claim in the state %s', (status) => {
    const by = (isOwn: boolean) => value({ status: 'claimed', own: isOwn, tx: TAKEN, confirmations: 2 });
    expect(claimed({ status, confirmations: 2 })).toStrictEqual(by(false));
    expect(claimed({ status, confirmations: 2 }, { journal: own() })).toStrictEqual(by(true));
  });

  it('was claimed by the taker if the claim is impossible before the lock of the maker, else it is lost', () => {
    const gone = (now: number, clock?: number) =>
      claimed(
        { status: 'conflicted', confirmations: 2 },
        {
          now: after(now),
          facts: {
            ...made,
            transactions: new Map([
              [TAKEN.tx_hash, { value: { status: 'conflicted', confirmations: 2 }, at: after(now) }],
            ]),
            ...(clock === undefined
              ? {}
              : { payments: { taker: looked({ clock: (NOW / 1000 + clock) as UnixSeconds }) } }),
          },
        },
      );
    const byTaker = value({ status: 'claimed', own: false, tx: null, confirmations: 2 });
    const lost = value({ status: 'lost', tx: null, confirmations: 2 });
    expect(gone(3999)).toStrictEqual(byTaker);
    expect(gone(4000)).toStrictEqual(lost);
    expect(gone(0, 4000)).toStrictEqual(lost);
  });
});

describe('a maker payment known only by its id', () => {
  it('is searched for itself if the claim is impossible', () => {
    const hash = watch.maker_payment_hash;
    const unmade = (facts: WatcherTurnChanges['facts'] = {}) =>
      looks({ facts: { tries: failed('maker:prepare:claimPreimage'), ...facts } });
    expect(unmade()[0]).toStrictEqual(asks(hash));
    expect(unmade({ transactions: found(hash, {}, 300_001) })[0]).toStrictEqual(asks(hash));
    expect(unmade({ transactions: found(hash, {}, 300_000) })).toEqual([value({ status: 'absent' }), 1]);
    expect(unmade({ transactions: found(hash, { status: 'mempool' }) })[0]).toEqual(value({ status: 'open' }));
    expect(looks({ context: { secret: null } })[0]).toStrictEqual(asks(hash));
    const known = { journal: own(), facts: { tries: failed('maker:prepare:claimPreimage') } };
    expect(looks(known)[0]).toStrictEqual(asks(TAKEN.tx_hash));
  });

  it('is searched for first if its amount is unknown', () => {
    const hash = watch.maker_payment_hash;
    const swap = { ...TERMLESS, amounts: { maker: null, taker: null } };
    expect(looks({ swap })[0]).toStrictEqual(asks(hash));
    expect(looks({ swap, facts: { transactions: found(hash, {}) } })[0]).toEqual(value({ status: 'absent' }));
    const there = { transactions: found(hash, { status: 'confirmed' }) };
    expect(looks({ swap, facts: there })[0]).toStrictEqual({ pending: COMPLETES });
  });
});

describe('the claim that the taker signed', () => {
  const completes = (changes: WatcherTurnChanges = {}) => decided(completedClaim, changes)[0];

  it('is completed with the secret once', () => {
    expect(completes()).toStrictEqual({ pending: COMPLETES });
    expect(completes({ facts: made })).toStrictEqual({ value: MADE });
    expect(completes({ facts: made, context: { secret: null } })).toStrictEqual({ value: MADE });
    expect(completes({ context: { secret: null } })).toStrictEqual({ pending: null });
  });
});
