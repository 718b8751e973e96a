import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as calls from '../../../src/htlc/evm-calls.ts';
import { keccak256 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import { leftWord, word } from '../../support/evm-transactions.ts';

const { decodeSwapCall, decodeTransfer } = calls;
const id = '1d'.repeat(32);
const [token, party, hash] = ['70'.repeat(20), '9a'.repeat(20), 'b5'.repeat(20)];
const to = 'c0'.repeat(20);
const read = (data: string, value = 0n) => decodeSwapCall({ to, value, data: hexToBytes(data) });
const transfer = (data: string, other: { readonly to?: string; readonly value?: bigint } = {}) =>
  decodeTransfer({ to, value: 0n, ...other, data: hexToBytes(data) });

describe('the selectors', () => {
  it('are the first four bytes of Keccak-256 over the signatures of the functions', () => {
    const selector = (signature: string) => bytesToHex(keccak256(new TextEncoder().encode(signature))).slice(0, 8);
    expect(calls.ETH_PAYMENT).toBe(selector('ethPayment(bytes32,address,bytes20,uint64)'));
    expect(calls.ERC20_PAYMENT).toBe(selector('erc20Payment(bytes32,uint256,address,address,bytes20,uint64)'));
    expect(calls.RECEIVER_SPEND).toBe(selector('receiverSpend(bytes32,uint256,bytes32,address,address)'));
    expect(calls.SENDER_REFUND).toBe(selector('senderRefund(bytes32,uint256,bytes20,address,address)'));
    expect(calls.ERC20_TRANSFER).toBe(selector('transfer(address,uint256)'));
  });
});

describe('decodeSwapCall', () => {
  const ether = [id, word(party), leftWord(hash), word(99n)];
  const tokens = [id, word(5n), word(token), word(party), leftWord(hash), word(99n)];
  const spend = [id, word(5n), 'ee'.repeat(32), word(token), word(party)];
  const refund = [id, word(5n), leftWord(hash), word(token), word(party)];
  const NO_TOKEN = '0'.repeat(40);

  it('reads a payment in ether, whose amount is the value of the transaction', () => {
    const expected = { kind: 'payment', swapId: id, token: NO_TOKEN, party, secretHash: hash, lockTime: 99n };
    expect(read(calls.ETH_PAYMENT + ether.join(''), 8n)).toEqual({ ...expected, amount: 8n });
  });

  it('reads a payment in a token, whose amount is an argument', () => {
    const expected = { kind: 'payment', swapId: id, amount: 5n, token, party, secretHash: hash, lockTime: 99n };
    expect(read(calls.ERC20_PAYMENT + tokens.join(''), 8n)).toEqual(expected);
  });

  it('reads a claim and a refund', () => {
    const base = { swapId: id, amount: 5n, token, party };
    expect(read(calls.RECEIVER_SPEND + spend.join(''))).toEqual({ kind: 'claim', ...base });
    expect(read(calls.SENDER_REFUND + refund.join(''))).toEqual({ kind: 'refund', ...base, secretHash: hash });
  });

  it('reads no call with too few or too many arguments', () => {
    const whole = [
      [calls.ETH_PAYMENT, ether],
      [calls.ERC20_PAYMENT, tokens],
      [calls.RECEIVER_SPEND, spend],
      [calls.SENDER_REFUND, refund],
    ] as const;
    for (const [selector, words] of whole) {
      for (let count = 0; count < 9; count++) {
        const given = Array.from({ length: count }, (_, index) => words[index] ?? word(1n));
        const decoded = read(selector + given.join(''));
        expect(decoded !== undefined).toBe(count === words.length);
      }
    }
  });

  it('reads no other function, and no data of another length', () => {
    for (const words of [ether, tokens, spend]) expect(read(`deadbeef${words.join('')}`)).toBeUndefined();
    expect(read(`${calls.RECEIVER_SPEND + spend.join('')}00`)).toBeUndefined();
    expect(read('')).toBeUndefined();
  });
});

describe('decodeTransfer', () => {
  it('reads a bare transfer of the coin of the chain', () => {
    expect(transfer('', { value: 4n })).toEqual({ to, amount: 4n, token: false });
    expect(decodeTransfer({ to: undefined, value: 4n, data: new Uint8Array() })).toBeUndefined();
  });

  it('reads a transfer of a token, to whom its argument says', () => {
    const data = `${calls.ERC20_TRANSFER}${word(party)}${word(6n)}`;
    expect(transfer(data, { value: 4n })).toEqual({ to: party, amount: 6n, token: true });
  });

  it('reads no other call', () => {
    expect(transfer(`${calls.ETH_PAYMENT}${word(party)}${word(6n)}`)).toBeUndefined();
    expect(transfer(`${calls.ERC20_TRANSFER}${word(party)}`)).toBeUndefined();
    expect(transfer(calls.ERC20_TRANSFER)).toBeUndefined();
    expect(transfer('00')).toBeUndefined();
  });
});

describe('a call that is made', () => {
  const hex = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(bytesToHex);
  const amount = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n });
  const token = fc.oneof(fc.constant(calls.NO_TOKEN), hex(20));

  it('is read back with all that it says', () => {
    fc.assert(
      fc.property(hex(32), amount, token, hex(20), hex(20), fc.bigInt(0n, (1n << 64n) - 1n), (...parts) => {
        const [swapId, units, of, party, secretHash, lockTime] = parts;
        const named = { swapId, amount: units, token: of, party };
        const read = (data: string, value = 0n) =>
          calls.decodeSwapCall({ to: undefined, value, data: hexToBytes(data) });
        const payment = { kind: 'payment', ...named, secretHash, lockTime } as const;
        expect(read(calls.encodeSwapCall(payment), of === calls.NO_TOKEN ? units : 0n)).toEqual(payment);
        const refund = { kind: 'refund', ...named, secretHash } as const;
        expect(read(calls.encodeSwapCall(refund))).toEqual(refund);
        const secret = `${secretHash}${'00'.repeat(12)}`;
        const claim = calls.encodeSwapCall({ kind: 'claim', ...named, secret });
        expect(read(claim)).toEqual({ kind: 'claim', ...named });
        expect(claim.slice(8 + 128, 8 + 192)).toBe(secret);
      }),
    );
  });

  it('is stored under the id of its lock time and hash', () => {
    expect(calls.contractSwapId(0x5d39a2a7, hexToBytes('3669eb83a007a3c507448d79f45a9f06ec2f36a8'))).toBe(
      'cdc971a5383cbd35151d8c58194f6f70dbb14e89bd8bad64598bd87447ba852f',
    );
    expect(() => calls.contractSwapId(2 ** 32, new Uint8Array(20))).toThrow(RangeError);
  });
});
