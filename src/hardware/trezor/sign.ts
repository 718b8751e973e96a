import { numberBytes } from '../../htlc/rlp.ts';
import type { DeviceStep, DeviceTransaction, SignedByDevice, SignRequest } from '../../ports/hardware-wallet.ts';
import { keccak256 } from '../../primitives/hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { type EvmSignature, signedTransaction, signerOf, signingHash } from '../evm/transaction.ts';
import { andThen } from '../steps.ts';
import { failed } from './faults.ts';
import { DATA_CHUNK, MESSAGE, MOST_DATA } from './message-types.ts';
import { pathNumbers } from './path.ts';
import { bytesOf, type Fields, messageWriter, u32Of } from './protobuf.ts';
import type { WireMessage } from './reports.ts';
import type { Requests, Wanted } from './requests.ts';
import { WireFault } from './wire-fault.ts';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const MOST_NUMBER = 2n ** 256n - 1n;
/** Maximum bytes of the gas price and the gas limit together: the device multiplies them. */
const MOST_FEE_BYTES = 30;
/**
 * Devices ask for the largest chunk each time, and for the rest at the end; this many times as many chunks are
 * tolerated.
 */
const SPARE_PIECES = 2;

/**
 * Has a transaction signed: the device receives the head with the first data, then asks for the rest chunk by chunk.
 */
export async function signOnDevice(
  { path, from, transaction }: SignRequest,
  requests: Requests,
): Promise<DeviceStep<SignedByDevice>> {
  const numbers = pathNumbers(path);
  if (numbers === undefined) return failed('unsupported', 'The path is not a derivation path.');
  const fault = unfit(transaction) ?? (ADDRESS.test(from) ? undefined : 'the account is not an address');
  if (fault !== undefined) return failed('unsupported', `The device cannot sign this transaction: ${fault}.`);
  const first = transaction.data.subarray(0, DATA_CHUNK);
  const rest = transaction.data.subarray(first.length);
  const pieces = SPARE_PIECES * Math.ceil(rest.length / DATA_CHUNK);
  const signed = await feed(firstMessage(transaction, { path: numbers, first }), { requests, rest, pieces });
  return andThen(signed, async (signature) => handOut(signature, { from, transaction }));
}

/** Why a device would reject a transaction; undefined if it would not. */
function unfit({ chainId, nonce, gasLimit, to, value, data, fee }: DeviceTransaction): string | undefined {
  const prices = fee.kind === 'legacy' ? [fee.gasPrice] : [fee.maxFeePerGas, fee.maxPriorityFeePerGas];
  if (!Number.isSafeInteger(chainId) || chainId < 1) return 'the chain id is not a whole number above 0';
  if ([nonce, gasLimit, value, ...prices].some((number) => number < 0n || number > MOST_NUMBER)) {
    return 'a number is negative or exceeds 256 bits';
  }
  const most = prices.reduce((left, right) => (left > right ? left : right));
  if (numberBytes(most).length + numberBytes(gasLimit).length > MOST_FEE_BYTES) return 'the fee has too many digits';
  if (fee.kind === 'eip1559' && fee.maxPriorityFeePerGas > fee.maxFeePerGas) return 'the tip exceeds the total fee';
  if (to !== null && !ADDRESS.test(to)) return 'the recipient is not an address';
  if (to === null && data.length === 0) return 'a contract creation needs data';
  if (data.length > MOST_DATA) return `it has more than ${MOST_DATA} bytes of data`;
  return undefined;
}

type First = { readonly path: readonly number[]; readonly first: Uint8Array };

