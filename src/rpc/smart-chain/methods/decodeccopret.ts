import { byteReader, readVarBytes, remainingBytes } from '../../../htlc/byte-reader.ts';
import { OP_RETURN } from '../../../htlc/script.ts';
import { lenientHex } from '../../../smartchain/encoding/lenient.ts';
import { operationAt } from '../../../smartchain/script/operations.ts';
import { readPayload } from '../../../smartchain/tokens/payload.ts';
import type { RpcMethod } from '../method.ts';
import { textAt } from '../params.ts';
import { tokenFailure } from '../token-params.ts';

/** Modules that the node knows by name; every other code is printed in hex. */
const MODULES: ReadonlyMap<number, string> = new Map([
  [0xe1, 'EVAL_IMPORTPAYOUT'],
  [0xe2, 'EVAL_IMPORTCOIN'],
  [0xe3, 'EVAL_ASSETS'],
  [0xe4, 'EVAL_FAUCET'],
  [0xe5, 'EVAL_REWARDS'],
  [0xe6, 'EVAL_DICE'],
  [0xe7, 'EVAL_FSM'],
  [0xe8, 'EVAL_AUCTION'],
  [0xe9, 'EVAL_LOTTO'],
  [0xea, 'EVAL_HEIR'],
  [0xeb, 'EVAL_CHANNELS'],
  [0xec, 'EVAL_ORACLES'],
  [0xf0, 'EVAL_PAYMENTS'],
  [0xf1, 'EVAL_GATEWAYS'],
  [0xf2, 'EVAL_TOKENS'],
  [0xf3, 'EVAL_IMPORTGATEWAY'],
]);

/** Which modules, and which of their functions, the data output of a transaction speaks of. */
export const decodeccopret: RpcMethod = {
  name: 'decodeccopret',
  usage: 'scriptPubKey',
  summary: 'Returns the eval code and the function in the OP_RETURN output of a contract transaction.',
  arity: [1, 1],
  run(params, { compatibility }) {
    const script = lenientHex(textAt(params, 0));
    const payload = script[0] === OP_RETURN ? operationAt(script, 1)?.data : undefined;
    const named = compatibility === 'node';
    const own = payload === undefined ? undefined : moduleCall(payload, named);
    if (own === undefined) return tokenFailure('invalid or no CC opret data');
    const blob = readPayload(script)?.blobs[0]?.data;
    if (blob === undefined) return { result: 'success', OpRets: [own] };
    const inner = moduleCall(readVector(blob), named);
    // The node's own answer here is no object at all: it gives up on every blob that is not once more a vector.
    if (inner === undefined && named) return 0;
    const attached = inner ?? moduleCall(blob, named);
    return { result: 'success', OpRets: attached === undefined ? [own] : [own, attached] };
  },
};

type ModuleCall = { readonly eval_code: string; readonly function: string };

/** The specification always shows the code in hex; the node prints a name if it knows one. */
function moduleCall([code, call]: Uint8Array, named: boolean): ModuleCall | undefined {
  if (code === undefined || call === undefined) return undefined;
  const name = named ? MODULES.get(code) : undefined;
  return { eval_code: name ?? `0x${code.toString(16)}`, function: String.fromCharCode(call) };
}

function readVector(bytes: Uint8Array): Uint8Array {
  const reader = byteReader(bytes);
  const vector = readVarBytes(reader);
  return reader.problem === undefined && remainingBytes(reader) === 0 ? vector : new Uint8Array(0);
}
