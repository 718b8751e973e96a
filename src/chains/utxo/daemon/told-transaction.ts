import type { TransactionInput } from '../../../htlc/transaction.ts';
import { BackendSilent } from '../../../ports/silence.ts';
import { foreignText } from '../../../primitives/foreign-text.ts';
import { hexToBytes, isHex } from '../../../primitives/hex.ts';
import { isJsonObject, type JsonValue, numberText } from '../../../primitives/json.ts';

/** The bytes of a transaction, in hex. @throws BackendSilent for what is none */
export function bytesIn(told: JsonValue | undefined, txid: string): string {
  if (typeof told === 'string' && isHex(told)) return told;
  throw new BackendSilent(`the daemon sent no bytes for the transaction ${foreignText(txid)}`);
}

/**
 * What a transaction takes, as the daemon itself has read it: whoever claims a payment may do so in a form that is not read here, such as Zcash's fifth
 * version, one that pays into an extension block, or one that only a miner takes. Leaves out what is no output of the chain.
 */
export function inputsIn(told: JsonValue | undefined): readonly TransactionInput[] {
  const vin = isJsonObject(told) ? told['vin'] : undefined;
  return (Array.isArray(vin) ? vin : []).flatMap((one) => {
    const { txid, vout, scriptSig, txinwitness, sequence } = isJsonObject(one) ? one : {};
    const place = countOf(vout);
    if (typeof txid !== 'string' || place === null) return [];
    const input = {
      txid,
      vout: place,
      scriptSig: bytesOf(isJsonObject(scriptSig) ? scriptSig['hex'] : ''),
      sequence: countOf(sequence) ?? 0,
    };
    return [Array.isArray(txinwitness) ? { ...input, witness: txinwitness.map(bytesOf) } : input];
  });
}

function countOf(value: JsonValue | undefined): number | null {
  const count = Number((value === undefined ? undefined : numberText(value)) ?? Number.NaN);
  return Number.isSafeInteger(count) && count >= 0 ? count : null;
}

function bytesOf(value: JsonValue | undefined): Uint8Array {
  return typeof value === 'string' && isHex(value) ? hexToBytes(value) : new Uint8Array(0);
}
