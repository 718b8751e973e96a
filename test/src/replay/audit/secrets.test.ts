import { describe, expect, it } from 'vitest';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { concatBytes } from '../../../../src/htlc/byte-writer.ts';
import { pushData } from '../../../../src/htlc/script.ts';
import { hash160, sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { claimSecretRule, secretHashFormRule, secretRule } from '../../../../src/replay/audit/secrets.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import {
  judge,
  notCheckable,
  transactionOf,
  verified,
  violated,
  withMembers,
  without,
  withTransaction,
} from '../../../support/audited.ts';
import { CONTRACT, evmSwap } from '../../../support/evm-swap.ts';
import { storedEvm } from '../../../support/evm-transactions.ts';

const { taker, maker, terms } = buildSwapPair({ seed: 71 });
const hash = bytesToHex(terms.secretHash);
const long = bytesToHex(sha256(terms.secret));
const OTHER = 'ab'.repeat(32);
const hash160Of = (secret: string) => bytesToHex(hash160(hexToBytes(secret)));
const [TAKER_CLAIM, MAKER_CLAIM] = [8, 9];

describe('the stored secret', () => {
  const inTaker = (members: object) => judge(secretRule, withMembers(taker, 'TakerPaymentSpent', { ...members }));
  const inMaker = (members: object) => judge(secretRule, withMembers(maker, 'Started', { ...members }));

  it('hashes to the secret hash, in the logs of both parties', () => {
    expect(judge(secretRule, taker)).toEqual([verified(TAKER_CLAIM, hash)]);
    expect(judge(secretRule, maker)).toEqual([verified(0, hash)]);
  });

  it('hashes by SHA-256 if the hash has 32 bytes', () => {
    expect(judge(secretRule, withMembers(taker, 'Negotiated', { secret_hash: long }))).toEqual([
      verified(TAKER_CLAIM, long),
    ]);
    expect(inMaker({ secret_hash: long })).toEqual([verified(0, long)]);
  });

  it('is named only by its hash if it differs', () => {
    expect(inTaker({ secret: OTHER })).toEqual([violated(TAKER_CLAIM, { expected: hash, found: hash160Of(OTHER) })]);
    expect(inMaker({ secret: OTHER, secret_hash: long })).toEqual([
      violated(0, { expected: long, found: bytesToHex(sha256(hexToBytes(OTHER))) }),
    ]);
  });

  it('may be hidden behind zeros, absent or no hex', () => {
    for (const secret of ['00'.repeat(32), '', undefined, null, 'zz', 5]) {
      expect(inTaker({ secret })).toEqual([notCheckable(TAKER_CLAIM, 'the secret is hidden or absent')]);
      expect(inMaker({ secret })).toEqual([notCheckable(0, 'the secret is hidden or absent')]);
    }
  });

  it('has no hash beside it in the logs of makers of 2019', () => {
    expect(inMaker({ secret_hash: undefined })).toEqual([notCheckable(0, 'the log stores no hash beside the secret')]);
  });

  it('is looked for in Started once for a maker, and in TakerPaymentSpent for a taker', () => {
    const twice = { ...maker, events: [...maker.events, ...maker.events.slice(0, 1)] };
    expect(judge(secretRule, twice)).toHaveLength(1);
    expect(judge(secretRule, without(maker, 'Started'))).toEqual([]);
    expect(judge(secretRule, without(taker, 'TakerPaymentSpent'))).toEqual([]);
  });
});

describe('the form of the secret hash', () => {
  const inTaker = (secret_hash: unknown) =>
    judge(secretHashFormRule, withMembers(taker, 'Negotiated', { secret_hash }));
  const inMaker = (secret_hash: unknown) => judge(secretHashFormRule, withMembers(maker, 'Started', { secret_hash }));

  it('is 20 or 32 bytes', () => {
    for (const length of [20, 32]) {
      expect(inTaker('ab'.repeat(length))).toEqual([verified(1, `${length} bytes`)]);
      expect(inMaker('ab'.repeat(length))).toEqual([verified(0, `${length} bytes`)]);
    }
    for (const length of [1, 19, 21, 31, 33, 64]) {
      const contradiction = { expected: '20 or 32 bytes', found: `${length} bytes` };
      expect(inTaker('ab'.repeat(length))).toEqual([violated(1, contradiction)]);
      expect(inMaker('ab'.repeat(length))).toEqual([violated(0, contradiction)]);
    }
  });

  it('cannot be judged if the log stores none', () => {
    for (const none of [undefined, '', 'zz']) {
      expect(inTaker(none)).toEqual([notCheckable(1, 'the log stores no secret hash')]);
      expect(inMaker(none)).toEqual([notCheckable(0, 'the log stores no secret hash')]);
    }
    expect(judge(secretHashFormRule, without(taker, 'Negotiated'))).toEqual([]);
    expect(judge(secretHashFormRule, without(maker, 'Started'))).toEqual([]);
  });
});

