import type { Reward } from '../htlc/evm-reward-calls.ts';
import type { PaymentTerms } from '../ports/chain.ts';
import { sha256 } from '../primitives/hash.ts';
import { bytesToHex } from '../primitives/hex.ts';
import type { Leg } from '../runtime/command.ts';

export type Owner = 'maker' | 'taker' | 'watcher' | 'chain';

/** A transaction of the abstract chains. Its id follows from the rest, so equal transactions are one. */
export type Body = {
  /** 16 hex digits; also its bytes. */
  readonly id: string;
  readonly chain: Leg;
  readonly purpose: 'fee' | 'payment' | 'claim' | 'refund' | 'void' | 'claimPreimage';
  /** Who signs it. */
  readonly owner: Owner;
  /** Coins, nonces and locked outputs that it takes: of two transactions that share one, at most one confirms. */
  readonly spends: readonly string[];
  readonly terms: PaymentTerms | null;
  /** Which payment it funds or spends, by its terms without the amount. */
  readonly lockKey: string | null;
  /** The transaction that it spends. */
  readonly funding: string | null;
  readonly secret: string | null;
  readonly urgency: number;
  /** What a payment promises to watchers. @defaultValue nothing */
  readonly reward?: Reward;
};

/** Every transaction ever made, by its id. Entries are added and never change. */
export type Bodies = {
  readonly make: (content: Omit<Body, 'id'>) => Body;
  readonly get: (id: string) => Body | undefined;
};

const encoder = new TextEncoder();

export function createBodies(): Bodies {
  const byContent = new Map<string, Body>();
  const byId = new Map<string, Body>();
  return {
    make(content) {
      const text = JSON.stringify(content, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
      const known = byContent.get(text);
      if (known !== undefined) return known;
      const body = { ...content, id: bytesToHex(sha256(encoder.encode(text))).slice(0, 16) };
      byContent.set(text, body);
      byId.set(body.id, body);
      return body;
    },
    get: (id) => byId.get(id),
  };
}

/** What identifies a payment on a chain: everything except its amount, which may be wrong. */
export function lockKeyOf({ lock, secretHash, sender, receiver, contract }: PaymentTerms): string {
  return `${lock}/${secretHash}/${sender}/${receiver}/${contract ?? ''}`;
}

const NAMES: Readonly<Record<Body['purpose'], string>> = {
  fee: 'fee',
  payment: 'payment',
  claim: 'claim of the',
  refund: 'refund of the',
  void: 'cancellation of its payment',
  claimPreimage: 'signed claim without the secret',
};

/** A transaction in words: `claim of the maker payment`. */
export function nameOf({ purpose, owner, chain, urgency }: Body): string {
  const again = urgency === 0 ? '' : ` with fee step ${urgency}`;
  if (purpose === 'claim' || purpose === 'refund') {
    const by = owner === 'watcher' || owner === 'chain' ? ` by the ${owner}` : '';
    return `${NAMES[purpose]} ${chain} payment${by}${again}`;
  }
  return `${owner} ${NAMES[purpose]}${again}`;
}
