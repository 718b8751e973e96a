import type { Secret } from '../primitives/secret.ts';

/**
 * Why a device did not do what it was asked. The adapter classifies; no code above it reads the text.
 *
 * - `noDevice`: none is there, or it did not answer in the time given.
 * - `wrongDevice`: another device is there, or the same one under another passphrase.
 * - `pinInvalid`: the device did not take the PIN. Each try makes it wait longer, and after some 16 it wipes itself.
 * - `cancelled`: its user, or the caller, said no.
 * - `unplugged`: the session is over: the device went away, or its session was closed or lost before.
 * - `timeout`: it is silent. What it was asked may be done all the same, so the session is over.
 * - `busy`: it does something else, or the session has a request in progress.
 * - `unexpectedMessage`: it answered what does not belong here, or says so of us.
 * - `garbled`: what it sent is no message. The session is over.
 * - `notInitialized`: it holds no seed.
 * - `refused`: it refused by a rule of its own; {@link DeviceFault.failureCode} tells which.
 * - `signatureInvalid`: it signed something else, or with another key. Nothing of it is handed out.
 * - `unsupported`: the request itself cannot be put to such a device. Nothing was sent.
 */
export type DeviceFaultKind =
  | 'noDevice'
  | 'wrongDevice'
  | 'pinInvalid'
  | 'cancelled'
  | 'unplugged'
  | 'timeout'
  | 'busy'
  | 'unexpectedMessage'
  | 'garbled'
  | 'notInitialized'
  | 'refused'
  | 'signatureInvalid'
  | 'unsupported';

export type DeviceFault = {
  readonly kind: DeviceFaultKind;
  /** A text of the adapter's own. Texts of the device are omitted: they may repeat what its user entered. */
  readonly message: string;
  /** Number of the refusal in the device's protocol, where it named one. */
  readonly failureCode?: number;
};

/**
 * Where a request stands: done, failed, or waiting for the user. A question is answered once, by one of its functions, and the answer
 * gives the next step. Nothing else can be asked of the session before.
 */
export type DeviceStep<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly fault: DeviceFault }
  | PinQuestion<T>
  | PassphraseQuestion<T>
  | ButtonQuestion<T>;

type Cancellable<T> = {
  /**
   * Settles when the session has ended by itself while the question waits, as by a cable that was pulled: no answer reaches the device any more, and `cancel` gives
   * the fault. A transport that tells of it does so at once; over UDP, which has no state of its own, the device is looked for every second.
   */
  readonly over: Promise<void>;
  /** Tells the device to stop. What it has done already wins: then the step is `done`. */
  readonly cancel: () => Promise<DeviceStep<T>>;
};

/** The device shows digits in a grid of three by three, in an order that changes each time. */
export type PinQuestion<T> = Cancellable<T> & {
  readonly kind: 'pin';
  /** The places of the digits in the grid as on a number pad: 7 is the upper left, 3 the lower right. 1 to 50 of them. */
  readonly enter: (places: Secret<string>) => Promise<DeviceStep<T>>;
};

/** The device wants the passphrase that names one of its hidden wallets. */
export type PassphraseQuestion<T> = Cancellable<T> & {
  readonly kind: 'passphrase';
  /** At most 50 bytes of UTF-8 in the normal form NFKD, into which it is brought; the empty one is the wallet that is not hidden. */
  readonly enter: (passphrase: Secret<string>) => Promise<DeviceStep<T>>;
};

/** The device shows something that its user confirms or denies there. */
export type ButtonQuestion<T> = Cancellable<T> & {
  readonly kind: 'button';
  /** Lets the user follow the device. It ends when a button was pressed, or when {@link DeviceSession.cancel} is called meanwhile. */
  readonly proceed: () => Promise<DeviceStep<T>>;
};

