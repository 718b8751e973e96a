import { describe, expect, it } from 'vitest';
import type { MakerNegotiated, MakerStarted, TakerNegotiated, TakerStarted } from '../../../../src/events/payloads.ts';
import { addSeconds } from '../../../../src/primitives/time.ts';
import type { Ground } from '../../../../src/replay/recreate/draft.ts';
import {
  makerNegotiated,
  makerStarted,
  NEGOTIATED_GROUNDS,
  startedGrounds,
  type TakerTerms,
} from '../../../../src/replay/recreate/maker-terms.ts';
import { RecreateError } from '../../../../src/replay/recreate/recreate-error.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';

const pair = buildSwapPair({ seed: 'terms', separateKeys: true, amounts: { maker: '2.4', taker: '3' } });
const payload = <T>(role: 'taker' | 'maker', seq: number) => pair[role].events[seq]?.data as T;
const started = payload<TakerStarted>('taker', 0);
const negotiated = payload<TakerNegotiated>('taker', 1);
const own = payload<MakerStarted>('maker', 0);

const terms = (changes: Partial<TakerTerms> = {}): TakerTerms => ({ started, negotiated, form: 'kdf', ...changes });
const told = (grounds: Readonly<Record<string, Ground>>) =>
  Object.entries(grounds).map(([name, { certainty, from, because }]) => `${name} (${certainty}, ${from}): ${because}`);
const codeOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    return error instanceof RecreateError ? error.code : error;
  }
  return undefined;
};

describe("a maker's Started made from its taker's log", () => {
  it('is that of the maker, except for the secret, the fees and the clock', () => {
    expect(makerStarted(terms())).toEqual({
      ...own,
      secret: '0'.repeat(64),
      my_persistent_pub: negotiated.maker_pubkey,
      started_at: started.started_at,
      maker_payment_trade_fee: null,
      taker_payment_spend_trade_fee: null,
    });
  });

  it('names the swap contracts if the parties agreed on them, and no others', () => {
    const addresses = { maker_coin_swap_contract_addr: 'aa'.repeat(20), taker_coin_swap_contract_addr: null };
    const first = makerStarted(terms({ negotiated: { ...negotiated, ...addresses } }));
    expect(first.maker_coin_swap_contract_address).toBe('aa'.repeat(20));
    expect(first).not.toHaveProperty('taker_coin_swap_contract_address');
    const turned = { maker_coin_swap_contract_addr: null, taker_coin_swap_contract_addr: 'bb'.repeat(20) };
    const second = makerStarted(terms({ negotiated: { ...negotiated, ...turned } }));
    expect(second.taker_coin_swap_contract_address).toBe('bb'.repeat(20));
    expect(second).not.toHaveProperty('maker_coin_swap_contract_address');
  });

  it("cannot be made without the hash of the secret, or the taker's key", () => {
    const noHash = terms({ negotiated: { ...negotiated, secret_hash: null } });
    const noKey = terms({ started: { ...started, my_persistent_pub: null } });
    expect(codeOf(() => makerStarted(noHash))).toBe('RECREATE_NO_SECRET_HASH');
    expect(codeOf(() => makerStarted(noKey))).toBe('RECREATE_FIELD_MISSING');
  });
});

describe("a maker's start", () => {
  const at = (seconds: number, form: TakerTerms['form'] = 'replayable', coin = started.taker_coin) => {
    const lock = addSeconds(started.started_at, seconds + 2 * started.lock_duration);
    return terms({
      started: { ...started, taker_coin: coin },
      negotiated: { ...negotiated, maker_payment_locktime: lock },
      form,
    });
  };
  const startOf = (given: TakerTerms) => {
    const { certainty } = startedGrounds(given)['started_at'] as Ground;
    return [makerStarted(given).started_at - started.started_at, certainty];
  };

  it('follows from its lock, which is twice the duration after it', () => {
    expect(startOf(terms({ form: 'replayable' }))).toEqual([own.started_at - started.started_at, 'certain']);
    for (const seconds of [0, 1, -1, 60, -60]) expect(startOf(at(seconds))).toEqual([seconds, 'certain']);
  });

  it("is the taker's if the lock follows another rule: the clocks may be 60 s apart, no more", () => {
    for (const seconds of [61, -61, 1000]) expect(startOf(at(seconds))).toEqual([0, 'assumed']);
  });

  it("is the taker's in the form of the real node", () => {
    expect(startOf(at(30, 'kdf'))).toEqual([0, 'assumed']);
  });

  it('is one and a half times the duration before the lock if the taker pays over Lightning', () => {
    const lightning = at(-started.lock_duration / 2, 'replayable', 'BTC-lightning');
    expect(startOf(lightning)).toEqual([0, 'certain']);
    expect(startOf(at(0, 'replayable', 'BTC-lightning'))).toEqual([0, 'assumed']);
  });
});

