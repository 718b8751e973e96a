import { addressText } from '../../primitives/eip55.ts';

export { addressText };

const FORM = /^0x[0-9a-fA-F]{40}$/;

/**
 * The account that a text names; or, in the real node's words, why it names none.
 *
 * @example
 * ```ts
 * import { readAddress } from 'swapfold/chains/evm';
 *
 * const read = readAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
 * read; // → { account: '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' }
 * const typo = readAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee');
 * typo; // → { problem: 'Invalid address checksum' }
 * ```
 */
export function readAddress(text: string): { readonly account: string } | { readonly problem: string } {
  if (!text.startsWith('0x')) return { problem: 'Address must be prefixed with 0x' };
  if (!FORM.test(text)) return { problem: 'expected 0x and 40 hex digits' };
  const account = text.slice(2).toLowerCase();
  return addressText(account) === text ? { account } : { problem: 'Invalid address checksum' };
}
