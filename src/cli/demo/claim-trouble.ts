import type { UnixSeconds } from '../../primitives/time.ts';
import type { NetworkFault, SimChain } from '../../sim/chains/types.ts';
import { EPOCH } from '../../sim/world/scenario.ts';
import type { DemoScenario } from './scenarios.ts';

type Side = 'maker' | 'taker';

const ALWAYS = Number.MAX_SAFE_INTEGER as UnixSeconds;

/** What is wrong with the network of one chain from its first block on. */
export function networkFaults({ revert }: DemoScenario, side: Side): readonly NetworkFault[] {
  if (revert?.chain !== side) return [];
  return [{ kind: 'revert', purposes: ['claim'], oneIn: 1, from: EPOCH, until: ALWAYS }];
}

/**
 * Mines the blocks of one chain, and does to its claims what the scenario says. It decides by the chain alone, so that a
 * chain that is made anew from the same transactions meets the same trouble, and that a swap meets it whenever it claims.
 */
export function claimTrouble(
  chain: SimChain,
  { side, scenario }: { readonly side: Side; readonly scenario: DemoScenario },
): { readonly nextBlock: () => void } {
  const { feeSpike } = scenario;
  const reorg = scenario.reorg?.chain === side ? scenario.reorg : null;
  const revert = scenario.revert?.chain === side ? scenario.revert : null;
  let over = reorg === null && revert === null && feeSpike === null;
  const claims = () => chain.ledger.transactions().filter(({ purpose }) => purpose === 'claim');
  return {
    nextBlock() {
      const found = over ? [] : claims();
      const deep = reorg === null ? undefined : found.find(({ confirmations }) => confirmations >= reorg.depth);
      if (deep !== undefined) {
        over = true;
        chain.reorg({ depth: deep.confirmations, drop: [deep.hash] });
        return;
      }
      if (feeSpike !== null && found.length > 0) {
        over = true;
        chain.setFaults([{ kind: 'feeSpike', factor: feeSpike.factor, from: EPOCH, until: ALWAYS }]);
      }
      chain.mine();
      if (revert === null || over) return;
      if (claims().filter(({ status }) => status === 'reverted').length < revert.claims) return;
      over = true;
      chain.setFaults([]);
    },
  };
}
