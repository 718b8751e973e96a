import type { NetworkProfile } from '../../htlc/network-profile.ts';
import type { TakerRequest } from '../../ports/orders.ts';
import type { Signer } from '../../ports/signer.ts';
import { divideFractions, type Fraction, fractionText, sameFraction } from '../../primitives/fraction.ts';
import { sha256 } from '../../primitives/hash.ts';
import type { Millis, Seconds } from '../../primitives/time.ts';
import type { OfferAsk, SetPriceAsk, TakerAsk } from './asks.ts';
import { OrderDesk } from './desk.ts';
import { mostFunds, type Purse, requireFunds } from './funds.ts';
import { uuidOfKey } from './ids.ts';
import { type MakerOrder, type MakerTerms, TAKER_TIMEOUT, type TakerOrder } from './model.ts';
import { keyText, type Offer, offerText, readOffer, withoutParity } from './offer.ts';
import type { OrderCoin, OrderParts } from './parts.ts';
import { OrderRefusal } from './refusal.ts';
import { roundsAway } from './swap-request.ts';
import { confirmationSettings, makerVolumes, type Pair, takerVolumes } from './terms.ts';

export type NodeOrdersOptions = Omit<OrderParts, 'key'> & {
  /** Signs offers; messages are signed with the same key. */
  readonly identity: Signer;
  readonly profile: NetworkProfile;
  /** What a wallet has; undefined while the coin is not active. */
  readonly purse: (ticker: string) => Purse | undefined;
};

/** The orders and offers of a trading node. All refusals are {@link OrderRefusal}. */
export type NodeOrders = Pick<OrderDesk, 'open' | 'makers' | 'takers' | 'cancel' | 'cancelOf' | 'close'> & {
  /** The own key without parity, in hex. */
  readonly self: string;
  readonly setPrice: (ask: SetPriceAsk) => Promise<MakerOrder>;
  readonly buy: (ask: TakerAsk) => Promise<TakerOrder>;
  readonly sell: (ask: TakerAsk) => Promise<TakerOrder>;
  /** A maker's order for one swap, not told to anyone, and the text by which a taker takes it. */
  readonly offer: (ask: OfferAsk) => Promise<{ readonly offer: Offer; readonly text: string }>;
  /** Takes an offer. The maker need not be online: the taker asks until the offer expires. Taking it again returns the same order. */
  readonly take: (text: string) => Promise<TakerOrder>;
};

export function createNodeOrders(options: NodeOrdersOptions): NodeOrders {
  const key = keyText(options.identity);
  const desk = new OrderDesk({ ...options, key });
  const parts = { ...options, key, desk };
  return {
    self: withoutParity(key),
    open: () => desk.open(),
    makers: () => desk.makers(),
    takers: () => desk.takers(),
    cancel: (uuid) => desk.cancel(uuid),
    cancelOf: (ticker) => desk.cancelOf(ticker),
    close: () => desk.close(),
    setPrice: (ask) => setPrice(parts, ask),
    buy: (ask) => bid(parts, 'Buy', ask),
    sell: (ask) => bid(parts, 'Sell', ask),
    offer: (ask) => offer(parts, ask),
    take: (text) => take(parts, text),
  };
}

type Shop = NodeOrdersOptions & { readonly key: string; readonly desk: OrderDesk };

async function setPrice(shop: Shop, ask: SetPriceAsk): Promise<MakerOrder> {
  const pair = makerPair(shop, ask);
  const conf_settings = confirmationSettings(pair, ask);
  const purse = purseOf(shop, ask.base);
  let volume = ask.volume;
  try {
    if (ask.max) volume = await mostFunds(purse);
    else await requireFunds(purse, volume, null);
  } catch (error) {
    // An order that the wallet cannot fill any more must not stand because a new one was refused.
    if (ask.cancel_previous) await shop.desk.cancelPair(ask);
    throw error;
  }
  const volumes = makerVolumes(pair, { price: ask.price, volume, minVolume: ask.min_volume });
  const terms = {
    base: ask.base,
    rel: ask.rel,
    ...volumes,
    conf_settings,
    offer: null,
  };
  return shop.desk.make(ownUuid(shop), { terms, instead: ask.cancel_previous });
}

