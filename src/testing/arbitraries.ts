import type { AnyStateMachine } from 'xstate';
import type { MachineDefinition, MachineEvent } from '../../machines/definition.ts';
import { makerSwapChart } from '../../machines/maker-swap/machine.ts';
import { takerSwapChart } from '../../machines/taker-swap/machine.ts';
import { machineOfRole, type Role } from '../events/catalog.ts';
import type { SwapLog } from '../events/saved-swap.ts';
import type { JsonObject } from '../primitives/json.ts';
import { type Arbitrary, fc, withFastCheck } from './fast-check.ts';
import { type SingleChange, singleChanges } from './mutations.ts';
import {
  type ChartEdge,
  type ChartPath,
  chartEdges,
  type EdgeFilter,
  edgesByState,
  edgeWeights,
  initialStateOf,
  isOpen,
  shortestWaysToEnd,
} from './paths.ts';
import { composeShape, plainForm, type StoredShape, swapShapes, textStyles, wrappers } from './shapes.ts';
import { buildSwap } from './swap-builder.ts';
import type { SwapTermsOptions } from './swap-terms.ts';
import { mutateText } from './text-fuzz.ts';
import { xorshift32 } from './xorshift.ts';

export type LegalPathOptions = EdgeFilter & {
  /** Whether the path goes on to a final state. @defaultValue false: it may stop anywhere */
  readonly complete?: boolean;
  /** Steps taken at random, at most. @defaultValue 20 */
  readonly maxLength?: number;
};

/**
 * A random way through a chart from its first state, loops included; possibly without a single event. Early failures
 * are not drawn more often than what lies behind them. Shrinks to shorter ways and to the edges that the chart names first.
 */
export function legalPath(
  target: AnyStateMachine | { readonly chart: AnyStateMachine },
  options: LegalPathOptions = {},
): Arbitrary<ChartPath> {
  const chart = 'chart' in target ? target.chart : target;
  const { complete = false, maxLength = 20 } = options;
  const edges = chartEdges(chart, options);
  const byState = edgesByState(edges);
  const weights = edgeWeights(edges);
  const ways = shortestWaysToEnd(chart, options);
  const initial = initialStateOf(chart);
  return fc.array(fc.nat({ max: 0xffff }), { maxLength, size: 'max' }).map((choices) => {
    const states = [initial];
    const events: string[] = [];
    const take = ({ type, to }: { readonly type: string; readonly to: string }) => {
      events.push(type);
      states.push(to);
    };
    for (const choice of choices) {
      const open = (byState.get(states.at(-1) as string) ?? []).filter((edge) => isOpen(edge, events));
      const edge = weighted(open, { choice, weights });
      if (edge === undefined) break;
      take(edge);
    }
    if (complete) for (const edge of ways.get(states.at(-1) as string) ?? []) take(edge);
    return { name: events.join(' > '), events, states };
  });
}

function weighted(
  edges: readonly ChartEdge[],
  { choice, weights }: { readonly choice: number; readonly weights: ReadonlyMap<ChartEdge, number> },
): ChartEdge | undefined {
  const total = edges.reduce((sum, edge) => sum + (weights.get(edge) ?? 0), 0);
  let left = choice % Math.max(1, total);
  return edges.find((edge) => {
    left -= weights.get(edge) ?? 0;
    return left < 0;
  });
}

const CHARTS: Readonly<Record<Role, AnyStateMachine>> = { taker: takerSwapChart, maker: makerSwapChart };

const COINS = ['DOC', 'MARTY', 'KMD', 'BTC', 'LTC', 'DGB', 'RICK'];

/** An amount from 0.00010000 to 10000 coins with 1 to 12 digits behind the point. */
const amount = withFastCheck(() =>
  fc
    .record({
      whole: fc.nat({ max: 9999 }),
      parts: fc.integer({ min: 10_000, max: 99_999_999 }),
      tail: fc.constantFrom('', '', '0', '1234'),
    })
    .map(({ whole, parts, tail }) => `${whole}.${String(parts).padStart(8, '0')}${tail}`),
);

