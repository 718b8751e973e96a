import type { RunStyle } from '../world/render-run.ts';
import { plain, timeOf } from '../world/render-run.ts';
import { MARKET_RULES } from './rules.ts';
import type { MarketResult } from './simulate.ts';
import { marketTimeline } from './timeline.ts';

const as = (text: string): string => text;
const PLAIN: RunStyle = { bold: as, dim: as, yellow: as, columns: 400 };

/**
 * A market as the command line prints it: its swaps, who breaks the protocol, every event of all parties with its time, what became of their
 * payments, and the broken rules.
 *
 * @param head what the market is, in place of how to see it again.
 *
 * @example
 * ```ts
 * import { calmMarket, renderMarketRun, runMarketScenario } from 'swapfold/testing';
 *
 * const lines = renderMarketRun(await runMarketScenario(calmMarket()), { head: 'Calm' }).split('\n');
 * lines[1]; // → 'swap 0: alice gives 1.50000007 DOC for 3.00000041 MARTY of bob'
 * lines.includes('bob    swap 1: own payment taken'); // → true
 * lines.at(-2); // → 'No rule was broken.'
 * ```
 */
export function renderMarketRun(
  result: MarketResult,
  { style = PLAIN, head = result.repeat }: { style?: RunStyle; head?: string } = {},
): string {
  const { market, endings, violations, excused, notices, repeat } = result;
  const swaps = market.swaps.map(({ maker, taker, makerAmount, makerCoin, takerAmount, takerCoin }, index) => {
    return `swap ${index}: ${maker} gives ${makerAmount} ${makerCoin} for ${takerAmount} ${takerCoin} of ${taker}`;
  });
  const rogues = market.parties
    .filter(({ conduct }) => conduct.kind !== 'honest')
    .map(({ name, conduct }) => `${name} breaks the protocol: ${conduct.kind}`);
  const rows = marketTimeline(result.logs).map(({ at, party, swap, kind, text }) => {
    const place = swap === null ? 'watch' : `swap ${swap}`;
    const line = `${timeOf(at).padStart(8)}  ${party.padEnd(5)}  ${place}  ${plain(text)}`.slice(0, style.columns);
    return kind === 'public' ? style.bold(line) : style.dim(line);
  });
  const ends = endings.map(({ party, swap, own }) => `${party.padEnd(5)}  swap ${swap}: own payment ${own}`);
  const losses = excused.map(
    ({ party, rule, text, excuses }) => `${party.padEnd(5)}  ${rule}, excused by ${excuses.join(' and ')}: ${text}`,
  );
  const told = notices.length === 0 ? [] : ['', ...notices.map((text) => `Note: ${text}.`)];
  const again = violations.length === 0 ? [] : ['', `See it again: ${repeat}`];
  const found = brokenLines(violations);
  const lines = [head, ...swaps, ...rogues, '', ...rows, '', ...ends, ...losses, '', ...found, ...told, ...again];
  return `${lines.join('\n')}\n`;
}

function brokenLines(violations: MarketResult['violations']): readonly string[] {
  if (violations.length === 0) return ['No rule was broken.'];
  return violations.flatMap(({ rule, party, swap, text }) => [
    `${rule} broken by ${party}${swap === null ? '' : ` in swap ${swap}`}: ${plain(text)}`,
    `  ${MARKET_RULES[rule]}`,
  ]);
}

/**
 * A market in which a rule was broken. The text is that of {@link renderMarketRun}.
 *
 * @example
 * ```ts
 * import { BrokenMarketRuleError, calmMarket, runMarketScenario } from 'swapfold/testing';
 *
 * const result = await runMarketScenario(calmMarket());
 * const found = { rule: 'M3', party: 'bob', swap: 1, text: '2 payments are in blocks' } as const;
 * const { code, message } = new BrokenMarketRuleError({ ...result, violations: [found] });
 * code; // → 'RULE_BROKEN'
 * message.includes('M3 broken by bob in swap 1: 2 payments are in blocks'); // → true
 * ```
 */
export class BrokenMarketRuleError extends Error {
  readonly code = 'RULE_BROKEN';
  readonly result: MarketResult;

  constructor(result: MarketResult) {
    super(renderMarketRun(result));
    this.name = 'BrokenMarketRuleError';
    this.result = result;
  }
}

/**
 * What a test says of a market that must keep every rule. @throws BrokenMarketRuleError with the whole timeline.
 *
 * @example
 * ```ts
 * import { assertMarketSound, calmMarket, runMarketScenario } from 'swapfold/testing';
 *
 * const result = await runMarketScenario(calmMarket());
 * assertMarketSound(result); // → undefined
 * const found = { rule: 'M3', party: 'bob', swap: 1, text: '2 payments are in blocks' } as const;
 * assertMarketSound({ ...result, violations: [found] }); // throws BrokenMarketRuleError
 * ```
 */
export function assertMarketSound(result: MarketResult): void {
  if (result.violations.length > 0) throw new BrokenMarketRuleError(result);
}