async function bid(shop: Shop, action: TakerRequest['action'], ask: TakerAsk): Promise<TakerOrder> {
  if (ask.base === ask.rel) throw invalid('Base and rel must be different coins');
  const pair = traded({
    base: coinOf(shop, ask.base, 'Base coin is not found or inactive'),
    rel: coinOf(shop, ask.rel, 'Rel coin is not found or inactive'),
  });
  const conf_settings = confirmationSettings(pair, ask);
  const timeout = ask.timeout ?? TAKER_TIMEOUT;
  if (timeout > LONGEST) throw invalid(`timeout ${timeout} is too long, at most ${LONGEST} seconds`);
  const { price, volume, min_volume: minVolume } = ask;
  const volumes = takerVolumes(pair, { price, volume, minVolume });
  if (roundsAway(volumes.base_amount, pair.base)) requireWhole(pair.base, volumes.base_amount);
  const order: TakerOrder = {
    request: {
      ...requestOf(shop, pair, { action, ...volumes }),
      match_by: ask.match_by,
      conf_settings,
    },
    ...{ created_at: shop.clock.now(), timeout, order_type: ask.order_type },
    ...{ min_volume: volumes.min_volume, maker: null, match: null, givenUp: [], copied: false },
  };
  await requireTakerFunds(shop, order.request);
  await shop.desk.take(order);
  return order;
}

/** No order and no offer stands longer without being made anew. */
const LONGEST: Seconds = 30 * 86_400;
const USUAL_OFFER: Seconds = 3600;

async function offer(shop: Shop, ask: OfferAsk): Promise<{ readonly offer: Offer; readonly text: string }> {
  const pair = makerPair(shop, ask);
  const expiresIn = ask.expires_in ?? USUAL_OFFER;
  if (expiresIn < 1 || expiresIn > LONGEST)
    throw invalid(`expires_in must be 1 to ${LONGEST} seconds, not ${expiresIn}`);
  requireWhole(pair.base, ask.base_amount);
  requireWhole(pair.rel, ask.rel_amount);
  const { base_amount, rel_amount, taker } = ask;
  const price = divideFractions(rel_amount, base_amount);
  const volumes = makerVolumes(pair, { price, volume: base_amount, minVolume: base_amount });
  const conf_settings = confirmationSettings(pair, ask);
  await requireFunds(purseOf(shop, ask.base), base_amount, null);
  const expires_at = (shop.clock.now() + expiresIn * 1000) as Millis;
  const { base, rel } = ask;
  const terms: MakerTerms = { base, rel, ...volumes, conf_settings, offer: { expires_at, taker } };
  const uuid = ownUuid(shop);
  const made: Offer = { uuid, maker: shop.key, base, rel, base_amount, rel_amount, conf_settings, expires_at, taker };
  // Signed before it stands: a signer that refuses leaves nothing behind.
  const text = await offerText(made, shop.identity);
  await shop.desk.make(uuid, { terms, instead: false });
  return { offer: made, text };
}

async function take(shop: Shop, text: string): Promise<TakerOrder> {
  const read = readOffer(text);
  const maker = withoutParity(read.maker);
  const self = withoutParity(shop.key);
  const now = shop.clock.now();
  if (maker === self) throw new OrderRefusal('offerInvalid', "The offer cannot be taken: it is this node's own.");
  if (read.taker !== null && read.taker !== self) {
    throw new OrderRefusal('offerInvalid', 'The offer cannot be taken: it is for another taker.');
  }
  if (read.expires_at <= now) {
    throw new OrderRefusal(
      'offerExpired',
      `The offer expired at ${new Date(read.expires_at).toISOString()}. Ask its maker for a new one.`,
    );
  }
  const uuid = uuidOfTake(read, self);
  const known = await shop.desk.taken(uuid);
  if (known !== null) return sameTake(known, read);
  const pair = makerPair(shop, read);
  requireWhole(pair.base, read.base_amount);
  requireWhole(pair.rel, read.rel_amount);
  const { base_amount, rel_amount } = read;
  const price = divideFractions(rel_amount, base_amount);
  const volumes = takerVolumes(pair, { price, volume: base_amount, minVolume: base_amount });
  const request: TakerRequest = {
    ...requestOf(shop, pair, { action: 'Buy', base_amount, rel_amount }),
    uuid,
    match_by: { type: 'Orders', data: [read.uuid] },
    conf_settings: confirmationSettings(pair, OF_THE_COINS),
  };
  await requireTakerFunds(shop, request);
  const timeout = Math.min(Math.ceil((read.expires_at - now) / 1000), LONGEST);
  const order: TakerOrder = {
    ...{ request, created_at: now, timeout, order_type: 'FillOrKill' },
    ...{ min_volume: volumes.min_volume, maker, match: null, givenUp: [], copied: false },
  };
  // Someone else may have taken it meanwhile.
  return sameTake(await shop.desk.take(order), read);
}

