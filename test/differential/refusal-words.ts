/** What each side says: `taken`, or on this one the class and the reason, on the other one the code and the message. */
export type Words = readonly [ours: string, theirs: string];

const SAME_WORDS: Readonly<Record<string, Words>> = {
  'a plain spend': ['taken', 'taken'],
  'no outputs': ['16: bad-txns-vout-empty', '-26: bad-txns-vout-empty'],
  'a negative output': ['16: bad-txns-vout-negative', '-26: bad-txns-vout-negative'],
  'an output above all money': ['16: bad-txns-vout-toolarge', '-26: bad-txns-vout-toolarge'],
  'outputs above all money together': ['16: bad-txns-txouttotal-toolarge', '-26: bad-txns-txouttotal-toolarge'],
  'the same input twice': ['16: bad-txns-inputs-duplicate', '-26: bad-txns-inputs-duplicate'],
  'an input that is none': ['16: bad-txns-prevout-null', '-26: bad-txns-prevout-null'],
  'new coins': ['16: bad-cb-length', '-26: bad-cb-length'],
  'a waiting transaction once more': ['taken', 'taken'],
  'the 26th of a chain of waiting transactions': [
    '64: too-long-mempool-chain, too many unconfirmed ancestors [limit: 25]',
    '-26: too-long-mempool-chain, too many unconfirmed ancestors [limit: 25]',
  ],
  'a lock time that is not reached': ['64: non-final', '-26: non-final'],
  'a lock time that is just reached': ['taken', 'taken'],
  'an odd output': ['64: scriptpubkey', '-26: scriptpubkey'],
  'two carriers of data': ['64: multi-op-return', '-26: multi-op-return'],
  dust: ['64: dust', '-26: dust'],
  'an input script that computes': ['64: scriptsig-not-pushonly', '-26: scriptsig-not-pushonly'],
  'a long input script': ['64: scriptsig-size', '-26: scriptsig-size'],
  'another key': [
    '16: mandatory-script-verify-flag-failed (Script failed an OP_EQUALVERIFY operation)',
    '-26: mandatory-script-verify-flag-failed (Script failed an OP_EQUALVERIFY operation)',
  ],
  'two of two keys': ['taken', 'taken'],
  'two of two keys with a dummy that is not empty': [
    '64: non-mandatory-script-verify-flag (Dummy CHECKMULTISIG argument must be zero)',
    '-26: non-mandatory-script-verify-flag (Dummy CHECKMULTISIG argument must be zero)',
  ],
  'a lock in the script that is reached': ['taken', 'taken'],
  'a lock in the script that is not reached': ['64: non-final', '-26: non-final'],
};

/** Refused on both sides, in other words. */
const OTHER_WORDS: Readonly<Record<string, Words>> = {
  // Litecoin adds the amounts.
  'more out than in': [
    '16: bad-txns-in-belowout',
    '-26: bad-txns-in-belowout, value in (50.00) < value out (50.00000001)',
  ],
  // The node answers its RPC so; Litecoin has the words of a block.
  'an unknown input': ['missing inputs', '-25: bad-txns-inputs-missingorspent'],
  // The node takes an output that never was for one that is spent.
  'an unknown output of a known transaction': ['18: bad-txns-inputs-spent', '-25: bad-txns-inputs-missingorspent'],
  // Litecoin adds the depth.
  'a young coin': [
    '16: bad-txns-premature-spend-of-coinbase',
    '-26: bad-txns-premature-spend-of-coinbase, tried to spend coinbase at depth 1',
  ],
  // Nothing is left of the transaction that made it.
  'a spent coin': ['missing inputs', '-25: bad-txns-inputs-missingorspent'],
  // The RPC of the node says this in words of its own, as Litecoin does.
  'a confirmed transaction once more': ['18: already have coins', '-27: Transaction already in block chain'],
  // Bitcoin Core had no word for it once; the node has this one.
  'another spend of a coin that a waiting transaction spends': ['16: mempool conflict', '-26: txn-mempool-conflict'],
  // Litecoin would take it in a block; the smart chain, as Zcash, never does.
  'version 0': ['16: bad-txns-version-too-low', '-26: version'],
  // Litecoin measures the fee against a rate, the node against the least fee and what is sent.
  'a fee above all measure': [
    'policy: AcceptToMemoryPool: absurdly high fees <txid>, 2500000000 > 190000',
    '-25: Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)',
  ],
  // The node counts what an input script gives before it runs it, and has no words for that.
  'an empty input script': [
    'policy: ',
    '-26: mandatory-script-verify-flag-failed (Operation not valid with the current stack size)',
  ],
  // As above.
  'a script without its keys': [
    'policy: ',
    '-26: mandatory-script-verify-flag-failed (Operation not valid with the current stack size)',
  ],
  // As above.
  'an input script with a push too many': [
    'policy: ',
    '-26: non-mandatory-script-verify-flag (Stack size must be exactly one after execution)',
  ],
  // NULLFAIL is no rule of the node, which tells what comes of the failed signature.
  'a damaged signature': [
    '16: mandatory-script-verify-flag-failed (Script evaluated without error but finished with a false/empty top stack element)',
    '-26: mandatory-script-verify-flag-failed (Signature must be zero for failed CHECK(MULTI)SIG operation)',
  ],
  // As above.
  'a signature with another hash type': [
    '16: mandatory-script-verify-flag-failed (Script evaluated without error but finished with a false/empty top stack element)',
    '-26: mandatory-script-verify-flag-failed (Signature must be zero for failed CHECK(MULTI)SIG operation)',
  ],
  // As above.
  'two of two keys in the wrong order': [
    '16: mandatory-script-verify-flag-failed (Script evaluated without error but finished with a false/empty top stack element)',
    '-26: mandatory-script-verify-flag-failed (Signature must be zero for failed CHECK(MULTI)SIG operation)',
  ],
  // OP_CHECKLOCKTIMEVERIFY is mandatory on the smart chain.
  'a lock in the script above that of the transaction': [
    '16: mandatory-script-verify-flag-failed (Locktime requirement not satisfied)',
    '-26: non-mandatory-script-verify-flag (Locktime requirement not satisfied)',
  ],
  // As above.
  'a lock in the script and a final input': [
    '16: mandatory-script-verify-flag-failed (Locktime requirement not satisfied)',
    '-26: non-mandatory-script-verify-flag (Locktime requirement not satisfied)',
  ],
  // As above.
  'a lock in the script in another unit': [
    '16: mandatory-script-verify-flag-failed (Locktime requirement not satisfied)',
    '-26: non-mandatory-script-verify-flag (Locktime requirement not satisfied)',
  ],
  // As above.
  'a negative lock in the script': [
    '16: mandatory-script-verify-flag-failed (Negative locktime)',
    '-26: non-mandatory-script-verify-flag (Negative locktime)',
  ],
};

/** Refused on one side alone. */
const OTHER_VERDICTS: Readonly<Record<string, Words>> = {
  // The smart chain relays 208 bytes, for the payloads of tokens; Litecoin 83.
  'a long carrier of data': ['taken', '-26: scriptpubkey'],
  // The node has no least fee for what its own RPC submits.
  'hardly a fee': ['taken', '-26: min relay fee not met, 1 < 191'],
};

/** The words by the name of what is submitted. */
export const REFUSAL_WORDS: Readonly<Record<string, Words>> = { ...SAME_WORDS, ...OTHER_WORDS, ...OTHER_VERDICTS };
