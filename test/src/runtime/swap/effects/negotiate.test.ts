import { describe, expect, it } from 'vitest';
import type { NegotiationTerms } from '../../../../../src/htlc/check-negotiation.ts';
import { type NegotiationMessage, negotiationMessage } from '../../../../../src/htlc/negotiation.ts';
import type { UnixSeconds } from '../../../../../src/primitives/time.ts';
import type { Claims } from '../../../../../src/runtime/claims.ts';
import { NEVER } from '../../../../../src/runtime/command.ts';
import { negotiateAsMaker, negotiateAsTaker } from '../../../../../src/runtime/swap/effects/negotiate.ts';
import { appended, awaiting, decided, event, inMillis, TOPIC, wantOf } from '../../../../support/effect-turns.ts';
import { after, NOW, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const STARTED = (NOW / 1000) as UnixSeconds;
const KEY = { persistent: `02${'ab'.repeat(32)}` };
const TERMS: NegotiationTerms = {
  startedAt: STARTED,
  lockDuration: 7800,
  takerCoin: 'MARTY',
  contracts: { makerCoin: { kind: 'none' }, takerCoin: { kind: 'none' } },
  keys: { makerCoin: () => null, takerCoin: () => null },
};

const messageOf = (paymentLock: number): NegotiationMessage =>
  negotiationMessage({
    startedAt: STARTED,
    paymentLock: paymentLock as UnixSeconds,
    secretHash: 'cc'.repeat(20),
    keys: KEY,
    contracts: { makerCoin: null, takerCoin: null },
  });
const OFFER = messageOf(STARTED + 15_600);
const REPLY = messageOf(STARTED + 7800);

const deadlineAt = (at: number) => event('DeadlineReached', { kind: 'negotiate', deadline: at, clock: 'host' });
const failedWith = (error: string) => event('NegotiateFailed', { error });
const heard = (...messages: readonly { readonly kind: string }[]) =>
  new Map(messages.map((message) => [message.kind, message])) as never;
const offered = { kind: 'negotiation', offer: OFFER };
const badOffer = { kind: 'negotiation', offer: messageOf(STARTED + 1) };
const agreed = { maker_payment_locktime: STARTED + 15_600, secret_hash: 'cc'.repeat(20) };

/** The wait that the log of a turn gives: since the offer was taken, else since the start. */
const wanted = ({ journal }: TurnChanges) => awaiting('negotiate', journal?.heardAt?.['negotiation'] ?? NOW, 180);

const asTaker = ({ events, swap, ...rest }: TurnChanges = {}, want = wanted(rest)) =>
  decided(
    (turn) => negotiateAsTaker(turn, want),
    turnOf({
      ...rest,
      events: {
        negotiationTerms: () => TERMS,
        negotiationReply: ({ secret_hash }) => ({ ...REPLY, secret_hash }),
        ...events,
      },
      swap: { lastEventAt: NOW, ...swap },
    }),
  );
const taken = (at = NOW as number) => ({ messages: { negotiation: offered }, heardAt: { negotiation: at as never } });

describe('a taker at the negotiation', () => {
  it('waits for the offer, for 180 s after its start', () => {
    expect(asTaker()).toEqual([null, 181_000]);
    expect(asTaker({ events: { negotiationTerms: () => null } })).toEqual([null, NEVER - NOW]);
    expect(asTaker({ now: inMillis(180_999) })).toEqual([null, 181_000]);
    const late = appended(deadlineAt(after(180)), failedWith('"Timeout (181 > 180)"'));
    expect(asTaker({ now: inMillis(181_000) })[0]).toStrictEqual(late);
    expect(asTaker({ now: inMillis(181_000), facts: { inbox: heard(offered) } })[0]).toStrictEqual(late);
    expect(asTaker({ now: inMillis(181_000) }, wantOf('negotiate'))).toEqual([null, NEVER - NOW]);
  });

  it('writes the offer to its log before it answers', () => {
    expect(asTaker({ facts: { inbox: heard(offered) } })[0]).toStrictEqual(
      appended(event('MessageReceived', { message: offered })),
    );
  });

  it('refuses an offer with another lock, and anything that is not an offer', () => {
    const text = `maker_data.payment_locktime ${STARTED + 1} not equal to expected Some(${STARTED + 15_600})`;
    expect(asTaker({ facts: { inbox: heard(badOffer) } })[0]).toStrictEqual(appended(failedWith(text)));
    for (const odd of [null, 'negotiation', { kind: 'other', offer: OFFER }, { kind: 'negotiation' }]) {
      const journal = { messages: { negotiation: odd }, heardAt: { negotiation: NOW } };
      expect(asTaker({ journal })).toEqual([null, NEVER - NOW]);
      expect(asTaker({ journal, facts: { inbox: heard(offered) } })[0]).toMatchObject({ kind: 'send' });
    }
  });

  it('ignores an offer whose secret hash belongs to another swap, and reports it when its time is over', () => {
    const OTHER = '3447b727-fe93-4357-8e5a-00000000000f';
    const claims: Claims = { transaction: () => null, secretHash: (hash) => (hash === 'cc'.repeat(20) ? OTHER : null) };
    const given = { claims, facts: { inbox: heard(offered) } };
    expect(asTaker(given)).toEqual([null, 181_000]);
    const text = `!maker_data.secret_hash: the secret hash belongs to swap ${OTHER} of this node, and a secret serves one swap`;
    expect(asTaker({ ...given, now: inMillis(181_000) })[0]).toStrictEqual(
      appended(deadlineAt(after(180)), failedWith(text)),
    );
    expect(asTaker(given, wantOf('negotiate'))[0]).toStrictEqual(appended(failedWith(text)));
  });

  it('answers the offer in its log every fifteen seconds', () => {
    const reply = { kind: 'send', topic: TOPIC, message: { kind: 'negotiationReply', reply: REPLY } };
    expect(asTaker({ journal: taken() })).toEqual([reply, 181_000]);
    expect(asTaker({ journal: taken(), facts: { inbox: heard(badOffer) } })[0]).toStrictEqual(reply);
    const sentAt = (at: number) => ({ sentAt: new Map([['negotiationReply', inMillis(at)]]) });
    expect(asTaker({ journal: taken(), facts: sentAt(-15_000) })[0]).toStrictEqual(reply);
    expect(asTaker({ journal: taken(), facts: sentAt(-14_999) })).toEqual([null, 1]);
  });
});

describe('a taker that has answered an offer', () => {
  it('relies on what the maker said', () => {
    const inbox = (accepted: boolean) => heard({ kind: 'negotiated', accepted } as never);
    const sentAt = new Map([['negotiationReply', after(-1)]]);
    const says = (accepted: boolean) => ({ inbox: inbox(accepted), sentAt });
    // What is said before the reply has gone out is no answer to it.
    for (const accepted of [true, false])
      expect(asTaker({ journal: taken(), facts: { inbox: inbox(accepted) } })[0]).toMatchObject({ kind: 'send' });
    expect(asTaker({ journal: taken(), facts: says(true) })[0]).toMatchObject({
      events: [{ type: 'Negotiated', data: agreed }],
    });
    expect(asTaker({ journal: taken(), facts: says(false) })[0]).toStrictEqual(
      appended(failedWith('Maker sent negotiated = false')),
    );
    expect(asTaker({ facts: says(true) })).toEqual([null, 181_000]);
    const late = { now: inMillis(900_000), journal: taken(), facts: says(true) };
    expect(asTaker(late)[0]).toMatchObject({ events: [{ type: 'Negotiated' }] });
  });

  it('waits for it for 180 s after the offer was taken', () => {
    const journal = taken(after(100));
    const facts = { sentAt: new Map([['negotiationReply', inMillis(280_999)]]) };
    expect(asTaker({ now: inMillis(280_999), journal, facts })).toEqual([null, 281_000]);
    expect(asTaker({ now: inMillis(281_000), journal })[0]).toStrictEqual(
      appended(deadlineAt(after(280)), failedWith('"Timeout (181 > 180)"')),
    );
    // What its terms no longer accept after a restart is the reason, however late it is.
    const changed = { messages: { negotiation: badOffer }, heardAt: { negotiation: after(100) } };
    const text = `maker_data.payment_locktime ${STARTED + 1} not equal to expected Some(${STARTED + 15_600})`;
    expect(asTaker({ now: inMillis(281_000), journal: changed })[0]).toStrictEqual(appended(failedWith(text)));
    const unknown = { messages: { negotiation: offered } };
    expect(asTaker({ now: inMillis(181_000), journal: unknown })[0]).toMatchObject({ kind: 'append' });
  });
});

describe('a maker at the negotiation', () => {
  const negotiates = ({ events, ...rest }: TurnChanges = {}) =>
    decided(
      (turn) => negotiateAsMaker(turn, awaiting('negotiate', NOW, 180)),
      turnOf({
        ...rest,
        events: { negotiationTerms: () => TERMS, negotiationOffer: () => OFFER, ...events },
        swap: { role: 'maker', own: 'maker', other: 'taker', lastEventAt: NOW },
      }),
    );
  const replied = (reply: NegotiationMessage) => heard({ kind: 'negotiationReply', reply } as never);
  const refusal = { kind: 'send', topic: TOPIC, message: { kind: 'negotiated', accepted: false } };
  const refused = { sentAt: new Map([['negotiated', after(0)]]) };

  it('ignores a reply that echoes the secret hash of another offer, and accepts one that echoes none', () => {
    const echoing = (secret_hash: string) => replied({ ...REPLY, payment_locktime: 1 as UnixSeconds, secret_hash });
    const sentAt = new Map([['negotiation', after(-1)]]);
    for (const other of ['dd'.repeat(20), 'DD'.repeat(32)])
      expect(negotiates({ facts: { inbox: echoing(other), sentAt } })[0]).toBeNull();
    for (const own of ['cc'.repeat(20), 'CC'.repeat(20), '', '00'.repeat(20)])
      expect(negotiates({ facts: { inbox: echoing(own), sentAt } })[0]).toMatchObject(refusal);
  });

  it('offers every fifteen seconds', () => {
    const offer = { kind: 'send', topic: TOPIC, message: offered };
    expect(negotiates()).toEqual([offer, 181_000]);
    const sentAt = (at: number) => ({ sentAt: new Map([['negotiation', inMillis(at)]]) });
    expect(negotiates({ facts: sentAt(-15_000) })[0]).toStrictEqual(offer);
    expect(negotiates({ facts: sentAt(-14_999) })).toEqual([null, 1]);
    expect(negotiates({ events: { negotiationTerms: () => null } })).toEqual([null, NEVER - NOW]);
    expect(negotiates({ events: { negotiationOffer: () => null } })).toEqual([null, 181_000]);
  });

  it('agrees with a reply, also when it is late', () => {
    const facts = { inbox: replied(REPLY) };
    const data = { taker_payment_locktime: STARTED + 7800 };
    expect(negotiates({ facts })[0]).toMatchObject({ events: [{ type: 'Negotiated', data }] });
    expect(negotiates({ facts, now: after(900) })[0]).toMatchObject({ events: [{ type: 'Negotiated' }] });
  });

  it('tells the taker once that it refuses, and then closes the swap', () => {
    const inbox = replied(messageOf(STARTED + 1));
    const text = `taker_data.payment_locktime ${STARTED + 1} not equal to expected Some(${STARTED + 7800})`;
    expect(negotiates({ facts: { inbox } })[0]).toStrictEqual(refusal);
    expect(negotiates({ facts: { inbox, ...refused } })[0]).toStrictEqual(appended(failedWith(text)));
  });

  it('gives up after 180 s, and tells the taker as well', () => {
    expect(negotiates({ now: inMillis(180_999) })[0]).toMatchObject({ message: { kind: 'negotiation' } });
    expect(negotiates({ now: inMillis(181_000) })[0]).toStrictEqual(refusal);
    expect(negotiates({ now: inMillis(181_000), facts: refused })[0]).toStrictEqual(
      appended(deadlineAt(after(180)), failedWith('"Timeout (181 > 180)"')),
    );
  });
});
