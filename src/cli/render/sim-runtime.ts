import { MARKET_RULES } from '../../testing/market/rules.ts';
import type { MarketReport, MarketResult } from '../../testing/market/simulate.ts';
import type { MarketLine } from '../../testing/market/timeline.ts';
import { clean, clockText, counted, type Style, wrap } from './text.ts';

type Run = { readonly seed: number; readonly result: MarketResult; readonly lines: readonly MarketLine[] };

/** One market as a timeline with its judgement. */
export function marketRunText({ seed, result, lines }: Run, { paint, columns }: Style): string {
  const { market, endings, violations, excused } = result;
  const swaps = market.swaps.map(({ maker, taker, makerAmount, makerCoin, takerAmount, takerCoin }, index) => {
    return `swap ${index}: ${maker} gives ${makerAmount} ${makerCoin} for ${takerAmount} ${takerCoin} of ${taker}`;
  });
  const rogues = market.parties
    .filter(({ conduct }) => conduct.kind !== 'honest')
    .map(({ name, conduct }) => `${name} breaks the protocol: ${conduct.kind}`);
  const rows = lines.map(({ at, party, swap, kind, text }) => {
    const place = swap === null ? 'watch' : `swap ${swap}`;
    const line = `${clockText(at * 1000).padStart(8)}  ${party.padEnd(5)}  ${place}  ${clean(text)}`.slice(0, columns);
    return kind === 'public' ? paint.bold(line) : paint.dim(line);
  });
  const ends = endings.map(({ party, swap, own }) => `${party.padEnd(5)}  swap ${swap}: own payment ${own}`);
  const losses = excused.map(
    ({ party, rule, text, excuses }) => `${party.padEnd(5)}  ${rule}, excused by ${excuses.join(' and ')}: ${text}`,
  );
  const found =
    violations.length === 0
      ? ['No rule was broken.']
      : violations.flatMap(({ rule, party, swap, text }) => [
          `${rule} broken by ${party}${swap === null ? '' : ` in swap ${swap}`} (seed ${seed}): ${text}`,
          `  ${wrap(MARKET_RULES[rule], { columns, indent: 2 })}`,
        ]);
  return `${[`Seed ${seed}`, ...swaps, ...rogues, '', ...rows, '', ...ends, ...losses, '', ...found].join('\n')}\n`;
}

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
  open: 'left to the other side',
  none: 'never made',
} as const;

/** Many markets in figures. */
export function marketReportText({ seed, workers, report, seconds, adversaries }: Summary, _: Style): string {
  const { runs, swaps, honest, withoutExcuse, excused, violations, endings } = report;
  const rate = seconds > 0 ? Math.round(swaps / seconds) : swaps;
  const share = (count: number) => `${((100 * count) / Math.max(1, honest)).toFixed(2)} %`;
  const lines = [
    `${counted(runs, 'market')} from seed ${seed} with ${counted(swaps, 'swap')}, ${seconds.toFixed(1)} s on ${counted(workers, 'thread')} (${rate} swaps a second)`,
    '',
    'Payments of honest parties, by what became of them',
    ...Object.entries(ENDS).map(
      ([end, text]) => `  ${text.padEnd(24)} ${String(endings[end as keyof typeof ENDS]).padStart(9)}`,
    ),
    '',
    `Honest parties: ${honest}; without any excuse ${withoutExcuse} (${share(withoutExcuse)}); with an excused loss ${excused} (${share(excused)})`,
    '',
    violations.length === 0 ? 'No rule was broken.' : `${violations.length} broken rules:`,
    ...violations.map(({ seed: at, rule, party, text }) => `  seed ${at}: ${rule} ${party}: ${clean(text)}`),
  ];
  const [first] = violations;
  if (first !== undefined) {
    const options = adversaries ? '' : ' --no-adversaries';
    lines.push('', `Look at one with: swapfold sim --runtime --seed ${first.seed} --runs 1${options}`);
  }
  return `${lines.join('\n')}\n`;
}
