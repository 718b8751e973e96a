import type { z } from 'zod';
import { fromBaseUnits } from '../../primitives/decimal.ts';
import { hexToBytes } from '../../primitives/hex.ts';
import { isJsonObject, type JsonValue, numberText } from '../../primitives/json.ts';
import { decodeChainTransaction } from '../transaction.ts';
import * as chain from './chain-answers.ts';
import { SmartChainRpcError } from './errors.ts';
import { createExchange, type Exchange, type ExchangeOptions } from './exchange.ts';
import * as tokens from './token-answers.ts';

export type NewToken = {
  /** 1 to 32 bytes of UTF-8. */
  readonly name: string;
  /** Tokens to create; each locks one satoshi. */
  readonly supply: bigint;
  /** At most 4096 bytes of UTF-8. @defaultValue none */
  readonly description?: string;
  /** Hex, makes the token non-fungible; its supply is 1. */
  readonly data?: string;
};

export type TokenTransfer = {
  readonly tokenId: string;
  /** Public key of the new owner, 33 bytes in hex. */
  readonly recipient: string;
  readonly amount: bigint;
};

export type SignedMessage = { readonly address: string; readonly signature: string; readonly message: string };

/**
 * The node's RPC. Every method throws {@link SmartChainRpcError}. `tokenCreate` and `tokenTransfer` return a transaction in hex that has no effect
 * until `sendRawTransaction` sends it.
 */
export interface SmartChainClient {
  tokenAddress(publicKey?: string): Promise<tokens.TokenAddresses>;
  tokenBalance(tokenId: string, publicKey?: string): Promise<tokens.TokenBalance>;
  tokenCreate(token: NewToken): Promise<string>;
  tokenInfo(tokenId: string): Promise<tokens.TokenInfo>;
  tokenList(): Promise<readonly string[]>;
  tokenTransfer(transfer: TokenTransfer): Promise<string>;
  /** Returns the id of the transaction. */
  sendRawTransaction(hex: string, options?: { readonly allowHighFees?: boolean }): Promise<string>;
  decodeRawTransaction(hex: string): Promise<chain.DecodedTransactionAnswer>;
  /** @param keys addresses that the node's wallet knows, or public keys in hex */
  createMultisig(required: number, keys: readonly string[]): Promise<chain.Multisig>;
  /** What the output of a contract, in hex, says. */
  decodeContractOutput(script: string): Promise<readonly chain.ContractCallAnswer[]>;
  /** Satoshis per kilobyte; undefined if the node has not seen enough. */
  estimateFee(blocks: number): Promise<bigint | undefined>;
  /** Undefined if the node has not seen enough. */
  estimatePriority(blocks: number): Promise<number | undefined>;
  invalidateBlock(hash: string): Promise<void>;
  reconsiderBlock(hash: string): Promise<void>;
  isNotarizedOrConfirmed(txid: string): Promise<boolean>;
  /** Undefined if it is not an address. */
  validateAddress(address: string): Promise<chain.ValidAddress | undefined>;
  signMessage(address: string, message: string): Promise<string>;
  verifyMessage(signed: SignedMessage): Promise<boolean>;
  /** Undefined if it is not a shielded address. */
  validateShieldedAddress(address: string): Promise<chain.ValidShieldedAddress | undefined>;
  /** Any other method, with its unchanged result; numbers that a double cannot hold are LosslessNumber. */
  call(method: string, params?: readonly JsonValue[]): Promise<JsonValue>;
}

/**
 * A client of one node. @throws SmartChainError SMARTCHAIN_OPTION_INVALID if the URL is invalid, or holds credentials.
 *
 * @example
 * ```ts
 * import { createSmartChainClient } from 'swapfold/smartchain/client';
 *
 * const answers = [0.0001, -1];
 * const fetch = async () => Response.json({ result: answers.shift(), error: null, id: null });
 * const url = 'http://127.0.0.1:7771/';
 * const client = createSmartChainClient({ url, user: 'me', password: 'only I know', fetch });
 * await client.estimateFee(6); // → 10_000n
 * await client.estimateFee(6); // → undefined
 * ```
 */
export function createSmartChainClient(options: ExchangeOptions): SmartChainClient {
  const exchange = createExchange(options);
  return { ...tokenCalls(exchange), ...chainCalls(exchange), ...addressCalls(exchange) };
}

