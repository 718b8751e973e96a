import type { Parts } from '../parts.ts';
import type { Tip } from '../reader.ts';
import type { ContractLook } from './contracts.ts';
import type { TokenTaken } from './taken.ts';
import type { Qrc20Token } from './token.ts';
import type { Owned } from './token-effect.ts';

/** What the files of this room share. */
export type TokenParts = {
  readonly coin: Qrc20Token;
  /** The chain's coin, on which the token lives. */
  readonly chain: Parts;
  /** The own account, 40 hex digits. */
  readonly account: string;
  readonly taken: TokenTaken;
  /** Recognizes calls that take own tokens. */
  readonly owned: Owned;
};

/** One look at the chain and at its contracts. */
export type Look = {
  readonly tip: Tip;
  /** Seconds since 1970 of the block at the tip, by which contracts judge locks. */
  readonly time: number;
  readonly contracts: ContractLook;
};
