import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../src/htlc/byte-writer.ts';
import {
  type ContractCall,
  contractCallScript,
  contractCallsOf,
  decodeContractCall,
  gasCost,
} from '../../../src/htlc/contract-output.ts';
import { HtlcTermsError } from '../../../src/htlc/error.ts';
import { contractSwapId, decodeSwapCall, encodeSwapCall } from '../../../src/htlc/evm-calls.ts';
import { inputKey } from '../../../src/htlc/key-input.ts';
import { p2pkhScript, pushData } from '../../../src/htlc/script.ts';
import { approvalCall, transferCall } from '../../../src/htlc/token-calls.ts';
import { type DecodedTransaction, decodeTransaction, isTransactionProblem } from '../../../src/htlc/transaction.ts';
import { transactionId } from '../../../src/htlc/transaction-encoding.ts';
import { hash160 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';

// Of Qtum's public test network: a transfer, a payment of a swap, and one behind an approval in the same transaction.
const TOKEN = 'd362e096e873eb7907e205fadc6175c6fec7bc44';
const SWAP_CONTRACT = 'ba8b71f3544b93e2f681f996da519a98ace0107a';
const TRANSFER =
  '5403a02526012844a9059cbb0000000000000000000000000240b898276ad2cc0d2fe6f527e8e31104e7fde3000000000000000000000000000000000000000000000000000000003b9aca0014d362e096e873eb7907e205fadc6175c6fec7bc44c2';
const PAYMENT_ID = '016a59dd2b181b3906b0f0333d5c7561dacb332dc99ac39679a591e523f2c49a';
const PAYMENT =
  '010000000194448324c14fc6b78c7a52c59debe3240fc392019dbd6f1457422e3308ce1e75010000006b483045022100800a4956a30a36708536d98e8ea55a3d0983b963af6c924f60241616e2ff056d0220239e622f8ec8f1a0f5ef0fc93ff094a8e6b5aab964a62bed680b17bf6a848aac012103693bff1b39e8b5a306810023c29b95397eb395530b106b1820ea235fd81d9ce9ffffffff020000000000000000e35403a0860101284cc49b415b2a0c692f2ec8ebab181a79e31b7baab30fef0902e57f901c47a342643eeafa6b510000000000000000000000000000000000000000000000000000000001312d00000000000000000000000000d362e096e873eb7907e205fadc6175c6fec7bc44000000000000000000000000783cf0be521101942da509846ea476e683aad8320101010101010101010101010101010101010101000000000000000000000000000000000000000000000000000000000000000000000000000000005f72ec7514ba8b71f3544b93e2f681f996da519a98ace0107ac201319302000000001976a9149e032d4b0090a11dc40fe6c47601499a35d55fbb88ac40ed725f';
const APPROVAL =
  '5403a08601012844095ea7b3000000000000000000000000ba8b71f3544b93e2f681f996da519a98ace0107a0000000000000000000000000000000000000000000000000000000001312d0014d362e096e873eb7907e205fadc6175c6fec7bc44c2';

const read = (script: string): unknown => decodeContractCall(hexToBytes(script));

function transactionOf(hex: string): DecodedTransaction {
  const tx = decodeTransaction(hexToBytes(hex));
  if (isTransactionProblem(tx)) throw new Error(tx.problem);
  return tx;
}

describe('outputs of the public test network', () => {
  it('a transfer is written and read byte for byte', () => {
    const data = hexToBytes(transferCall('0240b898276ad2cc0d2fe6f527e8e31104e7fde3', 1_000_000_000n));
    const call: ContractCall = { gasLimit: 2_500_000n, gasPrice: 40n, data, contract: TOKEN };
    expect(bytesToHex(contractCallScript(call))).toBe(TRANSFER);
    expect(read(TRANSFER)).toEqual(call);
  });

  it('an approval is written byte for byte', () => {
    const data = hexToBytes(approvalCall(SWAP_CONTRACT, 20_000_000n));
    expect(bytesToHex(contractCallScript({ gasLimit: 100_000n, gasPrice: 40n, data, contract: TOKEN }))).toBe(APPROVAL);
  });

  it('a payment of a swap is read out of its transaction, and written again', () => {
    const tx = transactionOf(PAYMENT);
    expect(transactionId(hexToBytes(PAYMENT), tx)).toBe(PAYMENT_ID);
    const [call, ...others] = contractCallsOf(tx.outputs);
    if (call === undefined) throw new Error('no call');
    expect(others).toEqual([]);
    expect(call).toMatchObject({ gasLimit: 100_000n, gasPrice: 40n, contract: SWAP_CONTRACT, vout: 0, value: 0n });
    const swap = decodeSwapCall({ to: call.contract, value: call.value, data: call.data });
    const said = {
      kind: 'payment' as const,
      swapId: contractSwapId(1_601_367_157, new Uint8Array(20).fill(1)),
      amount: 20_000_000n,
      token: TOKEN,
      party: '783cf0be521101942da509846ea476e683aad832',
      secretHash: '01'.repeat(20),
      lockTime: 1_601_367_157n,
    };
    expect(swap).toEqual(said);
    expect(said.swapId).toBe('0c692f2ec8ebab181a79e31b7baab30fef0902e57f901c47a342643eeafa6b51');
    expect(encodeSwapCall(said)).toBe(bytesToHex(call.data));
    expect(contractCallScript(call)).toEqual(tx.outputs[0]?.script);
    expect(gasCost(tx.outputs)).toBe(4_000_000n);
    // Whoever calls is the account of the key that the first input shows.
    const key = tx.inputs[0] === undefined ? undefined : inputKey(tx.inputs[0]);
    expect(bytesToHex(hash160(key ?? new Uint8Array()))).toBe('9e032d4b0090a11dc40fe6c47601499a35d55fbb');
  });
});

describe('the script of a call', () => {
  const calls = fc.record({
    gasLimit: fc.bigInt(1n, (1n << 62n) - 1n),
    gasPrice: fc.bigInt(1n, 1n << 40n),
    data: fc.uint8Array({ maxLength: 600 }),
    contract: fc.uint8Array({ minLength: 20, maxLength: 20 }).map(bytesToHex),
  });

  it('is read as it was written', () => {
    fc.assert(
      fc.property(calls, (call) => {
        expect(decodeContractCall(contractCallScript(call))).toEqual(call);
      }),
    );
  });

  it.each([
    [127n, '017f'],
    [128n, '028000'],
    [22_000n, '02f055'],
    [100_000n, '03a08601'],
    [200_000n, '03400d03'],
    [0x80_0000n, '0400008000'],
  ])('has the gas limit %s as the shortest number with its sign', (gasLimit, pushed) => {
    const script = contractCallScript({ gasLimit, gasPrice: 1n, data: new Uint8Array(), contract: TOKEN });
    expect(bytesToHex(script)).toBe(`54${pushed}010100${`14${TOKEN}c2`}`);
  });

  it('is not written without gas, without a price, to an invalid address, or with data that no script can push', () => {
    const call = { gasLimit: 7n, gasPrice: 5n, data: new Uint8Array(3), contract: TOKEN };
    const faults = [
      { gasLimit: 0n },
      { gasPrice: 0n },
      { gasLimit: -7n },
      { contract: TOKEN.slice(2) },
      { contract: 'g'.repeat(40) },
      { data: new Uint8Array(10_001) },
      { gasLimit: 1n << 63n },
    ];
    for (const fault of faults) expect(() => contractCallScript({ ...call, ...fault })).toThrow(HtlcTermsError);
    expect(() => contractCallScript({ ...call, gasPrice: 0n })).toThrow('gas_limit and gas_price cannot be zero');
  });

  it('is read with its version as a push of one byte too, as wallets of the chain write it', () => {
    expect(read(`0104${TRANSFER.slice(2)}`)).toEqual(read(TRANSFER));
  });

  it('names the caller if the output names an account', () => {
    const sender = '5e'.repeat(20);
    const named = `51${`14${sender}`}03010203c4${TRANSFER}`;
    expect(read(named)).toEqual({ ...(read(TRANSFER) as ContractCall), sender });
    expect(read(`52${`14${sender}`}03010203c4${TRANSFER}`)).toMatchObject({ kind: 'malformed' });
  });
});

describe('hostile scripts', () => {
  const address = `14${TOKEN}c2`;

  it('that are not calls at all are ignored', () => {
    const others = ['', '6a', 'c1', '6a01c2', bytesToHex(p2pkhScript(new Uint8Array(20).fill(0xc2))), '02c2', '4cffc2'];
    for (const script of others) expect(read(script)).toBeUndefined();
  });

  it.each([
    ['too few operations', `5403a086010128${address}`],
    ['too many operations', `545403a08601012800${address}`],
    ['another machine', `5503a08601012800${address}`],
    ['no gas', `54000128${`00${address}`}`],
    ['a negative gas limit', `5403a0868101280${`0${address}`}`],
    ['a gas limit of nine bytes', `5409010000000000000000012800${address}`],
    ['no gas price', `5403a086010000${address}`],
    ['data that is not a push', `5403a0860101286a${address}`],
    ['a contract of 19 bytes', `5403a0860101280013${TOKEN.slice(2)}c2`],
    ['a contract that is not a push', '5403a086010128005ac2'],
  ])('%s: a typed problem', (_, script) => {
    expect(read(script)).toMatchObject({
      kind: 'malformed',
      problem: expect.stringContaining('the call of a contract'),
    });
  });

  it('never make the reader throw, and only a call that could be written is read', () => {
    const ends = fc.uint8Array({ maxLength: 80 }).map((bytes) => concatBytes([bytes, Uint8Array.of(0xc2)]));
    const changed = fc
      .tuple(fc.nat({ max: TRANSFER.length / 2 - 1 }), fc.nat({ max: 255 }))
      .map(([place, byte]) => hexToBytes(TRANSFER).with(place, byte));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 80 }), ends, changed), (script) => {
        const call = decodeContractCall(script);
        if (call === undefined || 'problem' in call) return;
        expect(decodeContractCall(contractCallScript(call))).toEqual({ ...call, sender: undefined });
      }),
    );
  });

  it('count for nothing among outputs', () => {
    const script = concatBytes([pushData(new Uint8Array(3)), Uint8Array.of(0xc2)]);
    const outputs = [
      { value: 5n, script },
      { value: 3n, script: hexToBytes(TRANSFER) },
    ];
    expect(contractCallsOf(outputs)).toEqual([{ ...(read(TRANSFER) as ContractCall), vout: 1, value: 3n }]);
    expect(gasCost(outputs)).toBe(2_500_000n * 40n);
  });
});
