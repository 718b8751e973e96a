import { describe, expect, it } from 'vitest';
import type { Watch } from '../../../../src/events/watcher.ts';
import { takerPaymentLock } from '../../../../src/htlc/lock-times.ts';
import { scriptHash160 } from '../../../../src/htlc/secret-hash.ts';
import type { PaymentTerms, PromisedPayment } from '../../../../src/ports/chain.ts';
import { decimalOf } from '../../../../src/primitives/decimal.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { addSeconds } from '../../../../src/primitives/time.ts';
import { promisedBy, promisedPayments, promisedProblem } from '../../../../src/runtime/watcher/promised.ts';
import { sample } from '../../../machines/watcher/support.ts';

const { watch } = sample;
const LOCK = takerPaymentLock(watch.swap_started_at, watch.lock_duration);
const HASH = bytesToHex(scriptHash160(hexToBytes(watch.secret_hash)) as Uint8Array);
const PAYS = { rewards: true };
const PLAIN = { rewards: false };

/** What an adapter reads in the bytes of a payment: accounts in the place of keys. */
const told = (leg: 'maker' | 'taker', changes: Partial<PaymentTerms> = {}, tx_hash?: string): PromisedPayment => ({
  terms: {
    lock: leg === 'taker' ? LOCK : addSeconds(LOCK, watch.lock_duration),
    ...{ secretHash: HASH, sender: 'aa'.repeat(20), receiver: 'bb'.repeat(20) },
    ...{ amount: decimalOf(leg === 'taker' ? '1.25' : '3.5'), contract: 'c0'.repeat(20) },
    ...changes,
  },
  tx_hash: tx_hash ?? (leg === 'taker' ? watch.taker_payment_hash : watch.maker_payment_hash),
});

const by = (taker: PromisedPayment | null, maker: PromisedPayment | null) =>
  promisedBy({ taker: { promised: () => taker }, maker: { promised: () => maker } });
const BOTH = { traits: { maker: PAYS, taker: PAYS } };

describe('payments that pay watchers, as a watch names them', () => {
  it('have the terms of their bytes, the keys of the message on the taker’s chain, and their roles', () => {
    const found = promisedPayments(watch, { ...BOTH, promised: by(told('taker'), told('maker')) });
    expect(found.taker).toEqual({
      problem: null,
      terms: {
        ...{ lock: LOCK, secretHash: watch.secret_hash, sender: watch.taker_pub, receiver: watch.maker_pub },
        ...{ amount: '1.25', contract: 'c0'.repeat(20), reward: { leg: 'taker', otherPays: true } },
      },
    });
    expect(found.maker?.terms).toEqual({
      ...told('maker').terms,
      secretHash: watch.secret_hash,
      reward: { leg: 'maker', otherPays: true },
    });
  });

  it('say whether the other chain pays watchers too, and do not exist on a chain that does not', () => {
    const promised = by(told('taker'), told('maker'));
    const found = promisedPayments(watch, { traits: { maker: PLAIN, taker: PAYS }, promised });
    expect([found.maker, found.taker?.terms?.reward]).toEqual([null, { leg: 'taker', otherPays: false }]);
    expect(promisedPayments(watch, { traits: { maker: PLAIN, taker: PLAIN } })).toEqual({ maker: null, taker: null });
  });

  const another = 'ff'.repeat(32);
  it.each<[string, PromisedPayment | null, PromisedPayment | null]>([
    ['a taker’s payment that promises nothing', null, told('maker')],
    ['a maker’s payment that promises nothing', told('taker'), null],
    ['another transaction of the taker', told('taker', {}, another), told('maker')],
    ['another transaction of the maker', told('taker'), told('maker', {}, another)],
    ['another lock of the taker', told('taker', { lock: addSeconds(LOCK, 1) }), told('maker')],
    ['a maker’s lock that ends with the taker’s', told('taker'), told('maker', { lock: LOCK })],
    ['another secret of the taker', told('taker', { secretHash: '00'.repeat(20) }), told('maker')],
    ['another secret of the maker', told('taker'), told('maker', { secretHash: '00'.repeat(20) })],
  ])('are refused for %s', (_, taker, maker) => {
    expect(promisedProblem(watch, { ...BOTH, promised: by(taker, maker) })).not.toBeNull();
    expect(promisedProblem(watch, { ...BOTH, promised: by(told('taker'), told('maker')) })).toBeNull();
  });

  it('are named by ids in any letter case', () => {
    const upper: Watch = { ...watch, taker_payment_hash: watch.taker_payment_hash.toUpperCase() };
    expect(promisedProblem(upper, { ...BOTH, promised: by(told('taker'), told('maker')) })).toBeNull();
  });
});
