import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../src/events/catalog.ts';
import { payloadMembers } from '../../../../src/replay/audit/payload-members.ts';

describe('payloadMembers', () => {
  const membersOf = (role: 'maker' | 'taker', type: string) => [...(payloadMembers(role).byType.get(type) ?? [])];

  it('names the members of every event of a role', () => {
    for (const role of ['maker', 'taker'] as const) {
      expect([...payloadMembers(role).byType.keys()]).toEqual([...catalog[role].keys()]);
    }
    for (const name of ['maker', 'taker', 'wait_until', 'error']) expect(payloadMembers('taker').all).toContain(name);
    // Payloads that may be null have members all the same.
    expect(membersOf('taker', 'TakerPaymentRefunded').toSorted()).toEqual(['tx_hash', 'tx_hex']);
    expect(membersOf('maker', 'MakerPaymentRefunded').toSorted()).toEqual(['tx_hash', 'tx_hex']);
    expect(membersOf('taker', 'StartFailed')).toEqual(['error']);
    expect(membersOf('taker', 'TakerFeeSent').toSorted()).toEqual(['tx_hash', 'tx_hex']);
    expect(membersOf('taker', 'TakerPaymentWaitRefundStarted')).toEqual(['wait_until']);
    expect(membersOf('taker', 'TakerPaymentSpent').toSorted()).toEqual(['secret', 'transaction']);
    expect(membersOf('maker', 'TakerPaymentSpent').toSorted()).toEqual(['tx_hash', 'tx_hex']);
    expect(membersOf('taker', 'Finished')).toEqual([]);
    expect(membersOf('taker', 'TakerFeeValidated')).toEqual([]);
  });

  it('names the members of both roles together, for programs that store all in one shape', () => {
    for (const role of ['maker', 'taker'] as const) {
      const { all } = payloadMembers(role);
      const names = ['maker', 'taker', 'secret', 'maker_payment_wait', 'wait_until', 'transaction', 'error', 'tx_hex'];
      for (const name of names) expect(all).toContain(name);
      expect(all).not.toContain('block_height');
    }
    expect(membersOf('taker', 'Started')).toContain('maker_payment_wait');
    expect(membersOf('maker', 'Started')).not.toContain('maker_payment_wait');
  });

  it('is made once for each role', () => {
    expect(payloadMembers('taker')).toBe(payloadMembers('taker'));
    expect(payloadMembers('maker')).not.toBe(payloadMembers('taker'));
  });
});
