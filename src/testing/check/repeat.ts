import { type Bounds, CALM, type PerLeg, TROUBLES } from './bounds.ts';

const FLAG: Readonly<Record<(typeof TROUBLES)[number], string>> = {
  crashes: '--crashes',
  nodeErrors: '--node-errors',
  losses: '--losses',
  preemptions: '--preemptions',
  reorgs: '--reorgs',
  drops: '--drops',
  partials: '--partials',
};

/** The command that explores the same bounds; null for bounds that no option of the command line sets. */
export function checkCommandOf(bounds: Bounds): string | null {
  const { adversary, watcher, chains, payments, confirmations, finality, lockDuration, timely } = bounds;
  if (lockDuration !== CALM.lockDuration || timely !== CALM.timely) return null;
  const flags = TROUBLES.flatMap((name) => (bounds[name] === 0 ? [] : [`${FLAG[name]} ${bounds[name]}`]));
  if (adversary !== 'none') flags.push(`--adversary ${adversary}`);
  if (watcher !== 'none') flags.push(`--watcher ${watcher}`);
  if (payments !== CALM.payments) flags.push(`--payments ${payments}`);
  if (chains.maker !== 'utxo') flags.push(`--maker-chain ${chains.maker}`);
  if (chains.taker !== 'utxo') flags.push(`--taker-chain ${chains.taker}`);
  flags.push(...depthFlags('confirmations', confirmations), ...depthFlags('finality', finality));
  return `swapfold check ${flags.length === 0 ? '--crashes 0' : flags.join(' ')}`;
}

function depthFlags(name: 'confirmations' | 'finality', { maker, taker }: PerLeg): readonly string[] {
  if (maker === taker) return maker === CALM[name].maker ? [] : [`--${name} ${maker}`];
  return [`--maker-${name} ${maker}`, `--taker-${name} ${taker}`];
}
