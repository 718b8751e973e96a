import { DirectSecp256k1Wallet, Registry } from '@cosmjs/proto-signing';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import { AuthInfo, Fee, SignDoc, SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountOfAddress, tendermintAccount, tendermintAddress } from '../../../src/htlc/tendermint-address.ts';
import {
  frameworkLockBlocks,
  latestInclusion,
  lockBlocks,
  makerLockBlocks,
} from '../../../src/htlc/tendermint-lock.ts';
import { htlcModuleOf, type TendermintMessage } from '../../../src/htlc/tendermint-messages.ts';
import {
  decodeTendermintTransaction,
  encodeTendermintTransaction,
  signingHash,
  type TendermintDraft,
  unsignedParts,
} from '../../../src/htlc/tendermint-transaction.ts';
import { sha256 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';

const SECRET_KEY = sha256(new TextEncoder().encode('a key'));
const KEY = secp256k1.getPublicKey(SECRET_KEY, true);
const account = tendermintAccount(KEY) ?? '';
const FROM = tendermintAddress('iaa', account);
const TO = tendermintAddress('iaa', 'ca1e04745e8ca0c60d8c5881531d51bec470743f');
const CONTEXT = { chainId: 'nyancat-9', accountNumber: 271n };

const DRAFT: TendermintDraft = {
  messages: [{ kind: 'send', from: FROM, to: TO, coins: [{ denom: 'unyan', amount: 12_345n }] }],
  memo: '3447b727-fe93-4357-8e5a-8cf2699b7e86',
  timeoutHeight: 1_234_667n,
  key: KEY,
  sequence: 300n,
  gas: 125_000n,
  fee: [{ denom: 'unyan', amount: 31_250n }],
};

function signed(draft: TendermintDraft): Uint8Array {
  const hash = signingHash(unsignedParts(draft), CONTEXT);
  return encodeTendermintTransaction(draft, secp256k1.sign(hash, SECRET_KEY, { prehash: false, lowS: true }));
}

describe('a transaction of a Tendermint chain', () => {
  it('is what another implementation signs for the same words, to the byte', async () => {
    const wallet = await DirectSecp256k1Wallet.fromKey(SECRET_KEY, 'iaa');
    const [known] = await wallet.getAccounts();
    expect(known?.address).toBe(FROM);
    const registry = new Registry();
    const bodyBytes = registry.encodeTxBody({
      messages: [
        {
          typeUrl: '/cosmos.bank.v1beta1.MsgSend',
          value: MsgSend.fromPartial({
            fromAddress: FROM,
            toAddress: TO,
            amount: [{ denom: 'unyan', amount: '12345' }],
          }),
        },
      ],
      memo: DRAFT.memo,
      timeoutHeight: DRAFT.timeoutHeight,
    });
    const publicKey = { typeUrl: '/cosmos.crypto.secp256k1.PubKey', value: Uint8Array.from([0x0a, 33, ...KEY]) };
    const authInfoBytes = AuthInfo.encode(
      AuthInfo.fromPartial({
        signerInfos: [SignerInfo.fromPartial({ publicKey, modeInfo: { single: { mode: 1 } }, sequence: 300n })],
        fee: Fee.fromPartial({ amount: [{ denom: 'unyan', amount: '31250' }], gasLimit: 125_000n }),
      }),
    ).finish();
    const { signature } = await wallet.signDirect(
      FROM,
      SignDoc.fromPartial({ bodyBytes, authInfoBytes, chainId: CONTEXT.chainId, accountNumber: CONTEXT.accountNumber }),
    );
    const raw = TxRaw.encode({
      bodyBytes,
      authInfoBytes,
      signatures: [Uint8Array.from(Buffer.from(signature.signature, 'base64'))],
    }).finish();
    expect(bytesToHex(signed(DRAFT))).toBe(bytesToHex(raw));
  });

  it('is read as it was written, and by another implementation alike', () => {
    const bytes = signed(DRAFT);
    const { id, mode, signature, bodyBytes, authInfoBytes, ...rest } = decodeTendermintTransaction(bytes) ?? {};
    expect(rest).toEqual(DRAFT);
    expect([id, mode]).toEqual([bytesToHex(sha256(bytes)), 1n]);
    const raw = TxRaw.decode(bytes);
    expect(TxBody.decode(raw.bodyBytes).timeoutHeight).toBe(1_234_667n);
    expect(AuthInfo.decode(raw.authInfoBytes).signerInfos[0]?.sequence).toBe(300n);
    expect(raw.signatures[0]).toEqual(signature);
    expect([raw.bodyBytes, raw.authInfoBytes]).toEqual([bodyBytes, authInfoBytes]);
  });

  const text = fc.string({ maxLength: 70 });
  const amounts = fc.array(
    fc.record({ denom: fc.string({ minLength: 1, maxLength: 9 }), amount: fc.bigInt({ min: 0n, max: 1n << 80n }) }),
    { maxLength: 3 },
  );
  const count = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
  const module = fc.constantFrom('irismod' as const, 'nucleus' as const);
  const message: fc.Arbitrary<TendermintMessage> = fc.oneof(
    fc.record({ kind: fc.constant('send' as const), from: text, to: text, coins: amounts }),
    fc.record({ kind: fc.constant('claim' as const), module, sender: text, id: text, secret: text }),
    fc.record({
      ...{ kind: fc.constant('create' as const), module, sender: text, to: text, coins: amounts },
      ...{ hashLock: text, timestamp: count, timeLock: count, isTransfer: fc.constant(false) },
    }),
    fc.record({ kind: fc.constant('other' as const), typeUrl: text, value: fc.uint8Array({ maxLength: 40 }) }),
  );

  it('survives a round trip, whatever it says', () => {
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 3 }),
        fc.record({ memo: text, timeoutHeight: count, sequence: count, gas: count, fee: amounts }),
        (messages, rest) => {
          const draft = { ...rest, messages, key: KEY };
          const { id, mode, signature, bodyBytes, authInfoBytes, ...read } =
            decodeTendermintTransaction(encodeTendermintTransaction(draft, new Uint8Array(64))) ?? {};
          expect(read).toEqual(draft);
        },
      ),
    );
  });

  it('no bytes make the reader throw, and truncated ones are refused', () => {
    const bytes = signed(DRAFT);
    for (let length = 0; length < bytes.length; length += 1)
      expect(decodeTendermintTransaction(bytes.subarray(0, length))).toBe(undefined);
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (any) => void decodeTendermintTransaction(any)));
    const at = fc.nat(bytes.length - 1);
    fc.assert(
      fc.property(at, fc.integer({ min: 1, max: 255 }), (place, flip) => {
        const changed = bytes.slice();
        changed[place] = (changed[place] ?? 0) ^ flip;
        expect(decodeTendermintTransaction(changed)?.id).not.toBe(bytesToHex(sha256(bytes)));
      }),
    );
  });

  it('a field that occurs twice is refused: readers differ in which one they use', () => {
    const twice = Uint8Array.from([...signed(DRAFT), 0x0a, 0x00]);
    expect(decodeTendermintTransaction(twice)).toBe(undefined);
  });
});

