import { expect } from 'vitest';
import type { EvmCoin } from '../../../src/chains/evm/coin.ts';
import type { StoredTransaction } from '../../../src/events/payloads.ts';
import { contractSwapId, encodeSwapCall, NO_TOKEN } from '../../../src/htlc/evm-calls.ts';
import { encodeRewardCall, type Reward } from '../../../src/htlc/evm-reward-calls.ts';
import type { PaymentTerms } from '../../../src/ports/chain.ts';
import { toBaseUnits } from '../../../src/primitives/decimal.ts';
import { hexToBytes } from '../../../src/primitives/hex.ts';
import { addressOf } from './adapter-chain.ts';
import { compiled } from './compiled.ts';
import { tool } from './contract-world.ts';
import { FIRST, goodOf, SWAP, TwoWallets } from './two-wallets.ts';

const PRICE = { most: 100n * 10n ** 9n, tip: 2n * 10n ** 9n };
const GAS = 400_000n;

/** Swap contracts by who wrote them; all are there at once. */
export type Contracts = Readonly<Record<'ours' | 'other' | 'loose', string>>;
export type Call = { readonly to: string; readonly value?: bigint; readonly data: string };
type Acting = { readonly gas?: bigint; readonly mined?: boolean };
type Agreed = { readonly terms: PaymentTerms; readonly secret: string };

/** What a payment says where it differs from the terms. */
type Said = {
  readonly amount?: bigint;
  readonly receiver?: string;
  readonly lock?: bigint;
  readonly id?: string;
  readonly token?: string;
  readonly contract?: string;
  readonly reward?: Reward;
  /** Ether that comes along. @defaultValue as the contract wants it */
  readonly value?: bigint;
};

/** A sender that pays as it likes, by its own calls of contracts of its own choice, and a receiver that is a wallet of the package. */
export class HostileWorld {
  readonly two: TwoWallets;
  readonly contracts: Contracts;
  readonly sender = addressOf('sender');
  readonly receiver = addressOf('receiver');

  private constructor(two: TwoWallets, contracts: Contracts) {
    this.two = two;
    this.contracts = contracts;
  }

  static async open(): Promise<HostileWorld> {
    const two = await TwoWallets.open();
    const { WatchedOtherHtlc, LooseOtherHtlc } = await compiled();
    const other = await two.chain.deploy(WatchedOtherHtlc.bytecode);
    return new HostileWorld(two, {
      ours: two.chain.contract,
      other,
      loose: await two.chain.deploy(LooseOtherHtlc.bytecode),
    });
  }

  get chain(): TwoWallets['chain'] {
    return this.two.chain;
  }

  stop(): void {
    this.chain.stop();
  }

  /** Terms of a payment by this contract. */
  agreed(amount: string, { contract, ...coin }: Partial<EvmCoin> & Pick<EvmCoin, 'contract'>): Agreed {
    const { terms, secret } = this.two.terms(amount, coin);
    return { secret, terms: { ...terms, contract } };
  }

  /** Signs and sends a call by an account's own key, in a block of its own. */
  async act(
    name: string,
    { to, value = 0n, data }: Call,
    { gas = GAS, mined = true }: Acting = {},
  ): Promise<StoredTransaction> {
    const account = this.chain.account(name);
    const look = await account.reader.look();
    const [nonce] = (await account.freeNonces(look, 1)) as [number];
    const made = await account.sign({ to, value, data, nonce, gas, price: PRICE }, { legacy: false });
    expect(await account.reader.send(made.hex)).toBeNull();
    if (mined) await this.chain.mine();
    return { tx_hex: made.hex, tx_hash: made.id };
  }

  /** The call that pays what the terms say, but for what is said otherwise. */
  payment(terms: PaymentTerms, coin: Pick<EvmCoin, 'decimals'> & Partial<EvmCoin>, said: Said = {}): Call {
    const swapId = said.id ?? contractSwapId(terms.lock, hexToBytes(terms.secretHash));
    const { token = coin.token?.address ?? NO_TOKEN, amount = toBaseUnits(terms.amount, coin.decimals), reward } = said;
    const [party, lockTime] = [said.receiver ?? this.receiver, said.lock ?? BigInt(terms.lock)];
    const { secretHash } = terms;
    const to = said.contract ?? terms.contract ?? '';
    const value = said.value ?? (token === NO_TOKEN ? amount : 0n);
    const common = { swapId, amount, token, secretHash, lockTime } as const;
    if (reward === undefined) return { to, value, data: encodeSwapCall({ kind: 'payment', ...common, party }) };
    const parties = { sender: null, receiver: party, secret: null, reward };
    return { to, value, data: encodeRewardCall({ kind: 'payment', ...common, ...parties }) };
  }

  /** A call that an account with code passes on. */
  through(account: string, { to, value = 0n, data }: Call): Call {
    return { to: account, value: 0n, data: tool('run', [`0x${to}`, value, `0x${data}`]).slice(2) };
  }

  /** An account with code that has some ether. */
  async actor(): Promise<string> {
    const { Actor } = await compiled();
    const actor = await this.chain.deploy(Actor.bytecode);
    await this.chain.give(actor, 10n ** 20n);
    return actor;
  }

  /** What an account of a key runs, as one that has delegated itself to code; none with null. */
  async delegate(account: string, code: 'Actor' | null): Promise<void> {
    const bytes = code === null ? '0x' : (await compiled())[code].deployedBytecode;
    await this.chain.request('anvil_setCode', [`0x${account}`, bytes]);
  }

  /** Whether the receiver would give its own coins for this payment, by all that its wallet tells; and why not. */
  async judged({ terms }: Agreed, coin: Partial<EvmCoin>, shown?: StoredTransaction) {
    const wallet = this.two.wallet('receiver', { coin });
    const query = shown === undefined ? { terms } : { terms, claimed: shown.tx_hex };
    const { funding, problem, spend, refundable } = await goodOf(wallet.payment(query));
    const good = funding !== null && funding.confirmations > 0 && problem === null && spend === null && !refundable;
    return { good, problem, funding: funding?.tx ?? null };
  }

  /** Base units that the receiver has more once its wallet has claimed with the secret, gas not counted; nothing where no claim has an effect. */
  async gained({ terms, secret }: Agreed, coin: Partial<EvmCoin>, funding: StoredTransaction): Promise<bigint> {
    const wallet = this.two.wallet('receiver', { coin });
    const token = coin.token?.address;
    const owned = () =>
      token === undefined ? this.chain.balance(this.receiver) : this.chain.tokensOf(token, this.receiver);
    const before = await owned();
    const claim = await wallet.prepare({ purpose: 'claim', terms, funding, secret, ...FIRST }, SWAP);
    if (!claim.ok) return 0n;
    await wallet.broadcast(claim.value);
    await this.chain.mine();
    const gas = token === undefined ? await this.#gasOf(claim.value) : 0n;
    return (await owned()) - before + gas;
  }

  async #gasOf({ tx_hash }: StoredTransaction): Promise<bigint> {
    const receipt = (await this.chain.request('eth_getTransactionReceipt', [`0x${tx_hash}`])) as {
      readonly gasUsed: string;
      readonly effectiveGasPrice: string;
    } | null;
    return receipt === null ? 0n : BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
  }
}
