import { encodeSavedSwap } from '../../src/events/encode.ts';
import type { SwapLog } from '../../src/events/saved-swap.ts';
import { stringifyJson } from '../../src/primitives/json.ts';
import { type BuildSwapOptions, buildSwap, successPath } from '../../src/testing/logs/swap-builder.ts';

/** A sample log of docs/samples: its path below that folder, and its text. */
export type SampleFile = { readonly path: string; readonly log: SwapLog; readonly text: string };

const TAKER = successPath('taker', { era: 'current', watchers: false });
const WATCHED = successPath('taker', { era: 'current', watchers: true });
const MAKER = successPath('maker', { era: 'current', watchers: false });

const upTo = (path: readonly string[], last: string) => path.slice(0, path.indexOf(last) + 1);

const SAMPLES: Readonly<Record<string, Pick<BuildSwapOptions, 'role' | 'path' | 'seed'>>> = {
  'sound/completed.json': { role: 'taker', path: TAKER, seed: 'sample completed' },
  'sound/claimed-by-watcher.json': {
    role: 'taker',
    path: [
      ...upTo(WATCHED, 'TakerPaymentSpent'),
      'MakerPaymentSpentByWatcher',
      'MakerPaymentSpendConfirmed',
      'Finished',
    ],
    seed: 'sample claimed by a watcher',
  },
  'sound/refunded.json': {
    role: 'taker',
    path: [
      ...upTo(TAKER, 'TakerPaymentSent'),
      'TakerPaymentWaitForSpendFailed',
      'TakerPaymentWaitRefundStarted',
      'TakerPaymentRefundStarted',
      'TakerPaymentRefunded',
      'TakerPaymentRefundFinished',
      'Finished',
    ],
    seed: 'sample refunded',
  },
  'sound/claim-failed.json': {
    role: 'taker',
    path: [...upTo(TAKER, 'TakerPaymentSpent'), 'MakerPaymentSpendFailed', 'Finished'],
    seed: 'sample claim failed',
  },
  'sound/maker-refunded.json': {
    role: 'maker',
    path: [
      ...upTo(MAKER, 'MakerPaymentSent'),
      'TakerPaymentValidateFailed',
      'MakerPaymentWaitRefundStarted',
      'MakerPaymentRefundStarted',
      'MakerPaymentRefunded',
      'MakerPaymentRefundFinished',
      'Finished',
    ],
    seed: 'sample maker refunded',
  },
  'damaged/missing-event.json': {
    role: 'taker',
    path: TAKER.filter((type) => type !== 'MakerPaymentValidatedAndConfirmed'),
    seed: 'sample missing event',
  },
};

/** The samples of docs/samples, made anew: equal on every machine and in every run. */
export function sampleFiles(): readonly SampleFile[] {
  return Object.entries(SAMPLES).map(([path, options]) => {
    const log = buildSwap(options);
    return { path, log, text: `${onOneLine(stringifyJson(encodeSavedSwap(log, 'kdf'), 2))}\n` };
  });
}

/** Bytes as numbers would otherwise take a line each. */
function onOneLine(text: string): string {
  return text.replace(/\[[\d,\s]+\]/g, (list) => list.replace(/\s+/g, ''));
}
