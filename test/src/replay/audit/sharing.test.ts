import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { compactHolders, plainHolders } from '../../../../src/replay/audit/holders.ts';
import { createSharing, createSharingAudit, namedThings } from '../../../../src/replay/audit/sharing.ts';
import { buildSwap, successPath } from '../../../../src/testing/index.ts';

const OTHER = '11111111-2222-4333-8444-555555555555' as SwapLog['uuid'];
const taker = (seed: number) => buildSwap({ role: 'taker', path: successPath('taker'), seed });
const maker = (seed: number) => buildSwap({ role: 'maker', path: successPath('maker'), seed });
const under = (log: SwapLog, uuid: SwapLog['uuid']): SwapLog => ({ ...log, uuid });

describe('swaps that are audited together', () => {
  it('have nothing to say if they share nothing', () => {
    const check = createSharingAudit();
    for (const log of [taker(1), maker(2), taker(3), maker(4)]) expect(check(log)).toEqual([]);
  });

  it('may be both sides of one swap, or one log read twice', () => {
    const check = createSharingAudit();
    const one = taker(1);
    expect(check(one)).toEqual([]);
    expect(check(one)).toEqual([]);
    expect(check({ ...under(maker(1), one.uuid) })).toEqual([]);
  });

  it('give the second of two that share something a finding for each thing, with both uuids', () => {
    const check = createSharingAudit();
    const one = taker(1);
    check(one);
    const found = check(under(one, OTHER));
    expect(found.map(({ check: id, status }) => [id, status])).toEqual(Array(5).fill(['one-swap', 'violated']));
    expect(found.map(({ found: text }) => text?.split(',')[0]?.split(' ').slice(0, 2).join(' '))).toEqual([
      'secret hash',
      `fee ${hashOf(one, 'TakerFeeSent')}`,
      `payment ${hashOf(one, 'MakerPaymentReceived')}`,
      `payment ${hashOf(one, 'TakerPaymentSent')}`,
      `transaction ${hashOf(one, 'MakerPaymentSpent')}`,
    ]);
    for (const { found: text, expected, seq } of found) {
      expect(text).toContain(one.uuid);
      expect(expected).toContain(OTHER);
      expect(one.events[seq ?? -1]?.type).toMatch(/Negotiated|FeeSent|Payment/);
    }
  });

  it('share what one of them names in its journal alone', () => {
    const check = createSharingAudit();
    const one = taker(1);
    check(one);
    const tx = { tx_hex: '00', tx_hash: hashOf(one, 'TakerPaymentSent') };
    const record = {
      before: 0,
      at: 0 as never,
      type: 'TransactionPrepared',
      data: { purpose: 'payment', tx },
    } as const;
    const other = under(taker(9), OTHER);
    expect(check({ ...other, journal: { importedAt: null, records: [record] } })).toMatchObject([
      { check: 'one-swap', seq: null, status: 'violated', found: expect.stringContaining(one.uuid) },
    ]);
  });

  it.each([
    ['in little memory', compactHolders],
    ['quickly', plainHolders],
  ])('are reported %s as by a list of all that others named before', (_, holdersOf) => {
    const swaps = fc.array(
      fc.record({
        uuid: fc.constantFrom(OTHER, taker(1).uuid, 'no uuid', OTHER.toUpperCase()),
        keys: fc.array(fc.constantFrom('tx:aa', 'tx:ab', 'tx:', 'secret:aa', 'tx:aa\u00e4', 'tx:aa\u00c4'), {
          maxLength: 4,
        }),
      }),
    );
    fc.assert(
      fc.property(swaps, (told) => {
        const [sharing, holders] = [createSharing(holdersOf()), new Map<string, string>()];
        for (const { uuid, keys } of told) {
          const shared = new Map<string, unknown>();
          for (const [seq, key] of keys.entries()) {
            const holder = holders.get(key);
            if (holder === undefined) holders.set(key, uuid);
            else if (holder !== uuid && !shared.has(key)) {
              shared.set(key, { kind: 'fee', id: key.slice(key.indexOf(':') + 1), with: holder, seq });
            }
          }
          const things = keys.map((key, seq) => ({ kind: 'fee' as const, key, seq }));
          expect(sharing({ uuid, things })).toEqual([...shared.values()]);
        }
      }),
    );
  });

  it('are reported by kind and id', () => {
    const sharing = createSharing();
    const event = { type: 'Negotiated', data: { secret_hash: 'ab'.repeat(20) } };
    expect(sharing({ uuid: 'one', things: namedThings({ role: 'taker', events: [event] }) })).toEqual([]);
    const things = namedThings({ role: 'taker', events: [{ type: 'Started', data: {} }, event, event] });
    expect(sharing({ uuid: 'two', things })).toEqual([
      { kind: 'secretHash', id: 'ab'.repeat(20), with: 'one', seq: 1 },
    ]);
  });
});

function hashOf({ events }: SwapLog, type: string): string {
  const { data } = events.find((event) => event.type === type) ?? {};
  return (data as { readonly tx_hash: string }).tx_hash.toLowerCase().replace(/^0x/, '');
}
