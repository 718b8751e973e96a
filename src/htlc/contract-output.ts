import { bytesToHex, hexToBytes, isHex } from '../primitives/hex.ts';
import { concatBytes } from './byte-writer.ts';
import { HtlcTermsError } from './error.ts';
import { OP_0, OP_1, parseScript, pushData, type ScriptOp } from './script.ts';
import type { TransactionOutput, TransactionProblem } from './transaction.ts';

/** A contract call on a UTXO chain (Qtum): the script of an output, whose value is sent with the call. */
export type ContractCall = {
  /** Gas limit of the call; unused gas is refunded in the block that includes it. */
  readonly gasLimit: bigint;
  /** In base units of the chain's coin for each unit of gas. */
  readonly gasPrice: bigint;
  readonly data: Uint8Array;
  /** Address of the callee, 40 lower-case hex digits. */
  readonly contract: string;
  /** The calling account, if the output names one (OP_SENDER). @defaultValue the account of the first input's key */
  readonly sender?: string;
};

const OP_CALL = 0xc2;
const OP_SENDER = 0xc4;
const OP_16 = 0x60;
/** The virtual machine of version 4 is the EVM. */
const EVM_VERSION = 4n;
const ACCOUNT_BYTES = 20;
const MOST_NUMBER_BYTES = 8;
/** Version, gas limit, gas price, data, contract and the call itself. */
const CALL_OPS = 6;
/** Kind of address, account, its proof, and the operation that names it. */
const SENDER_OPS = 4;

/**
 * The script of an output that calls a contract.
 *
 * @throws HtlcTermsError for an invalid address, no gas, no price, or data that no script can push
 *
 * @example
 * ```ts
 * import { bytesToHex, contractCallScript, hexToBytes, TOKEN_DECIMALS } from 'swapfold/htlc';
 *
 * const contract = 'd362e096e873eb7907e205fadc6175c6fec7bc44';
 * const call = { gasLimit: 100_000n, gasPrice: 40n, data: hexToBytes(TOKEN_DECIMALS), contract };
 * const script = bytesToHex(contractCallScript(call));
 * script; // → '5403a08601012804313ce56714d362e096e873eb7907e205fadc6175c6fec7bc44c2'
 * contractCallScript({ ...call, gasLimit: 0n }); // throws HtlcTermsError
 * ```
 */
export function contractCallScript({ gasLimit, gasPrice, data, contract }: Omit<ContractCall, 'sender'>): Uint8Array {
  if (gasLimit <= 0n || gasPrice <= 0n) throw unwritable('gas_limit and gas_price cannot be zero');
  if (contract.length !== 2 * ACCOUNT_BYTES || !isHex(contract))
    throw unwritable(`${contract} is not an address of 20 bytes`);
  try {
    return concatBytes([
      Uint8Array.of(OP_1 - 1 + Number(EVM_VERSION)),
      pushData(scriptNumber(gasLimit)),
      pushData(scriptNumber(gasPrice)),
      pushData(data),
      pushData(hexToBytes(contract)),
      Uint8Array.of(OP_CALL),
    ]);
  } catch (error) {
    if (error instanceof RangeError) throw unwritable(error.message);
    throw error;
  }
}

function unwritable(problem: string): HtlcTermsError {
  return new HtlcTermsError('This call of a contract cannot be written as an output.', {
    facts: { problem },
    next: 'Correct the named value; nothing was built.',
  });
}

/** A number above 0 as in scripts: least significant byte first, with the top bit reserved for the sign. */
function scriptNumber(value: bigint): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; rest > 0n; rest >>= 8n) bytes.push(Number(rest & 0xffn));
  if ((bytes.at(-1) ?? 0) >= 0x80) bytes.push(0);
  if (bytes.length > MOST_NUMBER_BYTES) throw new RangeError(`${value} does not fit in ${MOST_NUMBER_BYTES} bytes`);
  return Uint8Array.from(bytes);
}

/**
 * Reads the script of an output that calls a contract: undefined for any other script, and a problem for one that ends in a call that no node would
 * execute. Never throws. `data` is a view of the script.
 *
 * @example
 * ```ts
 * import { bytesToHex, decodeContractCall, hexToBytes, p2pkhScript } from 'swapfold/htlc';
 *
 * const script = '5403a08601012804313ce56714d362e096e873eb7907e205fadc6175c6fec7bc44c2';
 * const call = decodeContractCall(hexToBytes(script));
 * if (call === undefined || 'problem' in call) throw new Error('the script calls no contract');
 * [call.gasLimit, call.gasPrice, bytesToHex(call.data)]; // → [100_000n, 40n, '313ce567']
 * call.contract; // → 'd362e096e873eb7907e205fadc6175c6fec7bc44'
 * decodeContractCall(p2pkhScript(new Uint8Array(20))); // → undefined
 * ```
 */
