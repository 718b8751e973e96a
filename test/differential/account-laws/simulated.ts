import type { PaymentTerms } from '../../../src/ports/chain.ts';
import { decimalOf, fromBaseUnits } from '../../../src/primitives/decimal.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';
import { createAccountChain } from '../../../src/sim/chains/account/chain.ts';
import type { Signer } from '../../../src/sim/chains/account/codec.ts';
import { realContractCodec } from '../../../src/sim/chains/account/evm-codec.ts';
import { type Call, transferTo } from '../../../src/sim/chains/account/transaction.ts';
import type { SimChain, SimWallet } from '../../../src/sim/chains/types.ts';
import { xorshift32 } from '../../../src/sim/xorshift.ts';
import {
  type Book,
  type Draft,
  type DraftCall,
  FUNDS,
  type Kept,
  LEAST_PRICE,
  type Role,
  type Verdict,
} from './draft.ts';
import { idOf, secretsOf } from './secrets.ts';

const TICKER = 'ETH';
const DECIMALS = 8;
const ZERO = '00'.repeat(20);

/** A sequence on the simulated chain. */
export class SimulatedSide {
  readonly chain: SimChain;
  /** Of each draft. */
  readonly built: { readonly hex: string; readonly id: string }[] = [];
  readonly #name: string;
  readonly #codec = realContractCodec(TICKER);
  readonly #wallets: Readonly<Record<Role, SimWallet>>;

  constructor(name: string, now: () => number) {
    this.#name = name;
    this.chain = createAccountChain({
      coin: TICKER,
      fidelity: 'real',
      decimals: DECIMALS,
      rewards: true,
      feeRate: 2 * LEAST_PRICE,
      now: () => unixSecondsOf(now()),
      rng: xorshift32(1),
    });
    const wallet = (party: Role) => this.chain.wallet({ party, funds: decimalOf(fromBaseUnits(FUNDS)) });
    this.#wallets = { sender: wallet('sender'), receiver: wallet('receiver'), stranger: wallet('stranger') };
  }

  build(draft: Draft, book: Book): void {
    const { by, nonce, price, gas, value, call } = draft;
    const made = this.#codec.encode({
      signer: this.#signer(by),
      nonce,
      price,
      gas,
      value,
      call: this.#call(call, book),
    });
    this.built.push({ hex: made.hex, id: made.id });
  }

  submit(tx: number): Verdict {
    const answer = this.chain.submit(this.built[tx]?.hex ?? '');
    return answer.ok ? answer.value : (answer.fault.kind as Verdict);
  }

  /** Puts into the book what the chain itself says of each draft. */
  look(book: Book): void {
    book.tip = this.chain.height();
    for (const tx of book.drafts.keys()) {
      const seen = this.chain.ledger.transaction(this.built[tx]?.id ?? '');
      const isMined = seen?.status === 'confirmed' || seen?.status === 'reverted';
      const at = isMined ? book.tip - seen.confirmations + 1 : seen?.status === 'mempool' ? 0 : null;
      book.places[tx] = { at, failed: seen?.status === 'reverted' };
    }
  }

  /** At which depth something that took its nonce made it impossible, as a wallet tells it; 0 for nothing. */
  conflicted(tx: number): number {
    const answer = this.#wallets.stranger.transaction(this.built[tx]?.id ?? '');
    if (!answer.ok) throw new Error(answer.fault.message);
    return answer.value.status === 'conflicted' ? answer.value.confirmations : 0;
  }

  /** What a wallet is told of a payment that is in a block. */
  kept(agreed: number, book: Book): Kept {
    const terms = this.#terms(agreed, book);
    if (terms === null) return 0;
    const answer = this.#wallets.stranger.payment({ terms });
    if (!answer.ok) throw new Error(answer.fault.message);
    const { funding, spend } = answer.value;
    if (funding === null || funding.confirmations === 0) return 0;
    if (spend === null || spend.confirmations === 0) return 1;
    return spend.how === 'secret' ? 2 : 3;
  }

  /** Base units of an account, its fees aside: what gas costs is nominal here. */
  worth(role: Role): bigint {
    const { ledger } = this.chain;
    return ledger.balance(role).confirmed + ledger.feesPaid(role);
  }

  #signer(role: Role): Signer {
    const key = this.#wallets[role].htlcKey('');
    return { key, address: this.#codec.addressOf(key) };
  }

  #address(role: Role | 'nobody'): string {
    return role === 'nobody' ? ZERO : this.#signer(role).address;
  }

  #call(call: DraftCall, book: Book): Call {
    if (call.kind === 'transfer') return transferTo(this.#address(call.to));
    const { lock, reward } = book.agreed[call.agreed] ?? { lock: 0, reward: null };
    const { secret, wrong, hash, wrongHash } = secretsOf(this.#name, call.agreed);
    const base = { swap: idOf(lock, hash), lockBlocks: 0 };
    if (call.kind === 'payment') {
      const party = this.#address(call.to);
      const promised = reward === null ? {} : { reward: { ...reward, owner: '' } };
      return { ...base, kind: 'payment', party, amount: 0n, secret: null, hash, lockTime: lock, ...promised };
    }
    const isRight = call.secret === 'right';
    const named = {
      ...base,
      party: this.#address(call.party),
      amount: call.amount,
      lockTime: 0,
      ...this.#forParty(call),
    };
    if (call.kind === 'claim') return { ...named, kind: 'claim', secret: isRight ? secret : wrong, hash: '' };
    return { ...named, kind: 'refund', secret: null, hash: isRight ? hash : wrongHash };
  }

  #forParty({ forParty }: Extract<DraftCall, { readonly kind: 'claim' | 'refund' }>): Pick<Call, 'reward'> {
    if (forParty === null) return {};
    return { reward: { ...forParty.reward, owner: this.#address(forParty.owner) } };
  }

  #terms(agreed: number, book: Book): PaymentTerms | null {
    const terms = book.agreed[agreed];
    if (terms === undefined || terms.to === 'nobody') return null;
    return {
      lock: unixSecondsOf(terms.lock),
      amount: decimalOf(fromBaseUnits(terms.amount)),
      secretHash: secretsOf(this.#name, agreed).hash,
      sender: this.#signer(terms.from).key,
      receiver: this.#signer(terms.to).key,
      contract: this.#codec.contract,
    };
  }
}
