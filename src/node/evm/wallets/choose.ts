import { remoteAccount } from '../../../hardware/remote/account.ts';
import { keyHash } from '../../../hardware/trezor/keys.ts';
import type { Clock, Random } from '../../../ports/clock.ts';
import type { Awaitable, EventLog } from '../../../ports/event-log.ts';
import type { EvmActivationFault, EvmActivationOrder, EvmActivationTalk } from '../../../ports/evm-activator.ts';
import type { RemoteWallets } from '../../../ports/remote-wallet.ts';
import type { WalletSigner } from '../../../ports/signer.ts';
import { keyPathOf } from '../../coin-keys.ts';
import type { Compatibility } from '../../compatibility.ts';
import { evmAdapter } from '../adapter-module.ts';
import type { KeyPlace } from '../homes.ts';
import { reachNodes } from '../nodes.ts';
import { type DeviceKeys, ownKeys } from './account-keys.ts';
import { accountOrder } from './account-order.ts';
import { deviceSigner, remoteSigner } from './elsewhere.ts';
import { type OpenWallet, openWallet } from './many-addresses.ts';

export type WalletParts = {
  /** Of the node. */
  readonly signer: WalletSigner;
  /** Keys by their derivation path, and the public side of accounts, of a node whose coins have keys of their own. */
  readonly paths: WalletPaths | null;
  /** A hardware wallet; null where the node knows of none. */
  readonly device: DeviceKeys | null;
  /** Wallets elsewhere; null where the node knows of none. */
  readonly remote: RemoteWallets | null;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly random: Random;
  readonly compatibility: Compatibility;
};

export type WalletPaths = {
  readonly signerOf: (path: string) => Awaitable<WalletSigner>;
  /** Null where the public side of accounts is not told: a coin has the one address of its path then. */
  readonly xpubAt: ((path: string) => string) | null;
};

/** Whose coins are activated. */
export type ChosenWallet = {
  readonly signer: WalletSigner;
  readonly keyPlace: KeyPlace;
  /** Whether each coin has keys of its own. */
  readonly byPath: boolean;
  /** Whether its key signs for swaps. */
  readonly swaps: boolean;
  /** The accounts of a wallet of many addresses; null for one address. */
  readonly told: OpenWallet['told'] | null;
  /** Called once when the coins are let go of. */
  readonly leave: () => void;
};

export type Choice =
  | { readonly ok: true; readonly value: ChosenWallet }
  | { readonly ok: false; readonly fault: EvmActivationFault };

type Asked = { readonly order: EvmActivationOrder; readonly talk: EvmActivationTalk };

/**
 * The wallet that a request is about, by its `priv_key_policy` and the keys of the node.
 *
 * @throws EvmFailure, ActivationFailure, DeviceFailure, RemoteWalletError; LogError; what `talk` throws once the work was ended
 */
export async function chooseWallet(parts: WalletParts, asked: Asked): Promise<Choice> {
  const { type } = asked.order.request.priv_key_policy;
  if (type === 'WalletConnect') return ofRemote(parts, asked);
  if (type === 'Trezor') return ofDevice(parts, asked);
  const { signer, paths } = parts;
  if (paths === null)
    return { ok: true, value: { signer, keyPlace: 'here', byPath: false, swaps: true, told: null, leave() {} } };
  if (paths.xpubAt === null) return ofPath(paths, asked);
  const keys = ownKeys(keyHash(signer.coins.key), paths.xpubAt);
  return ofMany({ ...parts, keys, signerAt: (path) => paths.signerOf(path) }, { ...asked, keyPlace: 'here' });
}

/** The key that `enable` uses for the same coin. @throws ActivationFailure */
async function ofPath({ signerOf }: WalletPaths, { order: { entry, request } }: Asked): Promise<Choice> {
  const signer = await signerOf(keyPathOf(entry, { path_to_address: { ...request.path_to_address } }));
  return { ok: true, value: { signer, keyPlace: 'here', byPath: true, swaps: true, told: null, leave() {} } };
}

async function ofRemote({ remote, clock }: WalletParts, { order, talk }: Asked): Promise<Choice> {
  const { session: topic } = order.request.priv_key_policy;
  const session = remote === null || topic === null ? null : await remote.session(topic);
  const account = await remoteAccount({ session, clock, chainId: order.chainId, signal: talk.signal });
  const signer = remoteSigner(account);
  return { ok: true, value: { signer, keyPlace: 'remote', byPath: true, swaps: true, told: null, leave() {} } };
}

async function ofDevice(parts: WalletParts, asked: Asked): Promise<Choice> {
  const { device, random } = parts;
  const { order, talk } = asked;
  if (device === null) return refused('Internal', 'Hardware wallet is not initalised');
  // A user who enters a PIN must not learn afterwards that no node answers.
  const adapter = await evmAdapter();
  const urls = order.request.nodes.map(({ url }) => url);
  const reached = await reachNodes({ urls, chainId: order.chainId, adapter, random, signal: talk.signal });
  for (const node of reached) node.close();
  const leave = device.hold();
  const signerAt = (_: string, key: Uint8Array) => deviceSigner(key);
  try {
    const choice = await ofMany({ ...parts, keys: device, signerAt }, { ...asked, keyPlace: 'device' });
    if (!choice.ok) leave();
    return choice.ok ? { ok: true, value: { ...choice.value, leave } } : choice;
  } catch (error) {
    leave();
    throw error;
  }
}

type OfMany = Asked & { readonly keyPlace: 'here' | 'device' };

async function ofMany(options: Parameters<typeof openWallet>[0], { order, talk, keyPlace }: OfMany): Promise<Choice> {
  const path = accountOrder(order.request, order.entry);
  if (!path.ok) return path;
  if (order.request.nft_req !== undefined) {
    return refused('UnexpectedDerivationMethod', "Expected 'SingleAddress' derivation method");
  }
  const { signer, told } = await openWallet(options, { order, talk, path: path.value });
  return { ok: true, value: { signer, keyPlace, byPath: true, swaps: keyPlace === 'here', told, leave() {} } };
}

function refused(type: EvmActivationFault['type'], data: string): Choice {
  return { ok: false, fault: { type, data } };
}