export function decodeContractCall(script: Uint8Array): ContractCall | TransactionProblem | undefined {
  if (script.at(-1) !== OP_CALL) return undefined;
  const ops = parseScript(script);
  if (ops === undefined || ops.at(-1)?.opcode !== OP_CALL) return undefined;
  const sender = senderOf(ops);
  if (sender !== undefined && typeof sender !== 'string') return sender;
  const own = sender === undefined ? ops : ops.slice(SENDER_OPS);
  const [version, limit, price, data, contract] = own;
  if (own.length !== CALL_OPS || data === undefined || contract === undefined) {
    return malformed(`has ${own.length} operations, not ${CALL_OPS}`);
  }
  if (numberOf(version) !== EVM_VERSION) return malformed('is for another virtual machine than version 4');
  const [gasLimit, gasPrice] = [numberOf(limit), numberOf(price)];
  if (gasLimit === undefined || gasLimit === 0n) return malformed('has a gas limit that is not a number above 0');
  if (gasPrice === undefined || gasPrice === 0n) return malformed('has a gas price that is not a number above 0');
  if (data.data === undefined && data.opcode !== OP_0) return malformed('has call data that is not a push');
  if (contract.data?.length !== ACCOUNT_BYTES) return malformed('names a contract that is not a push of 20 bytes');
  return {
    gasLimit,
    gasPrice,
    data: data.data ?? new Uint8Array(0),
    contract: bytesToHex(contract.data),
    ...(sender === undefined ? {} : { sender }),
  };
}

/** Undefined if the output names no sender. */
function senderOf(ops: readonly ScriptOp[]): string | TransactionProblem | undefined {
  if (ops[SENDER_OPS - 1]?.opcode !== OP_SENDER) return undefined;
  const [kind, account] = ops;
  if (numberOf(kind) !== 1n || account?.data?.length !== ACCOUNT_BYTES)
    return malformed('names a sender that is not a key');
  return bytesToHex(account.data);
}

/** Undefined if it is not a number from 0 to 2^63 - 1. */
function numberOf(op: ScriptOp | undefined): bigint | undefined {
  if (op === undefined) return undefined;
  if (op.opcode === OP_0) return 0n;
  if (op.opcode >= OP_1 && op.opcode <= OP_16) return BigInt(op.opcode - OP_1 + 1);
  const { data } = op;
  if (data === undefined || data.length > MOST_NUMBER_BYTES || (data.at(-1) ?? 0) >= 0x80) return undefined;
  return data.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function malformed(problem: string): TransactionProblem {
  return { kind: 'malformed', problem: `the call of a contract ${problem}` };
}

/** A contract call and its output index, with the base units sent with it. */
export type PlacedCall = ContractCall & { readonly vout: number; readonly value: bigint };

/**
 * The contract calls of outputs, in order. Skips malformed ones.
 *
 * @example
 * ```ts
 * import { contractCallScript, contractCallsOf, hexToBytes, opReturnScript } from 'swapfold/htlc';
 *
 * const call = { gasPrice: 40n, data: hexToBytes('313ce567'), contract: '44'.repeat(20) };
 * const script = contractCallScript({ ...call, gasLimit: 100_000n });
 * const outputs = [{ value: 5000n, script: opReturnScript() }, { value: 0n, script }];
 * contractCallsOf(outputs).map(({ vout, gasLimit }) => [vout, gasLimit]); // → [[1, 100_000n]]
 * ```
 */
export function contractCallsOf(outputs: readonly TransactionOutput[]): readonly PlacedCall[] {
  return outputs.flatMap(({ script, value }, vout) => {
    const call = decodeContractCall(script);
    return call === undefined || 'problem' in call ? [] : [{ ...call, vout, value }];
  });
}

/**
 * Maximum gas cost of outputs, in base units: all of it leaves the wallet, and the block refunds what is not used.
 *
 * @example
 * ```ts
 * import { contractCallScript, gasCost, hexToBytes } from 'swapfold/htlc';
 *
 * const call = { data: hexToBytes('313ce567'), contract: '44'.repeat(20) };
 * const cheap = contractCallScript({ ...call, gasLimit: 100_000n, gasPrice: 40n });
 * const dear = contractCallScript({ ...call, gasLimit: 250_000n, gasPrice: 60n });
 * gasCost([{ value: 0n, script: cheap }, { value: 7n, script: dear }]); // → 19_000_000n
 * ```
 */
export function gasCost(outputs: readonly TransactionOutput[]): bigint {
  return contractCallsOf(outputs).reduce((total, { gasLimit, gasPrice }) => total + gasLimit * gasPrice, 0n);
}
