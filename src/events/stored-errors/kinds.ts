/** What a stored error text tells, in a closed set. `unknown` is an answer: the text is quoted, and nothing is read into it. */
export type StoredErrorKind =
  | 'alreadyKnown'
  | 'outputSpent'
  | 'inputsMissing'
  | 'feeTooLow'
  | 'notFinal'
  | 'nonceUsed'
  | 'reverted'
  | 'dust'
  | 'badSignature'
  | 'notConfirmed'
  | 'notSpent'
  | 'notEnough'
  | 'volumeTooLow'
  | 'clockOff'
  | 'peerRefused'
  | 'peerSilent'
  | 'tooLate'
  | 'wrongPayment'
  | 'wrongFee'
  | 'usedTwice'
  | 'wrongTerms'
  | 'noSecret'
  | 'unreachable'
  | 'unknown';

export type ErrorKindRow = {
  readonly kind: StoredErrorKind;
  /** Matched against the text without locations and requests. */
  readonly words: RegExp;
  /** One plain sentence without its full stop, for a reader who does not know the protocol. */
  readonly means: string;
  /** What to do about it before the step is tried again; one sentence. */
  readonly cure: string;
  /** Whose words these are. */
  readonly source: string;
};

const CORE = 'Bitcoin Core and its descendants (validation.cpp, policy.cpp)';
const GETH = 'go-ethereum (core/txpool), other clients’ words for the same';
const KDF = 'the real node';

/**
 * The table that stored error texts are read by, for people alone: the first row that fits counts. Words are those that are the same in all releases; what
 * a message puts around them varies.
 */
