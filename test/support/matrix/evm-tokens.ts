import { compiled } from '../evm/compiled.ts';
import { word } from './evm-words.ts';

/**
 * A token: as most are; one that refuses to change an allowance that is not zero to another one that is not, and of which each wallet has left a
 * rest of one; or one that returns nothing, tells of nothing, and does not say what its digits are.
 */
export type TokenTerms = { readonly digits: number; readonly manner: 'standard' | 'strict' | 'silent' };

/** Selector of how it is to behave. */
const BEHAVE = '1ed22158';
const RETURNS_NOTHING = 1n;
/** Base units that a token with a tax keeps of each transfer; and one that moves nothing has more to keep than there is. */
const TAX = { tax: 3n, pause: 1n << 255n } as const;

/** Code that creates it. */
export async function tokenCode({ digits, manner }: TokenTerms, by?: 'pause' | 'tax'): Promise<string> {
  const { StandardToken, MoodyToken } = await compiled();
  if (manner === 'silent' && by === undefined) return MoodyToken.bytecode;
  const words = [BigInt(digits), manner === 'strict' ? 1n : 0n, by === undefined ? 0n : TAX[by]];
  return StandardToken.bytecode + words.map(word).join('');
}

/** What is to be called once after it was created; null for nothing. */
export function firstCall({ manner }: TokenTerms): string | null {
  return manner === 'silent' ? `0x${BEHAVE}${word(RETURNS_NOTHING)}` : null;
}
