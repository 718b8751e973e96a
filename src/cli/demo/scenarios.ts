import type { Seconds } from '../../primitives/time.ts';
import type { NetworkFault, SimChainKind } from '../../testing/chains/types.ts';
import { UsageError } from '../io.ts';

/** A swap to watch: two chains, and what goes wrong. */
export type DemoScenario = {
  readonly name: string;
  /** One sentence for the help. */
  readonly text: string;
  readonly kinds: Readonly<Record<'maker' | 'taker', SimChainKind>>;
  /** Seconds between blocks. */
  readonly blockTime: Seconds;
  readonly faults: Readonly<Record<'maker' | 'taker', readonly DemoFault[]>>;
  /** The maker is gone once its log holds this event, for good or for so many seconds. */
  readonly makerVanishes: { readonly after: string; readonly backAfter: Seconds | null } | null;
  /** The taker is gone once its log holds this event. */
  readonly takerVanishes: { readonly after: string; readonly backAfter: Seconds | null } | null;
  /** Blocks that are replaced, so many seconds after the start. */
  readonly reorg: { readonly at: Seconds; readonly chain: 'maker' | 'taker'; readonly depth: number } | null;
};

/** A fault of the network in seconds from the start. */
export type DemoFault = Omit<NetworkFault, 'from' | 'until'> & { readonly from: Seconds; readonly until: Seconds };

const CALM: Omit<DemoScenario, 'name' | 'text'> = {
  kinds: { maker: 'utxo', taker: 'utxo' },
  blockTime: 60,
  faults: { maker: [], taker: [] },
  makerVanishes: null,
  takerVanishes: null,
  reorg: null,
};

export const demoScenarios: readonly DemoScenario[] = [
  { ...CALM, name: 'success', text: 'both sides do their part' },
  {
    ...CALM,
    name: 'refund',
    text: 'the maker is gone after its payment, comes back the next day, and both take their own coins back',
    makerVanishes: { after: 'MakerPaymentSent', backAfter: 86_400 },
  },
  {
    ...CALM,
    name: 'taker-away',
    text: 'the taker is away while the maker takes its payment, and claims when it is back',
    takerVanishes: { after: 'TakerPaymentSent', backAfter: 5400 },
  },
  {
    ...CALM,
    name: 'reorg',
    text: 'the block with the claim is replaced',
    reorg: { at: 330, chain: 'maker', depth: 2 },
  },
  {
    ...CALM,
    name: 'fee-spike',
    text: 'fees rise sevenfold while both claim',
    faults: {
      maker: [{ kind: 'feeSpike', factor: 7, from: 100, until: 5000 } as DemoFault],
      taker: [{ kind: 'feeSpike', factor: 7, from: 100, until: 5000 } as DemoFault],
    },
  },
  {
    ...CALM,
    name: 'revert',
    text: 'on a chain with accounts the first claim runs out of gas',
    kinds: { maker: 'account', taker: 'utxo' },
    faults: {
      maker: [{ kind: 'revert', purposes: ['claim'], oneIn: 1, from: 0, until: 600 } as DemoFault],
      taker: [],
    },
  },
];

/** The scenario of a name. @throws UsageError for one that there is not. */
export function scenarioOf(name: string): DemoScenario {
  const found = demoScenarios.find((scenario) => scenario.name === name);
  if (found !== undefined) return found;
  throw new UsageError(
    `There is no scenario ${name}; known are ${demoScenarios.map((scenario) => scenario.name).join(', ')}.`,
  );
}
