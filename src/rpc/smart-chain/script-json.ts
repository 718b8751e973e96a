import { bytesToHex } from '../../primitives/hex.ts';
import { stringifyJson, WrittenJson } from '../../primitives/json.ts';
import { recallingBytes } from '../../primitives/remember.ts';
import { encodeAddress } from '../../smartchain/encoding/address.ts';
import { ownerHash } from '../../smartchain/encoding/owner-hash.ts';
import type { Prefixes } from '../../smartchain/params.ts';
import { scriptAsm } from '../../smartchain/script/asm.ts';
import { classifyScript } from '../../smartchain/script/classify.ts';

/** An output script as the node prints it, its members in the order of the node; `reqSigs` and `addresses` are absent where nobody can be named. */
export function scriptJson(script: Uint8Array, prefixes: Prefixes): WrittenJson {
  return shownOutput(script, prefixes).json;
}

/** Addresses that an output script pays to: none, one, or those of all keys of a bare multisig script. */
export function scriptAddresses(script: Uint8Array, prefixes: Prefixes): readonly string[] {
  return shownOutput(script, prefixes).addresses;
}

/** An input script as the node prints it. */
export function inputScriptJson(script: Uint8Array): WrittenJson {
  return script.length > LONGEST_KEPT ? writtenInput(script) : recallInput(script, writtenInput);
}

/** Bytes of a script above which what follows from it is not kept. */
const LONGEST_KEPT = 256;
/** Most scripts of either kind that are kept with what follows from them. */
const KEPT = 4096;

const recallInput = recallingBytes<WrittenJson>(KEPT);

function writtenInput(script: Uint8Array): WrittenJson {
  return new WrittenJson(
    stringifyJson({ asm: scriptAsm(script, { signatureHashTypes: true }), hex: bytesToHex(script) }),
  );
}

type ShownOutput = { readonly json: WrittenJson; readonly addresses: readonly string[] };

/** The same scripts come up again and again, in blocks, transactions and coins. The addresses depend on the network. */
const recallOutputs = new WeakMap<Prefixes, ReturnType<typeof recallingBytes<ShownOutput>>>();

function shownOutput(script: Uint8Array, prefixes: Prefixes): ShownOutput {
  if (script.length > LONGEST_KEPT) return showOutput(script, prefixes);
  let recall = recallOutputs.get(prefixes);
  if (recall === undefined) {
    recall = recallingBytes<ShownOutput>(KEPT);
    recallOutputs.set(prefixes, recall);
  }
  return recall(script, (own) => showOutput(own, prefixes));
}

function showOutput(script: Uint8Array, prefixes: Prefixes): ShownOutput {
  const { type, reqSigs, solutions } = classifyScript(script);
  const kind = type === 'scripthash' ? 'script' : 'key';
  const holdsKeys = type === 'pubkey' || type === 'multisig';
  const addresses = solutions.map((solution) =>
    encodeAddress({ kind, hash: holdsKeys ? ownerHash(solution) : solution }, prefixes),
  );
  const text = { asm: scriptAsm(script), hex: bytesToHex(script) };
  const json = reqSigs === undefined ? { ...text, type } : { ...text, reqSigs, type, addresses };
  return { json: new WrittenJson(stringifyJson(json)), addresses };
}
