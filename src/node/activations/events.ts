import { z } from 'zod';
import type { Balances } from '../../ports/coin-wallet.ts';
import type { NewRecord } from '../../ports/event-log.ts';
import { type DecimalText, isDecimalText } from '../../primitives/decimal.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { isJsonObject, type JsonObject } from '../../primitives/json.ts';
import type { Millis } from '../../primitives/time.ts';
import type { ActivationFailureKind } from '../activation-failure.ts';
import type { ActiveCoin } from '../active-coin.ts';

// Activations stand in the log of the node, each in a stream of its own: what was asked, what came of it, what the coin's address held, and the end.
// What a request says is written without what it proves itself with.

/** Machine id of the streams. */
export const ACTIVATION_MACHINE = 'activation';

/** Machine id of the streams with the balances of coins that tasks have activated, one for each time that a coin was active. */
export const BALANCE_MACHINE = 'balance';

const PAYLOAD_VERSION = 1;

const METHODS = ['enable', 'electrum', 'enable_tendermint_with_assets'] as const;

/** By which method; what tasks activate stands in their streams. */
export type ActivationMethod = (typeof METHODS)[number];

/** Why a coin is not active any more: it was taken out, or activated anew after the node had been started again. */
export type ActivationEnd = 'disabled' | 'activatedAnew';

const requested = z.object({ coin: z.string(), method: z.enum(METHODS), request: z.looseObject({}) });
const completed = z.object({
  coin: z.string(),
  address: z.string(),
  required_confirmations: z.number(),
  requires_notarization: z.boolean(),
  mature_confirmations: z.number().nullable(),
});
const failed = z.object({ coin: z.string(), kind: z.string(), error: z.string() });
const amount = z
  .string()
  .refine(isDecimalText)
  .transform((text) => text as DecimalText);
const balance = z.object({ coin: z.string(), address: z.string(), spendable: amount, unspendable: amount });
const ended = z.object({ coin: z.string(), reason: z.enum(['disabled', 'activatedAnew']) });

function record(type: ActivationEventType, data: unknown, at: Millis): NewRecord {
  return { at, type, version: PAYLOAD_VERSION, data };
}

export type ActivationEventType =
  | 'ActivationRequested'
  | 'ActivationCompleted'
  | 'ActivationFailed'
  | 'BalanceChanged'
  | 'ActivationEnded';

export type AskedActivation = {
  readonly coin: string;
  readonly method: ActivationMethod;
  /** Without what it proves itself with. */
  readonly request: JsonObject;
};

/** How a stream begins. */
export function activationRequested(asked: AskedActivation, at: Millis): NewRecord {
  return record('ActivationRequested', asked, at);
}

export function activationCompleted(coin: ActiveCoin, at: Millis): NewRecord {
  const { ticker, address, requiredConfirmations, requiresNotarization, matureConfirmations } = coin;
  const data = {
    ...{ coin: ticker, address, required_confirmations: requiredConfirmations },
    ...{ requires_notarization: requiresNotarization, mature_confirmations: matureConfirmations },
  };
  return record('ActivationCompleted', data, at);
}

type Failed = {
  readonly coin: string;
  readonly kind: ActivationFailureKind | 'internal';
  readonly error: string;
};

export function activationFailed(failure: Failed, at: Millis): NewRecord {
  return record('ActivationFailed', failure, at);
}

/** What an address of the coin's wallet holds from now on, in coin units. */
export function balanceChanged(of: { readonly coin: string; readonly address: string } & Balances, at: Millis) {
  return record('BalanceChanged', of, at);
}

export function activationEnded(coin: string, reason: ActivationEnd, at: Millis): NewRecord {
  return record('ActivationEnded', { coin, reason }, at);
}

/** An activation as its stream tells it. */
export type Activation = AskedActivation & {
  readonly uuid: string;
  /** `asked` where the node was ended before there was an outcome. */
  readonly state: 'asked' | 'active' | 'failed' | 'ended';
  readonly at: Millis;
  /** Tickers of what was asked for with the coin. */
  readonly tokens: readonly string[];
  /** Null while nothing is known of it. */
  readonly address: string | null;
  readonly balances: Balances | null;
  /** Why it failed or ended; null while it did neither. */
  readonly why: string | null;
};

/**
 * The activation that a stream holds.
 *
 * @throws ZodError, RangeError for records that no release wrote, or in another order
 */
export function foldActivation(uuid: string, records: readonly Pick<Envelope, 'type' | 'at' | 'data'>[]): Activation {
  const [first, ...rest] = records;
  if (first?.type !== 'ActivationRequested') throw new RangeError('an activation starts with its request');
  const asked = requested.parse(first.data) as AskedActivation;
  const tokens = tokensIn(asked.request);
  const begun: Activation = {
    ...asked,
    uuid,
    tokens,
    state: 'asked',
    at: first.at,
    address: null,
    balances: null,
    why: null,
  };
  return rest.reduce(next, begun);
}

function tokensIn({ tokens_params: tokens = null }: JsonObject): readonly string[] {
  if (!Array.isArray(tokens)) return [];
  return tokens.flatMap((token) =>
    isJsonObject(token) && typeof token['ticker'] === 'string' ? [token['ticker']] : [],
  );
}

function next(known: Activation, { type, data }: Pick<Envelope, 'type' | 'data'>): Activation {
  switch (`${known.state} ${type}`) {
    case 'asked ActivationCompleted':
      return { ...known, state: 'active', address: completed.parse(data).address };
    case 'asked ActivationFailed':
    case 'active ActivationFailed':
      return { ...known, state: 'failed', why: failed.parse(data).error };
    case 'active BalanceChanged': {
      const { spendable, unspendable } = balance.parse(data);
      return { ...known, balances: { spendable, unspendable } };
    }
    case 'asked ActivationEnded':
    case 'active ActivationEnded':
      return { ...known, state: 'ended', why: ended.parse(data).reason };
    default:
      throw new RangeError(`${type} cannot follow: the activation is ${known.state}`);
  }
}
