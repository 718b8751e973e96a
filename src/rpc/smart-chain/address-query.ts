import { isJsonObject, type JsonValue, numberText } from '../../primitives/json.ts';
import { ownerKey } from '../../smartchain/chain/script-owner.ts';
import type { SmartChain } from '../../smartchain/node.ts';
import type { Prefixes } from '../../smartchain/params.ts';
import { inTurns, type Steps } from '../../smartchain/turns.ts';
import { requireAddress } from './address-params.ts';
import type { Params } from './method.ts';
import { RPC_CODE, RpcError } from './rpc-error.ts';

/** A queried address, with its owner in the chain's indexes. */
export type AskedAddress = { readonly address: string; readonly owner: string };

/**
 * The addresses of an address-index method: one as a text, or a list under `addresses`. Crypto-conditions share the letters of
 * keys; a second parameter of 1 or true asks for them.
 *
 * @throws RpcError -5
 */
export function askedAddresses({ params: { prefixes } }: SmartChain, params: Params): Promise<readonly AskedAddress[]> {
  return inTurns(askedSteps(params, prefixes));
}

function* askedSteps(params: Params, prefixes: Prefixes): Steps<readonly AskedAddress[]> {
  const conditions = params[1] === true || numberText(params[1]) === '1';
  // An address that the request repeats is answered once.
  const asked = new Map<string, AskedAddress>();
  for (const value of listOf(params[0])) {
    const address = requireAddress(value, { prefixes, text: 'Invalid address' });
    const owned = conditions && address.kind === 'key' ? { ...address, kind: 'condition' as const } : address;
    const owner = ownerKey(owned);
    asked.set(owner, { address: String(value).trim(), owner });
    yield;
  }
  return [...asked.values()];
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (typeof value === 'string') return [value];
  if (!isJsonObject(value)) throw new RpcError(RPC_CODE.addressOrKey, 'Invalid address');
  const { addresses } = value;
  if (Array.isArray(addresses)) return addresses;
  throw new RpcError(RPC_CODE.addressOrKey, 'Addresses is expected to be an array');
}
