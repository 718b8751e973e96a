import type { Market } from './scenario.ts';

type Drawing = {
  readonly seed: number;
  readonly options: { readonly adversaries?: boolean; readonly trouble?: boolean };
};

const drawings = new WeakMap<Market, Drawing>();

/** Remembers the options that drew a market, which the market itself does not contain. */
export function drawnMarket(market: Market, drawing: Drawing): Market {
  drawings.set(market, drawing);
  return market;
}

/** How to see the run of a market again: a command if one draws it, else the call that ran it. A run that is not `plain` had options. */
export function repeatOfMarket(market: Market, plain: boolean): string {
  const drawing = drawings.get(market);
  const rest = plain ? '' : ' with the same options';
  if (drawing === undefined) return `runMarketScenario of the same market${rest}`;
  const { seed, options } = drawing;
  const { adversaries = true, trouble = true } = options;
  if (plain && trouble)
    return `swapfold sim --runtime --seed ${seed} --runs 1${adversaries ? '' : ' --no-adversaries'}`;
  const members = [...(adversaries ? [] : ['adversaries: false']), ...(trouble ? [] : ['trouble: false'])];
  const given = members.length === 0 ? '' : `, { ${members.join(', ')} }`;
  return `runMarketScenario of generateMarket(${seed}${given})${rest}`;
}
