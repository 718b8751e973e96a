import { z } from 'zod';
import { coinsField, hashField, hexField, supplyField, wholeField } from './fields.ts';

/** Addresses and coins (satoshis) of the token module. Members that the node omits are undefined. */
export type TokenAddresses = {
  /** Where the module's own markers are. */
  readonly tokens: string;
  readonly tokensBalance: bigint | undefined;
  readonly tokensNormal: string | undefined;
  readonly tokensNormalBalance: bigint | undefined;
  /** Address of the requested public key. */
  readonly publicKey: string | undefined;
  readonly publicKeyBalance: bigint | undefined;
  /** Where the tokens of the node's own key are. */
  readonly mine: string;
  readonly mineBalance: bigint | undefined;
  /** Where the coins of the node's own key are. */
  readonly mineNormal: string;
  readonly mineNormalBalance: bigint | undefined;
};

const address = z.string();
const balance = coinsField.optional();

/** The node's names, and those of the specification's field table. */
export const tokenAddressesAnswer = z
  .object({
    TokensCCAddress: address.optional(),
    TokensCCaddress: address.optional(),
    TokensCCBalance: balance,
    TokensNormalAddress: address.optional(),
    TokensNormalBalance: balance,
    'PubkeyCCaddress(Tokens)': address.optional(),
    'PubkeyCCbalance(Tokens)': balance,
    'myCCAddress(Tokens)': address.optional(),
    myCCaddress: address.optional(),
    'myCCbalance(Tokens)': balance,
    myaddress: address,
    mybalance: balance,
  })
  .transform((given, context): TokenAddresses => {
    const tokens = given.TokensCCAddress ?? given.TokensCCaddress;
    const mine = given['myCCAddress(Tokens)'] ?? given.myCCaddress;
    if (tokens === undefined || mine === undefined) {
      context.addIssue({ code: 'custom', message: 'an address of the token module is missing' });
      return z.NEVER;
    }
    return {
      tokens,
      tokensBalance: given.TokensCCBalance,
      tokensNormal: given.TokensNormalAddress,
      tokensNormalBalance: given.TokensNormalBalance,
      publicKey: given['PubkeyCCaddress(Tokens)'],
      publicKeyBalance: given['PubkeyCCbalance(Tokens)'],
      mine,
      mineBalance: given['myCCbalance(Tokens)'],
      mineNormal: given.myaddress,
      mineNormalBalance: given.mybalance,
    };
  });

/** Confirmed tokens of one kind that a key owns. */
export type TokenBalance = { readonly address: string; readonly tokenId: string; readonly balance: bigint };

export const tokenBalanceAnswer = z
  .object({ CCaddress: address, tokenid: z.string(), balance: wholeField })
  .transform(({ CCaddress, tokenid, balance: tokens }): TokenBalance => {
    return { address: CCaddress, tokenId: tokenid, balance: tokens };
  });

export type TokenInfo = {
  readonly tokenId: string;
  /** Public key of the creator, hex. */
  readonly owner: string;
  readonly name: string;
  /** Tokens, which are satoshis that were locked. */
  readonly supply: bigint;
  readonly description: string;
  /** Hex data of a non-fungible token; undefined for others. */
  readonly data: string | undefined;
  /** Set for a token from another chain. */
  readonly imported: { readonly sourceChain: string; readonly sourceTokenId: string } | undefined;
};

export const tokenInfoAnswer = z
  .object({
    tokenid: hashField,
    owner: hexField,
    name: z.string(),
    supply: supplyField,
    description: z.string(),
    data: hexField.optional(),
    IsImported: z.string().optional(),
    sourceChain: z.string().optional(),
    sourceTokenId: z.string().optional(),
  })
  .transform(({ tokenid, owner, name, supply, description, data, ...given }): TokenInfo => {
    const imported =
      given.IsImported === 'yes'
        ? { sourceChain: given.sourceChain ?? '', sourceTokenId: given.sourceTokenId ?? '' }
        : undefined;
    return { tokenId: tokenid, owner, name, supply, description, data, imported };
  });

export const tokenListAnswer = z.array(hashField).readonly();

export const builtAnswer = z.object({ hex: hexField }).transform(({ hex }) => hex);
