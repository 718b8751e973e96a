import { describe, expect, it } from 'vitest';
import type { Role } from '../../../../src/events/catalog.ts';
import { hash256, sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import {
  loggedTransactions,
  notUtxo,
  type TransactionUse,
  uncheckableId,
  useInWords,
} from '../../../../src/replay/audit/transactions.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { storedEvm } from '../../../support/evm-transactions.ts';

const { transactions } = buildSwapPair({ seed: 121 });
const { tx_hex, tx_hash, bytes } = transactions.takerFee();

function read(data: unknown, type = 'TakerFeeSent', role: Role = 'taker') {
  return loggedTransactions(role, [{ type, known: true, seq: 7, at: 0, data } as never]);
}

const one = (data: unknown) => read(data)[0];
const reasonOf = (data: unknown) => {
  const [logged] = read(data);
  return logged === undefined ? undefined : notUtxo(logged);
};

const pays = (payer: Role): TransactionUse => ({ kind: 'payment', payer });
const claims = (payer: Role): TransactionUse => ({ kind: 'claim', payer });
const refunds = (payer: Role): TransactionUse => ({ kind: 'refund', payer });

describe('the events that hold a transaction', () => {
  const uses: Readonly<Record<Role, Readonly<Record<string, TransactionUse>>>> = {
    taker: {
      TakerFeeSent: { kind: 'fee' },
      MakerPaymentReceived: pays('maker'),
      TakerPaymentSent: pays('taker'),
      MakerPaymentSpent: claims('maker'),
      MakerPaymentSpentByWatcher: claims('maker'),
      MakerPaymentSpendConfirmed: claims('maker'),
      TakerPaymentRefunded: refunds('taker'),
      TakerPaymentRefundedByWatcher: refunds('taker'),
    },
    maker: {
      TakerFeeValidated: { kind: 'fee' },
      MakerPaymentSent: pays('maker'),
      TakerPaymentReceived: pays('taker'),
      TakerPaymentSpent: claims('taker'),
      MakerPaymentRefunded: refunds('maker'),
    },
  };

  it('say what it is for', () => {
    for (const role of ['taker', 'maker'] as const) {
      for (const [type, use] of Object.entries(uses[role])) {
        expect(read({ tx_hex, tx_hash }, type, role)).toMatchObject([{ seq: 7, event: type, use, hash: tx_hash }]);
      }
    }
  });

  it("hold it beside the secret in a taker's TakerPaymentSpent, and there alone", () => {
    const nested = { transaction: { tx_hex, tx_hash }, secret: '00'.repeat(32) };
    expect(read(nested, 'TakerPaymentSpent')).toMatchObject([{ use: claims('taker'), hex: tx_hex }]);
    expect(read({ tx_hex, tx_hash }, 'TakerPaymentSpent')).toEqual([]);
    expect(read(nested, 'TakerPaymentSpent', 'maker')).toEqual([]);
    expect(read({ transaction: { tx_hex, tx_hash } }, 'MakerPaymentSpent')).toEqual([]);
  });

  it('are no others, and none without both texts', () => {
    expect(read({ tx_hex, tx_hash }, 'Negotiated')).toEqual([]);
    expect(read({ tx_hex, tx_hash }, 'MakerPaymentSent', 'taker')).toEqual([]);
    for (const data of [null, undefined, {}, { tx_hex }, { tx_hash }, { tx_hex, tx_hash: 5 }, { tx_hex: 5, tx_hash }]) {
      expect(read(data)).toEqual([]);
    }
  });
});

describe('a logged transaction', () => {
  it('is decoded by its chain', () => {
    expect(one({ tx_hex, tx_hash })).toMatchObject({ family: 'utxo', id: tx_hash, evm: undefined, bytes });
    expect(one({ tx_hex, tx_hash })?.utxo?.format).toBe('sapling');
    const evm = storedEvm({ to: 'aa'.repeat(20), value: 3n });
    expect(one(evm)).toMatchObject({ family: 'evm', utxo: undefined, id: evm.tx_hash });
    expect(one(evm)?.evm).toMatchObject({ to: 'aa'.repeat(20), value: 3n });
  });

  it('is decoded also on chains whose ids are single hashes', () => {
    const single = bytesToHex(Uint8Array.from(sha256(bytes)).reverse());
    expect(one({ tx_hex, tx_hash: single })).toMatchObject({ family: 'utxoSingleSha256', id: single });
    expect(one({ tx_hex, tx_hash: single })?.utxo).toBeDefined();
  });

  it('may be spelt with 0x and in capitals', () => {
    const logged = one({ tx_hex: `0x${tx_hex.toUpperCase()}`, tx_hash: `0X${tx_hash.toUpperCase()}` });
    expect(logged).toMatchObject({ family: 'utxo', id: tx_hash });
    expect(logged?.bytes).toEqual(bytes);
    expect(one({ tx_hex: `0X${tx_hex}`, tx_hash })?.bytes).toEqual(bytes);
    expect(one({ tx_hex: `${tx_hex}0x`, tx_hash })?.bytes).toEqual(new Uint8Array());
    expect(one({ tx_hex: 'zz', tx_hash: `aa0x${tx_hash}` })?.id).toBe(`aa0x${tx_hash}`);
  });

  it('has the id of its bytes if the stored one is wrong', () => {
    expect(one({ tx_hex, tx_hash: '11'.repeat(32) })?.id).toBe(tx_hash);
    const unreadable = one({ tx_hex: '00', tx_hash: 'AA' });
    expect(unreadable).toMatchObject({ id: 'aa', family: undefined, utxo: undefined, evm: undefined });
    expect(unreadable?.bytes).toEqual(Uint8Array.of(0));
    expect(one({ tx_hex: 'zz', tx_hash: 'aa' })?.bytes).toEqual(new Uint8Array());
  });

  it('of a form that is not decoded may have a right id all the same', () => {
    const unknown = '0102030405';
    const id = bytesToHex(Uint8Array.from(hash256(hexToBytes(unknown))).reverse());
    expect(one({ tx_hex: unknown, tx_hash: id })).toMatchObject({ family: 'utxo', utxo: undefined });
    expect(reasonOf({ tx_hex: unknown, tx_hash: id })).toBe('the stored bytes are no transaction that can be read');
  });
});

describe('why a transaction gives no inputs and outputs', () => {
  it('is identified by its chain', () => {
    expect(reasonOf({ tx_hex: '', tx_hash: '' })).toBe(
      'no transaction is stored: a taker that is exempt from the fee sends none',
    );
    expect(reasonOf({ tx_hex: 'ab'.repeat(32), tx_hash: 'ab'.repeat(32) })).toBe(
      'a Lightning payment leaves its payment hash alone',
    );
    expect(reasonOf({ tx_hex: `05000080${'00'.repeat(40)}`, tx_hash })).toBe(
      'the transaction is of Zcash version 5, which is not decoded',
    );
    expect(reasonOf({ tx_hex: '7b227d', tx_hash })).toBe('the transaction is of Sia, which is not decoded');
    expect(reasonOf(storedEvm({}))).toBe('the transaction is of an EVM chain, whose payments have checks of their own');
    expect(reasonOf({ tx_hex: '0a0012001a00', tx_hash })).toBe(
      'the transaction is of a Tendermint chain, which is not decoded',
    );
    expect(reasonOf({ tx_hex: '00', tx_hash })).toBe('the stored bytes are no transaction that can be read');
    expect(uncheckableId('extensionBlock')).toBe('the transaction has an extension block, which is not decoded');
  });
});

describe('useInWords', () => {
  it('names what a transaction is for', () => {
    expect(useInWords({ kind: 'fee' })).toBe("the taker's fee");
    expect(useInWords(pays('maker'))).toBe("the maker's payment");
    expect(useInWords(claims('taker'))).toBe("the claim of the taker's payment");
    expect(useInWords(refunds('maker'))).toBe("the refund of the maker's payment");
  });
});