const signature = Uint8Array.of(0x30, ...new Uint8Array(70));

/** The claim of the maker's payment with another secret in its script. */
function revealing(secret: string, log: SwapLog = taker): SwapLog {
  return withTransaction(log, 'MakerPaymentSpent', ({ inputs }) => ({
    inputs: inputs.map((input) => {
      const script = input.scriptSig.subarray(-109);
      const pushes = [pushData(signature), pushData(hexToBytes(secret)), Uint8Array.of(0)];
      return { ...input, scriptSig: concatBytes([...pushes, script]) };
    }),
  }));
}

describe('the secret inside of a claim on a UTXO chain', () => {
  it('is the stored one', () => {
    expect(judge(claimSecretRule, taker)).toEqual([verified(TAKER_CLAIM, hash), verified(MAKER_CLAIM, hash)]);
    expect(judge(claimSecretRule, maker)).toEqual([verified(8, hash)]);
    expect(judge(claimSecretRule, revealing(bytesToHex(terms.secret)))[1]).toEqual(verified(MAKER_CLAIM, hash));
  });

  it('is named only by its hash if it differs from the stored one', () => {
    expect(judge(claimSecretRule, revealing(OTHER))[1]).toEqual(
      violated(MAKER_CLAIM, {
        expected: hash,
        found: hash160Of(OTHER),
        reason: 'HASH160 of the stored and of the revealed secret',
      }),
    );
  });

  it('is checked against the hash if the log hides the secret', () => {
    const hidden = withMembers(taker, 'TakerPaymentSpent', { secret: '00'.repeat(32) });
    expect(judge(claimSecretRule, hidden)).toEqual([verified(TAKER_CLAIM, hash), verified(MAKER_CLAIM, hash)]);
    expect(judge(claimSecretRule, revealing(OTHER, hidden))[1]).toEqual(
      violated(MAKER_CLAIM, { expected: hash, found: hash160Of(OTHER) }),
    );
    const hashed = withMembers(revealing(OTHER, hidden), 'Negotiated', { secret_hash: long });
    expect(judge(claimSecretRule, hashed)[1]).toEqual(
      violated(MAKER_CLAIM, { expected: long, found: bytesToHex(sha256(hexToBytes(OTHER))) }),
    );
  });

  it('may stand in any input', () => {
    const joined = withTransaction(taker, 'MakerPaymentSpent', ({ inputs }) => ({
      inputs: [...transactionOf(taker, 'TakerFeeSent').inputs, ...inputs],
    }));
    expect(judge(claimSecretRule, joined)[1]).toEqual(verified(MAKER_CLAIM, hash));
  });

  it('is not there in a claim by the other branch, nor in bytes that cannot be read', () => {
    const bare = withTransaction(taker, 'MakerPaymentSpent', ({ inputs }) => ({
      inputs: inputs.map((input) => ({
        ...input,
        scriptSig: concatBytes([pushData(signature), Uint8Array.of(0x51), input.scriptSig.subarray(-109)]),
      })),
    }));
    expect(judge(claimSecretRule, bare)[1]).toEqual(notCheckable(MAKER_CLAIM, 'no input reveals a secret'));
    expect(judge(claimSecretRule, withMembers(taker, 'MakerPaymentSpent', { tx_hex: '00' }))[1]).toEqual(
      notCheckable(MAKER_CLAIM, 'the stored bytes are no transaction that can be read'),
    );
  });
});

describe('the secret inside of a claim on an EVM chain', () => {
  const { log, terms: evmTerms, calls } = evmSwap();
  const evmHash = bytesToHex(evmTerms.secretHash);

  it('is the stored one, if the swap contract takes it', () => {
    expect(judge(claimSecretRule, log)).toEqual([verified(5, evmHash), verified(6, evmHash)]);
    const data = calls.makerPaymentSpend.replace(bytesToHex(evmTerms.secret), OTHER);
    const other = withMembers(log, 'MakerPaymentSpent', storedEvm({ to: CONTRACT, data }));
    expect(judge(claimSecretRule, other)[1]).toMatchObject({ status: 'violated', found: hash160Of(OTHER) });
  });

  it('is not looked for in other calls', () => {
    const reason = 'the call reveals no secret where the swap contract takes it';
    for (const data of [calls.takerPaymentRefund, 'deadbeef', '02ed292b']) {
      const other = withMembers(log, 'MakerPaymentSpent', storedEvm({ to: CONTRACT, data }));
      expect(judge(claimSecretRule, other)[1]).toEqual(notCheckable(6, reason));
    }
  });

  it('cannot be checked in a log without secret and hash', () => {
    const hidden = withMembers(log, 'TakerPaymentSpent', { secret: '00'.repeat(32) });
    const unknown = withMembers(hidden, 'Negotiated', { secret_hash: undefined });
    expect(judge(claimSecretRule, unknown)).toEqual(
      [5, 6].map((seq) => notCheckable(seq, 'the log stores neither the secret nor its hash')),
    );
  });
});
