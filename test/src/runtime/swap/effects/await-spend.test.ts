import { describe, expect, it } from 'vitest';
import { initialTakerSwapContext } from '../../../../../machines/taker-swap/context.ts';
import type { UnixSeconds } from '../../../../../src/primitives/time.ts';
import { NEVER } from '../../../../../src/runtime/command.ts';
import { waitForTakerPaymentSpend } from '../../../../../src/runtime/swap/effects/await-spend.ts';
import {
  appended,
  asked,
  broadcastOf,
  decided,
  event,
  fundedBy,
  inMillis,
  looked,
  PAID,
  SAID,
  SECRET,
  spentWith,
  TAKEN,
  TOPIC,
  wantOf,
} from '../../../../support/effect-turns.ts';
import { READY } from '../../../../support/paying-turns.ts';
import { after, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const LOCK = after(600);
const WANT = wantOf('waitForTakerPaymentSpend', { until: LOCK, clock: 'takerChain' });
const MINE = looked({ funding: fundedBy() });

const turn = ({ facts, ...rest }: TurnChanges = {}) =>
  turnOf({
    ...rest,
    events: { ...SAID, ...rest.events },
    swap: { state: 'waitingForSpend', ownPayment: PAID, ...rest.swap },
    facts: { payments: { taker: MINE }, ...facts },
  });

const waiting = (changes: TurnChanges = {}, want = WANT) =>
  decided((given) => waitForTakerPaymentSpend(given, want), turn(changes));

/** The maker was told of the payment a moment ago. */
const told = (key = 'takerPayment', at = after(0)) => ({ sentAt: new Map([[key, at]]) });

describe('a taker that has paid', () => {
  it('looks at its own payment every ten seconds', () => {
    expect(waiting({ facts: { payments: { taker: null } } })[0]).toStrictEqual(
      asked('taker', {
        op: 'payment',
        query: { terms: turnOf().swap.ownTerms as never, funding: PAID.tx_hash, own: true },
      }),
    );
    expect(waiting({ facts: { payments: { taker: looked({ funding: fundedBy() }, 10_001) } } })[0]).toMatchObject({
      question: { op: 'payment' },
    });
    const facts = { payments: { taker: looked({ funding: fundedBy() }, 4000) }, ...told() };
    expect(waiting({ facts })).toEqual([null, 6001]);
  });

  it('has the secret as soon as the chain shows the maker’s spend, even after the lock', () => {
    const facts = { payments: { taker: looked({ spend: spentWith('secret') }) } };
    const spent = appended(event('TakerPaymentSpent', { transaction: TAKEN, secret: SECRET }));
    expect(waiting({ facts })[0]).toStrictEqual(spent);
    expect(waiting({ facts }, { ...WANT, until: after(-1) })[0]).toStrictEqual(spent);
  });

  it.each([
    ['its bytes', { tx: null }],
    ['the secret', { secret: null }],
  ])('keeps waiting if the chain shows the maker’s spend without %s', (_, missing) => {
    const spend = spentWith('secret', missing);
    const facts = { payments: { taker: looked({ funding: fundedBy(), spend }) }, ...told() };
    expect(waiting({ facts })).toEqual([null, 10_001]);
  });
});

describe('the end of the wait for the maker’s spend', () => {
  const error = `Waited too long until ${LOCK / 1000} for transaction ${PAID.tx_hash} 0 to be spent `;
  const over = (deadline: number, text = error) =>
    appended(
      event('DeadlineReached', { kind: 'waitForTakerPaymentSpend', deadline, clock: 'takerChain' }),
      event('TakerPaymentWaitForSpendFailed', { error: text }),
      event('refundWaitStarted'),
    );

  it('comes when the chain accepts a refund, whatever the host’s clock says', () => {
    const facts = { payments: { taker: looked({ funding: fundedBy(), refundable: true }) } };
    for (const seconds of [-90_000, 0, 599, 601]) {
      const now = after(seconds);
      const at = { now, facts: { payments: { taker: { ...facts.payments.taker, at: now } } } };
      expect(waiting(at)[0]).toStrictEqual(over(LOCK));
    }
  });

  it('does not come before the chain accepts a refund, however far ahead the host’s clock is', () => {
    const now = after(90_000);
    const facts = { payments: { taker: { ...MINE, at: now } }, ...told('takerPayment', now) };
    expect(waiting({ now, facts })).toEqual([null, 90_010_001]);
  });

  it('comes at once if the payment was already refunded', () => {
    const facts = { payments: { taker: looked({ spend: spentWith('refund') }) } };
    expect(waiting({ facts })[0]).toStrictEqual(over(LOCK));
  });

  it('is recorded for a payment whose transaction the log does not name', () => {
    const facts = { payments: { taker: looked({ spend: spentWith('refund') }) } };
    expect(waiting({ swap: { ownPayment: null }, facts })[0]).toStrictEqual(
      over(LOCK, error.replace(PAID.tx_hash, '')),
    );
  });

  it('does not come if none was set', () => {
    const facts = {
      payments: { taker: looked({ funding: fundedBy(), spend: spentWith('refund'), refundable: true }) },
      ...told(),
    };
    expect(waiting({ facts }, wantOf('waitForTakerPaymentSpend'))).toEqual([null, 10_001]);
  });
});

describe('while it waits for the maker’s spend, a taker', () => {
  const message = { kind: 'takerPayment', tx: PAID } as const;

  it('tells the maker of the payment that the chain shows, every ten minutes', () => {
    const send = { kind: 'send', topic: TOPIC, message };
    expect(waiting()).toEqual([send, 10_001]);
    expect(waiting({ facts: told('takerPayment', after(-600)) })[0]).toStrictEqual(send);
    expect(waiting({ facts: told('takerPayment', inMillis(-599_999)) })).toEqual([null, 1]);
  });

  it('brings back a payment that left the chain, and says nothing of it meanwhile', () => {
    const facts = { payments: { taker: looked() } };
    expect(waiting({ facts })[0]).toStrictEqual(broadcastOf('taker', PAID));
    const unknown = { swap: { ownPayment: null }, facts };
    expect(waiting(unknown)).toEqual([null, 10_001]);
  });

  it('helps along a payment that stays unconfirmed before it reports it', () => {
    const fee = preparedOf({ tx: { tx_hash: 'fe', spends: ['input:9'] }, preparedAt: after(-700) });
    const journal = { prepared: { fee: [fee], payment: [preparedOf({ preparedAt: after(-600) })] } };
    const facts = { payments: { taker: looked({ funding: fundedBy({ confirmations: 0 }) }) } };
    expect(waiting({ journal, facts })[0]).toMatchObject({ kind: 'ask', key: 'taker:broadcast:fe' });
    expect(waiting({ journal })[0]).toMatchObject({ kind: 'send' });
  });
});

describe('a taker whose log relies on a payment that no look shows any more, and whose own payment no node has accepted', () => {
  const SEEN = { tx_hex: 'fa00', tx_hash: 'fa'.repeat(32) };
  const MINE_FIRST = { payment: [preparedOf({ tx: PAID, refused: 'unavailable' })] };
  const sends = broadcastOf('taker', PAID, { spends: ['input:0'], fee: '0.0001' });
  const payBy = (seconds: number) => ({
    ...initialTakerSwapContext(),
    started: { maker_payment_wait: after(seconds) / 1000, taker_payment_lock: LOCK / 1000 } as never,
    lastEventAt: after(-300),
  });
  const held = ({ facts, ...rest }: TurnChanges = {}) =>
    waiting({
      swap: { ownPayment: SEEN },
      context: payBy(100),
      journal: { prepared: MINE_FIRST },
      ...rest,
      facts: { ...facts, payments: { taker: looked(), maker: READY, ...facts?.payments } },
    });

  it('pays with it only against a maker payment that is confirmed at that moment', () => {
    expect(held()[0]).toStrictEqual(sends);
    const look = (maker: ReturnType<typeof looked> | null) => held({ facts: { payments: { maker } } });
    expect(look(null)[0]).toMatchObject({ kind: 'ask', key: 'maker:payment' });
    expect(look({ ...READY, at: after(-60) })[0]).toMatchObject({ kind: 'ask', key: 'maker:payment' });
    for (const view of [
      {},
      { funding: fundedBy({ confirmations: 0 }) },
      { funding: fundedBy(), problem: 'another amount' },
      { funding: fundedBy(), spend: spentWith('refund') },
      { funding: fundedBy(), refundable: true },
    ])
      expect(look(looked(view))[0]).toBeNull();
  });

  it('does not pay with it once it is too late to pay', () => {
    const policy = { margin: 15 };
    expect(held({ policy, context: payBy(15) })[0]).toStrictEqual(sends);
    expect(held({ policy, context: payBy(14) })[0]).toBeNull();
    const ahead = { payments: { taker: looked({ clock: (after(30) / 1000) as UnixSeconds }) } };
    expect(held({ policy, context: payBy(45), facts: ahead })[0]).toStrictEqual(sends);
    expect(held({ policy, context: payBy(44), facts: ahead })[0]).toBeNull();
  });

  it('brings it back at any time once a node has taken any of it', () => {
    const journal = { prepared: { payment: [preparedOf({ tx: PAID, acceptedAt: after(-50) })] } };
    expect(held({ journal, context: payBy(-900), facts: { payments: { maker: null } } })[0]).toStrictEqual(sends);
  });

  it('records in any state of the chain that a node has accepted it now', () => {
    const broadcasts = new Map([[PAID.tx_hash, { ok: true, value: 'sent' } as const]]);
    const told = appended(event('BroadcastAccepted', { purpose: 'payment', tx_hash: PAID.tx_hash, how: 'sent' }));
    for (const taker of [null, looked(), looked({ funding: fundedBy() }), looked({ funding: fundedBy({ tx: SEEN }) })])
      expect(held({ facts: { broadcasts, payments: { taker } } })[0]).toStrictEqual(told);
  });
});

describe('a taker that asks watchers', () => {
  const watch = { uuid: 'u', taker_coin: 'MARTY', taker_pub: '02ab' } as never;
  const request = (changes: TurnChanges = {}) =>
    waiting({
      ...changes,
      swap: { state: 'waitingForSpendWatched' },
      events: { watch: () => watch, ...changes.events },
      facts: { ...told(), ...changes.facts },
    });
  const sent = { kind: 'send', topic: 'swpwtchr/MARTY', message: { kind: 'watcher', watch }, signer: '02ab' };

  it('sends them a message signed with the key that paid, after it told the maker', () => {
    expect(request()[0]).toStrictEqual(sent);
    expect(request({ facts: { sentAt: new Map() } })[0]).toMatchObject({ message: { kind: 'takerPayment' } });
  });

  it('repeats the message every ten minutes, and does not build it earlier', () => {
    const both = (at: number) =>
      new Map([
        ['takerPayment', after(0)],
        ['watcher', inMillis(at)],
      ]);
    expect(request({ facts: { sentAt: both(-600_000) } })[0]).toStrictEqual(sent);
    const unmade = () => {
      throw new Error('made too early');
    };
    expect(request({ facts: { sentAt: both(-599_999) }, events: { watch: unmade } })).toEqual([null, 1]);
  });

  it('signs with the key of the node if the message names none', () => {
    const unnamed = { uuid: 'u', taker_coin: 'MARTY', taker_pub: null } as never;
    const { signer: _, ...rest } = sent;
    expect(request({ events: { watch: () => unnamed } })[0]).toStrictEqual({
      ...rest,
      message: { kind: 'watcher', watch: unnamed },
    });
  });

  it('says nothing if there is nothing to hand over, or nobody should watch', () => {
    expect(request({ events: { watch: () => null } })).toEqual([null, 10_001]);
    expect(waiting({ facts: told(), events: { watch: () => watch } })[0]).toBeNull();
  });

  it('tells them while its payment is being brought back, when that has to wait', () => {
    const swap = { state: 'waitingForSpendWatched', ownPayment: null };
    const facts = { payments: { taker: looked() } };
    const turnNow = turn({ swap, facts, events: { watch: () => watch } });
    expect(waitForTakerPaymentSpend(turnNow, WANT)).toStrictEqual(sent);
    expect(turnNow.wakeAt).toBeLessThan(NEVER);
  });
});
