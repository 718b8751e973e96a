import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../../../src/events/journal.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { handedOut, mayBeLocked, mayHavePaidUnseen } from '../../../../src/replay/explain/handed-out.ts';
import { explainSwap } from '../../../../src/replay/explain.ts';
import { buildSwap } from '../../../../src/testing/logs/swap-builder.ts';

const READY = ['Started', 'Negotiated', 'TakerFeeValidated'] as const;
const amounts = { maker: '2.4', taker: '0.15' };
const log = buildSwap({ role: 'maker', path: [...READY], amounts, seed: 'handed out' });

type Record = readonly [type: JournalRecord['type'], data: Readonly<{ [name: string]: string }>];

function withRecords(...records: readonly Record[]) {
  const at = millisOf((log.events.at(-1)?.at ?? 0) + 1000);
  const told = records.map(([type, data]): JournalRecord => ({ before: READY.length, at, type, data }));
  return { ...log, journal: { importedAt: null, records: told } };
}

const payment = (type: JournalRecord['type'], hash = 'ab12'): Record => [type, { purpose: 'payment', tx_hash: hash }];
const ended = (how: string): Record => ['PaymentSettled', { payment: 'maker', how, by: 'self' }];

const of = (...records: readonly Record[]) =>
  handedOut({ owner: 'maker', status: 'none' }, { log: withRecords(...records) });
const said = (...records: readonly Record[]) => {
  const { funds, advice } = explainSwap(withRecords(...records));
  return [funds[0], funds.at(-1), ...advice];
};

describe('a payment that only the records of the engine hold', () => {
  it('may be on its chain from the moment before its broadcast on', () => {
    expect(said(payment('BroadcastAttempted'))).toMatchInlineSnapshot(`
      [
        "The engine was about to broadcast the maker payment of 2.4 DOC (ab12), or did: only the DOC chain shows whether it is there.",
        "This is what the log tells: what others did on the chains since then is not in it.",
        "Keep the node running and online. Where it stopped here, start it again with both coins active and it goes on. Its payment (ab12) may be on the DOC chain already.",
      ]
    `);
  });

  it('may be in a block once a node accepted it', () => {
    const accepted = [payment('BroadcastAttempted'), payment('BroadcastAccepted')];
    expect(said(...accepted)).toMatchInlineSnapshot(`
      [
        "A node of the DOC chain accepted the maker payment of 2.4 DOC (ab12): only that chain shows whether a block has it.",
        "This is what the log tells: what others did on the chains since then is not in it.",
        "Keep the node running and online. Where it stopped here, start it again with both coins active and it goes on. Its payment (ab12) may be on the DOC chain already.",
      ]
    `);
    expect(of(...accepted, payment('BroadcastRefused'))?.shown).toBe('accepted');
  });

  it('may be on its chain after a refusal', () => {
    expect(said(payment('BroadcastAttempted'), payment('BroadcastRefused'))).toMatchInlineSnapshot(`
      [
        "A node refused the maker payment of 2.4 DOC (ab12), which is no proof that it is nowhere: only the DOC chain shows whether it is there.",
        "This is what the log tells: what others did on the chains since then is not in it.",
        "Keep the node running and online. Where it stopped here, start it again with both coins active and it goes on. Its payment (ab12) may be on the DOC chain already.",
      ]
    `);
  });

  it('locks nothing if it had no effect, or can never confirm', () => {
    const reverted = [payment('BroadcastAttempted'), payment('TransactionReverted')];
    expect(said(...reverted)).toMatchInlineSnapshot(`
      [
        "A block of the DOC chain included the maker payment of 2.4 DOC (ab12) without effect: it locks nothing.",
        "The taker fee is paid (4d8175b142ab382bfd58a581d4014a755bb5103fe476ff4a2080726b74b5c444) and does not come back.",
        "Keep the node running. Where it stopped here, start it again with both coins active and it goes on. By this log, nothing of its own is locked yet. A node writes its payment down only after it sent it: if it stopped here for good, check on the DOC chain whether it is there.",
      ]
    `);
    expect(said(payment('BroadcastAttempted'), ended('voided'))).toMatchInlineSnapshot(`
      [
        "The maker payment of 2.4 DOC (ab12) was handed to the DOC chain, where it can never confirm: it locks nothing.",
        "The taker fee is paid (4d8175b142ab382bfd58a581d4014a755bb5103fe476ff4a2080726b74b5c444) and does not come back.",
        "Keep the node running. Where it stopped here, start it again with both coins active and it goes on. By this log, nothing of its own is locked yet. A node writes its payment down only after it sent it: if it stopped here for good, check on the DOC chain whether it is there.",
      ]
    `);
    expect(mayBeLocked(of(...reverted))).toBe(false);
    expect(mayBeLocked(of(payment('BroadcastAttempted'), ended('voided')))).toBe(false);
  });

  it('is named by the variant about which most is known', () => {
    const variants = [payment('BroadcastAttempted', 'a1'), payment('BroadcastAccepted', 'a1')];
    expect(of(...variants, payment('BroadcastAttempted', 'b2'))).toEqual({ hash: 'a1', shown: 'accepted' });
    expect(of(payment('BroadcastAttempted', 'a1'), payment('BroadcastAttempted', 'b2'))?.hash).toBe('b2');
  });

  it('is none before its broadcast, for another purpose, of the other side, or if an event holds it', () => {
    expect(of(payment('TransactionPrepared'))).toBeNull();
    expect(of(['BroadcastAttempted', { purpose: 'refund', tx_hash: 'ab12' }])).toBeNull();
    const sent = { log: withRecords(payment('BroadcastAttempted')) };
    expect(handedOut({ owner: 'taker', status: 'none' }, sent)).toBeNull();
    expect(handedOut({ owner: 'maker', status: 'locked' }, sent)).toBeNull();
    expect(handedOut({ owner: 'maker', status: 'none' }, { log })).toBeNull();
  });
});

describe('a payment that a node may have sent without recording it', () => {
  it('is possible in a log from elsewhere, once nothing else is awaited', () => {
    expect(mayHavePaidUnseen({ log })).toBe(true);
    expect(mayHavePaidUnseen({ log: { ...log, events: log.events.slice(0, 2) } })).toBe(false);
    expect(mayHavePaidUnseen({ log: withRecords() })).toBe(true);
    expect(explainSwap(log).advice).toMatchInlineSnapshot(`
      [
        "Keep the node running. Where it stopped here, start it again with both coins active and it goes on. By this log, nothing of its own is locked yet. A node writes its payment down only after it sent it: if it stopped here for good, check on the DOC chain whether it is there.",
      ]
    `);
  });

  it('is not possible in a log of this engine, which writes first', () => {
    const own = withRecords(['SwapRequested', {}]);
    expect(mayHavePaidUnseen({ log: own })).toBe(false);
    expect(explainSwap(own).advice[0]).toContain(' Nothing of its own is locked yet.');
  });
});