export const ERROR_KINDS: readonly ErrorKindRow[] = [
  {
    kind: 'alreadyKnown',
    words:
      /already (?:been )?imported|already known|known transaction|already in (?:the )?(?:block ?chain|mempool|pool)|txn-already-(?:known|in-mempool)|outputs already in utxo set/i,
    means: 'the node already has the transaction, so an earlier attempt to send it succeeded',
    cure: 'Look for the transaction on the chain before you send anything again.',
    source: `${CORE}; Parity: “Transaction with the same hash was already imported”`,
  },
  {
    kind: 'outputSpent',
    words: /bad-txns-inputs-spent|txn-mempool-conflict|(?:is|was|been) (?:already )?spent\b|already spent/i,
    means:
      "the node answered that the output is spent: someone else's transaction, or an earlier one of this side, " +
      'has spent it',
    cure: 'Find the transaction that spent the output on the chain before you send anything again.',
    source: `${CORE}: “18: bad-txns-inputs-spent”, “txn-mempool-conflict”`,
  },
  {
    kind: 'inputsMissing',
    words: /missing ?inputs|bad-txns-inputs-missingorspent|inputs-missing/i,
    means: 'the node cannot find the output: it is spent, or the node does not know the payment',
    cure: 'Check on the chain whether the output exists, and which transaction spent it, before you send anything again.',
    source: `${CORE}: “Missing inputs”, “bad-txns-inputs-missingorspent”`,
  },
  {
    kind: 'feeTooLow',
    words:
      /min relay fee not met|mempool min fee not met|mempool full|insufficient (?:fee|priority)|underpriced|fee ?too ?low|gas price too low|less than block base fee|max fee per gas less/i,
    means: 'the node refused the transaction because its fee was too low',
    cure: 'Create the transaction again with a higher fee.',
    source: `${CORE}: “66: min relay fee not met”, “mempool min fee not met”; ${GETH}: “transaction underpriced”`,
  },
  {
    kind: 'notFinal',
    words: /non-(?:BIP68-)?final|locktime requirement not satisfied|too early|not (?:yet )?final\b/i,
    means:
      "the node refused the transaction because the lock time has not passed by the chain's time, which lags " +
      'behind the clock',
    cure: 'Wait until the median time of the last blocks has passed the lock, then send it again.',
    source: `${CORE}: “64: non-final”; BIP 65, BIP 113`,
  },
  {
    kind: 'nonceUsed',
    words: /nonce too low|nonce has already been used|old ?nonce/i,
    means: 'another transaction of the same account used the nonce of this one',
    cure: 'Check which transactions the account has sent before you send anything again.',
    source: `${GETH}: “nonce too low”`,
  },
  {
    kind: 'reverted',
    words: /revert|out of gas|intrinsic gas|exceeds (?:block )?gas limit/i,
    means: 'the contract refused the call, or the gas was not enough for it',
    cure: 'Check the state of the payment in the swap contract: it may be spent, refunded, or not paid as agreed.',
    source: `${GETH}: “execution reverted”, “out of gas”`,
  },
  {
    kind: 'notEnough',
    words: /\bnot enough\b|insufficient (?:funds|balance)|notsufficientbalance|balance too low/i,
    means: 'the balance was too low for the amount and the fees',
    cure: 'Add more of the named coin to the wallet, or wait for other swaps to release what they hold.',
    source: `${KDF}: “Not enough … for swap”, “Not enough base coin …”; ${GETH}: “insufficient funds for gas * price + value”`,
  },
  {
    kind: 'volumeTooLow',
    words: /less than minimum transaction amount/i,
    means: 'the volume is below the smallest amount that the coin can send',
    cure: 'Trade a larger volume.',
    source: `${KDF}: “The volume … less than minimum transaction amount …”`,
  },
  {
    kind: 'dust',
    words: /\bdust\b/i,
    means: 'an output is worth so little that nodes do not relay it (dust)',
    cure: 'Trade a larger volume, or lower the fee so that the output keeps more.',
    source: `${CORE}: “64: dust”`,
  },
  {
    kind: 'clockOff',
    words: /started_at time_dif over|clock is off|time (?:difference|gap)/i,
    means: 'the clocks of the two sides differ by more than the protocol allows',
    cure: "Synchronize the host's clock with a time server (NTP).",
    source: `${KDF}: “Started_at time_dif over 60 …”`,
  },
  {
    kind: 'peerRefused',
    words: /negotiated = false|maker sent negotiated|taker sent negotiated/i,
    means: 'the other side answered that it does not accept the terms',
    cure: 'Ask the other side, whose log says why.',
    source: `${KDF}: “Maker sent negotiated = false”`,
  },
  {
    kind: 'wrongTerms',
    words: /not equal to expected|negotiate_swap_contract_addr|secret hash (?:belongs|is)|htlc_pub|secret_hash/i,
    means: "the other side's terms differ from those that this side expects",
    cure: 'Compare the releases and coin configurations (lock times, swap contracts) of both sides.',
    source: `${KDF}: “… payment_locktime … not equal to expected …”, “!…_coin.negotiate_swap_contract_addr …”`,
  },
  {
    kind: 'usedTwice',
    words: /serves one swap|belongs to swap|names another swap/i,
    means: 'what the other side sent belongs to another swap',
    cure: 'Do not trade with this counterparty again.',
    source: 'this engine',
  },
  {
    kind: 'wrongFee',
    words:
      /dex fee tx|does not belong to the verified public key|confirmed before min_block|older than the lock duration/i,
    means: 'the taker sent another fee than agreed',
    cure: 'Trade with someone else: a maker pays only after a correct fee.',
    source: `${KDF}: “Provided dex fee tx …”, “… does not belong to the verified public key”, “Fee tx … confirmed before min_block …”`,
  },
  {
    kind: 'wrongPayment',
    words:
      /provided payment tx|payment tx has no outputs|!validate maker payment|validate_taker_payment|error parsing the 'maker-payment'|tx_enum_from_bytes|wrongpaymenttx/i,
    means: 'the payment of the other side does not do what was agreed',
    cure: 'Do not pay. If this side has already paid, its payment can be refunded once its lock has passed.',
    source: `${KDF}: “Provided payment tx …”, “Payment tx has no outputs”`,
  },
  {
    kind: 'noSecret',
    words: /extract secret|extract_secret/i,
    means: 'the spend that was found did not show the secret',
    cure:
      'Look at the spend on the chain. If it is a refund, the swap did not happen; if it shows the secret, claim ' +
      'with it.',
    source: `${KDF}: “Could not extract secret from taker payment spend transaction”`,
  },
  {
    kind: 'notConfirmed',
    words: /waited too long until \d+ for (?:transaction .* to be confirmed|data to be sent)/i,
    means: 'the transaction did not get its confirmations within the time that the node waits',
    cure: 'Check whether the transaction has its confirmations now: one that waits long usually pays too low a fee.',
    source: `${KDF}: “Waited too long until … for transaction … to be confirmed … times”`,
  },
  {
    kind: 'notSpent',
    words: /waited too long until \d+ for transaction .* to be spent/i,
    means: 'the other side did not claim the payment within the time that the node waits',
    cure: 'Check whether the payment is spent now: a spend shows the secret.',
    source: `${KDF}: “Waited too long until … for transaction … to be spent”`,
  },
  {
    kind: 'badSignature',
    words:
      /script-verify-flag|signature must|invalid signature|signature (?:is )?(?:invalid|wrong)|script (?:evaluated|failed)|verification failed/i,
    means: "the output's script rejected the spend: a wrong signature, key or secret, or a lock that has not passed",
    cure: 'Compare the keys and the script with those in the log; the audit does this.',
    source: `${CORE}: “16: mandatory-script-verify-flag-failed (…)”`,
  },
  {
    kind: 'peerSilent',
    words: /\btimeout \(\d+(?:\.\d+)? > \d+(?:\.\d+)?\)/i,
    means: 'the other side sent nothing within the time that the node waits',
    cure: 'Check the connection to the network; as far as the log shows, nothing else was wrong on this side.',
    source: `${KDF}: “Timeout (691 > 690)”, in releases up to 2021 “timeout (180.0 > 180.0)”`,
  },
  {
    kind: 'tooLate',
    words: /\btimeout \d+ > \d+/i,
    means: 'the node reached this step after its deadline, and skipped it',
    cure: 'Keep the node running during swaps; the host may have been suspended or stopped.',
    source: `${KDF}: “Timeout 1730514773 > 1730514206”`,
  },
  {
    kind: 'unreachable',
    words:
      /currently disconnected|connection (?:refused|reset|closed)|error trying to connect|timed? ?out|no such host|dns error|failed to lookup|unreachable|living rpc client|transport error|too many requests|rate.?limit|no node is connected|all the current rpc nodes|broken pipe|service unavailable|bad gateway/i,
    means: 'the node of the coin could not be reached',
    cure: 'Configure working servers for the coin, then retry the step.',
    source: `${KDF}: “All electrums are currently disconnected”, “Transport error: …”`,
  },
];

/** What is said where no row fits. */
export const UNKNOWN_ERROR = {
  means: 'the log gives a reason that is not in this table',
  cure: 'Read the quoted reason.',
} as const;
