import type { EvmNode } from '../../../src/chains/evm/node.ts';

/** `balanceOf` returns what is stored under the account; all else does the same. */
const CODE = '0x600435545f5260205ff3';

/** Makes an address a token, on a node for tests. */
export async function placeToken(node: EvmNode, token: string): Promise<void> {
  await node.request('anvil_setCode', [token, CODE]);
}

/** What an account has of it. */
export async function setTokens(
  node: EvmNode,
  token: string,
  [account, amount]: readonly [string, bigint],
): Promise<void> {
  const word = (hex: string) => `0x${hex.padStart(64, '0')}`;
  await node.request('anvil_setStorageAt', [token, word(account.slice(2)), word(amount.toString(16))]);
}
