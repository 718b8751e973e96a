/** Which rules a script is held to. A rule that is absent does not apply. */
export type ScriptFlags = {
  /** Run the redeem script of a pay-to-script-hash output (BIP 16). */
  readonly p2sh?: boolean;
  /** OP_CHECKLOCKTIMEVERIFY checks the lock time instead of doing nothing (BIP 65). */
  readonly checkLockTimeVerify?: boolean;
  /** Signatures are in strict DER or empty (BIP 66). {@link lowS} and {@link strictEncoding} imply it. */
  readonly strictDer?: boolean;
  /** OP_CHECKCRYPTOCONDITION exists, and a condition is spent by one push of up to 2,048 bytes. */
  readonly cryptoConditions?: boolean;
  /** Signatures have a defined hash type, and keys a header of 2, 3 or 4 with the length that belongs to it. */
  readonly strictEncoding?: boolean;
  /** S of a signature is at most half the order of the curve (BIP 62, rule 5). */
  readonly lowS?: boolean;
  /** The element that OP_CHECKMULTISIG takes too much is empty (BIP 147). */
  readonly nullDummy?: boolean;
  /** The input script does nothing but push (BIP 62, rule 2). */
  readonly signaturePushOnly?: boolean;
  /** Pushes and numbers are in their shortest form (BIP 62, rules 3 and 4). */
  readonly minimalData?: boolean;
  /** An executed OP_NOP1 to OP_NOP10 without a meaning fails. */
  readonly discourageUpgradableNops?: boolean;
  /** Nothing but the verdict is left on the stack (BIP 62, rule 6). Of use with {@link p2sh} alone. */
  readonly cleanStack?: boolean;
  /** OP_NOP3 checks the sequence of the input (BIP 112). Not a rule of the smart-chain node. */
  readonly checkSequenceVerify?: boolean;
  /** A signature that fails is empty (BIP 146). Not a rule of the smart-chain node. */
  readonly nullFail?: boolean;
  /**
   * What OP_IF and OP_NOTIF take is empty or the byte 1. Not a rule of the smart-chain node; Bitcoin and Litecoin apply
   * theirs to segregated witnesses alone, so leave it off to judge other scripts as they do.
   */
  readonly minimalIf?: boolean;
  /**
   * OP_CODESEPARATOR works and a signature is removed from the script that it signs, as in Bitcoin before segregated
   * witness. The smart-chain node, as Zcash, disables the operation and removes nothing.
   */
  readonly bitcoinScriptCode?: boolean;
};

/** What every script in a block obeys. Source: smart-chain node, which cannot read a signature in loose DER at all. */
export const MANDATORY_FLAGS: ScriptFlags = {
  p2sh: true,
  checkLockTimeVerify: true,
  strictDer: true,
  cryptoConditions: true,
};

/** What the node asks of a script before it relays the transaction. Source: smart-chain node. */
export const STANDARD_FLAGS: ScriptFlags = {
  ...MANDATORY_FLAGS,
  strictEncoding: true,
  lowS: true,
  nullDummy: true,
  minimalData: true,
  discourageUpgradableNops: true,
  cleanStack: true,
};