/** Terms of any swap that two nodes could have agreed on. */
export const swapTermsOptions: Arbitrary<SwapTermsOptions> = withFastCheck(() =>
  fc.record({
    seed: fc.nat({ max: 0x7fff_ffff }),
    makerCoin: fc.constantFrom(...COINS),
    takerCoin: fc.constantFrom(...COINS),
    amounts: fc.record({ maker: amount, taker: amount }),
    startedAt: fc.integer({ min: 1_560_000_000, max: 1_900_000_000 }),
    separateKeys: fc.boolean(),
    era: fc.constantFrom('current', 'current', '2021', '2019'),
  }),
);

export type SwapLogOptions = LegalPathOptions & {
  /** Terms that are the same for every log. */
  readonly terms?: SwapTermsOptions;
};

/** A swap that holds together and follows a random legal path, never without an event. */
export function swapLog(role: Role, options: SwapLogOptions = {}): Arbitrary<SwapLog> {
  const path = legalPath(CHARTS[role], options).filter(({ events }) => events.length > 0);
  return fc
    .record({ path, terms: swapTermsOptions })
    .map(({ path: { events }, terms }) => buildSwap({ ...terms, ...options.terms, role, path: events }));
}

export type ArbitraryEventsOptions = {
  /** @defaultValue 30 */
  readonly maxLength?: number;
};

/**
 * Events of a swap machine in any order, mostly an illegal one; each with a payload of its type, and never earlier than the one
 * before it.
 *
 * @throws RangeError for a machine that is neither party's swap.
 */
export function arbitraryEvents<C, E extends MachineEvent>(
  definition: Pick<MachineDefinition<C, E>, 'id' | 'eventTypes'>,
  { maxLength = 30 }: ArbitraryEventsOptions = {},
): Arbitrary<readonly E[]> {
  const role = (['taker', 'maker'] as const).find((one) => machineOfRole[one] === definition.id);
  if (role === undefined) throw new RangeError(`no payloads are known for the machine ${definition.id}`);
  return fc
    .record({
      path: fc.array(fc.constantFrom(...definition.eventTypes), { maxLength, size: 'max' }),
      seed: fc.nat({ max: 0x7fff_ffff }),
    })
    .map(({ path, seed }) => {
      const { events } = buildSwap({ role, path, seed });
      return events.map(({ type, at, data }) => ({ type, at, data }) as E);
    });
}

/** A swap in a text, with the shape of the text and the log that it was written from. */
export type StoredText = { readonly text: string; readonly shape: StoredShape; readonly log: SwapLog };

/** A swap of a random legal path as text, in a random shape out of all those that the reader takes. */
export function storedText(role: Role, options: SwapLogOptions = {}): Arbitrary<StoredText> {
  return fc
    .record({
      log: swapLog(role, options),
      swap: fc.constantFrom(...swapShapes),
      wrapper: fc.option(fc.constantFrom(...wrappers), { nil: undefined }),
      style: fc.constantFrom(...textStyles),
    })
    .map(({ log, swap: swapShape, wrapper, style }) => {
      const plain = plainForm(log);
      const swap = swapShape.applies(plain) ? { swap: swapShape } : {};
      const shape = composeShape({ ...swap, style, ...(wrapper === undefined ? {} : { wrapper }) });
      return { text: shape.text(plain), shape, log };
    });
}

/** A single change of a swap, and the swap before it in the real node's form. */
export type Mutation = { readonly swap: JsonObject; readonly change: SingleChange };

/** A random one of all single changes of a random swap. */
export function mutation(role: Role, options: SwapLogOptions = {}): Arbitrary<Mutation> {
  return fc.record({ log: swapLog(role, options), pick: fc.nat() }).map(({ log, pick }) => {
    const swap = plainForm(log);
    const changes = [...singleChanges(swap)];
    return { swap, change: changes[pick % changes.length] as SingleChange };
  });
}

/** A stored swap's text with random damage. */
export function damagedText(role: Role, options: SwapLogOptions = {}): Arbitrary<string> {
  return fc
    .record({ stored: storedText(role, options), seed: fc.nat({ max: 0x7fff_ffff }) })
    .map(({ stored, seed }) => mutateText(stored.text, xorshift32(seed)));
}
