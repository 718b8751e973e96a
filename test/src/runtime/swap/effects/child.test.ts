import { describe, expect, it } from 'vitest';
import type { PreparedRecord } from '../../../../../machines/journal/context.ts';
import type { Purpose } from '../../../../../src/events/journal.ts';
import type { PaymentView, TransactionView } from '../../../../../src/ports/chain.ts';
import type { DecimalText } from '../../../../../src/primitives/decimal.ts';
import { NEVER } from '../../../../../src/runtime/command.ts';
import { speedUpPayment } from '../../../../../src/runtime/swap/effects/child.ts';
import { confirmClaim, pushClaim } from '../../../../../src/runtime/swap/effects/claim.ts';
import { isFeeOut } from '../../../../../src/runtime/swap/effects/fee-out.ts';
import { bumpRefund } from '../../../../../src/runtime/swap/effects/refund.ts';
import {
  appended,
  asked,
  broadcastOf,
  decided,
  event,
  fundedBy,
  looked,
  PAID,
  SAID,
  SECRET,
  seen,
  spentWith,
  wantOf,
} from '../../../../support/effect-turns.ts';
import { after, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

/** A taker that claims on the maker chain, whose miners look at what waits together. */
const takerTurn = ({ swap, facts, journal, traits, ...rest }: TurnChanges = {}) =>
  turnOf({
    ...rest,
    policy: { bumpAfter: 600, spendPoll: 20, dropAfter: 70, fees: { ...POLICY, ...rest.policy?.fees } },
    traits: { maker: { ...DOC, children: true, ...traits?.maker }, ...(traits?.taker ? { taker: traits.taker } : {}) },
    swap: { state: 'claimed', secret: SECRET, secretIsPublic: true, claim: tx('c1'), ...swap },
    events: SAID,
    journal: { ...journal },
    facts: { payments: { maker: looked({ funding: fundedBy(), spend: shown('c1') }) }, ...facts },
  });
const DOC = {
  coin: 'DOC',
  decimals: 10,
  minTxAmount: 900n,
  finality: 2,
  refund: 'transaction',
  watchers: false,
} as const;
const POLICY = { pause: 30, retryCheaper: 600, share: 0.1, factor: 0, most: {} };

const tx = (name: string) => ({ tx_hex: `${name}00`, tx_hash: name });
const shown = (name: string) => spentWith('secret', { tx: tx(name), confirmations: 0 });
const signed = (name: string, changes: Partial<PreparedRecord> = {}, fee = '0.0001') =>
  preparedOf({ target: PAID.tx_hash, ...changes, tx: { ...tx(name), spends: ['aa:0'], fee: fee as DecimalText } });
const taken = (seconds: number) => ({ preparedAt: after(-seconds), acceptedAt: after(-seconds) });

/** A cheap claim that a node took, and a dearer one that it did not take in its place. */
const CHEAP = signed('c1', taken(700), '0.002');
const REFUSED = signed('c2', { urgency: 1, refused: 'noReplacement', refusedAt: after(-90) }, '0.003');
const child = (name: string, changes: Partial<PreparedRecord> = {}, fee = '0.01') =>
  signed(name, { target: 'c1', urgency: 1, ...changes }, fee);
const claims = (children: readonly PreparedRecord[] = [], own = [CHEAP, REFUSED]) => ({
  journal: { prepared: { claim: own, claimChild: [...children] } },
});
const confirm = (changes: TurnChanges) => decided((turn) => confirmClaim(turn, wantOf('confirm')), takerTurn(changes));
const states = (views: Readonly<Record<string, TransactionView['status']>>) => ({
  transactions: new Map(Object.entries(views).map(([name, status]) => [name, seen({ status, confirmations: 0 })])),
});
const prepares = (purpose: Purpose, leg: 'maker' | 'taker', request: object) =>
  asked(leg, {
    op: 'prepare',
    request: { purpose: 'child', replaces: null, ...request } as never,
    key: `prepare:${purpose}`,
  });

describe('a claim that waits and that no node replaces', () => {
  it('gets a child: together they pay what the claim alone may cost', () => {
    const [proposal] = confirm(claims());
    // A tenth of 1.5, less what the claim pays.
    expect(proposal).toEqual(prepares('claimChild', 'maker', { parent: tx('c1'), urgency: 1, maxFee: '0.148' }));
  });

  it('gets none if miners look at each transaction by itself, before a node has refused another one, or before its time', () => {
    const none = { ...claims(), traits: { maker: { ...DOC, children: false } } } as TurnChanges;
    expect(confirm(none)[0]).toMatchObject({ question: { op: 'broadcast' } });
    expect(confirm(claims([], [CHEAP]))[0]).toMatchObject({ key: 'maker:prepare:claim' });
    const young = signed('c1', taken(599), '0.002');
    const [proposal, wakesIn] = confirm({
      ...claims([], [young, REFUSED]),
      facts: {
        tries: new Map([['maker:broadcast:c2', { count: 1, next: after(300), kind: 'noReplacement', message: '' }]]),
      },
    });
    expect([proposal, wakesIn]).toEqual([null, 1001]);
  });

  it('has it in the log before it goes out', () => {
    const made = { ...tx('k1'), spends: ['c1:0'], fee: '0.01' as DecimalText };
    const request = { purpose: 'child', parent: tx('c1'), urgency: 1, replaces: null } as const;
    const facts = {
      prepared: new Map([['claimChild', made]]),
      preparedFor: new Map([['claimChild', request]]),
    } as never;
    expect(confirm({ ...claims(), facts })[0]).toEqual(
      appended(
        event('TransactionPrepared', { purpose: 'claimChild', tx: made, target: 'c1', urgency: 1 }),
        event('BroadcastAttempted', { purpose: 'claimChild', tx_hash: 'k1' }),
      ),
    );
    const sent = { spends: ['aa:0'], fee: '0.01' };
    expect(confirm(claims([child('k1')]))[0]).toEqual(broadcastOf('maker', tx('k1'), sent));
    const told = { facts: { broadcasts: new Map([['k1', { ok: true, value: 'sent' }]]) } as never };
    expect(confirm({ ...claims([child('k1')]), ...told })[0]).toEqual(
      appended(event('BroadcastAccepted', { purpose: 'claimChild', tx_hash: 'k1', how: 'sent' })),
    );
  });

  it('gets a child of the child after the same pause; its fee counts all that is paid', () => {
    const first = child('k1', taken(600));
    const waits = states({ k1: 'mempool' });
    const early = confirm({ ...claims([first]), facts: { ...waits } });
    expect(early[0]).toMatchObject({ question: { op: 'broadcast', transaction: { tx_hash: 'c2' } } });
    const due = { ...claims([child('k1', taken(601))]), facts: { ...waits } };
    expect(confirm(due)[0]).toEqual(prepares('claimChild', 'maker', { parent: tx('k1'), urgency: 2, maxFee: '0.138' }));
    const second = child('k2', { target: 'k1', urgency: 2, ...taken(900) }, '0.05');
    const third = { ...claims([first, second]), facts: { ...states({ k2: 'mempool' }) } };
    expect(confirm(third)[0]).toEqual(
      prepares('claimChild', 'maker', { parent: tx('k2'), urgency: 3, maxFee: '0.088' }),
    );
    const dear = child('k2', { target: 'k1', urgency: 2, ...taken(900) }, '0.2');
    expect(confirm({ ...claims([first, dear]), facts: { ...states({ k2: 'mempool' }) } })[0]).toMatchObject({
      question: { request: { maxFee: '0' } },
    });
  });

  it('gets another in place of one that no node accepts, and no second one beside it', () => {
    const cheap = { refused: 'feeTooLow', refusedAt: after(-31) };
    expect(confirm(claims([child('k1', cheap)]))[0]).toEqual(
      prepares('claimChild', 'maker', {
        parent: tx('c1'),
        urgency: 2,
        replaces: { ...tx('k1'), spends: ['aa:0'], fee: '0.01' },
        maxFee: '0.148',
      }),
    );
    const late = child('k1', { ...cheap, refusedAt: after(-29) });
    expect(confirm(claims([late]))[0]).toMatchObject({ key: 'maker:broadcast:k1' });
    for (const refused of ['unavailable', 'tooManyAncestors', 'unknown'])
      expect(confirm(claims([child('k1', { refused, refusedAt: after(-3000) })]))[0]).toMatchObject({
        key: 'maker:broadcast:k1',
      });
  });

  it('goes out again with its children, each after its parent, if a node has lost them', () => {
    const line = [child('k1', taken(650)), child('k2', { target: 'k1', ...taken(71) })];
    expect(confirm({ ...claims(line), facts: { ...states({ k2: 'unknown' }) } })[0]).toEqual(
      appended(event('TransactionDropped', { purpose: 'claimChild', tx_hash: 'k2' })),
    );
    const noted = [line[0] as PreparedRecord, child('k2', { target: 'k1', dropped: true, ...taken(71) })];
    const lost = { ...claims(noted), facts: { ...states({ k2: 'unknown' }) } };
    expect(confirm(lost)[0]).toMatchObject({ key: 'maker:broadcast:k1' });
    const paused = new Map([['maker:broadcast:k1', { count: 0, next: after(40), kind: 'none', message: '' }]]);
    expect(confirm({ ...claims(noted), facts: { ...states({ k2: 'unknown' }), tries: paused } })[0]).toMatchObject({
      key: 'maker:broadcast:k2',
    });
    // The claim itself is gone: the one with the children comes back, and the dearest where a node refuses that.
    const view = { funding: fundedBy(), spend: null } as unknown as PaymentView;
    const push = (own: readonly PreparedRecord[]) =>
      pushClaim(
        takerTurn({ ...claims(noted, [...own]), facts: { ...states({ c1: 'unknown', c2: 'unknown' }) } }),
        view,
      );
    const back = { dropped: true, ...taken(700) };
    expect(push([signed('c1', back), REFUSED])).toMatchObject({ key: 'maker:broadcast:c1' });
    expect(push([signed('c1', { ...back, refused: 'feeTooLow', refusedAt: after(-5) }), REFUSED])).toMatchObject({
      key: 'maker:broadcast:c2',
    });
  });

  it('also gets one if a watcher made it, with the fee that the own claim would have paid', () => {
    const facts = { payments: { maker: looked({ funding: fundedBy(), spend: shown('w1') }) } };
    const own = signed('c1', { refused: 'noReplacement', refusedAt: after(-601) }, '0.002');
    expect(confirm({ ...claims([], [own]), facts })[0]).toEqual(
      prepares('claimChild', 'maker', { parent: tx('w1'), urgency: 1, maxFee: '0.148' }),
    );
  });
});

describe('other things that wait', () => {
  it('a refund has children as a claim has, while the chain lets it in', () => {
    const refunds = [
      signed('r1', { attemptedAt: after(-700), ...taken(700) }, '0.002'),
      signed('r2', { urgency: 1, refused: 'noReplacement', refusedAt: after(-9) }),
    ];
    const spend = spentWith('refund', { tx: tx('r1'), confirmations: 0 });
    const bump = (refundable: boolean) =>
      bumpRefund(
        turnOf({
          policy: { fees: POLICY },
          traits: { taker: { ...DOC, coin: 'MARTY', children: true } },
          journal: { prepared: { refund: refunds } },
          facts: { payments: { taker: looked({ funding: fundedBy(), spend, refundable }) } },
        }),
        spend,
      );
    // A tenth of 3.
    expect(bump(true)).toEqual(prepares('refundChild', 'taker', { parent: tx('r1'), urgency: 1, maxFee: '0.298' }));
    expect(bump(false)).toBeNull();
  });

  it('an own payment gets one after its time, whatever nodes replace, and none once it is in a block', () => {
    const help = (since: number, confirmations = 0) =>
      decided(
        (turn) => speedUpPayment(turn, fundedBy({ tx: tx('p1'), confirmations })),
        turnOf({
          policy: { fees: POLICY },
          traits: { taker: { ...DOC, coin: 'MARTY', children: true } },
          journal: { prepared: { payment: [signed('p1', taken(since), '0.02')] } },
          facts: { payments: { taker: looked({ funding: fundedBy({ tx: tx('p1'), confirmations }) }) } },
        }),
      );
    expect(help(601)[0]).toEqual(prepares('paymentChild', 'taker', { parent: tx('p1'), urgency: 1, maxFee: '0.28' }));
    expect(help(600)).toEqual([null, 1]);
    expect(help(601, 1)).toEqual([null, NEVER - after(0)]);
  });

  it('a child that a node has lost goes out again though the swap is over, until a block has it for good', () => {
    const out = (view: TransactionView, changes: Partial<PreparedRecord> = {}) => {
      const facts = { transactions: new Map([['k1', seen(view)]]) };
      return isFeeOut(takerTurn({ ...claims([child('k1', { ...taken(90), ...changes })]), facts }));
    };
    expect(out({ status: 'confirmed', confirmations: 2 })).toEqual({ value: true });
    expect(out({ status: 'conflicted', confirmations: 2 })).toEqual({ value: true });
    expect(out({ status: 'confirmed', confirmations: 1 })).toEqual({ pending: null });
    expect(out({ status: 'unknown', confirmations: 0 })).toMatchObject({ pending: { key: 'maker:broadcast:k1' } });
    expect(out({ status: 'unknown', confirmations: 0 }, { acceptedAt: null })).toEqual({ value: true });
  });
});
