import { addressText } from '../../primitives/eip55.ts';

export { addressText };

const FORM = /^0x[0-9a-fA-F]{40}$/;

/** The account that a text stands for; or, in the real node's words, why it stands for none. */
export function readAddress(text: string): { readonly account: string } | { readonly problem: string } {
  if (!text.startsWith('0x')) return { problem: 'Address must be prefixed with 0x' };
  if (!FORM.test(text)) return { problem: 'expected 0x and 40 hex digits' };
  const account = text.slice(2).toLowerCase();
  return addressText(account) === text ? { account } : { problem: 'Invalid address checksum' };
}
