import { bytesToHex } from '../../primitives/hex.ts';
import { encodeAddress } from '../../smartchain/encoding/address.ts';
import { ownerHash } from '../../smartchain/encoding/owner-hash.ts';
import type { Prefixes } from '../../smartchain/params.ts';
import { scriptAsm } from '../../smartchain/script/asm.ts';
import { classifyScript } from '../../smartchain/script/classify.ts';

/** An output script as the node prints it; `reqSigs` and `addresses` are absent where nobody can be named. */
export type ScriptJson = {
  readonly asm: string;
  readonly hex: string;
  readonly reqSigs?: number;
  readonly type: string;
  readonly addresses?: readonly string[];
};

/** An output script, its members in the order of the node. */
export function scriptJson(script: Uint8Array, prefixes: Prefixes): ScriptJson {
  const { type, reqSigs } = classifyScript(script);
  const text = { asm: scriptAsm(script), hex: bytesToHex(script) };
  return reqSigs === undefined
    ? { ...text, type }
    : { ...text, reqSigs, type, addresses: scriptAddresses(script, prefixes) };
}

/** Addresses that an output script pays to: none, one, or those of all keys of a bare multisig script. */
export function scriptAddresses(script: Uint8Array, prefixes: Prefixes): string[] {
  const { type, solutions } = classifyScript(script);
  const kind = type === 'scripthash' ? 'script' : 'key';
  const holdsKeys = type === 'pubkey' || type === 'multisig';
  return solutions.map((solution) =>
    encodeAddress({ kind, hash: holdsKeys ? ownerHash(solution) : solution }, prefixes),
  );
}
