import { hexToBytes, isHex } from '../primitives/hex.ts';

/** Which swap contract a party accepts for a coin. Addresses are 20 bytes in hex of either case. */
export type ContractRule =
  /** The chain has no swap contract: ignores whatever the other side names. */
  | { readonly kind: 'none' }
  /** The own contract, or an accepted alternative. */
  | { readonly kind: 'contract'; readonly address: string; readonly fallback: string | null };

/** The agreed contract in lower-case hex, null for a chain without; or why there is none, in KDF's words. */
export type ContractAnswer =
  | { readonly ok: true; readonly address: string | null }
  | { readonly ok: false; readonly reason: string };

const ADDRESS_BYTES = 20;

/**
 * Settles on a contract by KDF's rule: the one that the other side names, if it is the own one or the fallback; the fallback, if the other side names
 * none.
 */
export function negotiateContract(rule: ContractRule, other: string | null): ContractAnswer {
  if (rule.kind === 'none') return { ok: true, address: null };
  const own = rule.address.toLowerCase();
  const fallback = rule.fallback?.toLowerCase() ?? null;
  if (other === null) {
    return fallback === null ? { ok: false, reason: 'NoOtherAddrAndNoFallback' } : { ok: true, address: fallback };
  }
  if (other.length !== 2 * ADDRESS_BYTES || !isHex(other)) {
    return { ok: false, reason: `InvalidOtherAddrLen, ${supplied(other)}` };
  }
  const named = other.toLowerCase();
  if (named === own || named === fallback) return { ok: true, address: named };
  return { ok: false, reason: `UnexpectedOtherAddr, ${supplied(other)}` };
}

function supplied(other: string): string {
  const bytes = isHex(other) ? hexToBytes(other) : new Uint8Array();
  return `addr supplied Bytes([${bytes.join(', ')}])`;
}
