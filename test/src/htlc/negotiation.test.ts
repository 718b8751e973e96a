import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  htlcPub,
  negotiationMessage,
  negotiationVersion,
  swapContract,
  timeoutText,
} from '../../../src/htlc/negotiation.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';

const key = fc.uint8Array({ minLength: 33, maxLength: 33 }).map((bytes) => Buffer.from(bytes).toString('hex'));

describe('a negotiation message', () => {
  it('is of version 2 only when both coin keys are the persistent one', () => {
    fc.assert(
      fc.property(key, key, (persistent, other) => {
        fc.pre(persistent !== other);
        const upper = persistent.toUpperCase();
        expect(negotiationVersion({ persistent, makerCoin: persistent, takerCoin: upper })).toBe(2);
        for (const keys of [
          { makerCoin: other, takerCoin: persistent },
          { makerCoin: persistent, takerCoin: other },
          { makerCoin: other, takerCoin: other },
          { makerCoin: null, takerCoin: persistent },
          {},
        ]) {
          expect(negotiationVersion({ persistent, ...keys })).toBe(3);
        }
      }),
    );
  });

  it('names the key of each coin, whichever its version', () => {
    const startedAt = unixSecondsOf(1_700_000_000);
    const rest = { startedAt, paymentLock: startedAt, secretHash: '11'.repeat(20) };
    const contracts = { makerCoin: 'ab'.repeat(20), takerCoin: null };
    fc.assert(
      fc.property(key, fc.option(key), fc.option(key), (persistent, makerCoin, takerCoin) => {
        const message = negotiationMessage({ ...rest, contracts, keys: { persistent, makerCoin, takerCoin } });
        expect(htlcPub(message, 'makerCoin')).toBe(makerCoin ?? persistent);
        expect(htlcPub(message, 'takerCoin')).toBe(takerCoin ?? persistent);
        expect(swapContract(message, 'makerCoin')).toBe(contracts.makerCoin);
        expect(swapContract(message, 'takerCoin')).toBeNull();
        expect('persistent_pubkey' in message).toBe(message.version === 2);
      }),
    );
  });

  it('names no contract in version 1, and an empty one counts as none', () => {
    const started_at = unixSecondsOf(1_700_000_000);
    const common = { started_at, payment_locktime: started_at, secret_hash: '', persistent_pubkey: '' };
    expect(swapContract({ version: 1, ...common }, 'takerCoin')).toBeNull();
    const empty = { maker_coin_swap_contract: '', taker_coin_swap_contract: '' };
    expect(swapContract({ version: 2, ...common, ...empty }, 'makerCoin')).toBeNull();
  });

  it('that is missing is reported with the waited time and its limit', () => {
    expect(timeoutText(181, 180)).toBe('Timeout (181 > 180)');
  });
});
