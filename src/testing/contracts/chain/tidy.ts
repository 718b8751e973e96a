import type { Chain, ChainFeed, SignedTransaction } from '../../../ports/chain.ts';
import { decimalOf } from '../../../primitives/decimal.ts';
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
    const { hold } = wallet;
    return changed(wallet, {
      prepare: async (request, forSwap) => {
        const answer = await wallet.prepare(request, forSwap);
        if (answer.ok) made.set(answer.value.tx_hash, answer.value);
        return answer;
      },
      broadcast: async (transaction, ...sending) => {
        const answer = await wallet.broadcast(transaction, ...sending);
        if (answer.ok) made.delete(transaction.tx_hash);
        return answer;
      },
      ...(hold === undefined
        ? {}
        : {
            hold: (given) => {
              held.add(given.swap);
              hold.call(wallet, given);
            },
          }),
    });
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

/** The wallet with some members changed: all others, also those that the port gets one day, are its own. */
function changed(wallet: Wallet, changes: Partial<Wallet>): Wallet {
  return new Proxy({} as Wallet, {
    get(_, name) {
      if (Object.hasOwn(changes, name)) return Reflect.get(changes, name) as unknown;
      const member = Reflect.get(wallet, name) as unknown;
      return typeof member === 'function' ? member.bind(wallet) : member;
    },
  });
}
