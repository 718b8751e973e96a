import { encodeAddress } from '../../smartchain/encoding/address.ts';
import { lenientHex } from '../../smartchain/encoding/lenient.ts';
import type { Prefixes } from '../../smartchain/params.ts';
import { conditionAddressHash } from '../../smartchain/script/condition-scripts.ts';
import { TOKENS_KEY, tokenScript } from '../../smartchain/tokens/scripts.ts';
import type { TokenMaker } from '../../smartchain/wallet/token-transactions.ts';
import type { NodeContext } from './context.ts';
import { RPC_CODE, RpcError } from './rpc-error.ts';

/** A token method's answer if it fails: a result, not an error of the call. */
export type TokenFailure = { readonly result: 'error'; readonly error: string };

export function tokenFailure(error: string): TokenFailure {
  return { result: 'error', error };
}

const KEY_BYTES = 33;
const REQUIREMENTS =
  'to use CC contracts, you need to launch daemon with valid -pubkey= for an address in your wallet\n';

/** The owner of tokens that this node creates. @throws RpcError -1 if the chain has no token module or the node no key of its own */
export function tokenMaker({ chain, wallet, tokens }: NodeContext): TokenMaker {
  const own = wallet.ownKey();
  if (!tokens || own?.compressed !== true) throw new RpcError(RPC_CODE.misc, REQUIREMENTS);
  return { chain, ring: wallet.ring, publicKey: own.publicKey };
}

/** A compressed public key in hex as the token methods read it: undefined unless it has 33 bytes and starts as one. */
export function publicKeyOfText(text: string): Uint8Array | undefined {
  const key = lenientHex(text);
  return key.length === KEY_BYTES && (key[0] === 2 || key[0] === 3) ? key : undefined;
}

/** As in the node, which uses its module's own key instead of an invalid one. */
export function publicKeyOrModule(text: string): Uint8Array {
  return publicKeyOfText(text) ?? TOKENS_KEY;
}

/** Address of a key's fungible tokens. */
export function tokenAddress(key: Uint8Array, prefixes: Prefixes): string {
  return encodeAddress({ kind: 'key', hash: conditionAddressHash(tokenScript([key])) }, prefixes);
}

/** Text of a token's name or description, whose bytes anyone may have chosen. */
export function tokenText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
