import { describe, expect, it } from 'vitest';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import { DEFAULT_POLICY, MOST_VARIANTS } from '../../../../src/runtime/policy.ts';
import { bounded } from '../../../../src/runtime/swap/fee-bound.ts';
import { NOW, preparedOf, type TurnChanges, turnOf } from '../../../support/turns.ts';

// The maker gives 1.5 DOC for 3 MARTY; a taker claims DOC and pays, refunds and voids MARTY.

const { fees } = DEFAULT_POLICY;
const fee = (coin: string, amount: string) => ({ coin, amount: amount as DecimalText, paid_from_trading_vol: false });

function boundOf(purpose: 'fee' | 'payment' | 'claim' | 'refund' | 'void', changes: TurnChanges = {}) {
  const { policy, ...rest } = changes;
  const turn = turnOf({ policy: { fees, ...policy }, ...rest });
  const leg = purpose === 'claim' ? turn.swap.other : turn.swap.own;
  return (bounded(turn, { leg, purpose }, { purpose } as never) as { readonly maxFee?: string }).maxFee;
}

/** The lock of the other payment is so many seconds away; its last fifth is 1560 s. */
const leaves = (seconds: number, role: 'maker' | 'taker' = 'taker'): TurnChanges => {
  const { otherTerms } = turnOf({ swap: { role } }).swap;
  const lock = (NOW / 1000 + seconds) as UnixSeconds;
  return { swap: { role, otherTerms: otherTerms === null ? null : { ...otherTerms, lock } } };
};