export type ConnectOptions = {
  /** Only this device under this passphrase will do: its {@link DeviceInfo.key}. @defaultValue any */
  readonly key?: string;
  /** How long to look for a device, in milliseconds; it is looked for every second. @defaultValue 0, one look */
  readonly waitMs?: number;
  /** Ends the looking, and the session in the making with its questions; not the session that came about. @defaultValue nothing does */
  readonly signal?: AbortSignal;
};

/**
 * A hardware wallet of one maker, where it may be plugged in.
 *
 * - R1: one session at a time, and in it one request at a time. Another one is `busy`, and disturbs nothing.
 * - R2: every step ends, whatever the device sends or does not send; after `unplugged`, `timeout`, `garbled` and `unexpectedMessage`
 *   nothing more is sent in that session.
 * - R3: what a user enters goes to the device alone: no fault, no log and no printed value holds it.
 * - R4: `connect` ends in a session only with a device whose key was read, and is the wanted one.
 * - R5: a signature is handed out only if it is the wanted account's, of exactly the wanted transaction.
 */
export interface HardwareWallet {
  /** Finds the device, starts a session on it and reads its key. The device may ask for PIN and passphrase on the way. */
  connect(options?: ConnectOptions): Promise<DeviceStep<DeviceSession>>;
}

export type DeviceInfo = {
  /** The device's own id; it changes when the device is wiped. Null where it tells none. */
  readonly id: string | null;
  readonly label: string | null;
  readonly model: string | null;
  /**
   * What other sessions know the device and its passphrase by: the HASH160 of its public key at `m/44'/141'/2147483647/0/0`, 40 hex digits
   * (`device_pubkey` of the trading framework).
   */
  readonly key: string;
};

/** Of `publicKey`: for an account of an EVM chain, or for a coin of outputs by the name that the device knows it by (`trezor_coin`). */
export type PublicKeyRequest = { readonly path: string; readonly coin?: string };

export type DevicePublicKey = {
  /** Extended public key of BIP 32 in base58, with the version bytes of Bitcoin. */
  readonly xpub: string;
};

/** `show` lets the user compare it on the device. @defaultValue false */
export type AddressRequest = { readonly path: string; readonly show?: boolean };

/** A session on a device. It spans the questions of its requests. Paths are like `m/44'/60'/0'/0/3`. */
export interface DeviceSession {
  readonly device: DeviceInfo;
  /** Whether the device is still there and answers. */
  ping(): Promise<DeviceStep<void>>;
  publicKey(request: PublicKeyRequest): Promise<DeviceStep<DevicePublicKey>>;
  /** The EVM address at a path, in the mixed case of EIP-55. */
  address(request: AddressRequest): Promise<DeviceStep<string>>;
  signTransaction(request: SignRequest): Promise<DeviceStep<SignedByDevice>>;
  /** Cancels what is in progress, also while the user is to press a button. Without effect where nothing is. */
  cancel(): Promise<void>;
  /** Cancels what is in progress, lets the device forget the passphrase, and frees it for the next session. */
  close(): Promise<void>;
}

export type SignRequest = {
  readonly path: string;
  /** The account at the path, 0x and 40 hex digits: whoever else signed, signed nothing. */
  readonly from: string;
  readonly transaction: DeviceTransaction;
};

/** An EVM transaction without access list. Amounts in wei, gas in units. */
export type DeviceTransaction = {
  readonly chainId: number;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** 0x and 40 hex digits; null creates a contract. */
  readonly to: string | null;
  readonly value: bigint;
  /** At most 16,000,000 bytes. */
  readonly data: Uint8Array;
  readonly fee: DeviceFee;
};

/** What a unit of gas may cost: by EIP-155 (legacy), or by EIP-1559. */
export type DeviceFee =
  | { readonly kind: 'legacy'; readonly gasPrice: bigint }
  | { readonly kind: 'eip1559'; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

export type SignedByDevice = {
  /** The whole transaction with its signature, as nodes take it. */
  readonly raw: Uint8Array;
  /** Its id, 64 hex digits without 0x. */
  readonly hash: string;
};
