import type { Chain, ChainFeed, SignedTransaction } from '../../ports/chain.ts';
import { decimalOf } from '../../primitives/decimal.ts';
import type { ChainFixture } from './scene.ts';

type Wallet = Chain & ChainFeed;

/** A fixture that others use after this case, and what takes back what the case leaves behind. */
export type Tidy = { readonly fixture: ChainFixture; readonly tidyUp: () => Promise<void> };

export function tidyFixture(fixture: ChainFixture): Tidy {
  const { sender, receiver, watcher } = fixture;
  const tidies: (() => void)[] = [];
  const tidy = (wallet: Wallet): Wallet => {
    const made = new Map<string, SignedTransaction>();
    const held = new Set<string>();
    tidies.push(() => {
      wallet.release([...made.values()]);
      for (const swap of held) wallet.hold?.({ swap, amount: decimalOf('0') });
    });
    return {
      ...members(wallet),
      prepare: async (request, forSwap) => {
        const answer = await wallet.prepare(request, forSwap);
        if (answer.ok) made.set(answer.value.tx_hash, answer.value);
        return answer;
      },
      broadcast: async (transaction) => {
        const answer = await wallet.broadcast(transaction);
        if (answer.ok) made.delete(transaction.tx_hash);
        return answer;
      },
      ...(wallet.hold === undefined
        ? {}
        : {
            hold: (hold) => {
              held.add(hold.swap);
              wallet.hold?.(hold);
            },
          }),
    };
  };
  const tidyUp = async (): Promise<void> => {
    for (const each of tidies) each();
    await fixture.confirm(1);
  };
  return {
    tidyUp,
    fixture: { ...fixture, sender: tidy(sender), receiver: tidy(receiver), watcher: tidy(watcher) },
  };
}

/** The members of a wallet, also of one whose methods are those of a class. */
function members(wallet: Wallet): Wallet {
  return {
    traits: wallet.traits,
    htlcKey: (swap) => wallet.htlcKey(swap),
    quote: () => wallet.quote(),
    payment: (query) => wallet.payment(query),
    transaction: (hash) => wallet.transaction(hash),
    checkFee: (check, forSwap) => wallet.checkFee(check, forSwap),
    prepare: (request, forSwap) => wallet.prepare(request, forSwap),
    broadcast: (transaction) => wallet.broadcast(transaction),
    subscribe: (onChange) => wallet.subscribe(onChange),
    reserve: (transactions) => wallet.reserve(transactions),
    release: (transactions) => wallet.release(transactions),
    ...(wallet.resumed === undefined ? {} : { resumed: () => wallet.resumed?.() }),
  };
}
