import { describe, expect, it } from 'vitest';
import type { MakerNegotiated, MakerStarted, TakerNegotiated, TakerStarted } from '../../../../src/events/payloads.ts';
import { addSeconds } from '../../../../src/primitives/time.ts';
import type { Ground } from '../../../../src/replay/recreate/draft.ts';
import {
  type MakerTerms,
  NEGOTIATED_GROUNDS,
  startedGrounds,
  takerNegotiated,
  takerStarted,
} from '../../../../src/replay/recreate/taker-terms.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';

const pair = buildSwapPair({ seed: 'terms', separateKeys: true, amounts: { maker: '2.4', taker: '3' } });
const payload = <T>(role: 'taker' | 'maker', seq: number) => pair[role].events[seq]?.data as T;
const started = payload<MakerStarted>('maker', 0);
const negotiated = payload<MakerNegotiated>('maker', 1);
const own = payload<TakerStarted>('taker', 0);

const terms = (changes: Partial<MakerTerms> = {}): MakerTerms => ({ started, negotiated, form: 'kdf', ...changes });
const told = (grounds: Readonly<Record<string, Ground>>) =>
  Object.entries(grounds).map(([name, { certainty, from, because }]) => `${name} (${certainty}, ${from}): ${because}`);

describe("a taker's Started made from its maker's log", () => {
  it('is that of the taker, except for the fees and the clock', () => {
    expect(takerStarted(terms())).toEqual({
      ...own,
      my_persistent_pub: negotiated.taker_pubkey,
      started_at: started.started_at,
      maker_payment_wait: started.started_at + (started.lock_duration * 2) / 5,
      fee_to_send_taker_fee: null,
      taker_payment_trade_fee: null,
      maker_payment_spend_trade_fee: null,
    });
  });

  it('names the swap contracts if the parties agreed on them, and no others', () => {
    const addresses = { maker_coin_swap_contract_addr: 'aa'.repeat(20), taker_coin_swap_contract_addr: null };
    const first = takerStarted(terms({ negotiated: { ...negotiated, ...addresses } }));
    expect(first.maker_coin_swap_contract_address).toBe('aa'.repeat(20));
    expect(first).not.toHaveProperty('taker_coin_swap_contract_address');
    const turned = { maker_coin_swap_contract_addr: null, taker_coin_swap_contract_addr: 'bb'.repeat(20) };
    const second = takerStarted(terms({ negotiated: { ...negotiated, ...turned } }));
    expect(second.taker_coin_swap_contract_address).toBe('bb'.repeat(20));
    expect(second).not.toHaveProperty('maker_coin_swap_contract_address');
  });
});

describe("a taker's start", () => {
  const at = (seconds: number, form: MakerTerms['form'] = 'replayable') => {
    const lock = addSeconds(started.started_at, seconds + started.lock_duration);
    return terms({ negotiated: { ...negotiated, taker_payment_locktime: lock }, form });
  };
  const startOf = (given: MakerTerms) => {
    const { started_at, maker_payment_wait } = takerStarted(given);
    const grounds = startedGrounds(given);
    expect(maker_payment_wait).toBe(started_at + (started.lock_duration * 2) / 5);
    expect(grounds['maker_payment_wait']?.certainty).toBe(grounds['started_at']?.certainty);
    return [started_at - started.started_at, grounds['started_at']?.certainty];
  };

  it('follows from its lock, which is the duration after it, and so does its wait for the maker payment', () => {
    expect(startOf(terms({ form: 'replayable' }))).toEqual([own.started_at - started.started_at, 'certain']);
    for (const seconds of [0, 1, -1, 60, -60]) expect(startOf(at(seconds))).toEqual([seconds, 'certain']);
  });

  it("is the maker's if the lock follows another rule: the clocks may be 60 s apart, no more", () => {
    for (const seconds of [61, -61, 1000]) expect(startOf(at(seconds))).toEqual([0, 'assumed']);
  });

  it("is the maker's in the form of the real node", () => {
    expect(startOf(at(30, 'kdf'))).toEqual([0, 'assumed']);
  });
});

