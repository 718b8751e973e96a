import type { EvmNft } from '../../../ports/evm-activator.ts';
import type { NftChain } from '../../../ports/nft-provider.ts';
import { decimalOf } from '../../../primitives/decimal.ts';
import { isJsonObject, type JsonObject, type JsonValue, numberText } from '../../../primitives/json.ts';

/** An invalid collectible. The text names the member, never what it holds. */
export class BadItem extends Error {}

export type ItemOf = { readonly chain: NftChain /** 0x and 40 digits in lower case. */; readonly owner: string };

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const WHOLE = /^\d{1,78}$/;
/** What a contract counts is at most this. */
const MOST = 2n ** 256n - 1n;
const TYPES: ReadonlySet<string> = new Set(['ERC721', 'ERC1155']);

/**
 * One item of a provider's list (as in the real node), or null for one of a contract without a type, which is skipped.
 *
 * @throws BadItem
 */
export function nftOf(item: JsonValue, { chain, owner }: ItemOf): EvmNft | null {
  if (!isJsonObject(item)) throw new BadItem('invalid type: an item is no object');
  const token_address = addressIn(item, 'token_address').toLowerCase();
  const token_id = uint256(textIn(item, 'token_id'), 'token_id');
  const amount = decimalOf(uint256(numberOrText(item, 'amount'), 'amount'));
  textIn(item, 'block_number');
  if (addressIn(item, 'owner_of').toLowerCase() !== owner) {
    throw new BadItem('invalid value: owner_of is not the account that was asked for');
  }
  const { contract_type = null } = item;
  if (contract_type === null) return null;
  if (typeof contract_type !== 'string' || !TYPES.has(contract_type)) {
    throw new BadItem('unknown variant of contract_type, expected `ERC1155` or `ERC721`');
  }
  return { token_address, token_id, chain, contract_type, amount };
}

function present(item: JsonObject, name: string): JsonValue {
  const value = item[name];
  if (value === undefined) throw new BadItem(`missing field \`${name}\``);
  return value;
}

function textIn(item: JsonObject, name: string): string {
  const value = present(item, name);
  if (typeof value !== 'string') throw new BadItem(`invalid type: ${name}, expected a string`);
  return value;
}

function numberOrText(item: JsonObject, name: string): string {
  const value = present(item, name);
  return numberText(value) ?? textIn(item, name);
}

function addressIn(item: JsonObject, name: string): string {
  const text = textIn(item, name);
  if (!ADDRESS.test(text)) throw new BadItem(`invalid value: ${name}, expected 0x and 40 hex digits`);
  return text;
}

function uint256(text: string, name: string): string {
  const value = WHOLE.test(text) ? BigInt(text) : null;
  if (value === null || value > MOST) throw new BadItem(`invalid value: ${name}, expected a whole number below 2^256`);
  return value.toString();
}
