import { NodeRefusal } from '../../../src/chains/accounts/node.ts';
import { TendermintAccount } from '../../../src/chains/tendermint/account.ts';
import { createTendermintChain, type TendermintChain } from '../../../src/chains/tendermint/adapter.ts';
import type { TendermintCoin, TendermintNetwork } from '../../../src/chains/tendermint/coin.ts';
import type { TendermintNode } from '../../../src/chains/tendermint/node.ts';
import { createTendermintNodeReader, type TendermintNodeReader } from '../../../src/chains/tendermint/node-reader.ts';
import type { TendermintReader } from '../../../src/chains/tendermint/reader.ts';
import { tendermintAccount, tendermintAddress } from '../../../src/htlc/tendermint-address.ts';
import type { HtlcModule } from '../../../src/htlc/tendermint-messages.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import type { UnixSeconds } from '../../../src/primitives/time.ts';
import { type CometChain, createCometChain } from '../../../src/testing/cometbft/chain.ts';
import { type CometNode, CometRefusal, createCometNode, type NodeConduct } from '../../../src/testing/cometbft/node.ts';
import { balanceOf } from '../../../src/testing/cometbft/state.ts';
import { signerOf } from '../litecoin/chain.ts';

export const BLOCK_TIME = 5;
export const GENESIS = 1_700_000_000;
/** Base units of the coin that pays fees, of which a coin has a million. */
export const UNIT = 1_000_000n;

export type ChainKind = {
  readonly module: HtlcModule;
  readonly chainId: string;
  readonly denom: string;
  readonly ticker: string;
};

export const IRIS: ChainKind = { module: 'irismod', chainId: 'nyancat-9', denom: 'unyan', ticker: 'NYAN' };
export const NUCLEUS: ChainKind = { module: 'nucleus', chainId: 'nucleus-3', denom: 'unucl', ticker: 'NUCL' };

/** An asset of another chain, with fewer digits than the coin that pays its fees. */
export const ASSET: Pick<TendermintCoin, 'coin' | 'decimals' | 'denom'> = {
  ...{ coin: 'ATOM-IBC', decimals: 4 },
  denom: 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2',
};

export type WalletOptions = {
  readonly reader?: TendermintReader;
  readonly account?: TendermintAccount;
  readonly coin?: Partial<TendermintCoin>;
  readonly network?: Partial<TendermintNetwork>;
  readonly poll?: number;
};

/** A chain whose blocks and time a test decides, and wallets on it. */
export class TendermintTestChain {
  /** Counts what is under way. */
  busy = 0;
  /** What every call to a node waits for. */
  before: () => Promise<void> = async () => undefined;
  readonly kind: ChainKind;
  readonly chain: CometChain;

  constructor(kind: ChainKind) {
    this.kind = kind;
    const prefix = kind.module === 'irismod' ? 'iaa' : 'nuc';
    this.chain = createCometChain({
      ...{ chainId: kind.chainId, prefix, module: kind.module, feeDenom: kind.denom, gasPrice: '0.2' as DecimalText },
      ...{ startHeight: 3000, startTime: GENESIS as UnixSeconds, blockTime: BLOCK_TIME },
    });
  }

  get now(): UnixSeconds {
    return this.chain.tip().time;
  }

  get height(): number {
    return this.chain.tip().height;
  }

  get network(): TendermintNetwork {
    const { module, chainId, denom, ticker } = this.kind;
    const fees = { denom, decimals: 6, coin: ticker };
    return { chainId, prefix: this.chain.rules.prefix, module, fees, gasPrice: '0.25' as DecimalText };
  }

  addressOf(name: string): string {
    return tendermintAddress(this.chain.rules.prefix, tendermintAccount(signerOf(name).key) ?? '');
  }

  give(name: string, amount: bigint, denom = this.kind.denom): void {
    this.chain.fund(this.addressOf(name), [{ denom, amount }]);
  }

  balance(name: string, denom = this.kind.denom): bigint {
    return balanceOf(this.chain.tip().state, this.addressOf(name), denom);
  }

  /** Blocks at the nominal pace until the chain's clock is past this moment. */
  passTime(until: number): void {
    while (this.now <= until) this.chain.mine();
  }

  /** The node as an adapter asks it. `before` is waited for at each call, and may refuse it. */
  node(
    conduct: NodeConduct = {},
    before: () => Promise<void> = async () => undefined,
  ): TendermintNode & { readonly own: CometNode } {
    const own = createCometNode(this.chain, conduct);
    return {
      own,
      name: 'a node',
      request: async (method, params) => {
        this.busy += 1;
        try {
          await this.before();
          await before();
          return JSON.parse(JSON.stringify(own.request(method, params))) as unknown;
        } catch (error) {
          throw error instanceof CometRefusal ? new NodeRefusal(error.code, `${error.message}: ${error.data}`) : error;
        } finally {
          this.busy -= 1;
        }
      },
    };
  }

  reader(conduct: NodeConduct = {}, before?: () => Promise<void>): TendermintNodeReader {
    const { chainId, module } = this.network;
    return createTendermintNodeReader(this.node(conduct, before), { chainId, module });
  }

  coin(changes: Partial<TendermintCoin> = {}): TendermintCoin {
    const { ticker, denom } = this.kind;
    return { coin: ticker, decimals: 6, denom, finality: 1, blockTime: BLOCK_TIME, ...changes };
  }

  account(name: string, { reader, network }: WalletOptions = {}): TendermintAccount {
    const own = { ...this.network, ...network };
    return new TendermintAccount({ reader: reader ?? this.reader(), signer: signerOf(name), network: own });
  }

  wallet(name: string, clock: Clock, options: WalletOptions = {}): TendermintChain {
    const account = options.account ?? this.account(name, options);
    return createTendermintChain({ coin: this.coin(options.coin), account, clock, poll: options.poll ?? 5 });
  }
}
