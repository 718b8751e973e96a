import { encodeFunctionData, encodeFunctionResult, encodePacked, parseAbi, ripemd160 } from 'viem';
import { describe, expect, it } from 'vitest';
import * as calls from '../../../src/htlc/token-calls.ts';

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function payments(bytes32 id) view returns (bytes20, uint64, uint8)',
]);
const [owner, spender] = ['5e'.repeat(20), 'c7'.repeat(20)];
const hex0 = (hex: string): `0x${string}` => `0x${hex}`;

describe('calls of tokens and of the swap contract', () => {
  it('are those that another implementation writes', () => {
    const amount = 123_456_789n;
    const data = (call: Parameters<typeof encodeFunctionData<typeof abi>>[0]) => encodeFunctionData(call);
    expect(hex0(calls.transferCall(owner, amount))).toBe(
      data({ abi, functionName: 'transfer', args: [hex0(owner), amount] }),
    );
    expect(hex0(calls.approvalCall(spender, amount))).toBe(
      data({ abi, functionName: 'approve', args: [hex0(spender), amount] }),
    );
    expect(hex0(calls.balanceCall(owner))).toBe(data({ abi, functionName: 'balanceOf', args: [hex0(owner)] }));
    expect(hex0(calls.allowanceCall({ owner, spender }))).toBe(
      data({ abi, functionName: 'allowance', args: [hex0(owner), hex0(spender)] }),
    );
    expect(hex0(calls.TOKEN_DECIMALS)).toBe(data({ abi, functionName: 'decimals' }));
    expect(hex0(calls.storedPaymentCall('1d'.repeat(32)))).toBe(
      data({ abi, functionName: 'payments', args: [hex0('1d'.repeat(32))] }),
    );
  });

  it('are answered with a payment or a number, and anything else is neither', () => {
    const stored = encodeFunctionResult({ abi, functionName: 'payments', result: [hex0('b5'.repeat(20)), 99n, 2] });
    expect(calls.decodeStoredPayment(stored.slice(2))).toEqual({ paymentHash: 'b5'.repeat(20), lock: 99n, state: 2 });
    const unknown = encodeFunctionResult({ abi, functionName: 'payments', result: [hex0('b5'.repeat(20)), 99n, 4] });
    for (const other of ['', stored.slice(4), `${stored.slice(2)}00`, unknown.slice(2)])
      expect(calls.decodeStoredPayment(other)).toBeUndefined();
    expect(calls.decodeNumberAnswer('8'.padStart(64, '0'))).toBe(8n);
    for (const other of ['', '08', '8'.padStart(128, '0')]) expect(calls.decodeNumberAnswer(other)).toBeUndefined();
  });

  it('a payment has the hash that another implementation makes of its parts', () => {
    const payment = {
      receiver: owner,
      sender: spender,
      secretHash: 'ab'.repeat(20),
      token: '7d'.repeat(20),
      amount: 77n,
    };
    const packed = encodePacked(
      ['address', 'address', 'bytes20', 'address', 'uint256'],
      [hex0(owner), hex0(spender), hex0(payment.secretHash), hex0(payment.token), payment.amount],
    );
    expect(hex0(calls.contractPaymentHash(payment))).toBe(ripemd160(packed));
  });
});
