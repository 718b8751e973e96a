import type { Random } from '../../ports/clock.ts';
import type { Secret } from '../../primitives/secret.ts';
import type { PinGrid } from './pin-pad.ts';

/** What its user presses when the device asks: always the same, or what {@link DeviceCore.press} passes. */
export type Buttons = 'confirm' | 'deny' | 'wait';

export type DeviceSettings = {
  /** 12 to 24 English words of BIP 39: the seed of the device. */
  readonly words: Secret<string>;
  /** 1 to 50 digits from 1 to 9. @defaultValue the device asks for none */
  readonly pin?: Secret<string>;
  /** Whether the device asks for a passphrase in each session. @defaultValue false */
  readonly passphrase?: boolean;
  /** @defaultValue 'confirm' */
  readonly buttons?: Buttons;
  /** @defaultValue 'simulated device' */
  readonly label?: string;
  /** @defaultValue '1' */
  readonly model?: string;
  /** @defaultValue 24 hex digits of random */
  readonly id?: string;
  readonly random: Random;
  /** Called whenever the display changes. */
  readonly onScreen?: (screen: DeviceScreen) => void;
};

/** The display of the device. */
export type DeviceScreen =
  | { readonly kind: 'home' }
  | { readonly kind: 'pin'; readonly grid: PinGrid }
  | { readonly kind: 'passphrase' }
  | { readonly kind: 'confirm'; readonly lines: readonly string[] };

/** The device rejected a message; it answers with the code, and continues. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number, text: string) {
    super(text);
    this.code = code;
  }
}
