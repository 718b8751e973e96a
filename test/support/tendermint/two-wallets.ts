import { expect } from 'vitest';
import type { TendermintChain } from '../../../src/chains/tendermint/adapter.ts';
import type { TendermintCoin } from '../../../src/chains/tendermint/coin.ts';
import type { Answer, PaymentTerms, PreparedTransaction, PrepareRequest } from '../../../src/ports/chain.ts';
import type { Awaitable } from '../../../src/ports/event-log.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { sha256 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import type { UnixSeconds } from '../../../src/primitives/time.ts';
import { virtualClock } from '../virtual-clock.ts';
import { type ChainKind, IRIS, TendermintTestChain, UNIT, type WalletOptions } from './adapter-chain.ts';

export const SWAP = { swap: '3d4c1d7c-3f5e-4a51-9d0b-6f6f1a2b3c4d' } as const;
export const FIRST = { urgency: 0, replaces: null } as const;

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

/** A chain with wallets that have its coin. */
export class TwoWallets {
  readonly test: TendermintTestChain;
  readonly clock;
  #swaps = 0;

  constructor(kind: ChainKind = IRIS) {
    this.test = new TendermintTestChain(kind);
    for (const name of ['sender', 'receiver', 'stranger']) this.test.give(name, 50n * UNIT);
    this.clock = virtualClock(this.test.now * 1000);
  }

  wallet(name: string, options: WalletOptions = {}): TendermintChain {
    return this.test.wallet(name, this.clock, options);
  }

  mine(blocks = 1): void {
    this.test.chain.mine(blocks);
  }

  /** A secret of its own, and terms under it between sender and receiver. */
  terms(amount: string, coin: Partial<TendermintCoin> = {}): { readonly secret: string; readonly terms: PaymentTerms } {
    this.#swaps += 1;
    const secret = bytesToHex(sha256(new TextEncoder().encode(`secret ${this.#swaps}`)));
    const [sender = '', receiver = ''] = ['sender', 'receiver'].map((name) => this.wallet(name, { coin }).htlcKey(''));
    const secretHash = bytesToHex(sha256(hexToBytes(secret)));
    const lock = (this.test.now + 1000) as UnixSeconds;
    return { secret, terms: { lock, secretHash, sender, receiver, amount: amount as DecimalText, contract: null } };
  }

  /** What a wallet makes of a request. */
  make(wallet: TendermintChain, request: PrepareRequest): Promise<PreparedTransaction> {
    return goodOf(wallet.prepare(request, SWAP));
  }

  payment(wallet: TendermintChain, terms: PaymentTerms): Promise<PreparedTransaction> {
    return this.make(wallet, { purpose: 'payment', terms, ...FIRST });
  }

  fee(wallet: TendermintChain, feeSat = 1234n): Promise<PreparedTransaction> {
    return this.make(wallet, { purpose: 'fee', feeSat, burnSat: 0n, ...FIRST });
  }

  /** A payment in a block. */
  async paid(wallet: TendermintChain, terms: PaymentTerms): Promise<PreparedTransaction> {
    const payment = await this.payment(wallet, terms);
    expect(await kindOf(wallet.broadcast(payment))).toBe('ok');
    this.mine();
    return payment;
  }
}
