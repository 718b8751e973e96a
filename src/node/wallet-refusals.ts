import type { ChainFault } from '../ports/chain.ts';
import type { WalletAnswer, WalletRefusal } from '../ports/coin-wallet.ts';
import { type DecimalText, isDecimalText, toBaseUnits, toBigNumber } from '../primitives/decimal.ts';
import { type JsonValue, numberText } from '../primitives/json.ts';

// Texts and data of the real node (`WithdrawError`): the text has words before the data.

/** What a wallet was asked that it does not do. It ends in an answer. */
export class WalletProblem extends Error {
  readonly refusal: WalletRefusal;

  constructor(refusal: WalletRefusal) {
    super(refusal.text);
    this.name = 'WalletProblem';
    this.refusal = refusal;
  }

  /** The value, or the refusal that was thrown. */
  static async caught<T>(work: () => Promise<T>): Promise<WalletAnswer<T>> {
    try {
      return { ok: true, value: await work() };
    } catch (error) {
      if (error instanceof WalletProblem) return { ok: false, refusal: error.refusal };
      throw error;
    }
  }
}

export function refused(type: WalletRefusal['type'], text: string, data?: JsonValue): WalletProblem {
  return new WalletProblem({ type, text, ...(data === undefined ? {} : { data }) });
}

/** One of a request that cannot be read: it names what is wrong. */
export function unreadable(problem: string): WalletProblem {
  return refused('InvalidRequest', problem, problem);
}

export function notEnough(ticker: string, { message, shortage }: ChainFault): WalletRefusal {
  const data = shortage === undefined ? {} : { data: { coin: ticker, ...shortage } };
  return { type: 'NotSufficientBalance', text: `Not enough ${ticker} to withdraw: ${message}`, ...data };
}

export function transportRefusal({ message }: ChainFault): WalletRefusal {
  return { type: 'Transport', text: `Transport error: ${message}`, data: message };
}

/** A decimal as a text or a number; exact. @throws WalletProblem InvalidRequest */
export function decimalIn(given: JsonValue | undefined, name: string): DecimalText {
  const written = typeof given === 'string' ? given : given === undefined ? undefined : numberText(given);
  if (written !== undefined && isDecimalText(written) && !written.startsWith('-')) return written;
  throw unreadable(
    given === undefined ? `missing field \`${name}\`` : `${name}: expected a decimal amount of 0 or more`,
  );
}

/** Base units of an amount in coin units. @throws WalletProblem InvalidRequest for digits that the coin does not have */
export function amountIn(given: JsonValue | undefined, decimals: number, name = 'amount'): bigint {
  const amount = decimalIn(given, name);
  const places = toBigNumber(amount).decimalPlaces() ?? 0;
  if (places > decimals) throw unreadable(`${amount} has more than ${decimals} digits after the point`);
  return toBaseUnits(amount, decimals);
}
