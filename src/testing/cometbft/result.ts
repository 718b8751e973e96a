/** An event that the application tells of, by which transactions are searched for. */
export type AppEvent = { readonly type: string; readonly attributes: Readonly<Record<string, string>> };

/** What came of a transaction: code 0 is success. */
export type TxResult = {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  readonly events: readonly AppEvent[];
};

/** Codes of the Cosmos SDK. */
export const SDK_CODE = {
  decode: 2,
  unauthorized: 4,
  insufficientFunds: 5,
  unknownRequest: 6,
  unknownAddress: 9,
  invalidCoins: 10,
  outOfGas: 11,
  memoTooLarge: 12,
  insufficientFee: 13,
  invalidRequest: 18,
  keyNotFound: 22,
  invalidHeight: 26,
  timeoutHeight: 30,
  wrongSequence: 32,
} as const;

/** Why a transaction, or a message of it, has no effect. */
export type Refused = { readonly code: number; readonly codespace: string; readonly log: string };

export function refusedBySdk(code: number, log: string): Refused {
  return { code, codespace: 'sdk', log };
}
