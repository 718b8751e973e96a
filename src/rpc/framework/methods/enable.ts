import { ActivationFailure, type ActivationFailureKind } from '../../../node/activation-failure.ts';
import type { ActiveCoin } from '../../../node/active-coin.ts';
import type { JsonObject } from '../../../primitives/json.ts';
import type { FrameworkContext } from '../context.ts';
import { internalFailure } from '../failure.ts';
import type { FrameworkMethod } from '../method.ts';
import { shownBalances } from '../shown-balances.ts';

/** Activates a coin over its own daemon (specification §4.5). */
export const enable: FrameworkMethod<FrameworkContext> = {
  name: 'enable',
  summary: 'Activates a coin over its own daemon.',
  legacy: {
    async run(request, { node: { node } }) {
      const active = await node.enable(request).catch(refused(request, node.compatibility));
      return activated(active);
    },
  },
};

/** Members in the order of the real node (`activation.md` §5.4). */
async function activated(coin: ActiveCoin): Promise<JsonObject> {
  const { address, balance, unspendable_balance } = await shownBalances(coin);
  return {
    result: 'success',
    address,
    balance,
    unspendable_balance,
    coin: coin.ticker,
    required_confirmations: coin.requiredConfirmations,
    requires_notarization: coin.requiresNotarization,
    ...(coin.matureConfirmations === null ? {} : { mature_confirmations: coin.matureConfirmations }),
  };
}

/** What the specification says of a condition where the real node has other words (specification §7). */
const WORDS: Readonly<Partial<Record<ActivationFailureKind, (coin: string) => string>>> = {
  alreadyActive: (coin) => `The coin ${coin} is already activated`,
  daemonUnreachable: (coin) => `${coin}: failed to connect to native daemon`,
};

function refused(request: JsonObject, compatibility: 'specification' | 'kdf'): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ActivationFailure)) throw error;
    const words = compatibility === 'specification' ? WORDS[error.kind] : undefined;
    const text = words === undefined ? error.message : `${words(String(request['coin']))}: ${error.message}`;
    throw internalFailure(text);
  };
}
