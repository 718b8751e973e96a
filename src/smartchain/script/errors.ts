const UNKNOWN = 'unknown error';

const TEXTS = {
  UNKNOWN_ERROR: UNKNOWN,
  EVAL_FALSE: 'Script evaluated without error but finished with a false/empty top stack element',
  OP_RETURN: 'OP_RETURN was encountered',
  SCRIPT_SIZE: 'Script is too big',
  PUSH_SIZE: 'Push value size limit exceeded',
  OP_COUNT: 'Operation limit exceeded',
  STACK_SIZE: 'Stack size limit exceeded',
  SIG_COUNT: 'Signature count negative or greater than pubkey count',
  PUBKEY_COUNT: 'Pubkey count negative or limit exceeded',
  VERIFY: 'Script failed an OP_VERIFY operation',
  EQUALVERIFY: 'Script failed an OP_EQUALVERIFY operation',
  CHECKMULTISIGVERIFY: 'Script failed an OP_CHECKMULTISIGVERIFY operation',
  CHECKSIGVERIFY: 'Script failed an OP_CHECKSIGVERIFY operation',
  NUMEQUALVERIFY: 'Script failed an OP_NUMEQUALVERIFY operation',
  BAD_OPCODE: 'Opcode missing or not understood',
  DISABLED_OPCODE: 'Attempted to use a disabled opcode',
  INVALID_STACK_OPERATION: 'Operation not valid with the current stack size',
  INVALID_ALTSTACK_OPERATION: 'Operation not valid with the current altstack size',
  UNBALANCED_CONDITIONAL: 'Invalid OP_IF construction',
  NEGATIVE_LOCKTIME: 'Negative locktime',
  UNSATISFIED_LOCKTIME: 'Locktime requirement not satisfied',
  SIG_HASHTYPE: 'Signature hash type missing or not understood',
  SIG_DER: 'Non-canonical DER signature',
  MINIMALDATA: 'Data push larger than necessary',
  SIG_PUSHONLY: 'Only non-push operators allowed in signatures',
  SIG_HIGH_S: 'Non-canonical signature: S value is unnecessarily high',
  SIG_NULLDUMMY: 'Dummy CHECKMULTISIG argument must be zero',
  PUBKEYTYPE: 'Public key is neither compressed or uncompressed',
  // The node has no text for a stack that is not clean, nor for a failed OP_CHECKCRYPTOCONDITIONVERIFY.
  CLEANSTACK: UNKNOWN,
  DISCOURAGE_UPGRADABLE_NOPS: 'NOPx reserved for soft-fork upgrades',
  CRYPTOCONDITION_VERIFY: UNKNOWN,
  CRYPTOCONDITION_INVALID_FULFILLMENT: 'Crypto-Condition payload is invalid',
  NULLFAIL: 'Signature must be zero for failed CHECK(MULTI)SIG operation',
  MINIMALIF: 'OP_IF/NOTIF argument must be minimal',
} as const;

/** Why a script fails, by the names of Bitcoin Core without their `SCRIPT_ERR_`. */
export type ScriptError = keyof typeof TEXTS;

/**
 * The text that the smart-chain node puts in brackets behind `mandatory-script-verify-flag-failed`. The two rules that it
 * lacks, NULLFAIL and MINIMALIF, read as in Bitcoin Core.
 */
export function scriptErrorText(error: ScriptError): string {
  return TEXTS[error];
}
