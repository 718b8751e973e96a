import { describe, expect, it } from 'vitest';
import type { PaymentView } from '../../../../../src/ports/chain.ts';
import type { UnixSeconds } from '../../../../../src/primitives/time.ts';
import { NEVER } from '../../../../../src/runtime/command.ts';
import {
  announcePayment,
  validateOther,
  waitForMakerPayment,
} from '../../../../../src/runtime/swap/effects/validate.ts';
import {
  appended,
  asked,
  awaiting,
  decided,
  event,
  failed,
  fundedBy,
  inMillis,
  looked,
  PAID,
  SAID,
  spentWith,
  TOPIC,
  wantOf,
} from '../../../../support/effect-turns.ts';
import { after, NOW, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const POLICY = { confirmationPoll: 40, resend: { payment: 600, fee: 100 }, bumpAfter: 600 };
const MAKER = { role: 'maker', own: 'maker', other: 'taker' } as const;
const OWN = { tx_hex: 'cc00', tx_hash: 'cc'.repeat(32) };
const makerPayment = { kind: 'makerPayment', tx: OWN, instructions: null } as const;
const sent = (kind: string, at = NOW as number) => ({ sentAt: new Map([[kind, at as never]]) });
const deadline = (kind: string, at: number, clock = 'host') => event('DeadlineReached', { kind, deadline: at, clock });

/** How a turn looks some milliseconds later, with a look of that moment. */
const lookedLater = (leg: 'maker' | 'taker', view: Partial<PaymentView>, millis: number) => ({
  now: inMillis(millis),
  facts: { payments: { [leg]: { ...looked(view), at: inMillis(millis) } } },
});

const WANT = wantOf('validateMakerPayment', { until: after(100), clock: 'makerChain' });
const validated = ({ swap, ...rest }: TurnChanges, want = WANT) =>
  decided(
    (turn) => validateOther(turn, want),
    turnOf({ policy: POLICY, events: SAID, ...rest, swap: { otherPayment: PAID, otherConfirmations: 2, ...swap } }),
  );
const theirs = (view: Partial<PaymentView>, ago = 0) => ({ facts: { payments: { maker: looked(view, ago) } } });
const funding = fundedBy({ confirmations: 2 });
const late = (times: number, hash = PAID.tx_hash, clock = 'host') => {
  const text = `Waited too long until ${NOW / 1000 + 100} for transaction ${hash} to be confirmed ${times} times`;
  return appended(deadline('validateMakerPayment', after(100), clock), event('otherUnconfirmed', text));
};

describe('the other’s payment', () => {
  it('is looked at as the other side named it', () => {
    const query = { terms: turnOf().swap.otherTerms as never, claimed: PAID.tx_hex };
    expect(validated({})[0]).toStrictEqual(asked('maker', { op: 'payment', query }));
    expect(validated(theirs({ funding }, 40_001))[0]).toMatchObject({ kind: 'ask' });
    expect(validated(theirs({ funding }, 40_000))[0]).toStrictEqual(appended(event('otherValidated')));
  });

  it('counts once it is confirmed as often as agreed, unspent', () => {
    const waits = [null, 40_001];
    expect(validated(theirs({ funding: fundedBy() }))).toEqual(waits);
    expect(validated(theirs({ funding, spend: spentWith('refund') }))).toEqual(waits);
    expect(validated({ ...theirs({ funding }), swap: { otherRequiresNota: true } })).toEqual(waits);
    const none = { otherConfirmations: 0 };
    expect(validated({ ...theirs({ funding: fundedBy({ confirmations: 0 }) }), swap: none })).toEqual(waits);
    expect(validated({ ...theirs({ funding: fundedBy() }), swap: none })[0]).toMatchObject({ kind: 'append' });
    expect(validated(theirs({}))).toEqual(waits);
  });

  it('is refused if it is a different one, even when it is confirmed', () => {
    const refused = appended(event('otherInvalid', 'too little'));
    expect(validated(theirs({ funding, problem: 'too little' }))[0]).toStrictEqual(refused);
    expect(validated(theirs({ problem: 'too little' }))[0]).toStrictEqual(refused);
  });

  it('is not refused for what somebody else sends to its script, nor taken for it', () => {
    const swap = { otherPayment: OWN };
    const strange = { ...theirs({ funding, problem: 'too little' }), swap };
    expect(validated(strange)).toEqual([null, 40_001]);
    const end = { ...strange, now: inMillis(100_001) };
    expect(
      validated({ ...end, ...lookedLater('maker', { funding, problem: 'too little' }, 100_001) })[0],
    ).toStrictEqual(late(2, OWN.tx_hash));
    expect(validated({ ...theirs({ problem: 'too little' }), swap })[0]).toMatchObject({ kind: 'append' });
  });

  it('has until the end of the wait, to the millisecond, by the latest clock', () => {
    expect(validated(lookedLater('maker', {}, 100_000))).toEqual([null, 100_001]);
    expect(validated(lookedLater('maker', {}, 100_001))[0]).toStrictEqual(late(2));
    const clock = (NOW / 1000 + 101) as UnixSeconds;
    expect(validated(theirs({ clock }))[0]).toStrictEqual(late(2, PAID.tx_hash, 'makerChain'));
    expect(validated(lookedLater('maker', { funding }, 100_001))[0]).toStrictEqual(appended(event('otherValidated')));
    expect(validated(lookedLater('maker', {}, 900_001), wantOf('validateMakerPayment'))).toEqual([null, 940_002]);
  });

  it('is reported late with the confirmations that count, at least one', () => {
    const swap = { otherConfirmations: 0 };
    expect(validated({ ...lookedLater('maker', {}, 100_001), swap })[0]).toStrictEqual(late(1));
    const unnamed = { otherPayment: null };
    expect(validated({ ...lookedLater('maker', {}, 100_001), swap: unnamed })[0]).toStrictEqual(late(2, ''));
  });

  it('is also late if its chain does not answer', () => {
    expect(validated({ now: inMillis(100_001) })[0]).toStrictEqual(late(2));
    expect(validated({ now: inMillis(100_000) })[0]).toMatchObject({ kind: 'ask' });
    expect(validated({ facts: { tries: failed('maker:payment') } })).toEqual([null, 60_000]);
  });

  it('makes a maker keep telling about its own payment', () => {
    const swap = { ...MAKER, ownPayment: OWN };
    const facts = { payments: { taker: looked({ funding: fundedBy() }) } };
    const said = { kind: 'send', topic: TOPIC, message: makerPayment };
    expect(validated({ swap, facts })).toEqual([said, 40_001]);
  });
});

describe('a maker announces its payment', () => {
  const announced = (changes: TurnChanges) =>
    decided(
      announcePayment,
      turnOf({ policy: POLICY, ...changes, swap: { ...MAKER, ownPayment: OWN, ...changes.swap } }),
    );

  it('every ten minutes', () => {
    const said = { kind: 'send', topic: TOPIC, message: makerPayment };
    expect(announced({})[0]).toStrictEqual(said);
    expect(announced({ facts: sent('makerPayment', after(-600)) })[0]).toStrictEqual(said);
    expect(announced({ facts: sent('makerPayment', inMillis(-599_999)) })).toEqual([null, 1]);
  });

  it('only once it has one, and a taker does not', () => {
    expect(announced({ swap: { ownPayment: null } })).toEqual([null, NEVER - NOW]);
    expect(announced({ swap: { role: 'taker' } })[0]).toBeNull();
  });
});

describe('a taker that waits for the maker payment', () => {
  const WANT = awaiting('waitForMakerPayment', NOW, 690);
  const fee = { kind: 'takerFee', tx: OWN } as const;
  const waits = ({ events, swap, ...rest }: TurnChanges, want = WANT) =>
    decided(
      (turn) => waitForMakerPayment(turn, want),
      turnOf({
        policy: POLICY,
        ...rest,
        events: { ...SAID, feeMessage: () => fee, ...events },
        swap: { state: 'takerFeeSent', lastEventAt: NOW, ...swap },
      }),
    );
  const theirs = (view: Partial<PaymentView>) => ({ payments: { maker: looked(view) } });

  it('accepts what the chain shows, whatever the maker said', () => {
    const facts = theirs({ funding: fundedBy({ confirmations: 0 }) });
    const received = event('otherReceived', PAID);
    const first = event('TakerPaymentInstructionsReceived', null);
    expect(waits({ facts })[0]).toStrictEqual(appended(first, received));
    expect(waits({ facts, swap: { state: 'instructionsReceived' } })[0]).toStrictEqual(appended(received));
    const inbox = new Map([['makerPayment', { ...makerPayment, instructions: { Lightning: 'x' } }] as const]);
    expect(waits({ facts: { ...facts, inbox } })[0]).toStrictEqual(
      appended({ ...first, data: { Lightning: 'x' } }, received),
    );
  });

  it('accepts what does not fulfill the terms only if the maker named it: anyone can send to the script', () => {
    const strange = theirs({ funding: fundedBy({ confirmations: 3 }), problem: 'too little' });
    const said = { kind: 'send', topic: TOPIC, message: fee };
    const naming = (tx: typeof PAID) => ({ inbox: new Map([['makerPayment', { ...makerPayment, tx }] as const]) });
    expect(waits({ facts: strange })[0]).toStrictEqual(said);
    expect(waits({ facts: { ...strange, ...naming(OWN) } })[0]).toStrictEqual(said);
    const received = [event('TakerPaymentInstructionsReceived', null), event('otherReceived', PAID)];
    expect(waits({ facts: { ...strange, ...naming(PAID) } })[0]).toStrictEqual(appended(...received));
  });

  it('announces its fee again and again, and looks in between', () => {
    const said = { kind: 'send', topic: TOPIC, message: fee };
    expect(waits({})[0]).toStrictEqual(said);
    expect(waits({ facts: sent('takerFee', inMillis(-99_999)) })[0]).toMatchObject({ key: 'maker:payment' });
    expect(waits({ facts: { ...theirs({}), ...sent('takerFee', inMillis(-99_999)) } })).toEqual([null, 1]);
    expect(waits({ facts: { ...theirs({}), ...sent('takerFee', after(-100)) } })[0]).toStrictEqual(said);
    const silent = { events: { feeMessage: () => null } };
    expect(waits(silent)[0]).toMatchObject({ key: 'maker:payment' });
    expect(waits({ ...silent, facts: theirs({}) })).toEqual([null, 40_001]);
  });

  it('gives up after 690 s, reported in whole seconds', () => {
    const at = (millis: number) => ({ ...lookedLater('maker', {}, millis), events: { feeMessage: () => null } });
    expect(waits(at(690_999))).toEqual([null, 691_000]);
    const error = "Error waiting for 'maker-payment' data: Timeout (691 > 690)";
    expect(waits(at(691_000))[0]).toStrictEqual(
      appended(deadline('waitForMakerPayment', after(690)), event('MakerPaymentValidateFailed', { error })),
    );
    expect(waits(at(9_000_000), wantOf('waitForMakerPayment'))[0]).toBeNull();
    const there = lookedLater('maker', { funding: fundedBy() }, 9_000_000);
    expect(waits(there)[0]).toMatchObject({ events: [{}, { type: 'otherReceived' }] });
  });
});
