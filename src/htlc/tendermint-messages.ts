import { concatBytes } from './byte-writer.ts';
import { bytesField, messageField, numberField, protoReader, readingProto, textField } from './protobuf.ts';

/** The HTLC modules, by the names of their packages. */
export type HtlcModule = 'irismod' | 'nucleus';

/**
 * The module of chains whose addresses have this prefix; undefined where no swap is possible.
 *
 * @example
 * ```ts
 * import { htlcModuleOf } from 'swapfold/htlc';
 *
 * htlcModuleOf('iaa'); // → 'irismod'
 * htlcModuleOf('cosmos'); // → undefined
 * ```
 */
export function htlcModuleOf(prefix: string): HtlcModule | undefined {
  if (prefix === 'iaa') return 'irismod';
  return prefix === 'nuc' ? 'nucleus' : undefined;
}

/** An amount in base units with its denomination, such as `uiris` or `ibc/` and a hash. */
export type ModuleCoin = { readonly denom: string; readonly amount: bigint };

/** A payment under a lock. Addresses as the chain writes them. */
export type CreateHtlc = {
  readonly kind: 'create';
  readonly module: HtlcModule;
  readonly sender: string;
  readonly to: string;
  readonly coins: readonly ModuleCoin[];
  /** Hash of the secret in hex: SHA-256 where `timestamp` is 0. */
  readonly hashLock: string;
  readonly timestamp: bigint;
  /** In blocks. */
  readonly timeLock: bigint;
  /** Whether it is a transfer between chains, whose rules are others, or names anyone on another chain. */
  readonly isTransfer: boolean;
};

export type ClaimHtlc = {
  readonly kind: 'claim';
  readonly module: HtlcModule;
  /** Whoever claims; the receiver of the payment gets it in any case. */
  readonly sender: string;
  readonly id: string;
  /** In hex. */
  readonly secret: string;
};

export type BankSend = {
  readonly kind: 'send';
  readonly from: string;
  readonly to: string;
  readonly coins: readonly ModuleCoin[];
};

/** A message that is of no interest here, or whose bytes cannot be read. */
export type OtherMessage = { readonly kind: 'other'; readonly typeUrl: string; readonly value: Uint8Array };

export type TendermintMessage = CreateHtlc | ClaimHtlc | BankSend | OtherMessage;

const SEND = '/cosmos.bank.v1beta1.MsgSend';
const MODULES = ['irismod', 'nucleus'] as const satisfies readonly HtlcModule[];

function createUrl(module: HtlcModule): string {
  return `/${module}.htlc.MsgCreateHTLC`;
}

function claimUrl(module: HtlcModule): string {
  return `/${module}.htlc.MsgClaimHTLC`;
}

/**
 * How an amount is spelt in the id of a payment: `2400000uiris`, several joined by commas.
 *
 * @example
 * ```ts
 * import { coinsText } from 'swapfold/htlc';
 *
 * const coins = [{ denom: 'uiris', amount: 2_400_000n }, { denom: 'uusd', amount: 7n }];
 * coinsText(coins); // → '2400000uiris,7uusd'
 * ```
 */
export function coinsText(coins: readonly ModuleCoin[]): string {
  return coins.map(({ amount, denom }) => `${amount}${denom}`).join(',');
}

export function encodeCoin({ denom, amount }: ModuleCoin): Uint8Array {
  return concatBytes([textField(1, denom), textField(2, String(amount))]);
}

const AMOUNT = /^(?:0|[1-9][0-9]{0,77})$/;

/** Undefined for bytes that are no coin. */
export function decodeCoin(bytes: Uint8Array): ModuleCoin | undefined {
  const read = readingProto(() => {
    const reader = protoReader(bytes);
    return { denom: reader.text(1), amount: reader.text(2) };
  });
  if (read === undefined || read.denom === '' || !AMOUNT.test(read.amount)) return undefined;
  return { denom: read.denom, amount: BigInt(read.amount) };
}

/** Coins of a message; undefined where one of them cannot be read. */
export function decodeCoins(all: readonly Uint8Array[]): readonly ModuleCoin[] | undefined {
  const coins = all.map(decodeCoin);
  return coins.every((coin) => coin !== undefined) ? coins : undefined;
}

function coinFields(field: number, coins: readonly ModuleCoin[]): readonly Uint8Array[] {
  return coins.map((coin) => messageField(field, encodeCoin(coin)));
}

