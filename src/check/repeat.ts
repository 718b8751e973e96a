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

/**
 * How to explore the same again: by a command if one can, else by a call of `check` with the bounds that differ from the calm ones. A search that is
 * not `plain` has parts that the tester replaced, which only the tester's program knows.
 */
export function repeatOf(bounds: Bounds, plain: boolean): string {
  const command = plain ? checkCommandOf(bounds) : null;
  if (command !== null) return command;
  const differs = Object.entries(bounds).filter(([name, value]) => !isSame(value, CALM[name as keyof Bounds]));
  const changes = differs.map(([name, value]) => `${name}: ${literal(value)}`);
  return `check(${members(changes)})${plain ? '' : ' with the same options'}`;
}

type Bound = Bounds[keyof Bounds];

function isSame(left: Bound, right: Bound): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** A bound as it stands in a program. */
function literal(value: Bound): string {
  if (typeof value === 'object') return members(Object.entries(value).map(([name, one]) => `${name}: ${literal(one)}`));
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function members(texts: readonly string[]): string {
  return texts.length === 0 ? '{}' : `{ ${texts.join(', ')} }`;
}

/** The command that explores the same bounds; null for bounds that no option of the command line sets. */
function checkCommandOf(bounds: Bounds): string | null {
  const { adversary, watcher, chains, payments, confirmations, finality, lockDuration, timely, rewards } = bounds;
  if (lockDuration !== CALM.lockDuration || timely !== CALM.timely) return null;
  const flags = TROUBLES.flatMap((name) => (bounds[name] === 0 ? [] : [`${FLAG[name]} ${bounds[name]}`]));
  if (adversary !== 'none') flags.push(`--adversary ${adversary}`);
  if (watcher !== 'none') flags.push(`--watcher ${watcher}`);
  if (rewards) flags.push('--rewards');
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