describe('the most that a fee may be', () => {
  it('is a tenth of the amount on its chain', () => {
    const purposes = ['claim', 'payment', 'refund', 'fee'] as const;
    expect(purposes.map((purpose) => boundOf(purpose))).toEqual(['0.15', '0.3', '0.3', '0.3']);
    expect(boundOf('claim', { swap: { role: 'maker' } })).toBe('0.3');
  });

  it('follows the request on each chain while the terms are unknown, and does not exist if the request is unknown too', () => {
    const request = { maker_amount: '1.7', taker_amount: '3.1' } as never;
    const unknown = { ownTerms: null, otherTerms: null };
    for (const [role, own, other] of [
      ['taker', '0.31', '0.17'],
      ['maker', '0.17', '0.31'],
    ] as const) {
      const bounds = (journal: TurnChanges['journal'] = {}) =>
        (['fee', 'payment', 'refund', 'claim'] as const).map((purpose) =>
          boundOf(purpose, { swap: { role, ...unknown }, journal }),
        );
      expect(bounds({ request })).toEqual([own, own, own, other]);
      expect(bounds()).toEqual([undefined, undefined, undefined, undefined]);
    }
  });

  it('is at least ten times what the swap started with, rounded down to the digits of the coin', () => {
    expect(boundOf('claim', { swap: { claimFee: fee('DOC', '0.02') } })).toBe('0.2');
    expect(boundOf('claim', { swap: { claimFee: fee('DOC', '0.01') } })).toBe('0.15');
    const traits = { maker: { ...turnOf().traits.maker, decimals: 1 } };
    expect(boundOf('claim', { traits })).toBe('0.1');
  });

  it('is what an operator allows for a coin, if that is less', () => {
    const most = { DOC: '0.004' as DecimalText, MARTY: '7' as DecimalText };
    const policy = { fees: { ...fees, most } };
    expect([boundOf('claim', { policy }), boundOf('refund', { policy })]).toEqual(['0.004', '0.3']);
    expect(boundOf('claim', { policy, ...leaves(1559) })).toBe('1.49999991');
  });

  it('is a multiple of the fee at the start if another coin pays it, and no bound for a claim in its last moments', () => {
    const swap = { claimFee: fee('ETH', '0.003') };
    expect(boundOf('claim', { swap })).toBe('0.03');
    const most = { fees: { ...fees, most: { ETH: '0.01' as DecimalText } } };
    expect(boundOf('claim', { swap, policy: most })).toBe('0.01');
    const late = leaves(1559);
    expect(boundOf('claim', { swap: { ...late.swap, ...swap } })).toBeUndefined();
    expect(boundOf('claim', { swap: { ...late.swap, ...swap }, policy: most })).toBe('0.01');
  });

  it('is all but the least amount for what would otherwise be lost, in the last fifth of the lock and not before', () => {
    expect([boundOf('claim', leaves(1560)), boundOf('claim', leaves(1559))]).toEqual(['0.15', '1.49999991']);
    expect([boundOf('claim', leaves(1560, 'maker')), boundOf('claim', leaves(1559, 'maker'))]).toEqual([
      '0.3',
      '2.99999',
    ]);
    expect([boundOf('refund', leaves(1560)), boundOf('refund', leaves(1559))]).toEqual(['0.3', '2.99999']);
  });

  it('is that of the last moment when two of three clocks say so, and not one alone', () => {
    const at = (seconds: number) => ({ value: { clock: (NOW / 1000 + seconds) as UnixSeconds } }) as never;
    const told = (host: number, maker: number | null, taker: number | null) => {
      const given = leaves(9000 - host);
      const payments = {
        maker: maker === null ? null : at(maker - host),
        taker: taker === null ? null : at(taker - host),
      };
      return boundOf('claim', { ...given, facts: { payments } }) === '1.49999991';
    };
    // Of 9000 s until the lock of the other payment its last fifth begins at 7440 s.
    expect([told(7441, null, null), told(7440, null, null)]).toEqual([true, false]);
    expect([told(100, 99_999, 150), told(100, 150, 99_999), told(7500, 90, 120)]).toEqual([false, false, false]);
    expect([told(100, 7500, 7460), told(7500, 90, 7460), told(7500, 7460, 90)]).toEqual([true, true, true]);
    expect([told(100, 7500, null), told(7500, null, 90), told(7500, 7460, null)]).toEqual([false, false, true]);
  });

  describe('after tries without effect', () => {
    /** Each of them took a nonce of its own, and was taken by a node. */
    const burnt = (...fees: readonly string[]) =>
      fees.map((fee, nonce) => burntAt(fee, { tx: { spends: [`account:${nonce}`] } }));
    const burntAt = (fee: string, { tx, ...changes }: Parameters<typeof preparedOf>[0] = {}) =>
      preparedOf({ dead: true, acceptedAt: NOW, ...changes, tx: { fee: fee as DecimalText, ...tx } });
    const claim = (records: readonly ReturnType<typeof preparedOf>[], changes: TurnChanges = {}) =>
      boundOf('claim', { ...changes, journal: { prepared: { claim: [...records] } } });

    it('is less by what they have cost, down to a fifth', () => {
      expect(claim(burnt('0.02', '0.03'))).toBe('0.1');
      expect([claim(burnt('0.12')), claim(burnt('0.12', '0.0000001')), claim(burnt('9'))]).toEqual([
        '0.03',
        '0.03',
        '0.03',
      ]);
      const swap = { claimFee: fee('DOC', '0.05') };
      expect([claim(burnt('0.2'), { swap }), claim(burnt('0.49'), { swap })]).toEqual(['0.3', '0.1']);
      const refund = burnt('0.05');
      expect(boundOf('refund', { journal: { prepared: { refund } } })).toBe('0.25');
      expect(boundOf('claim', { journal: { prepared: { refund } } })).toBe('0.15');
    });

    it('counts only the dearest of several that spend the same, and not what no node accepted', () => {
      const one = { tx: { spends: ['account:0'] } };
      expect(claim([burntAt('0.01', one), burntAt('0.04', one), burntAt('0.02', one)])).toBe('0.11');
      expect(claim([burntAt('0.04', { acceptedAt: null }), burntAt('0.02')])).toBe('0.13');
      expect(claim([burntAt('0.04', { dead: false })])).toBe('0.15');
      const [hidden, last] = burnt('0.04', '0.02').map((record) => ({ ...record, dead: false }));
      expect(claim([hidden as never, last as never])).toBe('0.11');
    });

    it('is, in the last moment, what the claim still brings, and never less than before it', () => {
      expect(claim(burnt('0.5'), leaves(1559))).toBe('0.99999991');
      expect(claim(burnt('0.5', '1'), leaves(1559))).toBe('0.03');
      const policy = { fees: { ...fees, most: { DOC: '0.004' as DecimalText } } };
      expect([claim(burnt('9'), { policy }), claim(burnt('0.1'), { policy })]).toEqual(['0.004', '0.004']);
      const eth = { ...leaves(9000).swap, claimFee: fee('ETH', '0.003') };
      expect([claim(burnt('0.01'), { swap: eth }), claim(burnt('1'), { swap: eth })]).toEqual(['0.02', '0.006']);
    });

    it('keeps all of a claim’s tries together below half of what it brings', () => {
      const spent: string[] = [];
      while (spent.length < MOST_VARIANTS) spent.push(claim(burnt(...spent)) ?? '');
      expect(spent.reduce((sum, fee) => sum + Number(fee), 0)).toBeLessThan(0.75);
    });
  });

  it('stays for what is not lost: a maker’s refund, and whatever leaves the wallet', () => {
    expect(boundOf('refund', leaves(1, 'maker'))).toBe('0.15');
    for (const purpose of ['payment', 'fee'] as const) expect(boundOf(purpose, leaves(1))).toBe('0.3');
  });

  it('counts from what the payment offers for what must offer more than that', () => {
    const paid = (...fees: (string | undefined)[]) => ({
      journal: { prepared: { payment: fees.map((fee) => preparedOf({ tx: { fee: fee as DecimalText } })) } },
    });
    expect(boundOf('void', paid('0.2'))).toBe('0.5');
    expect(boundOf('void', paid('0.1', '0.3'))).toBe('0.6');
    const most = { fees: { ...fees, most: { MARTY: '0.04' as DecimalText } } };
    expect(boundOf('void', { ...paid('0.03'), policy: most })).toBe('0.07');
    // Nobody can say what would be enough where the log does not tell what the payment offers.
    expect([boundOf('void', paid(undefined)), boundOf('void')]).toEqual([undefined, undefined]);
  });

  it('is what an operator allows the swap on that chain, if that is more', () => {
    const allowed = (taker: string | null, maker: string | null = null): TurnChanges => ({
      journal: { feesAllowed: { maker: maker as never, taker: taker as never } },
    });
    expect(boundOf('refund', allowed('0.4'))).toBe('0.4');
    expect(boundOf('refund', allowed('0.2'))).toBe('0.3');
    expect([boundOf('claim', allowed('0.4')), boundOf('claim', allowed(null, '0.4'))]).toEqual(['0.15', '0.4']);
    const most = { fees: { ...fees, most: { MARTY: '0.001' as DecimalText } } };
    expect([boundOf('payment', { policy: most }), boundOf('payment', { ...allowed('0.4'), policy: most })]).toEqual([
      '0.001',
      '0.4',
    ]);
  });

  it('is at most what a claim or a refund brings, whatever is allowed; nothing bounds what is paid out', () => {
    const any: TurnChanges = { journal: { feesAllowed: { maker: 'any', taker: 'any' } } };
    const much: TurnChanges = { journal: { feesAllowed: { maker: '7' as DecimalText, taker: '7' as DecimalText } } };
    for (const given of [any, much]) {
      expect([boundOf('claim', given), boundOf('refund', given)]).toEqual(['1.49999991', '2.99999']);
    }
    for (const purpose of ['fee', 'payment'] as const) {
      expect([boundOf(purpose, any), boundOf(purpose, much)]).toEqual([undefined, '7']);
    }
    const swap = { claimFee: fee('ETH', '0.003') };
    expect([boundOf('claim', { ...any, swap }), boundOf('claim', { ...much, swap })]).toEqual([undefined, '7']);
  });
});
