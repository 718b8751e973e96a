import type { ActiveCoin } from '../../ports/coin-wallet.ts';
import type {
  ActivatedEvm,
  EvmActivationFault,
  EvmActivationOrder,
  EvmActivationResult,
  EvmActivationTalk,
  EvmActivator,
  EvmBalances,
} from '../../ports/evm-activator.ts';
import type { WalletSigner } from '../../ports/signer.ts';
import { PackageMissingError } from '../../primitives/optional-package.ts';
import { ActivationFailure } from '../activation-failure.ts';
import type { Compatibility } from '../compatibility.ts';
import { EvmFailure } from './failure.ts';
import { type EvmOpening, type OpenedEvm, openEvm } from './open.ts';
import type { EvmParts } from './parts.ts';

export type EvmActivatorOptions = EvmParts & {
  /** Of the node, whose coins are at one address of each chain. */
  readonly signer: WalletSigner;
  /** Whether each coin has keys of its own. */
  readonly byPath: boolean;
  readonly compatibility: Compatibility;
  readonly usualConfirmations: number;
};

/** Activates coins of EVM chains over their nodes, for a wallet with one address. */
export function createEvmActivator(options: EvmActivatorOptions): EvmActivator {
  return {
    async activate(order, talk) {
      const unbuilt = unbuiltIn(order, options);
      if (unbuilt !== null) return { ok: false, fault: unbuilt };
      let opened: OpenedEvm;
      try {
        opened = await openEvm(options, openingOf(order, { ...options, signal: talk.signal }));
      } catch (error) {
        const fault = faultOf(error, { order, ...options });
        if (fault === null) throw error;
        return { ok: false, fault };
      }
      try {
        return await activated(opened, { order, talk, ...options });
      } catch (error) {
        closeAll(opened.coins);
        throw error;
      }
    },
  };
}

/** What of an order another part of the node is needed for. */
function unbuiltIn({ request }: EvmActivationOrder, { byPath }: EvmActivatorOptions): EvmActivationFault | null {
  const internal = (data: string): EvmActivationFault => ({ type: 'Internal', data });
  if (request.priv_key_policy.type === 'Trezor') return internal('Hardware wallet is not initalised');
  if (byPath) return internal('This node activates no coin of an EVM chain for a wallet with many addresses');
  if (request.nft_req !== undefined) return internal('This node asks nobody for collectibles');
  return null;
}

type Serving = EvmActivatorOptions & { readonly signal: AbortSignal };

function openingOf({ ticker, entry, chainId, tokens, request }: EvmActivationOrder, serving: Serving): EvmOpening {
  const { signer, byPath, usualConfirmations, compatibility, signal } = serving;
  const { gas_station_url: url, gas_station_decimals: decimals, gas_station_policy } = request;
  return {
    ...{ chainId, signer, byPath, usualConfirmations, signal },
    platform: { ticker, entry },
    urls: request.nodes.map((node) => node.url),
    contract: accountIn(request.swap_contract_address),
    fallbackContract: request.fallback_swap_contract === undefined ? null : accountIn(request.fallback_swap_contract),
    // The real node asks none since 2.1.
    station:
      url === undefined || compatibility === 'kdf' ? undefined : { url, decimals, policy: gas_station_policy.policy },
    coins: [
      { ticker, entry, token: null, requiredConfirmations: request.required_confirmations ?? null },
      ...tokens.map((token) => ({
        ticker: token.ticker,
        entry: token.entry ?? {},
        token: accountIn(token.contract),
        requiredConfirmations: token.requiredConfirmations,
      })),
    ],
  };
}

function accountIn(address: string): string {
  return address.slice(2).toLowerCase();
}

type Telling = {
  readonly order: EvmActivationOrder;
  readonly talk: EvmActivationTalk;
  readonly compatibility: Compatibility;
};

async function activated(opened: OpenedEvm, { order, talk, compatibility }: Telling): Promise<EvmActivationResult> {
  const { coins, block, pubkey } = opened;
  // The real node says nothing of these steps.
  const tells = compatibility === 'specification';
  let balances: EvmBalances | null = null;
  if (order.request.get_balances) {
    if (tells) await talk.tell('RequestingWalletBalance');
    const found = await balancesOf(coins);
    if ('fault' in found) {
      closeAll(coins);
      return { ok: false, fault: found.fault };
    }
    balances = found.balances;
  }
  if (tells) await talk.tell('Finishing');
  const [own] = coins as readonly [ActiveCoin, ...ActiveCoin[]];
  const value: ActivatedEvm = {
    ...{ block, coins, nfts: {} },
    wallet: { kind: 'address', address: own.address, pubkey, balances },
    close: () => closeAll(coins),
  };
  return { ok: true, value };
}

type Found = { readonly balances: EvmBalances } | { readonly fault: EvmActivationFault };

async function balancesOf(coins: readonly ActiveCoin[]): Promise<Found> {
  const found = await Promise.all(coins.map(async ({ ticker, balances }) => ({ ticker, answer: await balances() })));
  const all = new Map<string, EvmBalances[string]>();
  for (const { ticker, answer } of found) {
    if (!answer.ok) return { fault: { type: 'Transport', data: `Transport: ${answer.fault.message}` } };
    all.set(ticker, answer.value);
  }
  return { balances: Object.fromEntries(all) };
}

function closeAll(coins: readonly ActiveCoin[]): void {
  for (const { close } of coins) close();
}

type Failing = { readonly order: EvmActivationOrder; readonly compatibility: Compatibility };

/** What is told of a failure; null for one that is none of the outside. */
function faultOf(error: unknown, { order, compatibility }: Failing): EvmActivationFault | null {
  if (error instanceof ActivationFailure) return { type: 'InvalidPayload', data: error.message };
  if (error instanceof PackageMissingError) return { type: 'Internal', data: error.message };
  if (!(error instanceof EvmFailure)) return null;
  const { kind, message } = error;
  if (kind === 'unreachable' || kind === 'asked' || kind === 'ended') return { type: 'Transport', data: message };
  if (kind === 'entry' && compatibility === 'kdf') return { type: 'Internal', data: message };
  const data = { ticker: order.ticker, error: message };
  // The real node's method has no `CoinCreationError`.
  return { type: compatibility === 'kdf' ? 'PlatformCoinCreationError' : 'CoinCreationError', data };
}