describe('the parts of a payment on a Tendermint chain', () => {
  it('an address is only that of its prefix', () => {
    expect(accountOfAddress('iaa', FROM)).toBe(account);
    expect(accountOfAddress('nuc', FROM)).toBe(undefined);
    const last = FROM.endsWith('q') ? 'p' : 'q';
    expect(accountOfAddress('iaa', `${FROM.slice(0, -1)}${last}`)).toBe(undefined);
    expect(tendermintAccount(hexToBytes('02'))).toBe(undefined);
    expect(() => tendermintAddress('iaa', 'ab')).toThrow(RangeError);
  });

  it('only two prefixes have an HTLC module', () => {
    expect(['iaa', 'nuc', 'cosmos'].map(htlcModuleOf)).toEqual(['irismod', 'nucleus', undefined]);
  });

  it('the framework locks either payment for the lock duration, rounded down, within what the module accepts', () => {
    expect(frameworkLockBlocks(7800, 5)).toBe(1560);
    expect(frameworkLockBlocks(7804, 5)).toBe(1560);
    expect(frameworkLockBlocks(7800, 7)).toBe(1114);
    expect(frameworkLockBlocks(249, 5)).toBe(50);
    expect(frameworkLockBlocks(259, 5)).toBe(51);
    expect(frameworkLockBlocks(172_805, 5)).toBe(34_560);
    expect(() => frameworkLockBlocks(7800, 0)).toThrow(RangeError);
    expect([50, 51, 999, 1560].map(latestInclusion)).toEqual([5, 6, 100, 100]);
  });

  it('a lock is as many blocks as its seconds take, never fewer, within what the module accepts', () => {
    expect(lockBlocks(7800, 5)).toBe(1560);
    expect(lockBlocks(7801, 5)).toBe(1561);
    expect(lockBlocks(100, 5)).toBe(50);
    expect(lockBlocks(7800, 6.5)).toBe(1200);
    expect(lockBlocks(1_000_000, 5)).toBe(34_560);
    expect(() => lockBlocks(7800, 0)).toThrow(RangeError);
  });

  it('of a maker lasts as long even if blocks come a quarter faster, and no block longer, as far as the module accepts it', () => {
    expect(makerLockBlocks(15_600, 5)).toBe(3900);
    expect(makerLockBlocks(30, 5)).toBe(50);
    expect(makerLockBlocks(150_000, 5)).toBe(34_560);
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 130_000 }), fc.integer({ min: 5, max: 8 }), (seconds, blockTime) => {
        const blocks = makerLockBlocks(seconds, blockTime);
        expect((blocks * blockTime * 4) / 5).toBeGreaterThanOrEqual(seconds);
        expect(((blocks - 1) * blockTime * 4) / 5).toBeLessThan(seconds);
      }),
    );
    expect(() => makerLockBlocks(7800, 0)).toThrow(RangeError);
  });
});
