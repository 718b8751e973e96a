/** Why a coin was not activated. The caller words it: the real node's text is in the message where it has one. */
export type ActivationFailureKind =
  | 'coinMissing'
  | 'alreadyActive'
  /** Another request is activating it, and may yet fail. */
  | 'underWay'
  | 'mm2Missing'
  | 'protocolMissing'
  | 'protocolInvalid'
  | 'protocolUnsupported'
  | 'requestInvalid'
  | 'entryInvalid'
  | 'minConnectedZero'
  | 'minAboveMax'
  | 'daemonConf'
  | 'daemonUnreachable'
  | 'serversUnreachable'
  | 'nodesUnreachable'
  | 'nodesTooFew'
  | 'stationUnreachable'
  | 'packageMissing'
  | 'nodeStopping';

/**
 * An activation that came to nothing. It ends in an answer and is no fault of the program.
 *
 * @example
 * ```ts
 * import { millisOf, Secret } from 'swapfold';
 * import { bytesToHex } from 'swapfold/htlc';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { ActivationFailure, coinsOf, createNode, walletOfPassphrase } from 'swapfold/node';
 * import { createInProcessNetwork } from 'swapfold/peers/in-process';
 * import { createVirtualClock } from 'swapfold/testing';
 *
 * const clock = createVirtualClock(millisOf(1_764_000_000_000));
 * const signer = walletOfPassphrase(new Secret('a phrase that no one else knows'));
 * const peers = createInProcessNetwork().peer(bytesToHex(signer.coins.key.subarray(1)));
 * const coins = coinsOf([{ coin: 'KMD', protocol: { type: 'UTXO' } }], 'these coins');
 * const node = createNode({ coins, signer, log: createMemoryLog(), peers, clock });
 * const asked = node.enable({ coin: 'LTC' });
 * const failure: unknown = await asked.catch((error: unknown) => error);
 * failure instanceof ActivationFailure && failure.kind; // → 'mm2Missing'
 * await node.close();
 * ```
 */
export class ActivationFailure extends Error {
  readonly kind: ActivationFailureKind;

  constructor(kind: ActivationFailureKind, message: string) {
    super(message);
    this.name = 'ActivationFailure';
    this.kind = kind;
  }
}
