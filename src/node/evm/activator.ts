import { RemoteWalletError } from '../../hardware/remote/account.ts';
import type { ActiveCoin } from '../../ports/coin-wallet.ts';
import type {
  EvmActivationFault,
  EvmActivationOrder,
  EvmActivationResult,
  EvmActivationStep,
  EvmActivationTalk,
  EvmActivator,
  EvmTokenOrder,
  EvmWallet,
} from '../../ports/evm-activator.ts';
import type { NftProvider } from '../../ports/nft-provider.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { fromBaseUnits } from '../../primitives/decimal.ts';
import { numberText } from '../../primitives/json.ts';
import { PackageMissingError } from '../../primitives/optional-package.ts';
import { ActivationFailure } from '../activation-failure.ts';
import type { Compatibility } from '../compatibility.ts';
import { evmAdapter } from './adapter-module.ts';
import { EvmFailure, type EvmFailureKind } from './failure.ts';
import { type EvmOpening, type OpenedEvm, openEvm } from './open.ts';
import type { EvmParts } from './parts.ts';
import { type Choice, type ChosenWallet, chooseWallet, type WalletParts } from './wallets/choose.ts';
import { collectibles } from './wallets/collectibles.ts';
import { DeviceFailure } from './wallets/device-session.ts';
import { TooManyAddresses } from './wallets/hd-accounts.ts';
import type { OpenWallet } from './wallets/many-addresses.ts';
import { followingAll } from './wallets/other-addresses.ts';

export type EvmActivatorOptions = EvmParts &
  WalletParts & {
    readonly usualConfirmations: number;
    /** The provider of collectibles. */
    readonly nfts: NftProvider;
  };

/** Activates coins of EVM chains over their nodes, for the wallet that a request is about. */
export function createEvmActivator(options: EvmActivatorOptions): EvmActivator {
  return {
    async activate(order, talk) {
      let chosen: Choice | undefined;
      let opened: OpenedEvm | undefined;
      try {
        chosen = await chooseWallet(options, { order, talk });
        if (!chosen.ok) return chosen;
        const { signal } = talk;
        const { value: wallet } = chosen;
        opened = await openEvm(options, openingOf(order, { ...options, ...wallet, signal }));
        const result = await activated(opened, { order, talk, wallet, ...options });
        if (!result.ok) letGo(chosen, opened);
        return result;
      } catch (error) {
        letGo(chosen, opened);
        const fault = faultOf(error, { order, ...options });
        if (fault === null) throw error;
        return { ok: false, fault };
      }
    },
  };
}

function letGo(chosen: Choice | undefined, opened: OpenedEvm | undefined): void {
  closeAll(opened?.coins ?? []);
  if (chosen?.ok === true) chosen.value.leave();
}

type Serving = EvmActivatorOptions & ChosenWallet & { readonly signal: AbortSignal };

function openingOf(order: EvmActivationOrder, serving: Serving): EvmOpening {
  const { ticker, entry, chainId, tokens, passive, request } = order;
  const { signer, keyPlace, byPath, swaps, usualConfirmations, compatibility, signal } = serving;
  const { gas_station_url: url, gas_station_decimals: decimals, gas_station_policy } = request;
  return {
    ...{ chainId, signer, keyPlace, byPath, usualConfirmations, signal },
    platform: { ticker, entry },
    urls: request.nodes.map((node) => node.url),
    contract: swaps ? accountIn(request.swap_contract_address) : null,
    fallbackContract: request.fallback_swap_contract === undefined ? null : accountIn(request.fallback_swap_contract),
    watchers: request.contract_supports_watchers,
    // The real node asks none since 2.1.
    station:
      url === undefined || compatibility === 'kdf' ? undefined : { url, decimals, policy: gas_station_policy.policy },
    kept: tokens.flatMap(({ ticker: name, contract, kept }) =>
      kept === undefined ? [] : [{ ticker: name, token: accountIn(contract), ...kept }],
    ),
    coins: [
      {
        ...{ ticker, entry, token: null, passive, requiredConfirmations: request.required_confirmations ?? null },
        walletOnly: isWalletOnly(request.mm2 ?? entry['mm2'], compatibility),
      },
      ...tokens.filter(isNew).map((token) => ({
        ticker: token.ticker,
        entry: token.entry ?? {},
        token: accountIn(token.contract),
        requiredConfirmations: token.requiredConfirmations,
        walletOnly: isWalletOnly(token.entry?.['mm2'], compatibility),
      })),
    ],
  };
}

/** Nobody may trade a coin of which `mm2` is 0 (specification §4.4, §4.6). The real node does not look at the value. */
function isWalletOnly(mm2: unknown, compatibility: Compatibility): boolean {
  return compatibility === 'specification' && numberText(mm2) === '0';
}

function isNew({ kept }: EvmTokenOrder): boolean {
  return kept === undefined;
}

