import { hexToBytes, isHex } from '../primitives/hex.ts';

/** Keys of one party as its events store them, each as hex of 33 bytes. */
export type StoredPartyKeys = {
  /** `my_persistent_pub` of Started for the own side, `maker_pubkey` or `taker_pubkey` of Negotiated for the other party. */
  readonly persistent?: string | null | undefined;
  /** `maker_coin_htlc_pubkey` of the same event. */
  readonly makerCoin?: string | null | undefined;
  /** `taker_coin_htlc_pubkey` of the same event. */
  readonly takerCoin?: string | null | undefined;
};

/** Sender and receiver, by compressed public key; undefined if a log does not contain them. */
export type PaymentKeys = {
  readonly senderKey: Uint8Array | undefined;
  readonly receiverKey: Uint8Array | undefined;
};

export type HtlcKeys = { readonly makerPayment: PaymentKeys; readonly takerPayment: PaymentKeys };

/**
 * The keys of both payments. A party's key for a coin is its key for that coin's hash time locks if it has one, else its persistent key. A key of 33
 * zero bytes counts as absent: KDF has written these into Negotiated since 2022.
 *
 * @example
 * ```ts
 * import { hexToBytes, htlcKeys } from 'swapfold/htlc';
 *
 * const maker = { persistent: '00'.repeat(33), makerCoin: `02${'11'.repeat(32)}` };
 * const taker = { persistent: `03${'22'.repeat(32)}` };
 * const { makerPayment, takerPayment } = htlcKeys({ maker, taker });
 * makerPayment.senderKey; // → hexToBytes(maker.makerCoin)
 * makerPayment.receiverKey; // → hexToBytes(taker.persistent)
 * takerPayment.receiverKey; // → undefined
 * ```
 */
export function htlcKeys(parties: { readonly maker: StoredPartyKeys; readonly taker: StoredPartyKeys }): HtlcKeys {
  const { maker, taker } = parties;
  return {
    makerPayment: {
      senderKey: firstKey(maker.makerCoin, maker.persistent),
      receiverKey: firstKey(taker.makerCoin, taker.persistent),
    },
    takerPayment: {
      senderKey: firstKey(taker.takerCoin, taker.persistent),
      receiverKey: firstKey(maker.takerCoin, maker.persistent),
    },
  };
}

/**
 * A stored key as bytes; undefined when it is missing, zero-filled, or not hex of 33 bytes.
 *
 * @example
 * ```ts
 * import { storedKey } from 'swapfold/htlc';
 *
 * storedKey(`02${'11'.repeat(32)}`)?.length; // → 33
 * storedKey('00'.repeat(33)); // → undefined
 * ```
 */
export function storedKey(hex: string | null | undefined): Uint8Array | undefined {
  if (hex === null || hex === undefined || hex.length !== 66 || !isHex(hex)) return undefined;
  const key = hexToBytes(hex);
  return key.every((byte) => byte === 0) ? undefined : key;
}

function firstKey(coinKey: string | null | undefined, persistent: string | null | undefined): Uint8Array | undefined {
  return storedKey(coinKey) ?? storedKey(persistent);
}
