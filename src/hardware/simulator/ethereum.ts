import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { HDKey } from '@scure/bip32';
import { evmAddress } from '../../htlc/evm-transaction.ts';
import { bytesNumber } from '../../htlc/rlp.ts';
import type { DeviceTransaction } from '../../ports/hardware-wallet.ts';
import { addressText } from '../../primitives/eip55.ts';
import { signingHash } from '../evm/transaction.ts';
import { DATA_CHUNK, FAILURE, MESSAGE, MOST_DATA } from '../trezor/message-types.ts';
import { bytesOf, type Fields, messageWriter, readFields, textOf, u32Of, u64Of } from '../trezor/protobuf.ts';
import type { WireMessage } from '../trezor/reports.ts';
import { Refusal } from './settings.ts';
import type { Talk } from './talk.ts';

/** A larger chain id does not fit the field together with the parity. */
const MOST_CHAIN_ID_IN_V = Math.floor((0xffff_ffff - 36) / 2);
const MOST_FEE_BYTES = 30;

/** What is to be signed, before its data is complete. */
type Draft = Omit<DeviceTransaction, 'data'> & { readonly first: Uint8Array; readonly dataLength: number };

export function addressOf({ publicKey }: HDKey): string {
  return addressText(evmAddress(publicKey ?? new Uint8Array(0)) ?? '');
}

/** The transaction that a message describes, with all of its data. @throws Refusal as a device does. */
export async function transactionOf({ type, payload }: WireMessage, talk: Talk): Promise<DeviceTransaction> {
  const fields = readFields(payload);
  const { first, dataLength, ...draft } = type === MESSAGE.ethereumSignTx ? legacyOf(fields) : eip1559Of(fields);
  const data = new Uint8Array(dataLength);
  data.set(first);
  for (let at = first.length; at < dataLength; ) {
    const wish = messageWriter()
      .number(1, Math.min(dataLength - at, DATA_CHUNK))
      .done();
    const answer = await talk.ask({ type: MESSAGE.ethereumTxRequest, payload: wish }, MESSAGE.ethereumTxAck);
    const chunk = bytesOf(readFields(answer), 1) ?? new Uint8Array(0);
    if (chunk.length === 0 || chunk.length > Math.min(dataLength - at, DATA_CHUNK)) {
      throw new Refusal(FAILURE.dataError, 'Chunk of the wrong size');
    }
    data.set(chunk, at);
    at += chunk.length;
  }
  return { ...draft, data };
}

function legacyOf(fields: Fields): Draft {
  const gasPrice = numberOf(fields, 3);
  return draftOf(fields, {
    ...{ gasLimit: 4, to: 11, value: 6, first: 7, dataLength: 8, chainId: 9 },
    ...{ prices: [3], fee: { kind: 'legacy', gasPrice } },
  });
}

function eip1559Of(fields: Fields): Draft {
  const [maxFeePerGas, maxPriorityFeePerGas] = [numberOf(fields, 3), numberOf(fields, 4)];
  return draftOf(fields, {
    ...{ gasLimit: 5, to: 6, value: 7, first: 8, dataLength: 9, chainId: 10 },
    ...{ prices: [3, 4], fee: { kind: 'eip1559', maxFeePerGas, maxPriorityFeePerGas } },
  });
}

/** Field numbers that both kinds of transaction share. */
type Places = Readonly<Record<'gasLimit' | 'to' | 'value' | 'first' | 'dataLength' | 'chainId', number>> & {
  readonly prices: readonly number[];
  readonly fee: DeviceTransaction['fee'];
};

function draftOf(fields: Fields, places: Places): Draft {
  const first = bytesOf(fields, places.first) ?? new Uint8Array(0);
  const dataLength = u32Of(fields, places.dataLength) ?? 0;
  const to = textOf(fields, places.to) ?? '';
  const chainId = Number(u64Of(fields, places.chainId) ?? 0n);
  const gasBytes = bytesOf(fields, places.gasLimit)?.length ?? 0;
  const check = (holds: boolean, text: string): void => {
    if (!holds) throw new Refusal(FAILURE.dataError, text);
  };
  for (const price of places.prices)
    check((bytesOf(fields, price)?.length ?? 0) + gasBytes <= MOST_FEE_BYTES, 'Fee overflow');
  check(dataLength === 0 || first.length > 0, 'Data length provided, but no initial chunk');
  check(dataLength <= MOST_DATA, 'Data length exceeds limit');
  check(first.length <= dataLength && first.length <= DATA_CHUNK, 'Invalid size of initial chunk');
  check(/^((0x)?[0-9a-fA-F]{40})?$/.test(to), 'Invalid recipient address');
  check(to !== '' || dataLength > 0, 'Contract creation without data');
  check(chainId > 0 && Number.isSafeInteger(chainId), 'Chain ID out of bounds');
  return {
    ...{ chainId, first, dataLength, fee: places.fee },
    ...{
      nonce: numberOf(fields, 2),
      gasLimit: numberOf(fields, places.gasLimit),
      value: numberOf(fields, places.value),
    },
    to: to === '' ? null : `0x${to.slice(-40)}`,
  };
}

function numberOf(fields: Fields, field: number): bigint {
  const bytes = bytesOf(fields, field) ?? new Uint8Array(0);
  if (bytes.length > 32) throw new Refusal(FAILURE.dataError, 'Number too large');
  return bytesNumber(bytes);
}

/** The answer with the signature. For a legacy transaction `v` includes the chain id, if it fits. */
export function signatureOf(transaction: DeviceTransaction, { privateKey }: HDKey): WireMessage {
  if (privateKey === null) throw new Refusal(FAILURE.processError, 'No key');
  const bytes = secp256k1.sign(signingHash(transaction), privateKey, {
    prehash: false,
    lowS: true,
    format: 'recovered',
  });
  const parity = bytes[0] ?? 0;
  const withChain = transaction.fee.kind === 'legacy' && transaction.chainId <= MOST_CHAIN_ID_IN_V;
  const v = withChain ? parity + 35 + 2 * transaction.chainId : parity;
  const payload = messageWriter().number(2, v).bytes(3, bytes.slice(1, 33)).bytes(4, bytes.slice(33)).done();
  return { type: MESSAGE.ethereumTxRequest, payload };
}

/** What the user sees, and confirms or denies. */
export function shownTransaction({ to, value, data, chainId, fee, gasLimit }: DeviceTransaction): readonly string[] {
  const price = fee.kind === 'legacy' ? fee.gasPrice : fee.maxFeePerGas;
  return [
    to === null ? 'New contract' : `To ${addressText(to.slice(2))}`,
    `Amount ${value} wei on chain ${chainId}`,
    ...(data.length > 0 ? [`Data of ${data.length} bytes`] : []),
    `Fee at most ${price * gasLimit} wei`,
  ];
}
