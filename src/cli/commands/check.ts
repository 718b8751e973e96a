import { performance } from 'node:perf_hooks';
import { type Bounds, type BoundsChanges, boundsOf, CALM } from '../../check/bounds.ts';
import { type CheckResult, check } from '../../check/check.ts';
import { type NamedBounds, publishedBounds, thoroughBounds } from '../../check/published.ts';
import type { SimChainKind } from '../../sim/chains/types.ts';
import { type CliIo, EXIT, type ExitCode, UsageError } from '../io.ts';
import { createOutput } from '../output.ts';
import { createProgress } from '../progress.ts';
import { checkRowText, checkSummary } from '../render/check.ts';
import { styleOf } from '../render/text.ts';
import { jsonLine } from '../rows.ts';

export type CheckCommandOptions = {
  readonly crashes?: number;
  readonly nodeErrors?: number;
  readonly losses?: number;
  readonly preemptions?: number;
  readonly reorgs?: number;
  readonly drops?: number;
  readonly adversary?: Bounds['adversary'];
  readonly watcher?: Bounds['watcher'];
  readonly makerChain?: SimChainKind;
  readonly takerChain?: SimChainKind;
  readonly partials?: number;
  /** Chains with accounts pay watchers. */
  readonly rewards?: boolean;
  readonly payments?: 1 | 2;
  readonly confirmations?: number;
  readonly makerConfirmations?: number;
  readonly takerConfirmations?: number;
  readonly finality?: number;
  readonly makerFinality?: number;
  readonly takerFinality?: number;
  /** The wider bounds in place of the published ones. */
  readonly thorough?: boolean;
  readonly maxStates?: number;
  readonly json?: boolean;
};

/** `swapfold check`: everything that can happen within bounds, checked against the money rules. */
export async function checkCommand({
  io,
  json = false,
  thorough = false,
  maxStates,
  ...given
}: CheckCommandOptions & { readonly io: CliIo }): Promise<ExitCode> {
  const output = createOutput(io.stdout);
  const style = styleOf(io);
  const own = boundsGiven(given);
  if (own !== null && thorough) throw new UsageError('--thorough has bounds of its own: give it without others.');
  const plans = own ?? (thorough ? thoroughBounds : publishedBounds);
  const results: CheckResult[] = [];
  const progress = createProgress(io, { unit: 'states' });
  for (const { name, text, bounds } of plans) {
    const result = check(bounds, {
      clock: () => performance.now(),
      onProgress: (states) => progress.at(states),
      ...(maxStates === undefined ? {} : { maxStates }),
    });
    results.push(result);
    progress.clear();
    if (json) await output.write(jsonLine({ name, bounds, ...result }));
    else await output.write(checkRowText({ name, text }, result, style));
    await output.flush();
  }
  if (!json) await output.write(checkSummary(results, style));
  await output.flush();
  return results.every(({ violations, complete }) => complete && violations.length === 0) ? EXIT.ok : EXIT.findings;
}

type Given = Omit<CheckCommandOptions, 'thorough' | 'maxStates' | 'json'>;

/** The one search that the options ask for; null when they name no bound. */
function boundsGiven(given: Given): readonly NamedBounds[] | null {
  const { makerChain, takerChain, makerConfirmations, takerConfirmations, makerFinality, takerFinality, ...rest } =
    given;
  const { confirmations, finality, ...others } = rest;
  const changes = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  const chains =
    makerChain === undefined && takerChain === undefined
      ? {}
      : { chains: { maker: makerChain ?? 'utxo', taker: takerChain ?? 'utxo' } as const };
  const all: BoundsChanges = {
    ...changes,
    ...chains,
    ...depthsGiven('confirmations', { both: confirmations, maker: makerConfirmations, taker: takerConfirmations }),
    ...depthsGiven('finality', { both: finality, maker: makerFinality, taker: takerFinality }),
  };
  if (given.rewards === true && makerChain !== 'account' && takerChain !== 'account')
    throw new UsageError(
      '--rewards is about chains with accounts: give it beside --maker-chain account or --taker-chain account.',
    );
  const named = Object.entries(all).map(([key, value]) =>
    value === true ? key : `${key} ${typeof value === 'object' ? Object.values(value).join('/') : value}`,
  );
  if (named.length === 0) return null;
  return [{ name: 'own', text: named.join(', '), bounds: boundsOf(all) }];
}

type Depths = Readonly<Record<'both' | 'maker' | 'taker', number | undefined>>;

function depthsGiven(name: 'confirmations' | 'finality', { both, maker, taker }: Depths): BoundsChanges {
  if (maker === undefined && taker === undefined) return both === undefined ? {} : { [name]: both };
  const usual = CALM[name];
  return { [name]: { maker: maker ?? both ?? usual.maker, taker: taker ?? both ?? usual.taker } };
}
