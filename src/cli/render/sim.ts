import { coverageGaps, EXCLUSIONS, isExcluded } from '../../sim/world/coverage.ts';
import { renderRun } from '../../sim/world/render-run.ts';
import {
  excusedRate,
  FAULT_KINDS,
  type FaultName,
  type RunResult,
  type SimulationReport,
} from '../../sim/world/simulate.ts';
import { fitted } from './fitted.ts';
import { clean, type Style, wrap } from './text.ts';

/** One run as a timeline with its judgement; `from`: file of a stored scenario. */
export function simRunText(result: RunResult, { from }: { readonly from?: string }, { paint, columns }: Style): string {
  const style = { bold: paint.bold, dim: paint.dim, yellow: paint.yellow, columns: Number.POSITIVE_INFINITY };
  return fitted(renderRun(result, { style, ...(from === undefined ? {} : { from }) }), columns);
}

type Summary = {
  readonly seed: number;
  readonly workers: number;
  readonly report: SimulationReport;
  readonly seconds: number;
  readonly coverage: boolean;
};

/** Many runs in figures: rules, money, losses with their reason, and which event met which fault. */
export function simReportText({ seed, workers, report, seconds, coverage }: Summary, style: Style): string {
  const { runs, steps, violations, money, lossesByAssumption, losses, notices } = report;
  const rate = seconds > 0 ? Math.round(runs / seconds) : runs;
  const lines = [
    `${runs} swaps from seed ${seed}, ${steps} steps, ${seconds.toFixed(1)} s on ${workers} thread${workers === 1 ? '' : 's'} (${rate} a second)`,
    '',
    'Honest parties, by what happened to their money',
    ...Object.entries(money).map(([name, count]) => {
      const share = `${(100 * report.shares[name as keyof typeof money]).toFixed(2)} %`;
      return `  ${name.padEnd(10)} ${String(count).padStart(9)} ${share.padStart(9)}`;
    }),
    ...notices.map((text) => `Note: ${text}.`),
  ];
  if (Object.keys(lossesByAssumption).length > 0) {
    lines.push('', 'Money lost or left locked, by the assumption that did not hold');
    for (const [key, count] of Object.entries(lossesByAssumption).sort((left, right) => right[1] - left[1])) {
      const example = losses.find(({ broken }) => broken.join('+') === key);
      const where = example === undefined ? '' : `  for example seed ${example.seed}`;
      lines.push(`  ${(key === '' ? 'none' : key).padEnd(28)} ${String(count).padStart(9)}${where}`);
    }
  }
  lines.push('', excusesLine(report));
  if (coverage) lines.push('', ...coverageTable(report, style.columns), '', ...unreachedLines(report, style.columns));
  lines.push('', violations.length === 0 ? 'No rule was broken.' : `${violations.length} broken rules:`);
  for (const { seed: at, rule, party, text } of violations)
    lines.push(`  seed ${at}: ${rule} ${party}: ${clean(text)}`);
  const [first] = violations;
  if (first !== undefined) lines.push('', `See one: swapfold sim --seed ${first.seed} --runs 1`);
  return fitted(`${lines.join('\n')}\n`, style.columns);
}

/** How many of the honest parties lost with an excuse, and how many held one. */
function excusesLine(report: SimulationReport): string {
  const { parties, held, used } = report.excuses;
  const share = parties === 0 ? 0 : Math.round((held * 100) / parties);
  return `${used} of ${parties} honest parties lost with an excuse (${excusedRate(report)} in a million); ${held} (${share} %) held one`;
}

