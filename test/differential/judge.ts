import type { DecodedTransaction, TransactionOutput } from '../../src/htlc/transaction.ts';
import { type Coin, checkInputs, isRefusal } from '../../src/smartchain/chain/check-inputs.ts';
import { scriptFault } from '../../src/smartchain/chain/check-scripts.ts';
import {
  checkForm,
  checkTransaction,
  isCoinbase,
  isFinal,
  type LockMoment,
} from '../../src/smartchain/chain/check-transaction.ts';
import type { Refusal } from '../../src/smartchain/chain/refusal.ts';
import { type ChainParams, DEFAULT_PARAMS } from '../../src/smartchain/params.ts';
import { type ScriptError, scriptErrorText } from '../../src/smartchain/script/errors.ts';
import type { ScriptFlags } from '../../src/smartchain/script/flags.ts';
import { decodeChainTransaction } from '../../src/smartchain/transaction.ts';

/** A chain without what Komodo and Zcash added to Bitcoin. */
export const PLAIN_PARAMS: ChainParams = { ...DEFAULT_PARAMS, saplingHeight: undefined, cryptoConditions: false };

/** What Litecoin Core asks of a script before it relays the transaction, less its rules for segregated witnesses. */
export const LITECOIN_POLICY: ScriptFlags = {
  p2sh: true,
  strictDer: true,
  strictEncoding: true,
  minimalData: true,
  nullDummy: true,
  discourageUpgradableNops: true,
  cleanStack: true,
  nullFail: true,
  checkLockTimeVerify: true,
  checkSequenceVerify: true,
  lowS: true,
  bitcoinScriptCode: true,
};

/** What it calls mandatory when it tells why it does not relay. */
const LITECOIN_MANDATORY: ScriptFlags = { p2sh: true, bitcoinScriptCode: true };

/** What it asks of a script in a block, at heights where all its rules are in force. */
export const LITECOIN_BLOCK: ScriptFlags = {
  p2sh: true,
  strictDer: true,
  nullDummy: true,
  checkLockTimeVerify: true,
  checkSequenceVerify: true,
  bitcoinScriptCode: true,
};

/** Litecoin Core's words where they differ: it has a text for more reasons, and mended one. */
const TEXTS: Partial<Record<ScriptError, string>> = {
  CLEANSTACK: 'Stack size must be exactly one after execution',
  SIG_PUSHONLY: 'Only push operators allowed in signatures',
};

export type View = {
  /** Outputs that can be spent, by `<txid>:<vout>`. */
  readonly coins: ReadonlyMap<string, Coin>;
  /** When the next block would be made. */
  readonly moment: LockMoment;
};

/** The verdict of this project on a raw transaction, in Litecoin Core's words: `allowed`, or its reason to refuse. */
export function verdictOn(raw: Uint8Array, view: View): string {
  const judged = inputsOf(raw, view);
  if (typeof judged === 'string') return judged;
  const { transaction, spent } = judged;
  const policy = fault(transaction, { spent, flags: LITECOIN_POLICY });
  if (policy === undefined) return 'allowed';
  const mandatory = fault(transaction, { spent, flags: LITECOIN_MANDATORY });
  const head = mandatory === undefined ? 'non-mandatory-script-verify-flag' : 'mandatory-script-verify-flag-failed';
  return `${head} (${TEXTS[policy] ?? scriptErrorText(policy)})`;
}

/** Whether a block may hold the transaction, by the rules that this project and Litecoin have in common. */
export function isGoodInBlock(raw: Uint8Array, view: View): boolean {
  const judged = inputsOf(raw, view);
  if (typeof judged === 'string') return false;
  return fault(judged.transaction, { spent: judged.spent, flags: LITECOIN_BLOCK }) === undefined;
}

type Judged = { readonly transaction: DecodedTransaction; readonly spent: readonly TransactionOutput[] };

function inputsOf(raw: Uint8Array, { coins, moment }: View): Judged | string {
  const read = decodeChainTransaction(raw);
  if (read === undefined || read.bytes.length !== raw.length) return 'unreadable';
  const { transaction } = read;
  const form =
    checkTransaction(read, PLAIN_PARAMS) ?? checkForm(transaction, { height: moment.height, params: PLAIN_PARAMS });
  if (form !== undefined) return wordsOf(form);
  if (isCoinbase(transaction)) return 'coinbase';
  if (!isFinal(transaction, moment)) return 'non-final';
  const terms = { coins: ({ txid, vout }: { txid: string; vout: number }) => coins.get(`${txid}:${vout}`) };
  const inputs = checkInputs(transaction, { ...terms, height: moment.height, params: PLAIN_PARAMS });
  if (isRefusal(inputs)) return wordsOf(inputs);
  return { transaction, spent: inputs.coins.map(({ output }) => output) };
}

function fault(
  transaction: DecodedTransaction,
  of: { spent: readonly TransactionOutput[]; flags: ScriptFlags },
): ScriptError | undefined {
  return scriptFault(transaction, { ...of, evaluate: () => false, cryptoConditions: false });
}

function wordsOf(refusal: Refusal): string {
  return refusal.kind === 'missing-inputs' ? refusal.kind : refusal.reason;
}
