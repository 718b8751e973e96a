import { concatBytes } from './byte-writer.ts';
import { messageField, numberField, protoReader, readingProto, textField } from './protobuf.ts';
import { decodeCoins, encodeCoin, type HtlcModule, type ModuleCoin } from './tendermint-messages.ts';

/** A payment as the HTLC module keeps it. */
export type StoredHtlc = {
  /** 64 hex digits, in the module's upper case. */
  readonly id: string;
  readonly sender: string;
  readonly to: string;
  readonly coins: readonly ModuleCoin[];
  readonly hashLock: string;
  /** In hex; empty until it is claimed. */
  readonly secret: string;
  readonly timestamp: bigint;
  /** The block at whose begin it comes back by itself. */
  readonly expirationHeight: bigint;
  readonly state: 'open' | 'completed' | 'refunded';
  /** The block in which it ended; 0 while it is open. */
  readonly closedBlock: bigint;
  /** Whether it is a transfer between chains. */
  readonly isTransfer: boolean;
};

const STATES = ['open', 'completed', 'refunded'] as const;

/**
 * Path of the query for a payment (`abci_query`).
 *
 * @example
 * ```ts
 * import { htlcQueryPath } from 'swapfold/htlc';
 *
 * htlcQueryPath('nucleus'); // → '/nucleus.htlc.Query/HTLC'
 * ```
 */
export function htlcQueryPath(module: HtlcModule): string {
  return `/${module}.htlc.Query/HTLC`;
}

/**
 * What is sent with the query for a payment: its id, in the upper case of the module.
 *
 * @example
 * ```ts
 * import { encodeHtlcQuery } from 'swapfold/htlc';
 *
 * const query = encodeHtlcQuery('AB'.repeat(32));
 * query.subarray(0, 2); // → Uint8Array.of(0x0a, 64)
 * new TextDecoder().decode(query.subarray(2)); // → 'AB'.repeat(32)
 * ```
 */
export function encodeHtlcQuery(id: string): Uint8Array {
  return textField(1, id);
}

/**
 * What the query answers with.
 *
 * @example
 * ```ts
 * import { decodeStoredHtlc, encodeStoredHtlc } from 'swapfold/htlc';
 *
 * const coins = [{ denom: 'unucl', amount: 7n }];
 * const answer = encodeStoredHtlc('nucleus', {
 *   ...{ id: 'AB'.repeat(32), sender: 'nuc1a', to: 'nuc1b', coins, hashLock: 'a1'.repeat(32) },
 *   ...{ secret: '5e'.repeat(32), timestamp: 0n, expirationHeight: 1660n },
 *   ...{ state: 'completed', closedBlock: 1600n, isTransfer: false },
 * });
 * answer[0]; // → 0x0a
 * decodeStoredHtlc('nucleus', answer)?.secret; // → '5e'.repeat(32)
 * ```
 */
export function encodeStoredHtlc(module: HtlcModule, stored: StoredHtlc): Uint8Array {
  const first = module === 'irismod' ? 6 : 4;
  const coins = stored.coins.map((coin) => messageField(first, encodeCoin(coin)));
  return messageField(
    1,
    concatBytes([
      ...[textField(1, stored.id), textField(2, stored.sender), textField(3, stored.to), ...coins],
      ...[textField(first + 1, stored.hashLock), textField(first + 2, stored.secret)],
      ...[numberField(first + 3, stored.timestamp), numberField(first + 4, stored.expirationHeight)],
      numberField(first + 5, BigInt(STATES.indexOf(stored.state))),
      numberField(first + 6, stored.closedBlock),
      numberField(first + 7, module === 'irismod' && stored.isTransfer ? 1n : 0n),
    ]),
  );
}

/**
 * A payment out of an answer to the query; undefined for bytes that are none.
 *
 * @example
 * ```ts
 * import { decodeStoredHtlc, encodeStoredHtlc, type StoredHtlc } from 'swapfold/htlc';
 *
 * const coins = [{ denom: 'uiris', amount: 7n }];
 * const stored: StoredHtlc = {
 *   ...{ id: 'AB'.repeat(32), sender: 'iaa1a', to: 'iaa1b', coins, hashLock: 'a1'.repeat(32) },
 *   ...{ secret: '', timestamp: 0n, expirationHeight: 1660n },
 *   ...{ state: 'open', closedBlock: 0n, isTransfer: false },
 * };
 * decodeStoredHtlc('irismod', encodeStoredHtlc('irismod', stored)); // → stored
 * decodeStoredHtlc('irismod', new Uint8Array(0)); // → undefined
 * ```
 */
export function decodeStoredHtlc(module: HtlcModule, bytes: Uint8Array): StoredHtlc | undefined {
  return readingProto(() => {
    const reader = protoReader(protoReader(bytes).bytes(1));
    const first = module === 'irismod' ? 6 : 4;
    const coins = decodeCoins(reader.all(first));
    const state = STATES[Number(reader.number(first + 5))];
    if (coins === undefined || state === undefined || reader.text(1) === '') return undefined;
    return {
      ...{ id: reader.text(1), sender: reader.text(2), to: reader.text(3), coins },
      ...{ hashLock: reader.text(first + 1), secret: reader.text(first + 2), timestamp: reader.number(first + 3) },
      ...{ expirationHeight: reader.number(first + 4), state, closedBlock: reader.number(first + 6) },
      isTransfer: module === 'irismod' && reader.number(first + 7) !== 0n,
    };
  });
}
