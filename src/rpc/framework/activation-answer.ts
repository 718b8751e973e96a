import { ActivationFailure, type ActivationFailureKind } from '../../node/activation-failure.ts';
import type { ActiveCoin } from '../../node/active-coin.ts';
import type { Compatibility, TradingNode } from '../../node/node.ts';
import type { JsonObject } from '../../primitives/json.ts';
import { internalFailure } from './failure.ts';
import { shownBalances } from './shown-balances.ts';

/**
 * The answer to a legacy activation, with its members in the order of the real node, and what swaps hold where the specification
 * has it.
 */
export async function activated(coin: ActiveCoin, { runtime, compatibility }: Served): Promise<JsonObject> {
  const { address, balance, unspendable_balance } = await shownBalances(coin);
  return {
    result: 'success',
    address,
    balance,
    unspendable_balance,
    coin: coin.ticker,
    required_confirmations: coin.requiredConfirmations,
    requires_notarization: coin.requiresNotarization,
    ...(coin.tellsHeld && compatibility === 'specification'
      ? { locked_by_swaps: runtime.locked().get(coin.ticker) ?? '0' }
      : {}),
    ...(coin.matureConfirmations === null ? {} : { mature_confirmations: coin.matureConfirmations }),
  };
}

type Served = Pick<TradingNode, 'runtime' | 'compatibility'>;

type Words = Readonly<Partial<Record<ActivationFailureKind, (coin: string) => string>>>;

/** What is said of a condition before its own text: by the specification (§7), and by the real node where that has words of its own. */
const WORDS: Readonly<Record<Compatibility, Words>> = {
  specification: {
    alreadyActive: (coin) => `The coin ${coin} is already activated`,
    daemonUnreachable: (coin) => `${coin}: failed to connect to native daemon`,
    nodesUnreachable: (coin) => `all RPC servers for the chain of ${coin} are unavailable`,
    serversUnreachable: (coin) => `all electrum servers for the coin ${coin} are unavailable`,
  },
  kdf: { serversUnreachable: () => 'Deactivated coin due to error in balance querying' },
};

/** Turns a failed activation into the answer for the caller. */
export function refusedActivation(request: JsonObject, compatibility: Compatibility): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ActivationFailure)) throw error;
    const words = WORDS[compatibility][error.kind];
    const text = words === undefined ? error.message : `${words(String(request['coin']))}: ${error.message}`;
    throw internalFailure(text);
  };
}