/** One taker takes an offer once: its order, and so the swap, has an id that follows from both. */
function uuidOfTake({ uuid, maker }: Offer, self: string): string {
  return uuidOfKey(self, sha256(new TextEncoder().encode(`${uuid} ${maker}`)));
}

/** @throws OrderRefusal offerInvalid where the order takes another offer to which the same maker gave the same id */
function sameTake(order: TakerOrder, { base, rel, base_amount, rel_amount }: Offer): TakerOrder {
  const { request } = order;
  const isSamePair = request.base === base && request.rel === rel;
  const isSame = sameFraction(request.base_amount, base_amount) && sameFraction(request.rel_amount, rel_amount);
  if (isSamePair && isSame) return order;
  throw new OrderRefusal(
    'offerInvalid',
    `The offer cannot be taken: its maker gave its id to another offer, which order ${request.uuid} takes.`,
  );
}

/** A new uuid that proves to be of this node. */
function ownUuid({ random, key }: Shop): string {
  return uuidOfKey(withoutParity(key), random.bytes(8));
}

const OF_THE_COINS = { base_confs: null, base_nota: null, rel_confs: null, rel_nota: null };

function requestOf(
  shop: Shop,
  { base, rel }: Pair,
  asked: Pick<TakerRequest, 'action' | 'base_amount' | 'rel_amount'>,
): Omit<TakerRequest, 'match_by' | 'conf_settings'> {
  const { action, base_amount, rel_amount } = asked;
  return {
    ...{ kind: 'takerRequest', uuid: ownUuid(shop), base: base.ticker, rel: rel.ticker },
    ...{ base_amount, rel_amount, action },
    ...{ base_protocol_info: base.protocolInfo, rel_protocol_info: rel.protocolInfo },
  };
}

function requireTakerFunds(shop: Shop, { action, base, rel, base_amount, rel_amount }: TakerRequest): Promise<void> {
  const [coin, volume, makerCoin] = action === 'Buy' ? [rel, rel_amount, base] : [base, base_amount, rel];
  return requireFunds(purseOf(shop, coin), volume, { makerCoin, network: shop.profile, takerKey: shop.key });
}

function makerPair(shop: Shop, { base, rel }: { readonly base: string; readonly rel: string }): Pair {
  return traded({
    base: coinOf(shop, base, `Base coin ${base} is not found`),
    rel: coinOf(shop, rel, `Rel coin ${rel} is not found`),
  });
}

/** In the words of the real node. */
function traded(pair: Pair): Pair {
  const { base, rel } = pair;
  for (const { ticker, walletOnly } of [base, rel]) {
    if (walletOnly) throw invalid(`'${ticker}' is a wallet only asset and can't be used in orders.`);
  }
  return pair;
}

function coinOf({ coin }: Shop, ticker: string, refusal: string): OrderCoin {
  const found = coin(ticker);
  if (found === undefined) throw new OrderRefusal('coinInactive', refusal);
  return found;
}

function purseOf({ purse }: Shop, ticker: string): Purse {
  const found = purse(ticker);
  if (found === undefined) throw new OrderRefusal('coinInactive', `Coin ${ticker} is not found`);
  return found;
}

/** What an offer names is paid to the last unit, so it must be an amount that the coin can send. */
function requireWhole({ ticker, decimals }: OrderCoin, amount: Fraction): void {
  if ((amount.numer * 10n ** BigInt(decimals)) % amount.denom === 0n) return;
  throw invalid(`${fractionText(amount)} ${ticker} cannot be sent: at most ${decimals} digits after the point`);
}

function invalid(message: string): OrderRefusal {
  return new OrderRefusal('termsInvalid', message);
}
