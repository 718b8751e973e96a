import { expect } from 'vitest';
import type { EvmChain } from '../../../src/chains/evm/adapter.ts';
import type { EvmCoin } from '../../../src/chains/evm/coin.ts';
import type { Answer, PaymentTerms, PreparedTransaction, PrepareRequest } from '../../../src/ports/chain.ts';
import type { Awaitable } from '../../../src/ports/event-log.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { hash160, sha256 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import type { UnixSeconds } from '../../../src/primitives/time.ts';
import { virtualClock } from '../virtual-clock.ts';
import { addressOf, EvmTestChain, type WalletOptions } from './adapter-chain.ts';

export const ETHER = 10n ** 18n;
export const SWAP = { swap: '3d4c1d7c-3f5e-4a51-9d0b-6f6f1a2b3c4d' } as const;
const FIRST = { urgency: 0, replaces: null } as const;

/** The value of an answer that must be good. */
export async function goodOf<T>(answer: Awaitable<Answer<T>>): Promise<T> {
  const given = await answer;
  if (given.ok) return given.value;
  throw new Error(`${given.fault.kind}: ${given.fault.message}`);
}

/** The kind of a fault; `ok` of a good answer. */
export async function kindOf(answer: Awaitable<Answer<unknown>>): Promise<string> {
  const given = await answer;
  return given.ok ? 'ok' : given.fault.kind;
}

/** A chain with two wallets that have ether. */
export class TwoWallets {
  readonly chain: EvmTestChain;
  readonly clock;
  #swaps = 0;

  private constructor(chain: EvmTestChain) {
    this.chain = chain;
    this.clock = virtualClock(chain.now * 1000);
  }

  static async open(): Promise<TwoWallets> {
    const chain = await EvmTestChain.start();
    for (const name of ['sender', 'receiver', 'stranger']) await chain.give(addressOf(name), 50n * ETHER);
    return new TwoWallets(chain);
  }

  wallet(name: string, options: WalletOptions = {}): EvmChain {
    return this.chain.wallet(name, this.clock, options);
  }

  /** A secret of its own, and terms under it between sender and receiver. */
  terms(amount: string, coin: Partial<EvmCoin> = {}): { readonly secret: string; readonly terms: PaymentTerms } {
    this.#swaps += 1;
    const secret = bytesToHex(sha256(new TextEncoder().encode(`secret ${this.#swaps}`)));
    const [sender, receiver] = ['sender', 'receiver'].map((name) => this.wallet(name, { coin }).htlcKey('')) as [
      string,
      string,
    ];
    const secretHash = bytesToHex(hash160(hexToBytes(secret)));
    const lock = (this.chain.now + 7800) as UnixSeconds;
    return {
      secret,
      terms: { lock, secretHash, sender, receiver, amount: amount as DecimalText, contract: this.chain.contract },
    };
  }

  /** What a wallet makes of a request. */
  make(wallet: EvmChain, request: PrepareRequest): Promise<PreparedTransaction> {
    return goodOf(wallet.prepare(request, SWAP));
  }

  payment(wallet: EvmChain, terms: PaymentTerms): Promise<PreparedTransaction> {
    return this.make(wallet, { purpose: 'payment', terms, ...FIRST });
  }

  fee(wallet: EvmChain, feeSat = 1234n): Promise<PreparedTransaction> {
    return this.make(wallet, { purpose: 'fee', feeSat, burnSat: 0n, ...FIRST });
  }

  /** A payment in a block. */
  async paid(wallet: EvmChain, terms: PaymentTerms): Promise<PreparedTransaction> {
    const payment = await this.payment(wallet, terms);
    expect(await kindOf(wallet.broadcast(payment))).toBe('ok');
    await this.chain.mine();
    return payment;
  }
}

export { FIRST };
