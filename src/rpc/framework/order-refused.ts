import type { TradingNode } from '../../node/node.ts';
import { OrderRefusal, type OrderRefusalKind } from '../../node/orders/refusal.ts';
import { whyInactive } from './active.ts';
import { internalFailure, RpcFailure } from './failure.ts';

/** What a caller of a v2 method is told; a legacy caller is told the text alone. */
const KINDS: Readonly<Record<OrderRefusalKind, { readonly type: string; readonly status: number }>> = {
  coinInactive: { type: 'NoSuchCoin', status: 404 },
  termsInvalid: { type: 'InvalidRequest', status: 400 },
  balanceTooLow: { type: 'NotSufficientBalance', status: 400 },
  balanceUnknown: { type: 'Transport', status: 502 },
  beingMatched: { type: 'OrderBeingMatched', status: 409 },
  notFound: { type: 'UUIDNotFound', status: 404 },
  offerInvalid: { type: 'InvalidOffer', status: 400 },
  offerExpired: { type: 'OfferExpired', status: 410 },
};

/** Turns a refused order into what the caller is told. */
export function refusedOrder(error: unknown): never {
  if (!(error instanceof OrderRefusal)) throw error;
  const { type, status } = KINDS[error.kind];
  throw new RpcFailure(error.message, { type, data: error.message, status });
}

type Pair = { readonly base: string; readonly rel: string };

/** The same for a legacy caller that names two coins. Outside of `--compatibility kdf` it is told which of them is not active, and why. */
export function refusedLegacyPair(
  { base, rel }: Pair,
  { coins, coinsFile, compatibility }: Pick<TradingNode, 'coins' | 'coinsFile' | 'compatibility'>,
) {
  return (error: unknown): never => {
    const missing = [base, rel].find((ticker) => coins.get(ticker) === undefined);
    const isPair = error instanceof OrderRefusal && error.kind === 'coinInactive' && missing !== undefined;
    if (!isPair || compatibility === 'kdf') return refusedLegacyOrder(error);
    throw internalFailure(`${error.message}; ${missing}: ${whyInactive(missing, coinsFile)}`);
  };
}

/** The same for a legacy caller. */
export function refusedLegacyOrder(error: unknown): never {
  if (!(error instanceof OrderRefusal)) throw error;
  throw error.kind === 'notFound'
    ? new RpcFailure(error.message, { type: 'UUIDNotFound', status: 404, beside: {} })
    : internalFailure(error.message);
}
