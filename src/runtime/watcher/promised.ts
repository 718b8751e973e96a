import type { Watch } from '../../events/watcher.ts';
import { scriptHash160 } from '../../htlc/secret-hash.ts';
import type { ChainFeed, PaymentTerms, PromisedPayment } from '../../ports/chain.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import type { Leg } from '../command.ts';
import { inRole } from '../swap/side-inputs.ts';
import { takerLock } from './terms.ts';

/** What a payment's own bytes say about it; or why they are not those of the watch. */
export type PromisedTerms =
  | { readonly terms: PaymentTerms; readonly problem: null }
  | { readonly terms: null; readonly problem: string };

/** By the chain of each payment that pays rewards: what its bytes promise. */
export type PromisedBy = Readonly<Partial<Record<Leg, (tx_hex: string) => PromisedPayment | null>>>;

/** How the chains of both coins read payments that pay watchers. */
export function promisedBy(chains: Readonly<Record<Leg, Pick<ChainFeed, 'promised'> | undefined>>): PromisedBy {
  const by = (leg: Leg): PromisedBy => {
    const chain = chains[leg];
    return chain?.promised === undefined ? {} : { [leg]: (hex: string) => chain.promised?.(hex) ?? null };
  };
  return { ...by('maker'), ...by('taker') };
}

export type PromisingChains = {
  /** @defaultValue none of them pays rewards */
  readonly promised?: PromisedBy;
  readonly traits: Readonly<Record<Leg, { readonly rewards?: boolean }>>;
};

/**
 * The terms of both payments by their own bytes, which a taker hands to watchers instead of what it signs if the chain pays them: null for a chain
 * that does not. What the bytes say is only a taker's word, so the watcher asks the chain whether it holds such a payment before it acts.
 */
export function promisedPayments(watch: Watch, chains: PromisingChains): Readonly<Record<Leg, PromisedTerms | null>> {
  const { maker, taker } = chains.traits;
  return {
    maker: maker.rewards === true ? makerTerms(watch, chains) : null,
    taker: taker.rewards === true ? takerTerms(watch, chains) : null,
  };
}

/** Why what the taker handed over cannot belong to the swap; null if it can. */
export function promisedProblem(watch: Watch, chains: PromisingChains): string | null {
  const { maker, taker } = promisedPayments(watch, chains);
  return taker?.problem ?? maker?.problem ?? null;
}

function takerTerms(watch: Watch, { promised, traits }: PromisingChains): PromisedTerms {
  const found = promised?.taker?.(watch.taker_payment_refund_preimage) ?? null;
  const problem = problemOf(watch, { found, hash: watch.taker_payment_hash, whose: 'taker' });
  if (found === null || problem !== null) return none(problem ?? '');
  const lock = takerLock(watch);
  if (found.terms.lock !== lock.lock) return none('the payment of the taker has another lock than its swap');
  return good(inRole({ ...found.terms, ...lock }, { leg: 'taker', traits }));
}

function makerTerms(watch: Watch, { promised, traits }: PromisingChains): PromisedTerms {
  const found = promised?.maker?.(watch.maker_payment_spend_preimage) ?? null;
  const problem = problemOf(watch, { found, hash: watch.maker_payment_hash, whose: 'maker' });
  if (found === null || problem !== null) return none(problem ?? '');
  if (found.terms.lock <= takerLock(watch).lock)
    return none('the maker payment can be taken back no later than that of the taker');
  return good(inRole({ ...found.terms, secretHash: watch.secret_hash }, { leg: 'maker', traits }));
}

type Found = { readonly found: PromisedPayment | null; readonly hash: string; readonly whose: Leg };

function problemOf(watch: Watch, { found, hash, whose }: Found): string | null {
  if (found === null) return `what the taker names as the payment of the ${whose} is none that promises a reward`;
  if (found.tx_hash !== hash.toLowerCase()) return `the payment of the ${whose} is not the one whose id is named`;
  const secret = scriptHash160(hexToBytes(watch.secret_hash));
  const same = secret !== undefined && bytesToHex(secret) === found.terms.secretHash;
  return same ? null : `the payment of the ${whose} is under another secret than the swap`;
}

function good(terms: PaymentTerms): PromisedTerms {
  return { terms, problem: null };
}

function none(problem: string): PromisedTerms {
  return { terms: null, problem };
}