function firstMessage(transaction: DeviceTransaction, { path, first }: First): WireMessage {
  const { chainId, nonce, gasLimit, to, value, data, fee } = transaction;
  const writer = messageWriter().packed(1, path).bytes(2, numberBytes(nonce));
  if (fee.kind === 'legacy') {
    writer.bytes(3, numberBytes(fee.gasPrice)).bytes(4, numberBytes(gasLimit)).bytes(6, numberBytes(value));
    writer.bytes(7, first).number(8, data.length).number(9, chainId);
    if (to !== null) writer.text(11, to);
    return { type: MESSAGE.ethereumSignTx, payload: writer.done() };
  }
  writer.bytes(3, numberBytes(fee.maxFeePerGas)).bytes(4, numberBytes(fee.maxPriorityFeePerGas));
  writer.bytes(5, numberBytes(gasLimit));
  if (to !== null) writer.text(6, to);
  writer.bytes(7, numberBytes(value)).bytes(8, first).number(9, data.length).number(10, chainId);
  return { type: MESSAGE.ethereumSignTxEip1559, payload: writer.done() };
}

/** The number of bytes that the device asks for next, or the signature. */
type Progress =
  | { readonly kind: 'wants'; readonly count: number }
  | { readonly kind: 'signed'; readonly signature: DeviceSignature };
/** As the device returns it: `v` may be the parity, 27 plus the parity, or include the chain id. */
type DeviceSignature = { readonly r: Uint8Array; readonly s: Uint8Array; readonly v: number };

/** `pieces`: the maximum number of chunks for the rest. */
type Feeding = { readonly requests: Requests; readonly rest: Uint8Array; readonly pieces: number };

async function feed(message: WireMessage, { requests, rest, pieces }: Feeding): Promise<DeviceStep<DeviceSignature>> {
  const wanted: Wanted<Progress> = {
    type: MESSAGE.ethereumTxRequest,
    read: (fields) => readProgress(fields, { left: rest.length, pieces }),
  };
  return andThen(await requests.ask(message, wanted), async (progress) => {
    if (progress.kind === 'signed') return { kind: 'done', value: progress.signature };
    const payload = messageWriter().bytes(1, rest.subarray(0, progress.count)).done();
    const left = { requests, rest: rest.subarray(progress.count), pieces: pieces - 1 };
    return feed({ type: MESSAGE.ethereumTxAck, payload }, left);
  });
}

/**
 * A device that asks for more than there is, for tiny chunks, or signs before it has all data, does not sign this
 * transaction.
 */
function readProgress(fields: Fields, { left, pieces }: { readonly left: number; readonly pieces: number }): Progress {
  const count = u32Of(fields, 1) ?? 0;
  if (count > 0) {
    if (pieces === 0) throw new WireFault('a request for the data in too many chunks');
    if (count > DATA_CHUNK || count > left) throw new WireFault('a request for more data than there is');
    return { kind: 'wants', count };
  }
  if (left > 0) throw new WireFault('a signature before all data was sent');
  const [v, r, s] = [u32Of(fields, 2), bytesOf(fields, 3), bytesOf(fields, 4)];
  if (v === undefined || r === undefined || s === undefined || r.length > 32 || s.length > 32) {
    throw new WireFault('no signature where one is required');
  }
  return { kind: 'signed', signature: { v, r, s } };
}

type Signed = { readonly from: string; readonly transaction: DeviceTransaction };

/** R5: whatever the device claims, the signature must be from the account and sign exactly this transaction. */
function handOut({ v, r, s }: DeviceSignature, { from, transaction }: Signed): DeviceStep<SignedByDevice> {
  const yParity = parityOf(v, transaction.chainId);
  if (yParity === undefined) return failed('signatureInvalid');
  const signature: EvmSignature = { r, s, yParity };
  if (signerOf(signingHash(transaction), signature) !== from.slice(2).toLowerCase()) return failed('signatureInvalid');
  const raw = signedTransaction(transaction, signature);
  return { kind: 'done', value: { raw, hash: bytesToHex(keccak256(raw)) } };
}

function parityOf(v: number, chainId: number): 0 | 1 | undefined {
  const parity = [v, v - 27, v - 35 - 2 * chainId].find((value) => value === 0 || value === 1);
  return parity === 0 || parity === 1 ? parity : undefined;
}
