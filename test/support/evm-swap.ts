import type { SwapLog } from '../../src/events/saved-swap.ts';
import { concatBytes } from '../../src/htlc/byte-writer.ts';
import { sha256 } from '../../src/primitives/hash.ts';
import { bytesToHex } from '../../src/primitives/hex.ts';
import { buildSwapPair } from '../../src/testing/logs/swap-builder.ts';
import type { SwapTerms } from '../../src/testing/logs/swap-terms.ts';
import { withData, withMembers } from './audited.ts';
import { leftWord, storedEvm, word } from './evm-transactions.ts';

/** The compressed keys of the private keys 1 and 2 with their well-known accounts. */
export const PARTIES = {
  maker: {
    key: '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    account: '7e5f4552091a69125d5dfcb7b8c2659029395bdf',
  },
  taker: {
    key: '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5',
    account: '2b5ad5c4795c026514f8317c7a215e218dccd6cf',
  },
} as const;

export const CONTRACT = 'c0'.repeat(20);
export const TOKEN = '70'.repeat(20);
/** 2.4 coins in 18 decimals, and 2.4 of a token in 6. */
export const WEI = 2_400_000_000_000_000_000n;
export const TOKEN_UNITS = 2_400_000n;

const PATH = [
  ...['Started', 'Negotiated', 'TakerFeeSent', 'MakerPaymentReceived', 'TakerPaymentSent'],
  ...['TakerPaymentSpent', 'MakerPaymentSpent', 'TakerPaymentRefunded', 'Finished'],
];

export type EvmSwap = { readonly log: SwapLog; readonly terms: SwapTerms; readonly calls: Calls };

type Calls = Readonly<
  Record<'makerPayment' | 'takerPayment' | 'takerPaymentSpend' | 'makerPaymentSpend' | 'takerPaymentRefund', string>
>;

/**
 * A taker's log of a swap of ether (maker) against a token (taker), with every call of the swap contract. It ends both ways,
 * as no real log does, so that one log shows all calls.
 */
export function evmSwap(): EvmSwap {
  const { taker, terms } = buildSwapPair({ seed: 51, takerPath: PATH });
  const calls = callsOf(terms);
  const keys = (party: 'maker' | 'taker') => ({
    maker_coin_htlc_pubkey: PARTIES[party].key,
    taker_coin_htlc_pubkey: PARTIES[party].key,
  });
  const negotiated = {
    ...keys('maker'),
    maker_coin_swap_contract_addr: CONTRACT,
    taker_coin_swap_contract_addr: CONTRACT,
  };
  const parts = (data: string, value = 0n) => storedEvm({ to: CONTRACT, value, data });
  const log = [
    ['Started', keys('taker')] as const,
    ['Negotiated', negotiated] as const,
    ['MakerPaymentReceived', parts(calls.makerPayment, WEI)] as const,
    ['TakerPaymentSent', parts(calls.takerPayment)] as const,
    ['MakerPaymentSpent', parts(calls.makerPaymentSpend)] as const,
    ['TakerPaymentRefunded', parts(calls.takerPaymentRefund)] as const,
  ].reduce((before, [type, members]) => withMembers(before, type, members), taker);
  const spent = withData(log, 'TakerPaymentSpent', (data) => ({
    ...data,
    transaction: parts(calls.takerPaymentSpend),
  }));
  return { log: spent, terms, calls };
}

/** The id under which the contract keeps a payment: SHA-256 over the lock time, least byte first, and the secret hash. */
export function contractSwapId(lockTime: number, secretHash: Uint8Array): string {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, lockTime, true);
  return bytesToHex(sha256(concatBytes([bytes, secretHash])));
}

function callsOf({ makerLock, takerLock, secret, secretHash }: SwapTerms): Calls {
  const makerId = contractSwapId(makerLock, secretHash);
  const takerId = contractSwapId(takerLock, secretHash);
  const hash = leftWord(bytesToHex(secretHash));
  const shown = bytesToHex(secret);
  const { maker, taker } = PARTIES;
  return {
    makerPayment: `152cf3af${makerId}${word(taker.account)}${hash}${word(BigInt(makerLock))}`,
    takerPayment: `9b415b2a${takerId}${word(TOKEN_UNITS)}${word(TOKEN)}${word(maker.account)}${hash}${word(BigInt(takerLock))}`,
    takerPaymentSpend: `02ed292b${takerId}${word(TOKEN_UNITS)}${shown}${word(TOKEN)}${word(taker.account)}`,
    makerPaymentSpend: `02ed292b${makerId}${word(WEI)}${shown}${word(0n)}${word(maker.account)}`,
    takerPaymentRefund: `46fc0294${takerId}${word(TOKEN_UNITS)}${hash}${word(TOKEN)}${word(maker.account)}`,
  };
}
