import type {
  Answer,
  FaultKind,
  PaymentTerms,
  PreparedTransaction,
  PrepareRequest,
} from '../../../../src/ports/chain.ts';
import { hash160, sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { addSeconds } from '../../../../src/primitives/time.ts';
import type { SimChainKind, SimChainOptions, SimWallet } from '../../../../src/sim/chains/types.ts';
import { type TestChain, testChain, units } from './support.ts';

export const SECRET = '5a'.repeat(32);

/** A chain on which Anna pays Bert, and Cleo looks on. */
export type Scene = TestChain & {
  readonly anna: SimWallet;
  readonly bert: SimWallet;
  readonly cleo: SimWallet;
  readonly terms: PaymentTerms;
};

type SceneOptions = Partial<SimChainOptions> & { readonly funds?: string; readonly coins?: number };

export function scene(kind: SimChainKind, { funds = '1', coins = 4, ...options }: SceneOptions = {}): Scene {
  const world = testChain(kind, options);
  const { chain, clock } = world;
  const [anna, bert, cleo] = ['anna', 'bert', 'cleo'].map((party) =>
    chain.wallet({ party, funds: units(funds), coins }),
  );
  if (anna === undefined || bert === undefined || cleo === undefined) throw new Error('three wallets are made');
  const { contract, secretHashBytes } = anna.traits;
  const secret = hexToBytes(SECRET);
  const terms: PaymentTerms = {
    lock: addSeconds(clock.now(), 3600),
    secretHash: bytesToHex(secretHashBytes === 32 ? sha256(secret) : hash160(secret)),
    sender: anna.htlcKey('swap'),
    receiver: bert.htlcKey('swap'),
    amount: units('0.1'),
    contract,
  };
  return { ...world, anna, bert, cleo, terms };
}

export function got<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value;
  throw new Error(`${answer.fault.kind}: ${answer.fault.message}`);
}

/** The kind of a fault; the value where there is none. */
export function outcome(answer: Answer<unknown>): FaultKind | unknown {
  return answer.ok ? answer.value : answer.fault.kind;
}

type Variant = { readonly urgency?: number; readonly replaces?: PreparedTransaction };

export function prepared(wallet: SimWallet, request: PrepareRequest): PreparedTransaction {
  return got(wallet.prepare(request));
}

export function fee(wallet: SimWallet, { urgency = 0, replaces }: Variant = {}): PreparedTransaction {
  return prepared(wallet, { purpose: 'fee', feeSat: 5000n, burnSat: 0n, urgency, replaces: replaces ?? null });
}

export function payment(
  wallet: SimWallet,
  terms: PaymentTerms,
  { urgency = 0, replaces }: Variant = {},
): PreparedTransaction {
  return prepared(wallet, { purpose: 'payment', terms, urgency, replaces: replaces ?? null });
}

type Spending = Variant & { readonly terms: PaymentTerms; readonly funding: PreparedTransaction };

export function claim(wallet: SimWallet, { terms, funding, urgency = 0, replaces }: Spending): PreparedTransaction {
  return prepared(wallet, { purpose: 'claim', terms, funding, secret: SECRET, urgency, replaces: replaces ?? null });
}

export function refund(wallet: SimWallet, { terms, funding, urgency = 0, replaces }: Spending): PreparedTransaction {
  return prepared(wallet, { purpose: 'refund', terms, funding, urgency, replaces: replaces ?? null });
}

/** Prepares nothing and broadcasts what was prepared. @throws Error when the network refuses it. */
export function send(wallet: SimWallet, transaction: PreparedTransaction): PreparedTransaction {
  got(wallet.broadcast(transaction));
  return transaction;
}

export function statusOf(wallet: SimWallet, { tx_hash }: PreparedTransaction): string {
  return got(wallet.transaction(tx_hash)).status;
}
