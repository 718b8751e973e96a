import type { JsonValue } from '../../primitives/json.ts';
import { type Address, decodeAddress } from '../../smartchain/encoding/address.ts';
import type { Prefixes } from '../../smartchain/params.ts';
import { RPC_CODE, RpcError } from './rpc-error.ts';

/** Error text of signmessage and verifymessage for an address, with code -3. */
export const ADDRESS_INVALID = 'Invalid address';
export const ADDRESS_NOT_KEY = 'Address does not refer to key';

/** An address in a list or a text. @throws RpcError -5 with the given text for any other value */
export function requireAddress(
  value: JsonValue | undefined,
  { prefixes, text }: { readonly prefixes: Prefixes; readonly text: string },
): Address {
  const address = typeof value === 'string' ? decodeAddress(value, prefixes) : undefined;
  if (address === undefined) throw new RpcError(RPC_CODE.addressOrKey, text);
  return address;
}
