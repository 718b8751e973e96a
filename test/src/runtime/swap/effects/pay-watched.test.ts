import { describe, expect, it } from 'vitest';
import type { DecimalText } from '../../../../../src/primitives/decimal.ts';
import { pay } from '../../../../../src/runtime/swap/effects/pay.ts';
import {
  appended,
  asked,
  decided,
  event,
  failed,
  fundedBy,
  looked,
  PAID,
  requested,
  TAKEN,
  wantOf,
} from '../../../../support/effect-turns.ts';
import { takerTurn } from '../../../../support/paying-turns.ts';
import { after, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const WANT = wantOf('sendTakerPayment', { until: after(100) });
const MAKER = { role: 'maker', own: 'maker', other: 'taker' } as const;
const asTaker = (changes: TurnChanges = {}, want = WANT) => decided((given) => pay(given, want), takerTurn(changes));

const SENDS = { kind: 'ask', key: `taker:broadcast:${PAID.tx_hash}` };
const withPayment = (changes: Parameters<typeof preparedOf>[0] = {}) => ({
  prepared: { payment: [preparedOf({ ...changes, tx: PAID })] },
});
const taken = new Map([[PAID.tx_hash, { ok: true, value: 'sent' } as const]]);

const journal = { ...withPayment(), request: requested({ use_watchers: true }) };
const traits = { maker: { watchers: true }, taker: { watchers: true } };
const swap = { otherPayment: TAKEN };
const spend = (hash: string) => ({ tx_hex: hash, tx_hash: hash, spends: [], fee: '0' as DecimalText });
const claim = ['claimPreimage', spend('0a')] as const;
const refund = ['refundPreimage', spend('0b')] as const;
const terms = { own: turnOf().swap.ownTerms as never, other: turnOf().swap.otherTerms as never };
const forClaim = { purpose: 'claimPreimage', terms: terms.other, funding: TAKEN } as const;
const forRefund = { purpose: 'refundPreimage', terms: terms.own, funding: PAID } as const;
const asksClaim = asked('maker', { op: 'prepare', request: forClaim, key: 'prepare:claimPreimage' });
const asksRefund = asked('taker', { op: 'prepare', request: forRefund, key: 'prepare:refundPreimage' });
const onChain = { payments: { taker: looked({ funding: fundedBy() }) } };
const preimages = event('WatcherMessageSent', [[10], [11]]);

describe('a taker who wants to be watched', () => {
  it('signs both spends before its payment is broadcast', () => {
    expect(asTaker({ journal, traits, swap })[0]).toStrictEqual(asksClaim);
    expect(asTaker({ journal, traits, swap, facts: { prepared: new Map([claim]) } })[0]).toStrictEqual(asksRefund);
    const prepared = new Map<'claimPreimage' | 'refundPreimage', ReturnType<typeof spend>>([claim, refund]);
    expect(asTaker({ journal, traits, swap, facts: { prepared } })[0]).toMatchObject(SENDS);
    expect(asTaker({ journal, traits, swap, facts: { prepared, broadcasts: taken } })[0]).toMatchObject({
      events: [{ type: 'BroadcastAccepted' }, { type: 'ownSent' }, preimages],
    });
  });

  it('signs them for a payment that is already on the chain', () => {
    const request = { request: journal.request };
    expect(asTaker({ journal: request, traits, swap, facts: onChain })[0]).toStrictEqual(asksClaim);
    expect(
      asTaker({ journal: request, traits, swap, facts: { ...onChain, prepared: new Map([claim]) } })[0],
    ).toStrictEqual(asksRefund);
    const prepared = new Map<'claimPreimage' | 'refundPreimage', ReturnType<typeof spend>>([claim, refund]);
    expect(asTaker({ journal: request, traits, swap, facts: { ...onChain, prepared } })[0]).toStrictEqual(
      appended(event('ownSent', PAID), preimages),
    );
  });

  it('continues without a spend that cannot be signed', () => {
    const tries = new Map([...failed('maker:prepare:claimPreimage'), ...failed('taker:prepare:refundPreimage')]);
    expect(asTaker({ journal, traits, swap, facts: { tries } })[0]).toMatchObject(SENDS);
    const one = failed('maker:prepare:claimPreimage');
    expect(asTaker({ journal, traits, swap, facts: { tries: one } })[0]).toStrictEqual(asksRefund);
    expect(asTaker({ journal, traits, swap, facts: { ...onChain, tries } })[0]).toMatchObject({
      events: [{}, { type: 'ownSent' }],
    });
  });

  it('continues if something of the swap is not known', () => {
    expect(asTaker({ journal, traits })[0]).toMatchObject(SENDS);
    for (const unknown of [{ ownTerms: null }, { otherTerms: null }]) {
      expect(asTaker({ journal, traits, swap: { ...swap, ...unknown } })[0]).toMatchObject(SENDS);
    }
  });

  it('is not watched if a chain lets nobody else spend, or nobody asked for it', () => {
    const unasked = { ...journal, request: requested({ use_watchers: false }) };
    expect(asTaker({ journal: unasked, traits, swap })[0]).toMatchObject(SENDS);
    expect(asTaker({ journal: withPayment(), traits, swap })[0]).toMatchObject(SENDS);
    for (const leg of ['maker', 'taker'] as const) {
      const one = { ...traits, [leg]: { watchers: false } };
      expect(asTaker({ journal, traits: one, swap })[0]).toMatchObject(SENDS);
    }
  });

  it('is never a maker', () => {
    const changes = { journal, traits, swap: { ...MAKER, otherPayment: TAKEN } };
    const facts = { payments: { maker: looked() } };
    expect(asTaker({ ...changes, facts })[0]).toMatchObject({ key: `maker:broadcast:${PAID.tx_hash}` });
    const there = { payments: { maker: looked({ funding: fundedBy() }) } };
    expect(asTaker({ ...changes, facts: there })[0]).toMatchObject({ kind: 'append' });
  });
});

describe('whoever is watched on a chain that pays watchers', () => {
  const rewards = { watchers: true, rewards: true };
  const own = { maker: { watchers: true }, taker: rewards };
  const fresh = { request: requested({ use_watchers: true }) };
  const request = { purpose: 'payment', terms: terms.own, urgency: 0, replaces: null } as const;
  const nothingYet = { payments: { taker: looked() } };
  const asks = (more: object) =>
    asked('taker', { op: 'prepare', request: { ...request, ...more }, key: 'prepare:payment' });

  it('promises a reward as taker once it has what the watcher needs on the other chain', () => {
    expect(asTaker({ journal: fresh, traits: own, swap, facts: nothingYet })[0]).toStrictEqual(asksClaim);
    const facts = { ...nothingYet, prepared: new Map([claim]) };
    expect(asTaker({ journal: fresh, traits: own, swap, facts })[0]).toStrictEqual(asks({ reward: null }));
  });

  it('promises none if no watcher could claim for it, or it asked for none', () => {
    const facts = { ...nothingYet, tries: failed('maker:prepare:claimPreimage') };
    expect(asTaker({ journal: fresh, traits: own, swap, facts })[0]).toStrictEqual(asks({}));
    const unasked = { request: requested({ use_watchers: false }) };
    expect(asTaker({ journal: unasked, traits: own, swap, facts: nothingYet })[0]).toStrictEqual(asks({}));
  });

  it('signs no refund in advance, which would keep the later nonces of the account', () => {
    const paid = spend(PAID.tx_hash);
    const facts = {
      ...nothingYet,
      prepared: new Map<'payment' | 'claimPreimage', typeof paid>([claim, ['payment', paid]]),
    };
    const [proposal] = asTaker({ journal: fresh, traits: own, swap, facts });
    expect(proposal).toMatchObject({
      kind: 'append',
      events: [{ data: { purpose: 'payment' } }, { type: 'BroadcastAttempted' }],
    });
  });

  it.each([
    ['what its taker asks for', '0.0025', { reward: '0.0025' }],
    ['nothing to a taker that asks for nothing', null, {}],
  ])('promises as maker %s', (_, rewardAsked, more) => {
    const changes = { ...MAKER, rewardAsked: rewardAsked as DecimalText | null };
    const facts = { payments: { maker: looked() } };
    const [proposal] = asTaker({
      journal: fresh,
      traits: { maker: rewards, taker: { watchers: true } },
      swap: changes,
      facts,
    });
    expect(proposal).toMatchObject({ kind: 'ask', leg: 'maker', question: { op: 'prepare' } });
    const { question } = proposal as { readonly question: { readonly request: object } };
    expect(question.request).toStrictEqual({ ...request, terms: expect.anything(), ...more });
  });
});
