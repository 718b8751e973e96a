import type { HtlcModule, TendermintMessage } from '../../htlc/tendermint-messages.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import { fractionOfDecimal } from '../../primitives/fraction.ts';
import { type AppTransaction, readAppTransaction, signerAddress } from './app-transaction.ts';
import { AUTHZ, executedOf } from './authz.ts';
import { claimHtlc, createHtlc, type Effect } from './htlc-module.ts';
import { type AppEvent, type Refused, refusedBySdk, SDK_CODE, type TxResult } from './result.ts';
import { type AppState, debited, moved, withAccount } from './state.ts';

/** What the application goes by. */
export type AppRules = {
  readonly chainId: string;
  /** Of its addresses. */
  readonly prefix: string;
  /** The module with payments under locks; null for a chain without one. */
  readonly module: HtlcModule | null;
  /** Denomination in which fees are paid. */
  readonly feeDenom: string;
  /** Base units of it for each unit of gas, under which nothing is taken into the mempool. */
  readonly gasPrice: DecimalText;
};

/** Who collects fees: the address of no key. */
const COLLECTOR = 'the fee collector';
const MOST_MEMO = 256;
const GAS_OF_BYTE = 10n;
const GAS_OF_MESSAGE = { send: 45_000n, create: 62_000n, claim: 51_000n, other: 0n } as const;

/** What a transaction uses: more for more bytes. */
export function gasOf({ messages, size }: AppTransaction): bigint {
  return messages.reduce((sum, { kind }) => sum + GAS_OF_MESSAGE[kind], BigInt(size) * GAS_OF_BYTE);
}

export type Checking = {
  /** Of the block that may hold it. */
  readonly height: bigint;
  /** Whether nothing is held against its signature and its fee, as where only its gas is asked for. @defaultValue false */
  readonly isTrial?: boolean;
  /** Whether a node decides whether it waits, which asks for a fee; a block takes what it is given. @defaultValue false */
  readonly isEntry?: boolean;
};

/** The state after the fee is paid and the sequence is used; or why the transaction is none for the account as it is. */
export function ante(
  state: AppState,
  tx: AppTransaction,
  { rules, height, isTrial = false, isEntry = false }: Checking & { readonly rules: AppRules },
): { readonly state: AppState } | { readonly refused: Refused } {
  const refuse = (code: number, log: string) => ({ refused: refusedBySdk(code, log) });
  if (tx.messages.length === 0) return refuse(SDK_CODE.invalidRequest, 'must contain at least one message');
  if (tx.memo.length > MOST_MEMO) return refuse(SDK_CODE.memoTooLarge, `maximum number of characters is ${MOST_MEMO}`);
  if (tx.timeoutHeight !== 0n && height > tx.timeoutHeight)
    return refuse(
      SDK_CODE.timeoutHeight,
      `block height: ${height}, timeout height: ${tx.timeoutHeight}: tx timeout height`,
    );
  if (isEntry && !isTrial) {
    const least = leastFee(rules, tx.gas);
    const given = tx.fee.find(({ denom }) => denom === rules.feeDenom)?.amount ?? 0n;
    if (given < least)
      return refuse(
        SDK_CODE.insufficientFee,
        `insufficient fees; got: ${given}${rules.feeDenom} required: ${least}${rules.feeDenom}: insufficient fee`,
      );
  }
  const address = signerAddress(tx, rules.prefix);
  const account = state.accounts.get(address);
  if (account === undefined)
    return refuse(SDK_CODE.unknownAddress, `account ${address} does not exist: unknown address`);
  if (!tx.messages.every((message) => [null, address].includes(ownerOf(message))))
    return refuse(SDK_CODE.unauthorized, 'pubKey does not match signer address: invalid pubkey');
  if (account.sequence !== tx.sequence)
    return refuse(
      SDK_CODE.wrongSequence,
      `account sequence mismatch, expected ${account.sequence}, got ${tx.sequence}: incorrect account sequence`,
    );
  if (!isTrial && !tx.isSigned({ chainId: rules.chainId, accountNumber: account.number }))
    return refuse(
      SDK_CODE.unauthorized,
      `signature verification failed; please verify account number (${account.number}), sequence (${account.sequence}) and chain-id (${rules.chainId}): unauthorized`,
    );
  const paid = isTrial ? state : debited(state, address, tx.fee);
  if (paid === null) return refuse(SDK_CODE.insufficientFunds, 'insufficient funds: insufficient funds');
  const collected = isTrial ? paid : (moved(state, { from: address, to: COLLECTOR, coins: tx.fee }) ?? paid);
  return {
    state: withAccount(collected, address, { ...account, sequence: account.sequence + 1n, key: tx.key ?? account.key }),
  };
}

