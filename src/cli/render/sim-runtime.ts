import { renderMarketRun } from '../../sim/market/render.ts';
import type { MarketReport, MarketResult } from '../../sim/market/simulate.ts';
import { fitted } from './fitted.ts';
import { clean, counted, type Style } from './text.ts';

/** One market as a timeline with its judgement. */
export function marketRunText({ seed, result }: Run, { paint, columns }: Style): string {
  const style = { bold: paint.bold, dim: paint.dim, yellow: paint.yellow, columns: Number.POSITIVE_INFINITY };
  return fitted(renderMarketRun(result, { style, head: `Seed ${seed}` }), columns);
}

type Run = { readonly seed: number; readonly result: MarketResult };

type Summary = {
  readonly seed: number;
  readonly workers: number;
  readonly report: MarketReport;
  readonly seconds: number;
  readonly adversaries: boolean;
};

const ENDS = {
  taken: 'taken by the other side',
  back: 'back with its sender',
  open: 'left for the other side',
  none: 'never made',
} as const;

/** Many markets in figures. */
export function marketReportText({ seed, workers, report, seconds, adversaries }: Summary, { columns }: Style): string {
  const { runs, swaps, honest, withoutExcuse, excused, violations, endings } = report;
  const rate = seconds > 0 ? Math.round(swaps / seconds) : swaps;
  const share = (count: number) => `${((100 * count) / Math.max(1, honest)).toFixed(2)} %`;
  const lines = [
    `${counted(runs, 'market')} from seed ${seed} with ${counted(swaps, 'swap')}, ${seconds.toFixed(1)} s on ${counted(workers, 'thread')} (${rate} swaps a second)`,
    '',
    'Payments of honest parties, by outcome',
    ...Object.entries(ENDS).map(
      ([end, text]) => `  ${text.padEnd(24)} ${String(endings[end as keyof typeof ENDS]).padStart(9)}`,
    ),
    '',
    `Honest parties: ${honest}; without an excuse ${withoutExcuse} (${share(withoutExcuse)}); with an excused ` +
      `loss ${excused} (${share(excused)})`,
    '',
    violations.length === 0 ? 'No rule was broken.' : `${violations.length} broken rules:`,
    ...violations.map(({ seed: at, rule, party, text }) => `  seed ${at}: ${rule} ${party}: ${clean(text)}`),
  ];
  const [first] = violations;
  if (first !== undefined) {
    const options = adversaries ? '' : ' --no-adversaries';
    lines.push('', `See one: swapfold sim --runtime --seed ${first.seed} --runs 1${options}`);
  }
  return fitted(`${lines.join('\n')}\n`, columns);
}