function tokenCalls(exchange: Exchange) {
  const ask = asker(exchange);
  return {
    tokenAddress: (publicKey?: string) =>
      ask('tokenaddress', { params: given([publicKey]), answer: tokens.tokenAddressesAnswer }),
    tokenBalance: (tokenId: string, publicKey?: string) =>
      ask('tokenbalance', { params: given([tokenId, publicKey]), answer: tokens.tokenBalanceAnswer }),
    async tokenCreate({ name, supply, description = '', data }: NewToken) {
      const params = given([name, fromBaseUnits(supply), description, data]);
      const hex = await ask('tokencreate', { params, answer: tokens.builtAnswer });
      return checkedSupply(signed(hex, 'tokencreate'), supply);
    },
    tokenInfo: (tokenId: string) => ask('tokeninfo', { params: [tokenId], answer: tokens.tokenInfoAnswer }),
    tokenList: () => ask('tokenlist', { params: [], answer: tokens.tokenListAnswer }),
    async tokenTransfer({ tokenId, recipient, amount }: TokenTransfer) {
      const params = [tokenId, recipient, String(amount)];
      return signed(await ask('tokentransfer', { params, answer: tokens.builtAnswer }), 'tokentransfer');
    },
    decodeContractOutput: (script: string) =>
      ask('decodeccopret', { params: [script], answer: chain.contractCallsAnswer }),
  };
}

function chainCalls(exchange: Exchange) {
  const ask = asker(exchange);
  return {
    call: (method: string, params: readonly JsonValue[] = []) => exchange(method, params),
    sendRawTransaction: (hex: string, { allowHighFees }: { readonly allowHighFees?: boolean } = {}) =>
      ask('sendrawtransaction', { params: given([hex, allowHighFees]), answer: chain.textAnswer }),
    async decodeRawTransaction(hex: string): Promise<chain.DecodedTransactionAnswer> {
      const raw = await exchange('decoderawtransaction', [hex]);
      return { ...read(raw, { method: 'decoderawtransaction', answer: chain.decodedTransactionAnswer }), raw };
    },
    estimateFee: (blocks: number) => ask('estimatefee', { params: [blocks], answer: chain.feeAnswer }),
    async estimatePriority(blocks: number) {
      const priority = Number(numberText(await exchange('estimatepriority', [blocks])) ?? Number.NaN);
      if (Number.isNaN(priority)) throw invalid('estimatepriority', 'no number');
      return priority < 0 ? undefined : priority;
    },
    invalidateBlock: (hash: string) => ask('invalidateblock', { params: [hash], answer: chain.nothingAnswer }),
    reconsiderBlock: (hash: string) => ask('reconsiderblock', { params: [hash], answer: chain.nothingAnswer }),
    isNotarizedOrConfirmed: (txid: string) =>
      ask('txnotarizedconfirmed', { params: [txid], answer: chain.confirmedAnswer }),
  };
}

function addressCalls(exchange: Exchange) {
  const ask = asker(exchange);
  return {
    createMultisig: (required: number, keys: readonly string[]) =>
      ask('createmultisig', { params: [required, keys], answer: chain.multisigAnswer }),
    validateAddress: (address: string) => ask('validateaddress', { params: [address], answer: chain.addressAnswer }),
    signMessage: (address: string, message: string) =>
      ask('signmessage', { params: [address, message], answer: chain.textAnswer }),
    verifyMessage: ({ address, signature, message }: SignedMessage) =>
      ask('verifymessage', { params: [address, signature, message], answer: chain.truthAnswer }),
    validateShieldedAddress: (address: string) =>
      ask('z_validateaddress', { params: [address], answer: chain.shieldedAddressAnswer }),
  };
}

type Asked<Answer> = { readonly params: readonly JsonValue[]; readonly answer: z.ZodType<Answer> };

function asker(exchange: Exchange) {
  return async <Answer>(method: string, { params, answer }: Asked<Answer>): Promise<Answer> => {
    const result = await exchange(method, params);
    if (isJsonObject(result) && result['result'] === 'error') {
      const { error } = result;
      throw new SmartChainRpcError('SMARTCHAIN_RPC_TOKEN_REFUSED', {
        method,
        rpcMessage: typeof error === 'string' ? error : '',
      });
    }
    return read(result, { method, answer });
  };
}

function read<Answer>(
  result: JsonValue,
  { method, answer }: { readonly method: string; readonly answer: z.ZodType<Answer> },
): Answer {
  const found = answer.safeParse(result);
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  throw invalid(method, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

function invalid(method: string, reason: string): SmartChainRpcError {
  return new SmartChainRpcError('SMARTCHAIN_RPC_ANSWER_INVALID', { method, reason });
}

/** Parameters up to the first missing one. */
function given(params: readonly (JsonValue | undefined)[]): readonly JsonValue[] {
  const end = params.indexOf(undefined);
  return (end === -1 ? params : params.slice(0, end)) as readonly JsonValue[];
}

/** A node that could not sign returns an empty text as a success. */
function signed(hex: string, method: string): string {
  if (hex !== '') return hex;
  throw new SmartChainRpcError('SMARTCHAIN_RPC_TOKEN_REFUSED', { method, rpcMessage: 'the node could not sign' });
}

/**
 * Checks that the transaction creates the requested number of tokens: the smart-chain node reads the supply as a double, which loses a satoshi of
 * some amounts.
 */
function checkedSupply(hex: string, supply: bigint): string {
  const made = decodeChainTransaction(hexToBytes(hex))?.transaction.outputs[1]?.value;
  if (made === supply) return hex;
  throw invalid('tokencreate', `a transaction that creates ${made ?? 'no'} tokens instead of ${supply}`);
}
