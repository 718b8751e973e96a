import { secretHashOf } from '../../../src/htlc/secret-hash.ts';
import { hexToBytes } from '../../../src/primitives/hex.ts';

/** In hex, as the chain port has it. */
export const SECRET = '5e'.repeat(32);
export const WRONG_SECRET = '6e'.repeat(32);
export const SECRET_HASH = secretHashOf(hexToBytes(SECRET));
