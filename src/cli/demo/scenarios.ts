import type { Seconds } from '../../primitives/time.ts';
import type { SimChainKind } from '../../sim/chains/types.ts';
import { UsageError } from '../io.ts';

/** A swap to watch: two chains, and what goes wrong. */
export type DemoScenario = {
  readonly name: string;
  /** One sentence for the help. */
  readonly text: string;
  readonly kinds: Readonly<Record<'maker' | 'taker', SimChainKind>>;
  /** Seconds between blocks. */
  readonly blockTime: Seconds;
  /** Miners of both chains ask for this multiple of the fee once a claim waits for them. */
  readonly feeSpike: { readonly factor: number } | null;
  /** The maker is gone once its log holds this event, for good or for so many seconds. */
  readonly makerVanishes: { readonly after: string; readonly backAfter: Seconds | null } | null;
  /** The taker is gone once its log holds this event. */
  readonly takerVanishes: { readonly after: string; readonly backAfter: Seconds | null } | null;
  /**
   * Once the first claim on this chain has so many confirmations, its block and those above it are replaced, and it is
   * forgotten by the network. It depends on nothing but the blocks, so that chains that are made anew do the same.
   */
  readonly reorg: { readonly chain: 'maker' | 'taker'; readonly depth: number } | null;
  /** So many claims on this chain run out of gas, before one does not. */
  readonly revert: { readonly chain: 'maker' | 'taker'; readonly claims: number } | null;
};

const CALM: Omit<DemoScenario, 'name' | 'text'> = {
  kinds: { maker: 'utxo', taker: 'utxo' },
  blockTime: 60,
  feeSpike: null,
  makerVanishes: null,
  takerVanishes: null,
  reorg: null,
  revert: null,
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
    text: "the blocks with the taker's claim are replaced, and the network has forgotten it: it is sent again",
    reorg: { chain: 'maker', depth: 2 },
  },
  {
    ...CALM,
    name: 'fee-spike',
    text: 'fees rise sevenfold when both claim: each claim is replaced by one that pays more',
    feeSpike: { factor: 7 },
  },
  {
    ...CALM,
    name: 'revert',
    text: "on a chain with accounts the taker's first claim runs out of gas, and the second one does not",
    kinds: { maker: 'account', taker: 'utxo' },
    revert: { chain: 'maker', claims: 1 },
  },
];

/** The scenario of a name. @throws UsageError for an unknown name. */
export function scenarioOf(name: string): DemoScenario {
  const found = demoScenarios.find((scenario) => scenario.name === name);
  if (found !== undefined) return found;
  throw new UsageError(
    `There is no scenario ${name}; known are ${demoScenarios.map((scenario) => scenario.name).join(', ')}.`,
  );
}
