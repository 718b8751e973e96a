import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  argumentProblem,
  type ContractCoin,
  type ContractTerms,
  contractAccount,
  isContractAmount,
  isOfAnotherContract,
  type NamedPayment,
  namePayment,
  storedProblem,
} from '../../../src/htlc/contract-payment.ts';
import { contractSwapId, decodeSwapCall, encodeSwapCall } from '../../../src/htlc/evm-calls.ts';
import { contractPaymentHash } from '../../../src/htlc/token-calls.ts';
import { decimalOf } from '../../../src/primitives/decimal.ts';
import { hash160, ripemd160 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';

const [contract, fallbackContract, token] = ['c7'.repeat(20), 'fa'.repeat(20), '7d'.repeat(20)];
const [sender, receiver] = [`02${'a1'.repeat(32)}`, `03${'b2'.repeat(32)}`];
const coin: ContractCoin = {
  ...{ decimals: 6, contract, fallbackContract, token },
  accountOf: (key) => ((key[0] ?? 0) < 4 ? bytesToHex(hash160(key)) : null),
};
const terms: ContractTerms = {
  ...{ lock: 1_601_367_157, secretHash: '01'.repeat(20), sender, receiver, contract: contract.toUpperCase() },
  amount: decimalOf('0.75'),
};

function named(of: Partial<ContractTerms> = {}): NamedPayment {
  const found = namePayment({ ...terms, ...of }, coin);
  if (found === null) throw new Error('no payment');
  return found;
}

describe('a payment that the swap contract holds', () => {
  it('is named by its terms in base units, with the hash that the contract stores of it', () => {
    const { paymentHash, id, ...payment } = named();
    expect(payment).toEqual({
      ...{ contract, token, amount: 750_000n, lock: terms.lock, secretHash: terms.secretHash },
      sender: bytesToHex(hash160(hexToBytes(sender))),
      receiver: bytesToHex(hash160(hexToBytes(receiver))),
    });
    // The framework's own vector.
    expect(id).toBe('0c692f2ec8ebab181a79e31b7baab30fef0902e57f901c47a342643eeafa6b51');
    expect(paymentHash).toBe(contractPaymentHash(payment));
  });

  it('with a hash of 32 bytes has the id of those and the contract’s form of 20', () => {
    const secretHash = '3c'.repeat(32);
    const { id, secretHash: stored } = named({ secretHash });
    expect(id).toBe(contractSwapId(terms.lock, hexToBytes(secretHash)));
    expect(stored).toBe(bytesToHex(ripemd160(hexToBytes(secretHash))));
  });

  it('does not exist for terms that no call can express', () => {
    for (const wrong of [
      { contract: null },
      { contract: token },
      { sender: 'a1'.repeat(19) },
      { receiver: `04${'b2'.repeat(32)}` },
      { secretHash: '01'.repeat(19) },
      { secretHash: 'zz'.repeat(20) },
      { lock: 2 ** 32 },
      { amount: decimalOf(`1${'0'.repeat(80)}`) },
    ])
      expect(namePayment({ ...terms, ...wrong }, coin)).toBeNull();
    expect(named({ contract: fallbackContract }).contract).toBe(fallbackContract);
  });

  it('is elsewhere if only its contract is unknown', () => {
    const is = (of: Partial<ContractTerms>) => isOfAnotherContract({ ...terms, ...of }, coin);
    expect([{}, { contract: fallbackContract }, { contract: token }, { contract: null }].map(is)).toEqual([
      ...[false, false, true, true],
    ]);
    expect(is({ contract: token, lock: 2 ** 32 })).toBe(false);
  });

  it('is the one that the contract stores by its hash and its lock', () => {
    const payment = named();
    const stored = { paymentHash: payment.paymentHash, lock: BigInt(payment.lock) };
    expect(storedProblem(stored, payment)).toBeNull();
    expect(storedProblem({ ...stored, lock: 7n }, payment)).toBe('Payment time_lock 7 is invalid, expected 1601367157');
    expect(storedProblem({ ...stored, paymentHash: token }, payment)).toBe(
      `Payment hash ${token} of the swap contract is invalid, expected ${payment.paymentHash}`,
    );
  });

  it('is paid by a call with its arguments alone', () => {
    const payment = named();
    const call = (of: Partial<NamedPayment> = {}) => {
      const { id, receiver: party, amount, secretHash, lock, ...rest } = { ...payment, ...of };
      const made = { kind: 'payment', swapId: id, token: rest.token, amount, party, secretHash } as const;
      const data = hexToBytes(encodeSwapCall({ ...made, lockTime: BigInt(lock) }));
      const read = decodeSwapCall({ to: contract, value: 0n, data });
      if (read === undefined) throw new Error('no call');
      return argumentProblem(payment, read);
    };
    expect(call()).toBeNull();
    const wrong = { id: '1d'.repeat(32), token: contract, receiver: token, secretHash: '02'.repeat(20), lock: 7 };
    for (const [name, value] of Object.entries(wrong)) expect(call({ [name]: value })).toContain('is invalid');
    expect(call({ amount: payment.amount - 1n })).toContain('749999');
  });

  it('has accounts that are keys or accounts, in either case', () => {
    const account = 'Ab'.repeat(20);
    expect(contractAccount(account, coin)).toBe('ab'.repeat(20));
    expect(contractAccount(sender.toUpperCase(), coin)).toBe(bytesToHex(hash160(hexToBytes(sender))));
    for (const none of ['', 'zz'.repeat(20), `${account}ab`, 'zz'.repeat(33)])
      expect(contractAccount(none, coin)).toBeNull();
  });

  it('has an amount that 32 bytes can count', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 256n - 1n), (amount) => {
        expect(isContractAmount(amount)).toBe(true);
        expect(isContractAmount(amount + 2n ** 256n)).toBe(false);
        expect(isContractAmount(-amount - 1n)).toBe(false);
      }),
    );
  });
});
