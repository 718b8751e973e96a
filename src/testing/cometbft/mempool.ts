import { tendermintId } from '../../htlc/tendermint-transaction.ts';
import { readAppTransaction } from './app-transaction.ts';
import { type Refused, refusedBySdk, SDK_CODE, type TxResult } from './result.ts';
import type { AppState } from './state.ts';
import { type AppRules, ante, deliver } from './transactions.ts';

/** What waits, each on top of those before it. */
export type Mempool = {
  readonly waiting: () => readonly Uint8Array[];
  readonly offer: (bytes: Uint8Array) => Refused | 'cached' | null;
  readonly forget: () => void;
  readonly simulate: (bytes: Uint8Array) => TxResult;
  /** After a block: what it holds leaves, and what can be included no more. */
  readonly recheck: (taken: ReadonlySet<string>) => void;
};

type Tip = { readonly height: number; readonly state: AppState };

export function createMempool(rules: AppRules, tip: () => Tip): Mempool {
  let waiting: readonly Uint8Array[] = [];
  let offered = new Set<string>();
  let checked: AppState = tip().state;
  const nextHeight = () => BigInt(tip().height + 1);
  const enter = (bytes: Uint8Array): Refused | null => {
    const tx = readAppTransaction(bytes);
    if (tx === undefined) return refusedBySdk(SDK_CODE.decode, 'tx parse error');
    const entered = ante(checked, tx, { rules, height: nextHeight(), isEntry: true });
    if ('refused' in entered) return entered.refused;
    checked = entered.state;
    return null;
  };
  return {
    waiting: () => waiting,
    offer(bytes) {
      const id = tendermintId(bytes);
      if (offered.has(id)) return 'cached';
      const refused = enter(bytes);
      if (refused !== null) return refused;
      offered.add(id);
      waiting = [...waiting, bytes];
      return null;
    },
    forget() {
      waiting = [];
      offered = new Set();
      checked = tip().state;
    },
    simulate: (bytes) => deliver(checked, bytes, { rules, height: nextHeight(), isTrial: true }).result,
    recheck(taken) {
      checked = tip().state;
      waiting = waiting.filter((bytes) => {
        const id = tendermintId(bytes);
        if (taken.has(id)) return false;
        const refused = enter(bytes);
        // What is refused now may be offered again.
        if (refused !== null) offered.delete(id);
        return refused === null;
      });
    },
  };
}