function leastFee({ gasPrice }: AppRules, gas: bigint): bigint {
  const { numer, denom } = fractionOfDecimal(gasPrice);
  return (gas * numer + denom - 1n) / denom;
}

/** Whose signature a message needs; null for one that no module here takes. */
function ownerOf(message: TendermintMessage): string | null {
  if (message.kind === 'other') return executedOf(message)?.grantee ?? null;
  return message.kind === 'send' ? message.from : message.sender;
}

export type Delivered = { readonly state: AppState; readonly result: TxResult };

/** A transaction in a block: its fee is paid and its sequence used also where its messages have no effect. */
export function deliver(state: AppState, bytes: Uint8Array, at: { readonly rules: AppRules } & Checking): Delivered {
  const tx = readAppTransaction(bytes);
  const failed = ({ code, codespace, log }: Refused, gasUsed = 0n): TxResult => ({
    ...{ code, codespace, log, gasWanted: tx?.gas ?? 0n, gasUsed, events: [] },
  });
  if (tx === undefined) return { state, result: failed(refusedBySdk(SDK_CODE.decode, 'tx parse error')) };
  const entered = ante(state, tx, at);
  if ('refused' in entered) return { state, result: failed(entered.refused) };
  const gasUsed = gasOf(tx);
  if (gasUsed > tx.gas && at.isTrial !== true) {
    const log = `out of gas in location: WriteFlat; gasWanted: ${tx.gas}, gasUsed: ${gasUsed}: out of gas`;
    return { state: entered.state, result: failed(refusedBySdk(SDK_CODE.outOfGas, log), tx.gas) };
  }
  const effect = effectOf(entered.state, tx.messages, at);
  if ('refused' in effect) return { state: entered.state, result: failed(effect.refused, gasUsed) };
  const result = { code: 0, codespace: '', log: '', gasWanted: tx.gas, gasUsed, events: effect.events };
  return { state: effect.state, result };
}

type Acting = { readonly rules: AppRules; readonly height: bigint };

function effectOf(state: AppState, messages: readonly TendermintMessage[], { rules, height }: Acting): Effect {
  let now = state;
  const events: AppEvent[] = [];
  for (const message of messages) {
    const effect = one(now, message, { rules, height });
    if ('refused' in effect) return effect;
    now = effect.state;
    events.push(...effect.events);
  }
  return { state: now, events };
}

function one(state: AppState, message: TendermintMessage, { rules, height }: Acting): Effect {
  const at = { height, prefix: rules.prefix };
  if (message.kind === 'send') {
    const { from, to, coins } = message;
    if (coins.length === 0 || coins.some(({ amount }) => amount <= 0n))
      return { refused: refusedBySdk(SDK_CODE.invalidCoins, 'invalid coins') };
    const paid = moved(state, { from, to, coins });
    if (paid === null) return { refused: refusedBySdk(SDK_CODE.insufficientFunds, 'insufficient funds') };
    return { state: paid, events: [{ type: 'transfer', attributes: { recipient: to, sender: from } }] };
  }
  if (message.kind === 'create' && message.module === rules.module) return createHtlc(state, message, at);
  if (message.kind === 'claim' && message.module === rules.module) return claimHtlc(state, message, at);
  const executed = message.kind === 'other' ? executedOf(message) : null;
  if (executed === null) return { refused: refusedBySdk(SDK_CODE.unknownRequest, 'unrecognized message route') };
  // Nobody has granted anything here, and everyone may act for themselves.
  if (executed.messages.some((inner) => ownerOf(inner) !== executed.grantee))
    return { refused: { code: AUTHZ.noAuthorization, codespace: 'authz', log: 'authorization not found' } };
  return effectOf(state, executed.messages, { rules, height });
}