describe("a taker's Negotiated made from its maker's log", () => {
  it('is that of the taker, with the key that the maker has for itself', () => {
    expect(takerNegotiated(terms(), 'ab'.repeat(20))).toEqual({
      ...payload<TakerNegotiated>('taker', 1),
      maker_pubkey: started.my_persistent_pub,
      secret_hash: 'ab'.repeat(20),
    });
  });

  it('holds the contracts of the negotiation', () => {
    const agreed = { maker_coin_swap_contract_addr: 'aa', taker_coin_swap_contract_addr: 'bb' };
    expect(takerNegotiated(terms({ negotiated: { ...negotiated, ...agreed } }), 'ab')).toMatchObject(agreed);
  });
});

describe('the grounds', () => {
  it('of Started', () => {
    expect(told(startedGrounds(terms()))).toMatchInlineSnapshot(`
      [
        "maker (certain, Started.my_persistent_pub at 0): It is that key without its parity byte.",
        "my_persistent_pub (certain, Negotiated.taker_pubkey at 1): It is the key that the taker told; zeros where it was hidden.",
        "taker_payment_lock (certain, Negotiated.taker_payment_locktime at 1): The taker told its lock.",
        "started_at (assumed, Started.started_at at 0): The clocks of the parties were at most 60 s apart.",
        "maker_payment_wait (assumed, Started.started_at at 0): It is two fifths of the lock duration after the start.",
        "maker_coin_start_block (assumed, Started.maker_coin_start_block at 0): Both looked at about the same time.",
        "taker_coin_start_block (assumed, Started.taker_coin_start_block at 0): Both looked at about the same time.",
        "fee_to_send_taker_fee (unknown, nothing): It only locks an amount while the swap runs.",
        "taker_payment_trade_fee (unknown, nothing): It only locks an amount while the swap runs.",
        "maker_payment_spend_trade_fee (unknown, nothing): It only locks an amount while the swap runs.",
        "maker_coin_swap_contract_address (certain, Negotiated.maker_coin_swap_contract_addr at 1): Both use the same contract.",
        "taker_coin_swap_contract_address (certain, Negotiated.taker_coin_swap_contract_addr at 1): Both use the same contract.",
        "maker_coin_htlc_pubkey (certain, Negotiated.maker_coin_htlc_pubkey at 1): The taker told its keys.",
        "taker_coin_htlc_pubkey (certain, Negotiated.taker_coin_htlc_pubkey at 1): The taker told its keys.",
        "p2p_privkey (unknown, nothing): It never leaves its owner.",
      ]
    `);
    const { started_at, maker_payment_wait } = startedGrounds(terms({ form: 'replayable' }));
    expect(told({ started_at, maker_payment_wait } as Record<string, Ground>)).toMatchInlineSnapshot(`
      [
        "started_at (certain, Negotiated.taker_payment_locktime at 1): The lock is exactly the start and the lock duration, or both refuse.",
        "maker_payment_wait (certain, Negotiated.taker_payment_locktime at 1): It is two fifths of the lock duration after the start.",
      ]
    `);
  });

  it('of Negotiated', () => {
    expect(told(NEGOTIATED_GROUNDS)).toMatchInlineSnapshot(`
      [
        "maker_payment_locktime (certain, Started.maker_payment_lock at 0): The maker told its lock.",
        "maker_pubkey (certain, Started.my_persistent_pub at 0): The maker told its key.",
        "secret_hash (certain, Started.secret_hash at 0): The maker chose it and told it.",
        "maker_coin_htlc_pubkey (certain, Started.maker_coin_htlc_pubkey at 0): The maker told its keys.",
        "taker_coin_htlc_pubkey (certain, Started.taker_coin_htlc_pubkey at 0): The maker told its keys.",
      ]
    `);
  });
});
