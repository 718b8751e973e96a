import type { HDKey } from '@scure/bip32';
import { FAILURE, MESSAGE, MOST_PASSPHRASE_BYTES } from '../trezor/message-types.ts';
import { messageWriter, readFields, textOf } from '../trezor/protobuf.ts';
import { digitsAt, shuffledGrid } from './pin-pad.ts';
import { type DeviceScreen, type DeviceSettings, Refusal } from './settings.ts';
import type { Talk } from './talk.ts';
import type { Vault } from './vault.ts';

/** The part of the device that its user touches: the screen, the buttons, PIN and passphrase. */
export type Front = {
  readonly screen: () => DeviceScreen;
  readonly show: (screen: DeviceScreen) => void;
  readonly press: (choice: 'confirm' | 'deny') => void;
  /** Asks for the PIN if the device is locked. */
  readonly unlock: () => Promise<void>;
  /** The passphrase of the session; empty if the device uses none. */
  readonly passphrase: () => Promise<string>;
  /** @throws Refusal when the user denies. `code` tells the host what is shown. */
  readonly confirm: (code: number, lines: readonly string[]) => Promise<void>;
};

export const HOME: DeviceScreen = { kind: 'home' };
export const EMPTY = new Uint8Array(0);

export type FrontParts = { readonly settings: DeviceSettings; readonly talk: Talk; readonly vault: Vault };

export function createFront({ settings, talk, vault }: FrontParts): Front {
  const { random, buttons = 'confirm' } = settings;
  let screen = HOME;
  let pressed: ((choice: 'confirm' | 'deny') => void) | undefined;
  const show = (shown: DeviceScreen): void => {
    screen = shown;
    pressed = undefined;
    settings.onScreen?.(shown);
  };
  return {
    show,
    screen: () => screen,
    press: (choice) => pressed?.(choice),
    async unlock() {
      if (!vault.locked()) return;
      const grid = shuffledGrid(random);
      show({ kind: 'pin', grid });
      const payload = messageWriter().number(1, 1).done();
      const answer = await talk.ask({ type: MESSAGE.pinMatrixRequest, payload }, MESSAGE.pinMatrixAck);
      vault.unlock(digitsAt(textOf(readFields(answer), 1) ?? '', grid));
    },
    async passphrase() {
      if (settings.passphrase !== true) return '';
      show({ kind: 'passphrase' });
      const answer = await talk.ask({ type: MESSAGE.passphraseRequest, payload: EMPTY }, MESSAGE.passphraseAck);
      const text = textOf(readFields(answer), 1) ?? '';
      const { length } = new TextEncoder().encode(text);
      if (length > MOST_PASSPHRASE_BYTES) throw new Refusal(FAILURE.dataError, 'Passphrase too long');
      return text;
    },
    async confirm(code, lines) {
      show({ kind: 'confirm', lines });
      const payload = messageWriter().number(1, code).done();
      const choice = new Promise<'confirm' | 'deny'>((resolve) => {
        pressed = resolve;
      });
      await talk.ask({ type: MESSAGE.buttonRequest, payload }, MESSAGE.buttonAck);
      if (buttons !== 'wait') pressed?.(buttons);
      if ((await talk.unless(choice)) === 'deny')
        throw new Refusal(FAILURE.actionCancelled, 'Action cancelled by user');
    },
  };
}

/** The session of a host with the device: its wallet is opened once, PIN first, then passphrase. */
export type WalletSession = {
  readonly id: () => Uint8Array;
  /** @throws Refusal for a wrong PIN, and if the device has no seed. */
  readonly wallet: () => Promise<HDKey>;
  readonly renew: () => void;
};

export function createWalletSession({ settings, vault, front }: FrontParts & { readonly front: Front }): WalletSession {
  const fresh = () => ({ id: settings.random.bytes(32), root: undefined as HDKey | undefined });
  let session = fresh();
  return {
    id: () => session.id,
    renew() {
      session = fresh();
    },
    async wallet() {
      if (!vault.initialized()) throw new Refusal(FAILURE.notInitialized, 'Device not initialized');
      await front.unlock();
      session.root ??= vault.root(await front.passphrase());
      return session.root;
    },
  };
}