/**
 * A message with its type, as it stands in the body of a transaction. Nothing is paid by a transfer, so that none is written.
 *
 * @example
 * ```ts
 * import { bytesToHex, encodeTendermintMessage } from 'swapfold/htlc';
 *
 * const coins = [{ denom: 'uiris', amount: 7n }];
 * const bytes = encodeTendermintMessage({ kind: 'send', from: 'a', to: 'b', coins });
 * new TextDecoder().decode(bytes.subarray(2, 30)); // → '/cosmos.bank.v1beta1.MsgSend'
 * bytesToHex(bytes.subarray(30)); // → '12120a01611201621a0a0a057569726973120137'
 * ```
 */
export function encodeTendermintMessage(message: TendermintMessage): Uint8Array {
  const [typeUrl, value] = contentOf(message);
  return concatBytes([textField(1, typeUrl), bytesField(2, value)]);
}

function contentOf(message: TendermintMessage): readonly [typeUrl: string, value: Uint8Array] {
  switch (message.kind) {
    case 'create':
      return [createUrl(message.module), concatBytes(createFields(message))];
    case 'claim': {
      const { module, sender, id, secret } = message;
      return [claimUrl(module), concatBytes([textField(1, sender), textField(2, id), textField(3, secret)])];
    }
    case 'send': {
      const { from, to, coins } = message;
      return [SEND, concatBytes([textField(1, from), textField(2, to), ...coinFields(3, coins)])];
    }
    case 'other':
      return [message.typeUrl, message.value];
    default:
      return message satisfies never;
  }
}

function createFields({ module, sender, to, coins, hashLock, timestamp, timeLock }: CreateHtlc): readonly Uint8Array[] {
  // Of irismod's module two fields stand between that are empty: who is meant on another chain.
  const first = module === 'irismod' ? 5 : 3;
  return [
    ...[textField(1, sender), textField(2, to), ...coinFields(first, coins)],
    ...[textField(first + 1, hashLock), numberField(first + 2, timestamp), numberField(first + 3, timeLock)],
  ];
}

/**
 * A message of a body; undefined for bytes that are none with a type. What is of another type, or cannot be read, is `other`.
 *
 * @example
 * ```ts
 * import { type ClaimHtlc, decodeTendermintMessage, encodeTendermintMessage } from 'swapfold/htlc';
 *
 * const [sender, id] = ['iaa1w508d6qejxtdg4y5r3zarvary0c5xw7k0lhtdf', 'AB'.repeat(32)];
 * const shown = { id, secret: '5e'.repeat(32) };
 * const claim: ClaimHtlc = { kind: 'claim', module: 'irismod', sender, ...shown };
 * decodeTendermintMessage(encodeTendermintMessage(claim)); // → claim
 * decodeTendermintMessage(Uint8Array.of(0xff)); // → undefined
 * ```
 */
export function decodeTendermintMessage(bytes: Uint8Array): TendermintMessage | undefined {
  return readingProto(() => {
    const reader = protoReader(bytes);
    const typeUrl = reader.text(1);
    const value = reader.bytes(2);
    return known(typeUrl, value) ?? { kind: 'other', typeUrl, value };
  });
}

function known(typeUrl: string, value: Uint8Array): TendermintMessage | undefined {
  if (typeUrl === SEND) return readingProto(() => decodeSend(value));
  for (const module of MODULES) {
    if (typeUrl === createUrl(module)) return readingProto(() => decodeCreate(module, value));
    if (typeUrl === claimUrl(module))
      return readingProto(() => {
        const reader = protoReader(value);
        return { kind: 'claim', module, sender: reader.text(1), id: reader.text(2), secret: reader.text(3) };
      });
  }
  return undefined;
}

function decodeSend(value: Uint8Array): BankSend | undefined {
  const reader = protoReader(value);
  const coins = decodeCoins(reader.all(3));
  return coins === undefined ? undefined : { kind: 'send', from: reader.text(1), to: reader.text(2), coins };
}

function decodeCreate(module: HtlcModule, value: Uint8Array): CreateHtlc | undefined {
  const reader = protoReader(value);
  const first = module === 'irismod' ? 5 : 3;
  const coins = decodeCoins(reader.all(first));
  if (coins === undefined) return undefined;
  return {
    ...{ kind: 'create', module, sender: reader.text(1), to: reader.text(2), coins },
    ...{ hashLock: reader.text(first + 1), timestamp: reader.number(first + 2), timeLock: reader.number(first + 3) },
    isTransfer: module === 'irismod' && (reader.number(9) !== 0n || reader.text(3) !== '' || reader.text(4) !== ''),
  };
}
