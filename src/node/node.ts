import { KDF_NETWORK, type NetworkProfile } from '../htlc/network-profile.ts';
import type { Clock } from '../ports/clock.ts';
import type { WalletSigner } from '../ports/signer.ts';
import type { JsonObject } from '../primitives/json.ts';
import type { Seconds } from '../primitives/time.ts';
import { type ActivationOrder, enableCoin } from './activate-legacy.ts';
import type { ActiveCoin } from './active-coin.ts';
import { CoinTable } from './coin-table.ts';
import type { CoinsFile } from './coins-file.ts';

/** Whose defaults hold where the specification and the real node differ. */
export type Compatibility = 'specification' | 'kdf';

export type NodeOptions = {
  readonly coins: CoinsFile;
  readonly signer: WalletSigner;
  readonly clock: Clock;
  /** @defaultValue the network of KDF */
  readonly network?: NetworkProfile;
  /** @defaultValue 'specification' */
  readonly compatibility?: Compatibility;
  /** Depth from which a spend counts as final. @defaultValue 3 */
  readonly finality?: number;
  /** Between two looks for news of a chain. @defaultValue 10 */
  readonly poll?: Seconds;
};

/** A trading node: its coins. */
export interface TradingNode {
  readonly compatibility: Compatibility;
  readonly coins: CoinTable;
  /** Activates a coin over its own daemon by a legacy request (specification §4.5). @throws ActivationFailure */
  enable(request: JsonObject): Promise<ActiveCoin>;
  /** The same over Electrum servers (specification §4.4). @throws ActivationFailure */
  electrum(request: JsonObject): Promise<ActiveCoin>;
  /** Takes a coin out; undefined when it is not active. */
  disable(ticker: string): ActiveCoin | undefined;
  /** Lets go of all coins. */
  close(): void;
}

/** Confirmations of a payment where neither request nor coins file says (specification §4.4; the real node has 1). */
const USUAL_CONFIRMATIONS: Readonly<Record<Compatibility, number>> = { specification: 3, kdf: 1 };
const FINALITY = 3;
const POLL = 10;

export function createNode(options: NodeOptions): TradingNode {
  const { coins, signer, clock, network = KDF_NETWORK, compatibility = 'specification' } = options;
  const table = new CoinTable();
  const terms = { signer, clock, network, finality: options.finality ?? FINALITY, poll: options.poll ?? POLL };
  const order: Omit<ActivationOrder, 'request' | 'method'> = {
    coins,
    table,
    terms,
    usualConfirmations: USUAL_CONFIRMATIONS[compatibility],
  };
  const disable = (ticker: string): ActiveCoin | undefined => {
    const coin = table.remove(ticker);
    coin?.close();
    return coin;
  };
  return {
    compatibility,
    coins: table,
    enable: (request) => enableCoin({ ...order, request, method: 'enable' }),
    electrum: (request) => enableCoin({ ...order, request, method: 'electrum' }),
    disable,
    close() {
      for (const { ticker } of table.active()) disable(ticker);
    },
  };
}
