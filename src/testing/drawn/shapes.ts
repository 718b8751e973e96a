import { encodeSavedSwap } from '../../events/encode.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../primitives/json.ts';
import { historicalShapes } from './historical-shapes.ts';
import type { RealNode, SwapShape } from './shape.ts';
import { spellingShapes } from './spelling-shapes.ts';
import { thirdPartyShapes } from './third-party-shapes.ts';
import { hideSecrets, type Wrapper, wrappers } from './wrapper-shapes.ts';

/** Every way of writing one saved swap that the reader takes. */
export const swapShapes: readonly SwapShape[] = [...spellingShapes, ...historicalShapes, ...thirdPartyShapes];

/** A way of writing JSON. */
export type TextStyle = {
  readonly name: string;
  readonly realNode: RealNode;
  readonly print: (value: JsonValue) => string;
};

export const textStyles: readonly TextStyle[] = [
  { name: 'compact', realNode: 'loads', print: (value) => stringifyJson(value) },
  { name: 'indented', realNode: 'loads', print: (value) => stringifyJson(value, 2) },
  {
    name: 'carriage returns',
    realNode: 'loads',
    print: (value) => `${stringifyJson(value, 4).replaceAll('\n', '\r\n')}\r\n`,
  },
  // No literal and no number of JSON holds this letter, so it stands in texts only.
  { name: 'escaped letters', realNode: 'loads', print: (value) => stringifyJson(value).replaceAll('S', '\\u0053') },
  { name: 'byte order mark', realNode: 'refuses', print: (value) => `\ufeff${stringifyJson(value)}` },
];

/** A whole text in which one swap is stored. */
export type StoredShape = {
  /** Names of its parts that are not the plain ones, joined by ` / `. */
  readonly name: string;
  readonly realNode: RealNode;
  /** Codes of the anomalies that the reader reports. */
  readonly anomalies: readonly string[];
  readonly applies: (swap: JsonObject) => boolean;
  /** The text, given the swap in the real node's own form. */
  readonly text: (swap: JsonObject) => string;
  /** What is left of the swap, in the real node's own form. */
  readonly keeps: (swap: JsonObject) => JsonObject;
};

/**
 * A saved swap in the real node's own form, which every shape starts from. @throws SwapfoldError KDF_CANNOT_LOAD
 *
 * @example
 * ```ts
 * import { buildSwap, plainForm } from 'swapfold/testing';
 *
 * const log = buildSwap({ role: 'maker', path: ['StartFailed', 'Finished'], makerCoin: 'KMD' });
 * const swap = plainForm(log);
 * [swap['type'], swap['maker_coin'], swap['uuid'] === log.head.uuid]; // → ['Maker', 'KMD', true]
 * ```
 */
export function plainForm(log: SwapLog): JsonObject {
  return encodeSavedSwap(log, 'kdf');
}

const alone: Wrapper = {
  name: '',
  summary: 'a saved swap by itself',
  realNode: 'loads',
  holds: 'one',
  prepare: (swap) => swap,
  wrap: ([entry]) => entry?.written ?? null,
};

const [plainSwap] = swapShapes as readonly [SwapShape, ...SwapShape[]];
const [compact] = textStyles as readonly [TextStyle, ...TextStyle[]];

export type ShapeParts = {
  /** @defaultValue the real node's own form */
  readonly swap?: SwapShape;
  /** @defaultValue none: the swap by itself */
  readonly wrapper?: Wrapper;
  /** @defaultValue compact */
  readonly style?: TextStyle;
};

/**
 * One shape made of a way to write the swap, what stands around it, and a way to write JSON.
 *
 * @example
 * ```ts
 * import { decodeSwapsText } from 'swapfold';
 * import { buildSwap, composeShape, plainForm, successPath, wrappers } from 'swapfold/testing';
 *
 * const log = buildSwap({ role: 'taker', path: successPath('taker') });
 * const [answer] = wrappers.filter(({ name }) => name === 'my_swap_status');
 * const shape = composeShape(answer === undefined ? {} : { wrapper: answer });
 * const text = shape.text(plainForm(log));
 * [shape.name, text.slice(0, 10)]; // → ['my_swap_status', '{"result":']
 * decodeSwapsText(text)[0]?.ok; // → true
 * ```
 */
export function composeShape(parts: ShapeParts): StoredShape {
  const { swap: shape = plainSwap, wrapper = alone, style = compact } = parts;
  const names = [shape === plainSwap ? '' : shape.name, wrapper.name, style === compact ? '' : style.name];
  return {
    name: names.filter((name) => name !== '').join(' / ') || plainSwap.name,
    realNode: worst([shape.realNode, wrapper.realNode, style.realNode]),
    anomalies: shape.anomalies,
    applies: shape.applies,
    text: (swap) => {
      const prepared = wrapper.prepare(swap);
      return style.print(wrapper.wrap([{ swap: prepared, written: shape.write(prepared) }]));
    },
    keeps: (swap) => shape.keeps(wrapper.prepare(swap)),
  };
}

const SEVERITY: readonly RealNode[] = ['loads', 'recreateOnly', 'refuses'];

function worst(verdicts: readonly RealNode[]): RealNode {
  return SEVERITY.findLast((verdict) => verdicts.includes(verdict)) ?? 'loads';
}

/** Each shape by itself, each wrapper around the plain swap, and each way to write JSON. */
export const storedShapes: readonly StoredShape[] = [
  ...swapShapes.map((swap) => composeShape({ swap })),
  ...wrappers.map((wrapper) => composeShape({ wrapper })),
  ...textStyles.slice(1).map((style) => composeShape({ style })),
];

/** A saved swap as the real node shows it to others: a maker's secret is zeros. */
export { hideSecrets, type SwapShape, type Wrapper, wrappers };
