/**
 * An order that was not made, or not cancelled. It ends in an answer and is no fault of the program.
 *
 * @example
 * ```ts
 * import { millisOf, Secret } from 'swapfold';
 * import { bytesToHex } from 'swapfold/htlc';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { coinsOf, createNode, OrderRefusal, walletOfPassphrase } from 'swapfold/node';
 * import { createInProcessNetwork } from 'swapfold/peers/in-process';
 * import { createVirtualClock } from 'swapfold/testing';
 *
 * const clock = createVirtualClock(millisOf(1_764_000_000_000));
 * const signer = walletOfPassphrase(new Secret('a phrase that no one else knows'));
 * const peers = createInProcessNetwork().peer(bytesToHex(signer.coins.key.subarray(1)));
 * const coins = coinsOf([{ coin: 'KMD', protocol: { type: 'UTXO' } }], 'these coins');
 * const node = createNode({ coins, signer, log: createMemoryLog(), peers, clock });
 * const refusal: unknown = await node.orders.take('an offer').catch((error: unknown) => error);
 * refusal instanceof OrderRefusal && refusal.kind; // → 'offerInvalid'
 * await node.close();
 * ```
 */
export class OrderRefusal extends Error {
  readonly kind: OrderRefusalKind;

  constructor(kind: OrderRefusalKind, message: string) {
    super(message);
    this.name = 'OrderRefusal';
    this.kind = kind;
  }
}

export type OrderRefusalKind =
  | 'coinInactive'
  | 'termsInvalid'
  | 'balanceTooLow'
  | 'balanceUnknown'
  | 'beingMatched'
  | 'notFound'
  | 'offerInvalid'
  | 'offerExpired';