describe("a maker's Negotiated made from its taker's log", () => {
  it('is that of the maker, with the key that the taker has for itself', () => {
    expect(makerNegotiated(terms())).toEqual({
      ...payload<MakerNegotiated>('maker', 1),
      taker_pubkey: started.my_persistent_pub,
    });
  });

  it('holds the contracts agreed on, else those of the start, else none', () => {
    const agreed = { maker_coin_swap_contract_addr: 'aa', taker_coin_swap_contract_addr: 'bb' };
    const begun = { maker_coin_swap_contract_address: 'cc', taker_coin_swap_contract_address: 'dd' };
    const none = { maker_coin_swap_contract_addr: null, taker_coin_swap_contract_addr: null };
    const contracts = (given: Partial<TakerTerms>) => {
      const made = makerNegotiated(terms(given));
      return [made.maker_coin_swap_contract_addr, made.taker_coin_swap_contract_addr];
    };
    const both = { started: { ...started, ...begun }, negotiated: { ...negotiated, ...agreed } };
    expect(contracts(both)).toEqual(['aa', 'bb']);
    expect(contracts({ ...both, negotiated: { ...negotiated, ...none } })).toEqual(['cc', 'dd']);
    expect(contracts({ negotiated: { ...negotiated, ...none } })).toEqual([null, null]);
  });

  it('holds an empty key if the log has lost it', () => {
    const lost = terms({ started: { ...started, my_persistent_pub: null } });
    expect(makerNegotiated(lost).taker_pubkey).toBe('');
  });
});

describe('the grounds', () => {
  it('of Started', () => {
    expect(told(startedGrounds(terms()))).toMatchInlineSnapshot(`
      [
        "taker (certain, Started.my_persistent_pub at 0): It is that key without its parity byte.",
        "secret (unknown, nothing): The maker alone knew it at its start; zeros stand in its place.",
        "secret_hash (certain, Negotiated.secret_hash at 1): The maker chose it and told it.",
        "my_persistent_pub (certain, Negotiated.maker_pubkey at 1): It is the key that the maker told; zeros where it was hidden.",
        "maker_payment_lock (certain, Negotiated.maker_payment_locktime at 1): The maker told its lock.",
        "started_at (assumed, Started.started_at at 0): The clocks of the parties were at most 60 s apart.",
        "maker_coin_start_block (assumed, Started.maker_coin_start_block at 0): Both looked at about the same time.",
        "taker_coin_start_block (assumed, Started.taker_coin_start_block at 0): Both looked at about the same time.",
        "maker_payment_trade_fee (unknown, nothing): It only locks an amount while the swap runs.",
        "taker_payment_spend_trade_fee (unknown, nothing): It only locks an amount while the swap runs.",
        "maker_coin_swap_contract_address (certain, Negotiated.maker_coin_swap_contract_addr at 1): Both use the same contract.",
        "taker_coin_swap_contract_address (certain, Negotiated.taker_coin_swap_contract_addr at 1): Both use the same contract.",
        "maker_coin_htlc_pubkey (certain, Negotiated.maker_coin_htlc_pubkey at 1): The maker told its keys.",
        "taker_coin_htlc_pubkey (certain, Negotiated.taker_coin_htlc_pubkey at 1): The maker told its keys.",
        "p2p_privkey (unknown, nothing): It never leaves its owner.",
      ]
    `);
    const exact = startedGrounds(terms({ form: 'replayable' }))['started_at'] as Ground;
    expect(told({ exact })).toMatchInlineSnapshot(`
      [
        "exact (certain, Negotiated.maker_payment_locktime at 1): The lock is exactly the start and the lock duration, or both refuse.",
      ]
    `);
  });

  it('of Negotiated', () => {
    expect(told(NEGOTIATED_GROUNDS)).toMatchInlineSnapshot(`
      [
        "taker_payment_locktime (certain, Started.taker_payment_lock at 0): The taker told its lock.",
        "taker_pubkey (certain, Started.my_persistent_pub at 0): The taker told its key.",
        "maker_coin_swap_contract_addr (certain, Negotiated.maker_coin_swap_contract_addr at 1, else Started): Both use the same contract.",
        "taker_coin_swap_contract_addr (certain, Negotiated.taker_coin_swap_contract_addr at 1, else Started): Both use the same contract.",
        "maker_coin_htlc_pubkey (certain, Started.maker_coin_htlc_pubkey at 0): The taker told its keys.",
        "taker_coin_htlc_pubkey (certain, Started.taker_coin_htlc_pubkey at 0): The taker told its keys.",
      ]
    `);
  });
});
