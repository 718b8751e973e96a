import type { TakerSwapContext } from '../../machines/taker-swap/context.ts';
import { bytesToHex } from '../../src/primitives/hex.ts';
import { viewOf } from '../../src/runtime/swap/runner.ts';
import type { Observer, World } from '../../src/sim/world/world.ts';

/**
 * Somebody with the taker's watcher message, who looks at the true chains: claims the maker payment as soon as the secret
 * is on the taker chain, once, or refunds the taker payment as soon as that chain permits.
 */
export function thirdPartyWatcher(watchFor: 'claim' | 'refund'): Observer {
  const claimed = new WeakSet<World>();
  return {
    settled(world) {
      const { runner } = world.nodes.taker;
      const { ownTerms, otherTerms } = viewOf(runner);
      const { watcherPreimages } = runner.position.context as TakerSwapContext;
      const [claim, refund] = watcherPreimages ?? [null, null];
      if (claim === null || refund === null || ownTerms === null || otherTerms === null) return;
      const { maker, taker } = world.chains;
      const { spend, fundings } = taker.ledger.payment(ownTerms);
      if (watchFor === 'refund') {
        if (fundings.length > 0 && spend === null && taker.clock() > ownTerms.lock) taker.submit(hexOf(refund));
        return;
      }
      if (spend?.how !== 'secret' || claimed.has(world) || maker.ledger.payment(otherTerms).spend !== null) return;
      claimed.add(world);
      const wallet = maker.wallet({ party: 'watcher' });
      const secret = world.nodes.maker.runner.journal.request?.secret ?? '';
      const completed = wallet.prepare({ purpose: 'completePreimage', preimage: hexOf(claim), secret });
      if (completed.ok) wallet.broadcast(completed.value);
    },
  };
}

function hexOf(bytes: readonly number[]): string {
  return bytesToHex(Uint8Array.from(bytes));
}
