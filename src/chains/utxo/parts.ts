import type { NetworkProfile } from '../../htlc/network-profile.ts';
import type { HtlcTerms } from '../../htlc/script.ts';
import type { PaymentTerms } from '../../ports/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import type { WalletSigner } from '../../ports/signer.ts';
import { type DecimalText, fromBaseUnits } from '../../primitives/decimal.ts';
import { hexToBytes } from '../../primitives/hex.ts';
import type { UtxoCoin } from './coin.ts';
import type { Purse } from './purse.ts';
import type { UtxoReader } from './reader.ts';

/** What the files of this adapter share. */
export type Parts = {
  readonly coin: UtxoCoin;
  readonly reader: UtxoReader;
  readonly purse: Purse;
  readonly signer: WalletSigner;
  readonly network: NetworkProfile;
  readonly clock: Clock;
  /** No block below this height is of any interest. */
  readonly birth: number;
};

/** The terms of a payment as the script has them. */
export function scriptTerms({ lock, secretHash, sender, receiver }: PaymentTerms): HtlcTerms {
  return {
    lockTime: lock,
    secretHash: hexToBytes(secretHash),
    senderKey: hexToBytes(sender),
    receiverKey: hexToBytes(receiver),
  };
}

export function coinsText({ coin }: Pick<Parts, 'coin'>, units: bigint): DecimalText {
  return fromBaseUnits(units, coin.decimals);
}