/** Heads of the columns: at most five characters, no two alike. */
export const FAULT_HEADS: Readonly<Record<FaultName, string>> = {
  crash: 'crash',
  storage: 'store',
  skew: 'skew',
  messageLoss: 'mLoss',
  messageDuplicate: 'mTwic',
  messageDelay: 'mLate',
  outage: 'outag',
  flaky: 'flaky',
  lag: 'lag',
  contradiction: 'contr',
  shallow: 'shall',
  slow: 'slow',
  doubt: 'doubt',
  lie: 'lie',
  broadcast: 'broad',
  feeSpike: 'feeSp',
  noReplacement: 'noRep',
  warp: 'warp',
  censor: 'censo',
  revert: 'rever',
  reorg: 'reorg',
  dropMempool: 'dropM',
  jump: 'jump',
  partition: 'parti',
  deaf: 'deaf',
  poor: 'poor',
  pause: 'pause',
  vanish: 'vanis',
  shortLock: 'short',
  underpay: 'under',
  greedy: 'greed',
  liar: 'liar',
  pin: 'pin',
  replace: 'repla',
  rewrite: 'rewri',
  race: 'race',
  lastSecond: 'lastS',
  frontRun: 'front',
};

const COLUMN = 6;

function coverageTable(report: SimulationReport, columns: number): readonly string[] {
  const { coverage } = report;
  const width = Math.max(...Object.keys(coverage).map((key) => key.length));
  const tables = partsOf(FAULT_KINDS, Math.floor((columns - width) / COLUMN)).flatMap((kinds) => {
    const rows = Object.entries(coverage).map(([event, row]) => {
      const cells = kinds.map((fault) => (row[fault] === 0 && isExcluded(event, fault) ? '·' : compact(row[fault])));
      return `${event.padEnd(width)}${cells.map((cell) => cell.padStart(COLUMN)).join('')}`;
    });
    const head = kinds.map((kind) => FAULT_HEADS[kind].padStart(COLUMN)).join('');
    return [`${''.padEnd(width)}${head}`, ...rows, ''];
  });
  const gaps = coverageGaps(report).length;
  const missing =
    gaps === 0
      ? 'Every event met every fault, except pairs (·) that cannot occur together:'
      : `${gaps} pairs of event and fault did not occur together. These (·) cannot:`;
  const cut = FAULT_KINDS.filter((kind) => FAULT_HEADS[kind] !== kind).map((kind) => `${FAULT_HEADS[kind]} ${kind}`);
  return [
    'Runs in which the event was appended and the fault took effect',
    wrap(`Columns: ${cut.join(', ')}.`, { columns }),
    ...tables,
    missing,
    ...EXCLUSIONS.map(({ fault, because }) => `  ${fault}: ${because}`),
  ];
}

/** Columns side by side as far as there is room, at least one. */
function partsOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const most = Math.max(1, size);
  return Array.from({ length: Math.ceil(items.length / most) }, (_, part) =>
    items.slice(part * most, (part + 1) * most),
  );
}

/** How many lines of what was never reached a reader is given. */
const MOST_LINES = 12;

/** What a state, an event and a fault in force at that moment never met, in short; the whole of it is for programs. */
function unreachedLines({ meetings, unreached }: SimulationReport, columns: number): readonly string[] {
  const cells = Object.keys(meetings).length * FAULT_KINDS.length;
  const missing = unreached.reduce((sum, { faults }) => sum + faults.length, 0);
  const head = `State, event and fault in force at the same time: ${cells - missing} of ${cells} reached`;
  const never = unreached.filter(({ met }) => !met).map(({ at }) => at);
  const rare = unreached.filter(({ met }) => met).sort((left, right) => left.faults.length - right.faults.length);
  const told = rare
    .slice(0, MOST_LINES)
    .map(({ at, faults }) => wrap(`  ${at}: without ${faults.join(', ')}`, { columns }));
  const more = rare.length - told.length;
  return [
    head,
    ...(never.length === 0 ? [] : [wrap(`Never: ${never.join(', ')}`, { columns })]),
    ...told,
    ...(more <= 0 ? [] : [`  and ${more} more (see --json)`]),
  ];
}

/** A count in at most five characters. */
function compact(count: number): string {
  if (count < 100_000) return String(count);
  return count < 10_000_000 ? `${Math.floor(count / 1000)}k` : `${Math.floor(count / 1_000_000)}M`;
}
