import type { EvmActivationResult, EvmActivator, EvmTokenOrder } from '../../ports/evm-activator.ts';
import { ActivationFailure, type ActivationFailureKind } from '../activation-failure.ts';
import type { Reservation } from '../coin-table.ts';
import type { PlatformCoins } from './platform-coins.ts';

/** The same activator, which keeps others from a coin while it activates it; tokens that are active already stay as they are. */
export function reservingActivator(activator: EvmActivator, active: PlatformCoins): EvmActivator {
  return {
    async activate(order, talk) {
      const { ticker: platform, passive } = order;
      let tokens: readonly EvmTokenOrder[];
      let place: Reservation | null;
      try {
        tokens = order.tokens.map((token) => orKept(token, { platform, active }));
        const added = tokens.filter(({ kept }) => kept === undefined).map(({ ticker }) => ticker);
        place = active.reserve(platform, passive ? added : [platform, ...added]);
      } catch (error) {
        if (!(error instanceof ActivationFailure)) throw error;
        return refused(platform, { error, isActive: active.has(platform) });
      }
      try {
        const result = await activator.activate({ ...order, tokens }, talk);
        if (result.ok && place !== null) return { ok: true, value: releasing(result.value, place) };
        if (!result.ok) place?.release();
        return result;
      } catch (error) {
        place?.release();
        throw error;
      }
    },
  };
}

/** What is not used gives its place back. */
function releasing<T extends { readonly close: () => void }>(made: T, place: Reservation): T {
  return {
    ...made,
    close() {
      place.release();
      made.close();
    },
  };
}

type Place = { readonly platform: string; readonly active: PlatformCoins };

/** The same token, as one to keep where it is active. @throws ActivationFailure alreadyActive for a ticker that something else has */
function orKept(token: EvmTokenOrder, { platform, active }: Place): EvmTokenOrder {
  const { ticker, contract } = token;
  const coin = active.kept(ticker, { platform, contract });
  if (coin === undefined) return token;
  return { ...token, kept: { decimals: coin.chain.traits.decimals, address: coin.address } };
}

type Refused = { readonly error: ActivationFailure; readonly isActive: boolean };

/** What someone else is about to activate may come to nothing. */
function refused(ticker: string, { error: { kind, message }, isActive }: Refused): EvmActivationResult {
  const isOwn = OCCUPIED.has(kind) && message.startsWith(`Coin ${ticker} `);
  const own = { type: 'PlatformIsAlreadyActivated', data: ticker } as const;
  const named = isOwn ? { ...own, ...(kind === 'underWay' ? { text: message } : {}) } : null;
  const fault = named ?? ({ type: 'Internal', data: message } as const);
  return { ok: false, fault: isActive ? fault : { ...fault, passing: true } };
}

const OCCUPIED: ReadonlySet<ActivationFailureKind> = new Set(['alreadyActive', 'underWay']);
