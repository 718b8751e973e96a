import { checkDexFee, type DexFee, type DexFeeCheck, dexFee, isFeeExempt } from '../../htlc/dex-fee.ts';
import { decodeTransfer } from '../../htlc/evm-calls.ts';
import { type EvmTransaction, evmAddress } from '../../htlc/evm-transaction.ts';
import { KDF_NETWORK, type NetworkProfile } from '../../htlc/network-profile.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import type { Findings } from './report.ts';
import type { SwapRule } from './rule.ts';
import { textField } from './stored-fields.ts';
import type { AuditedSwap } from './swap-view.ts';
import { type LoggedTransaction, notUtxo } from './transactions.ts';

/** The account of the key that receives the fee of KDF's network, on EVM chains. */
export const DEX_FEE_ACCOUNT = 'd8997941dd1346e9231118d5685d866294f59e5b';

type Terms = {
  readonly takerCoin: string;
  readonly makerCoin: string;
  readonly takerAmount: DecimalText;
  readonly network?: NetworkProfile;
};

/** The taker's fee against the formula. */
export const dexFeeRule: SwapRule = {
  check: 'dex-fee',
  describes:
    'The fee transaction pays the fee address 1/777 of the taker amount, or 9/7770 where KMD is traded, at least the minimum of the coin, with the burn where that is due; releases from 2026 on may have other rates.',
  source: 'KDF stored swaps: dex fee',
  run: (swap, findings) => {
    for (const fee of swap.transactions) {
      if (fee.use.kind !== 'fee') continue;
      const terms = termsOf(swap);
      if (fee.hex === '' && fee.hash === '') judgeExemption(swap, fee, findings);
      else if (terms === undefined) findings.notCheckable(fee.seq, 'the log does not name the coins and the amount');
      else if (fee.evm !== undefined) judgeTransfer(fee.evm, { seq: fee.seq, terms, young: isYoung(swap) }, findings);
      else if (fee.utxo === undefined) findings.notCheckable(fee.seq, notUtxo(fee));
      else judgeOutputs(checkDexFee(fee.utxo.outputs, terms), { seq: fee.seq, young: isYoung(swap) }, findings);
    }
  },
};

function termsOf({ payments, started, network }: AuditedSwap): Terms | undefined {
  const takerCoin = textField(started, 'taker_coin');
  const makerCoin = textField(started, 'maker_coin');
  const takerAmount = payments.taker.amount;
  if (takerCoin === undefined || makerCoin === undefined || takerAmount === undefined) return undefined;
  return { takerCoin, makerCoin, takerAmount, ...(network === undefined ? {} : { network }) };
}

function judgeExemption(
  { payments, network = KDF_NETWORK }: AuditedSwap,
  { seq }: LoggedTransaction,
  findings: Findings,
): void {
  const { senderKey } = payments.taker;
  const key = senderKey === undefined ? undefined : bytesToHex(senderKey);
  if (network.tradingFee === null) findings.verified(seq, 'no fee, which this network does not ask for');
  else if (isFeeExempt(key, network)) findings.verified(seq, 'no fee, which the burn key need not pay');
  else findings.notCheckable(seq, 'no fee transaction is stored; by the known rules the burn key alone pays none');
}

/** From 2026 on there are releases with other rates and another address. */
const OTHER_RATES_SINCE = 1_767_225_600;

function isYoung({ startedAt, network }: AuditedSwap): boolean {
  if (network !== undefined) return false;
  return startedAt === undefined || startedAt >= OTHER_RATES_SINCE;
}

function judgeOutputs(
  result: DexFeeCheck,
  { seq, young }: { readonly seq: number; readonly young: boolean },
  findings: Findings,
): void {
  if (result.status === 'verified') findings.verified(seq, inWords(result.fee.feeSat, result.fee.burnSat));
  else if (result.status === 'notCheckable') findings.notCheckable(seq, UNDECIDED[result.reason]);
  else if (young) findings.notCheckable(seq, YOUNG);
  else {
    findings.violated(seq, {
      expected: `${inWords(result.expected.feeSat, result.expected.burnSat)} to the fee address`,
      found: inWords(result.foundSat, result.foundBurnSat),
      reason: CONTRADICTED[result.reason],
    });
  }
}

const YOUNG = 'not by the rule of 2025; releases from 2026 on have other rates and another address';

function inWords(fee: bigint, burn: bigint): string {
  return burn === 0n ? `${fee} base units` : `${fee} base units and ${burn} burned`;
}

const UNDECIDED: Readonly<Record<Extract<DexFeeCheck, { status: 'notCheckable' }>['reason'], string>> = {
  noTransparentOutput: 'the fee is paid to a shielded address',
  tokenTransfer: 'the fee is paid in a token, whose amount is not the value of an output',
  perhapsCoinMinimum: "more than the formula asks for, which may be the coin's own minimum",
};

const CONTRADICTED: Readonly<Record<Extract<DexFeeCheck, { status: 'violated' }>['reason'], string>> = {
  wrongAddress: 'output 0 does not pay the fee address',
  tooLittle: 'output 0 pays less than the formula asks for',
  tooMuch: 'output 0 pays more than the formula asks for',
  wrongBurn: 'the burned amount is not the one of the formula',
};

const ETHER_DECIMALS = 18;
const EVM_THRESHOLD_BEFORE_BURN = 10n ** 14n;

function judgeTransfer(
  evm: EvmTransaction,
  { seq, terms, young }: { readonly seq: number; readonly terms: Terms; readonly young: boolean },
  findings: Findings,
): void {
  const transfer = decodeTransfer(evm);
  const account = feeAccount(terms.network);
  if (transfer === undefined) findings.notCheckable(seq, 'the transaction is no transfer of a coin or token');
  else if (transfer.to !== account && young) findings.notCheckable(seq, YOUNG);
  else if (transfer.to !== account) {
    findings.violated(seq, { expected: account, found: transfer.to, reason: 'the receiver of the fee' });
  } else if (matchesFormula(transfer, terms)) findings.verified(seq, `${transfer.amount} base units`);
  else findings.notCheckable(seq, `paid to the fee account; the amount of ${transfer.amount} cannot be derived here`);
}

/** Whom a fee is paid to; a network without fees has nobody. */
function feeAccount({ tradingFee }: NetworkProfile = KDF_NETWORK): string {
  if (tradingFee === null) return 'no fee';
  return evmAddress(hexToBytes(tradingFee.feeKey)) ?? 'no account';
}

/** Releases differ in the last digits of such a fee, so that only an exact match says something. */
function matchesFormula(
  { amount, token }: { readonly amount: bigint; readonly token: boolean },
  terms: Terms,
): boolean {
  if (!token && amount === EVM_THRESHOLD_BEFORE_BURN) {
    return feeOf(terms, ETHER_DECIMALS).feeSat <= EVM_THRESHOLD_BEFORE_BURN;
  }
  const candidates = token ? Array.from({ length: ETHER_DECIMALS + 1 }, (_, index) => index) : [ETHER_DECIMALS];
  return candidates.some((decimals) => feeOf(terms, decimals).feeSat === amount);
}

function feeOf(terms: Terms, decimals: number): DexFee {
  return dexFee({ ...terms, decimals, minTxAmount: 0n, era: 'beforeBurn' });
}
