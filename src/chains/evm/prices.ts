import { BackendSilent } from '../../ports/silence.ts';
import { type GasStation, raised } from './gas-station.ts';
import type { EvmLook } from './reader.ts';
import type { Price } from './transaction.ts';

/** Prices of gas on a chain, in wei per unit. */
export type PriceRule = {
  /** `eip1559` is only used if blocks have a base fee. */
  readonly kind: 'eip1559' | 'legacy';
  /** The offer at urgency 0: above the base fee, or in total on a legacy chain; null to ask the node. */
  readonly tip: bigint | null;
  /** The least offer above the base fee, or in total. */
  readonly floor: bigint;
  /** The most to pay in total, however urgent. */
  readonly ceiling: bigint;
  /**
   * Asked beside the node where there is no `tip`: the dearest of what it tells, of what the node tells, and of the base fee with 13 % (a gwei at
   * least) is offered all in all. @defaultValue none
   */
  readonly station?: GasStation;
};

/** The prices at a moment. */
export type DayPrices = {
  readonly legacy: boolean;
  /** 0 if there is none. */
  readonly baseFee: bigint;
  readonly tip: bigint;
  /** The most to pay in total, however urgent: the rule's ceiling, or less because of the base fee. */
  readonly ceiling: bigint;
};

const GWEI = 10n ** 9n;

/** However urgent, gas costs at most this many times the base fee; or this much in wei if that is more. */
const MOST_OF_BASE = 100n;
const ALWAYS_WITHIN = 2_000n * GWEI;
/** The same for what nodes and stations say, each a single source: urgency finds the rest. */
const MOST_SAID_OF_BASE = 10n;
const ALWAYS_SAID = 100n * GWEI;
/** The most that they may report of the rule's ceiling on a chain without base fees. */
const MOST_SAID_OF_CEILING = 10n;

/** By look and rule: the prices of a look are asked once, and so are those of a station. */
const told = new WeakMap<EvmLook, Map<PriceRule, Promise<DayPrices>>>();

/** What the chain and the rule say about prices now, the same for all of a look. @throws BackendSilent */
export function dayPrices(rule: PriceRule, look: EvmLook): Promise<DayPrices> {
  const byRule = told.get(look) ?? new Map<PriceRule, Promise<DayPrices>>();
  told.set(look, byRule);
  const prices = byRule.get(rule) ?? askedPrices(rule, look);
  byRule.set(rule, prices);
  return prices;
}

async function askedPrices(rule: PriceRule, look: EvmLook): Promise<DayPrices> {
  const { baseFee } = look.head;
  const legacy = rule.kind === 'legacy' || baseFee === null;
  const tip = rule.tip ?? least(await askedTip(rule, { look, legacy }), mostSaid(rule, { baseFee, legacy }));
  const ceiling = baseFee === null ? rule.ceiling : least(rule.ceiling, most(baseFee * MOST_OF_BASE, ALWAYS_WITHIN));
  return { legacy, baseFee: baseFee ?? 0n, tip: most(tip, rule.floor), ceiling };
}

function mostSaid({ ceiling }: PriceRule, { baseFee, legacy }: { baseFee: bigint | null; legacy: boolean }): bigint {
  if (baseFee === null) return ceiling / MOST_SAID_OF_CEILING;
  return most(baseFee * MOST_SAID_OF_BASE, ALWAYS_SAID) + (legacy ? baseFee : 0n);
}

function least(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

function most(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

type Asking = { readonly look: EvmLook; readonly legacy: boolean };

async function askedTip({ station }: PriceRule, { look, legacy }: Asking): Promise<bigint> {
  const { baseFee } = look.head;
  const own = look.price(legacy ? 'legacy' : 'tip');
  if (station === undefined) return own;
  const [told, node] = await Promise.all([
    station(),
    own.catch((error: unknown) => {
      if (error instanceof BackendSilent) return error;
      throw error;
    }),
  ]);
  // This leaves out what does not answer, as long as something is left.
  const above = legacy ? 0n : (baseFee ?? 0n);
  const sources = [told, baseFee === null ? null : raised(baseFee, 13n)].flatMap((all) =>
    all === null ? [] : [all - above],
  );
  if (node instanceof BackendSilent && sources.length === 0) throw node;
  return sources.reduce((dearest, one) => (one > dearest ? one : dearest), typeof node === 'bigint' ? node : 0n);
}

const MOST_STEPS = 40;

export type Wanted = { readonly day: DayPrices; readonly urgency: number };

/** Half as much more for each step of urgency, and room for a rising base fee, within the ceiling. */
export function priceAt({ day, urgency }: Wanted): Price {
  const { legacy, baseFee, tip, ceiling } = day;
  const steps = BigInt(Math.max(0, Math.min(urgency, MOST_STEPS)));
  const urgent = (tip * 3n ** steps + 2n ** steps - 1n) / 2n ** steps;
  return within({ most: legacy ? urgent : baseFee * (2n + steps) + urgent, tip: urgent }, ceiling);
}

/** The offer at urgency 0, at which a block may include it. */
export function usualPrice(rule: PriceRule, day: DayPrices): Price {
  return within(dearerOf(priceAt({ day, urgency: 0 }), leastPrice(rule, day)), day.ceiling);
}

/** The least at which a block may include it: a base fee rises by up to an eighth per block. */
export function leastPrice({ floor }: PriceRule, { legacy, baseFee }: DayPrices): Price {
  const most = (baseFee * 9n) / 8n + 1n + floor;
  return { most, tip: legacy ? most : floor };
}

/** The least that replaces another transaction of the same nonce: nodes require a tenth more of both parts, some an eighth. */
export function replacementOf({ most, tip }: Price): Price {
  return { most: dearer(most), tip: dearer(tip) };
}

function dearer(wei: bigint): bigint {
  return (wei * 9n) / 8n + 1n;
}

export function within({ most, tip }: Price, bound: bigint): Price {
  const bounded = most > bound ? bound : most;
  return { most: bounded, tip: tip > bounded ? bounded : tip };
}

/** The larger one of each part. */
export function dearerOf(left: Price, right: Price): Price {
  return { most: left.most > right.most ? left.most : right.most, tip: left.tip > right.tip ? left.tip : right.tip };
}