function accountIn(address: string): string {
  return address.slice(2).toLowerCase();
}

type Telling = {
  readonly order: EvmActivationOrder;
  readonly talk: EvmActivationTalk;
  readonly compatibility: Compatibility;
  readonly wallet: ChosenWallet;
  readonly nfts: NftProvider;
};

async function activated(opened: OpenedEvm, given: Telling): Promise<EvmActivationResult> {
  const { order, talk, compatibility, wallet } = given;
  const { coins, block, address } = opened;
  const owned = await collectibles({ order, provider: given.nfts, owner: address, signal: talk.signal });
  if (!owned.ok) return owned;
  // The real node says nothing of these steps.
  const tells = compatibility === 'specification';
  const tell = async (step: EvmActivationStep): Promise<void> => {
    if (tells) await talk.tell(step);
  };
  const found =
    wallet.told === null
      ? await addressWallet(opened, { order, tell })
      : await manyAddresses(wallet.told, { opened, order, tell });
  await tell('Finishing');
  const close = (): void => {
    closeAll(coins);
    wallet.leave();
  };
  const told = found.kind === 'hd' ? await ofAllAddresses(found, { opened, order }) : coins;
  return { ok: true, value: { ...{ block, coins: told, close }, nfts: owned.value, wallet: found } };
}

const NOTHING = fromBaseUnits(0n);

type Steps = { readonly order: EvmActivationOrder; readonly tell: (step: EvmActivationStep) => Promise<void> };
async function addressWallet({ address, pubkey, shown }: OpenedEvm, { order, tell }: Steps): Promise<EvmWallet> {
  const head = { kind: 'address', address, pubkey } as const;
  if (!order.request.get_balances) return { ...head, balances: null };
  await tell('RequestingWalletBalance');
  const balances = Object.entries(await shown()).map(([ticker, spendable]) => [
    ticker,
    { spendable, unspendable: NOTHING },
  ]);
  return { ...head, balances: Object.fromEntries(balances) };
}

type ManySteps = Steps & { readonly opened: OpenedEvm };

async function manyAddresses(told: OpenWallet['told'], { opened, order, tell }: ManySteps): Promise<EvmWallet> {
  const onBalances = async (): Promise<void> => {
    if (order.request.get_balances) await tell('RequestingWalletBalance');
  };
  const { reader, decimals } = opened;
  return told({ reader, decimals, onBalances });
}

type OfAll = Pick<ManySteps, 'opened' | 'order'>;

async function ofAllAddresses(
  { accounts }: Extract<EvmWallet, { readonly kind: 'hd' }>,
  { opened: { coins, reader }, order }: OfAll,
): Promise<readonly ActiveCoin[]> {
  const tokens = Object.fromEntries(order.tokens.map((token) => [token.ticker, token.contract]));
  return followingAll({ adapter: await evmAdapter(), reader, coins, accounts, tokens });
}

function closeAll(coins: readonly ActiveCoin[]): void {
  for (const { close } of coins) close();
}

const SILENT: ReadonlySet<EvmFailureKind> = new Set(['unreachable', 'asked', 'block', 'ended']);

type Failing = { readonly order: EvmActivationOrder; readonly compatibility: Compatibility };

/** What to report about a failure; null for one that did not come from outside. */
function faultOf(error: unknown, { order, compatibility }: Failing): EvmActivationFault | null {
  // What was in use waits for a process that has its key, its entry in the coins file, and the package.
  if (error instanceof ActivationFailure) return { type: 'InvalidPayload', data: error.message, passing: true };
  if (error instanceof PackageMissingError) return { type: 'Internal', data: error.message, passing: true };
  if (error instanceof DeviceFailure) return error.fault;
  if (error instanceof RemoteWalletError) return { type: 'WalletConnectError', data: error.message };
  if (error instanceof BackendSilent) return { type: 'Transport', data: `Transport: ${error.message}`, passing: true };
  if (error instanceof TooManyAddresses) return { type: 'Internal', data: error.message };
  if (!(error instanceof EvmFailure)) return null;
  const { kind } = error;
  const message = compatibility === 'kdf' ? error.message : `${error.message}${error.why}`;
  if (SILENT.has(kind)) {
    // With tasks the real node tells a block that it cannot ask for as an error of its own.
    const isOwn = kind === 'block' && compatibility === 'kdf';
    return { type: isOwn ? 'Internal' : 'Transport', data: message, passing: true };
  }
  if (kind === 'entry' && compatibility === 'kdf') return { type: 'Internal', data: message };
  const data = { ticker: order.ticker, error: message };
  // The real node's method has no `CoinCreationError`.
  const type = compatibility === 'kdf' ? 'PlatformCoinCreationError' : 'CoinCreationError';
  // What a node says is no fact about the chain: one that is behind has no contracts yet, one behind a wrong address is of another chain.
  return kind === 'entry' ? { type, data } : { type, data, passing: true };
}
