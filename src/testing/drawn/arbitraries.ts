import type { MachineDefinition, MachineEvent } from '../../../machines/definition.ts';
import { machineOfRole, type Role } from '../../events/catalog.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import type { JsonObject } from '../../primitives/json.ts';
import { xorshift32 } from '../../sim/xorshift.ts';
import { buildSwap } from '../logs/swap-builder.ts';
import { type Arbitrary, fc } from './fast-check.ts';
import { type SwapLogOptions, swapLog } from './logs.ts';
import { type SingleChange, singleChanges } from './mutations.ts';
import { composeShape, plainForm, type StoredShape, swapShapes, textStyles, wrappers } from './shapes.ts';
import { mutateText } from './text-fuzz.ts';

export type ArbitraryEventsOptions = {
  /** @defaultValue 30 */
  readonly maxLength?: number;
};

/**
 * Events of a swap machine in any order, mostly an illegal one; each with a payload of its type, and never earlier than the one
 * before it.
 *
 * @throws RangeError for a machine that is neither party's swap.
 *
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { takerSwap } from 'swapfold/machines';
 * import { arbitraryEvents } from 'swapfold/testing';
 *
 * const events = arbitraryEvents(takerSwap, { maxLength: 7 });
 * const inOrder = fc.property(events, (all) =>
 *   all.every(({ at }, place) => place === 0 || at >= (all[place - 1]?.at ?? 0)),
 * );
 * fc.check(inOrder, { numRuns: 10 }).failed; // → false
 * ```
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

/**
 * A swap of a random legal path as text, in a random shape out of all those that the reader takes.
 *
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { decodeSwapsText } from 'swapfold';
 * import { storedText } from 'swapfold/testing';
 *
 * const isRead = fc.property(storedText('taker'), ({ text }) => {
 *   const [swap] = decodeSwapsText(text);
 *   return swap?.ok === true && swap.log.role === 'taker';
 * });
 * fc.check(isRead, { numRuns: 10 }).failed; // → false
 * ```
 */
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

/**
 * A random one of all single changes of a random swap.
 *
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { mutation } from 'swapfold/testing';
 *
 * const changesIt = fc.property(mutation('maker'), ({ swap, change }) => {
 *   return JSON.stringify(change.apply()) !== JSON.stringify(swap);
 * });
 * fc.check(changesIt, { numRuns: 10 }).failed; // → false
 * ```
 */
export function mutation(role: Role, options: SwapLogOptions = {}): Arbitrary<Mutation> {
  return fc.record({ log: swapLog(role, options), pick: fc.nat() }).map(({ log, pick }) => {
    const swap = plainForm(log);
    const changes = [...singleChanges(swap)];
    return { swap, change: changes[pick % changes.length] as SingleChange };
  });
}

/**
 * A stored swap's text with random damage.
 *
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { decodeSwapsText } from 'swapfold';
 * import { damagedText } from 'swapfold/testing';
 *
 * const throwsNothing = fc.property(damagedText('maker'), (text) => {
 *   decodeSwapsText(text);
 * });
 * fc.check(throwsNothing, { numRuns: 10 }).failed; // → false
 * ```
 */
export function damagedText(role: Role, options: SwapLogOptions = {}): Arbitrary<string> {
  return fc
    .record({ stored: storedText(role, options), seed: fc.nat({ max: 0x7fff_ffff }) })
    .map(({ stored, seed }) => mutateText(stored.text, xorshift32(seed)));
}
