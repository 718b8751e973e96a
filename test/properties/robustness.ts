import { type DecodedSwap, decodeSwapsText } from '../../src/events/wrappers.ts';
import { SwapfoldError } from '../../src/primitives/error.ts';
import { replaySwap } from '../../src/replay/swaps.ts';
import { xorshift32 } from '../../src/sim/xorshift.ts';
import { plainForm, storedShapes } from '../../src/testing/drawn/shapes.ts';
import { mutateText } from '../../src/testing/drawn/text-fuzz.ts';
import { buildSwap, successPath } from '../../src/testing/logs/swap-builder.ts';

/** Texts to damage: a success of either role in every shape that the reader takes. */
export function seedTexts(): readonly string[] {
  return (['taker', 'maker'] as const).flatMap((role) => {
    const form = plainForm(
      buildSwap({ role, path: successPath(role, { era: 'current', watchers: true }), seed: 'robustness' }),
    );
    return storedShapes.map((shape) => shape.text(form));
  });
}

export type RobustnessCount = {
  inputs: number;
  read: number;
  refused: number;
  slowestMs: number;
  codes: Map<string, number>;
};

/**
 * Damages texts and reads and replays what is left. Throws when anything but a typed refusal comes out.
 *
 * @param texts undamaged texts, taken in turn.
 */
export function hammer(
  texts: readonly string[],
  { inputs, seed }: { readonly inputs: number; readonly seed: number },
): RobustnessCount {
  const rng = xorshift32(seed);
  const count: RobustnessCount = { inputs: 0, read: 0, refused: 0, slowestMs: 0, codes: new Map() };
  for (; count.inputs < inputs; count.inputs++) {
    const text = mutateText(texts[count.inputs % texts.length] as string, rng);
    const started = performance.now();
    for (const swap of decodeSwapsText(text)) settle(swap, count);
    count.slowestMs = Math.max(count.slowestMs, performance.now() - started);
  }
  return count;
}

function settle(swap: DecodedSwap, count: RobustnessCount): void {
  if (swap.ok) {
    const replayed = replaySwap(swap.log);
    if (replayed.events.length !== swap.log.events.length) throw new Error('an event was lost');
    count.read += 1;
    return;
  }
  if (!(swap.error instanceof SwapfoldError)) throw swap.error;
  count.refused += 1;
  count.codes.set(swap.error.code, (count.codes.get(swap.error.code) ?? 0) + 1);
}
