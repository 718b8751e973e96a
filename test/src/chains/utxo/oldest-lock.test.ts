import { secp256k1 } from '@noble/curves/secp256k1.js';
import { describe, expect, it } from 'vitest';
import { readUtxoEntry } from '../../../../src/chains/utxo/coin-entry.ts';
import { madeOf } from '../../../../src/chains/utxo/made.ts';
import { scriptTerms } from '../../../../src/chains/utxo/parts.ts';
import { isLockTooOld, makeSpend } from '../../../../src/chains/utxo/spend.ts';
import { p2pkhScript, paymentOutputs, SMART_CHAIN_FORM } from '../../../../src/htlc/index.ts';
import { encodeTransaction } from '../../../../src/htlc/transaction-encoding.ts';
import type { PaymentTerms } from '../../../../src/ports/chain.ts';
import { decimalOf } from '../../../../src/primitives/decimal.ts';
import { sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { unixSecondsOf } from '../../../../src/primitives/time.ts';

const LOCK = 1_800_000_000;
const secret = new Uint8Array(32).fill(5);
const signer = {
  key: secp256k1.getPublicKey(secret, true),
  sign: (hash: Uint8Array) => secp256k1.sign(hash, secret, { prehash: false, lowS: true, format: 'der' }),
};

const terms: PaymentTerms = {
  lock: unixSecondsOf(LOCK),
  secretHash: 'ab'.repeat(20),
  sender: bytesToHex(signer.key),
  receiver: bytesToHex(secp256k1.getPublicKey(new Uint8Array(32).fill(6), true)),
  amount: decimalOf('1.25'),
  contract: null,
};

const ENTRY = { mm2: 1, txversion: 4, overwintered: 1, protocol: { type: 'UTXO' } };

function coinOf(coin: string) {
  return readUtxoEntry({ coin, ...ENTRY }, { finality: 3, scheme: 'p2sh' }).coin;
}

/** The lock time of a refund that is made at a moment of the chain's clock, for the own side or for watchers. */
async function lockOfRefund(
  ticker: string,
  clock: number,
  purpose: 'refund' | 'refundPreimage' = 'refund',
): Promise<number> {
  const coin = coinOf(ticker);
  const outputs = paymentOutputs({ terms: scriptTerms(terms), scheme: 'p2sh', value: 125_000_000n });
  const input = { txid: '11'.repeat(32), vout: 1, scriptSig: new Uint8Array(0), sequence: 0xffff_ffff };
  const tx_hex = bytesToHex(
    encodeTransaction({ ...SMART_CHAIN_FORM, inputs: [input], outputs: [...outputs], lockTime: 0 }),
  );
  const tx_hash = madeOf(tx_hex)?.txid ?? '';
  const spent = await makeSpend(
    purpose === 'refund'
      ? { purpose, terms, funding: { tx_hex, tx_hash }, urgency: 0, replaces: null }
      : { purpose, terms, funding: { tx_hex, tx_hash } },
    {
      ...{ coin, signer, to: p2pkhScript(sha256(secret).subarray(0, 20)), rate: 2000n, maxFee: null },
      clock: unixSecondsOf(clock),
    },
  );
  if (!('made' in spent)) throw new Error(spent.message);
  expect(isLockTooOld(coin, spent.made, unixSecondsOf(clock))).toBe(false);
  return spent.made.tx.lockTime;
}

describe('refunds on a chain whose nodes accept no old lock times', () => {
  it('have the lock of the payment while that is ahead, and then the latest one that is final', async () => {
    expect(await lockOfRefund('KMD', LOCK - 600)).toBe(LOCK);
    expect(await lockOfRefund('KMD', LOCK + 1)).toBe(LOCK);
    expect(await lockOfRefund('KMD', LOCK + 90_000)).toBe(LOCK + 89_999);
  });

  it('always have the lock of the payment on every other chain, including its smart chains', async () => {
    expect(await lockOfRefund('DOC', LOCK + 90_000)).toBe(LOCK);
  });

  it('for watchers can be sent from the moment at which watchers act, by a clock of the chain that is behind, for some time', async () => {
    // A swap of the usual lock duration began some time before its payment was made.
    for (const duration of [7800, 31_200]) {
      for (const sinceStart of [120, 900, 1800, 3000, 5300]) {
        for (const behind of [0, 300, 600]) {
          const start = LOCK - duration;
          const lockTime = await lockOfRefund('KMD', start + sinceStart - behind, 'refundPreimage');
          const act = start + duration * 1.5;
          // Final, and not too old for a quarter of an hour more, unless the payment took very long.
          expect(lockTime).toBeGreaterThanOrEqual(LOCK);
          expect(lockTime).toBeLessThan(act - behind);
          expect(lockTime + 3600).toBeGreaterThan(act - behind + (sinceStart > 3600 ? 0 : 900));
        }
      }
    }
    expect(await lockOfRefund('KMD', LOCK - 7200, 'refundPreimage')).toBe(LOCK + 3600 - 900);
  });

  it('for watchers have the lock of the payment if nodes accept old ones, and a fresh one after the lock', async () => {
    expect(await lockOfRefund('DOC', LOCK - 7200, 'refundPreimage')).toBe(LOCK);
    expect(await lockOfRefund('KMD', LOCK - 900, 'refundPreimage')).toBe(LOCK);
    expect(await lockOfRefund('KMD', LOCK + 5000, 'refundPreimage')).toBe(LOCK + 4999);
  });

  it('are too old from an hour on', async () => {
    const kmd = coinOf('KMD');
    const made = (lockTime: number) => ({ tx: { lockTime } }) as Parameters<typeof isLockTooOld>[1];
    const isOld = (lockTime: number, clock: number, coin = kmd) =>
      isLockTooOld(coin, made(lockTime), unixSecondsOf(clock));
    expect(isOld(LOCK, LOCK + 3599)).toBe(false);
    expect(isOld(LOCK, LOCK + 3600)).toBe(true);
    expect(isOld(LOCK, LOCK + 3600, coinOf('DOC'))).toBe(false);
    // No lock time at all, as of a claim, and one that is a height.
    expect(isOld(0, LOCK)).toBe(false);
    expect(isOld(499_999_999, LOCK)).toBe(false);
  });
});
