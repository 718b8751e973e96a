import { faultOf } from '../../../hardware/trezor/faults.ts';
import type { EvmActivationTalk } from '../../../ports/evm-activator.ts';
import type { HardwareWallet } from '../../../ports/hardware-wallet.ts';
import { CoinQueues } from '../../coin-queues.ts';
import { DeviceFailure, withDevice } from './device-session.ts';

/** Whose accounts they are, and the one that is asked for where it is not known yet. */
export type KnownAccount = {
  /** By which the wallet is known: HASH160 of a key of it, 40 hex digits. */
  readonly wallet: string;
  /** The extended public key at the path, where it was read. */
  readonly xpub: string | null;
};

export type AccountAsked = {
  readonly path: string;
  /** Whether the accounts of a wallet have this one already. */
  readonly isKnown: (wallet: string) => Promise<boolean>;
  readonly talk: EvmActivationTalk;
};

/** Where the public keys of accounts come from. */
export type AccountKeys = {
  /** @throws DeviceFailure; what `talk` throws */
  readonly account: (asked: AccountAsked) => Promise<KnownAccount>;
};

/** Keys of the node's own words. */
export function ownKeys(wallet: string, xpubAt: (path: string) => string): AccountKeys {
  return {
    account: async ({ path, isKnown }) => ({ wallet, xpub: (await isKnown(wallet)) ? null : xpubAt(path) }),
  };
}

export type DeviceKeysOptions = {
  readonly device: HardwareWallet;
  /** Only this device under this passphrase will do. @defaultValue whatever is plugged in first */
  readonly key?: string | undefined;
  /** How long a device is waited for that is not there, in milliseconds. */
  readonly waitMs: number;
};

/**
 * Keys of a hardware wallet. Which one it is stays known while anyone holds it: meanwhile it is needed for accounts alone that the log does not have,
 * and no other one will do.
 */
export class DeviceKeys implements AccountKeys {
  readonly #options: DeviceKeysOptions;
  #key: string | null;
  #holders = 0;
  readonly #turns = new CoinQueues();

  constructor(options: DeviceKeysOptions) {
    this.#options = options;
    this.#key = options.key ?? null;
  }

  /** A device has one session at a time, and which one it is shows in the first one: whoever needs it meanwhile waits. */
  async account(asked: AccountAsked): Promise<KnownAccount> {
    const key = this.#key;
    if (key !== null && (await asked.isKnown(key))) return { wallet: key, xpub: null };
    const leave = await this.#turns.enter('device', asked.talk.signal);
    if (leave === null) throw new DeviceFailure(faultOf('cancelled'));
    try {
      return await this.#read(asked);
    } finally {
      leave();
    }
  }

  #read({ path, isKnown, talk }: AccountAsked): Promise<KnownAccount> {
    const { device, waitMs } = this.#options;
    return withDevice({ device, talk, key: this.#key, waitMs }, async (session) => {
      const xpub = (await isKnown(session.key)) ? null : await session.xpubAt(path);
      this.#key = session.key;
      return { wallet: session.key, xpub };
    });
  }

  /**
   * A coin that uses it, or is about to, holds it, and calls the returned function once. When nobody holds it any more, another device or passphrase
   * may come next, unless a certain one is configured.
   */
  hold(): () => void {
    this.#holders += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#holders -= 1;
      if (this.#holders === 0) this.#key = this.#options.key ?? null;
    };
  }
}
