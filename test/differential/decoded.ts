import { bytesToHex, hexToBytes } from '../../src/primitives/hex.ts';
import { scriptAsm } from '../../src/smartchain/script/asm.ts';
import { classifyScript } from '../../src/smartchain/script/classify.ts';
import { decodeChainTransaction, transactionIdOf } from '../../src/smartchain/transaction.ts';
import { isWitnessProgram } from './recipes.ts';

type DecodedScript = { readonly asm: string; readonly hex: string; readonly type?: string; readonly reqSigs?: number };

/** What decoderawtransaction of Litecoin Core answers with. */
export type Decoded = {
  readonly txid: string;
  readonly version: number;
  readonly locktime: number;
  readonly vin: readonly {
    readonly txid: string;
    readonly vout: number;
    readonly scriptSig: DecodedScript;
    readonly sequence: number;
  }[];
  readonly vout: readonly { readonly value: unknown; readonly scriptPubKey: DecodedScript }[];
};

/** Operations that only one of both knows, and the name that the smart chain has for what Litecoin calls otherwise. */
const OPERATION_NAMES: Readonly<Record<string, string>> = {
  OP_CHECKLOCKTIMEVERIFY: 'OP_NOP2',
  OP_CHECKSEQUENCEVERIFY: 'OP_NOP3',
  OP_CHECKSIGADD: 'OP_UNKNOWN',
  OP_CHECKCRYPTOCONDITION: 'OP_UNKNOWN',
  OP_CHECKCRYPTOCONDITIONVERIFY: 'OP_UNKNOWN',
};

const sameNames = (asm: string) =>
  asm
    .split(' ')
    .map((word) => OPERATION_NAMES[word] ?? word)
    .join(' ');

/** What both make of a transaction, without the parts that only one of them has. */
export function decodedBoth(raw: Uint8Array, decoded: Decoded) {
  const transaction = decodeChainTransaction(raw)?.transaction;
  if (transaction === undefined) throw new Error(`not read: ${bytesToHex(raw)}`);
  const ours = {
    txid: transactionIdOf(raw),
    version: transaction.version,
    locktime: transaction.lockTime,
    vin: transaction.inputs.map(({ txid, vout, scriptSig, sequence }) => ({
      ...{ txid, vout, sequence },
      scriptSig: { asm: sameNames(scriptAsm(scriptSig, { signatureHashTypes: true })), hex: bytesToHex(scriptSig) },
    })),
    vout: transaction.outputs.map(({ script }) => ({
      asm: sameNames(scriptAsm(script)),
      ...typeOf(script),
      hex: bytesToHex(script),
    })),
  };
  const { txid, version, locktime, vin, vout } = decoded;
  const theirs = {
    ...{ txid, version, locktime },
    vin: vin.map(({ txid: spent, vout: index, sequence, scriptSig }) => ({
      ...{ txid: spent, vout: index, sequence },
      scriptSig: { ...scriptSig, asm: sameNames(scriptSig.asm) },
    })),
    vout: vout.map(({ scriptPubKey: { asm, hex, type, reqSigs } }) => {
      const known = seenOtherwise(hexToBytes(hex)) ? {} : { type, reqSigs };
      return { asm: sameNames(asm), ...known, hex };
    }),
  };
  return { ours, theirs };
}

/** The smart chain sees through a lock time in front of a script; Litecoin sees witness programs, and no conditions. */
function seenOtherwise(script: Uint8Array): boolean {
  const { stripped, type } = classifyScript(script);
  return stripped !== undefined || type === 'cryptocondition' || isWitnessProgram(script);
}

function typeOf(script: Uint8Array) {
  const { type, reqSigs } = classifyScript(script);
  // Litecoin tells no count of signatures for a bare key.
  return seenOtherwise(script) ? {} : { type, reqSigs: type === 'pubkey' ? undefined : reqSigs };
}
