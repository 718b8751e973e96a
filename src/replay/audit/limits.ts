/** A kind of change that an audit cannot notice, and why not. */
export type AuditLimit = {
  /** Stable id, in kebab case. */
  readonly limit: string;
  readonly change: string;
  readonly reason: string;
};

/**
 * What no audit of a stored swap can notice when it is changed alone. A test changes every member of every recorded swap, and
 * fails when a change goes unnoticed that is not listed here.
 */
export const auditLimits: readonly AuditLimit[] = [
  {
    limit: 'last-event',
    change: 'The last event is left out, also Finished.',
    reason: 'The first part of a legal log is a legal log: the node may have been stopped there.',
  },
  {
    limit: 'other-legal-order',
    change: 'An event is left out or repeated, and what remains is another order that a node may store.',
    reason:
      "A node that was stopped between two writes, another release, or a log made out of the other party's stores such an order.",
  },
  {
    limit: 'watcher-message',
    change: 'WatcherMessageSent is left out.',
    reason: 'A taker sends none where a preimage cannot be made.',
  },
  {
    limit: 'moment-of-event',
    change: 'A timestamp is moved between its neighbours, or one at the end is moved on.',
    reason: 'No rule says how long a step takes; only the order, the start and the locks bind the times.',
  },
  {
    limit: 'no-payment-yet',
    change:
      'A key, hash, amount or coin is changed whose payment is not in the log, or not on a chain that is decoded.',
    reason: 'Terms are held against the payment. Without one, nothing repeats them.',
  },
  {
    limit: 'unseen-digit',
    change:
      'A digit of an amount is changed that no transaction shows: below one base unit, or while a fee at its minimum is all there is.',
    reason:
      'Payments and fees are counted in base units; only a file that names the amounts beside the events repeats every digit.',
  },
  {
    limit: 'clock-tolerance',
    change:
      'The lock time of a payment that is not in the log, or the start of a log that may be recreated, is moved by up to a minute.',
    reason: "The parties' clocks may differ by a minute, and so may their starts, from which the locks are counted.",
  },
  {
    limit: 'own-identity',
    change: '`my_persistent_pub` is changed in a log whose keys for the coins are stored.',
    reason: 'The payments are locked with the keys for the coins. With a wallet of many keys, this one is another.',
  },
  {
    limit: 'peer-identity',
    change:
      "The other party's peer-to-peer id is changed in a log in which its public key is hidden behind zeros, or before its key is known.",
    reason: 'The id is the public key without its first byte. Since 2022 nodes write zeros in the place of the key.',
  },
  {
    limit: 'contract-not-negotiated',
    change: 'The swap contract of Started is changed.',
    reason: 'The contract of Negotiated is the one that counts; that of Started may be replaced.',
  },
  {
    limit: 'secret-without-hash',
    change: "A maker's secret is changed in a log of 2019 before its payment is sent, or where the log hides it.",
    reason: 'Makers of 2019 stored no hash beside the secret, so that only the payment repeats it.',
  },
  {
    limit: 'estimates',
    change: 'An estimated fee for miners, or whether it is taken from the traded volume, is changed.',
    reason: 'It is an estimate of that moment; what is paid in the end differs from it.',
  },
  {
    limit: 'settings',
    change: 'A count of confirmations, the wish for notarisation, or the height at which a chain stood is changed.',
    reason: 'Settings of the parties and heights of chains stand once in a log, and nothing follows from them.',
  },
  {
    limit: 'free-text',
    change: 'The text of an error, the name of the program or its version is changed.',
    reason: 'Nothing repeats it, and nothing follows from it.',
  },
  {
    limit: 'prices',
    change: 'A price in US dollars is changed.',
    reason: 'It comes from outside of the swap.',
  },
  {
    limit: 'maker-order',
    change: "The id of a maker's order is changed.",
    reason: "A maker's order has an id of its own; a taker's has that of the swap.",
  },
  {
    limit: 'dated-flag',
    change: '`recoverable` is changed in an answer about a swap of before October 2024.',
    reason: 'Both values may have been right: the rule of the real node has changed since.',
  },
  {
    limit: 'chain-position',
    change: 'The height or time of a block that old releases stored beside a transaction is changed.',
    reason: 'Only the chain knows it.',
  },
  {
    limit: 'komodo-interest',
    change:
      'The fee that old releases stored beside a KMD transaction is raised, or the total is lowered, by a little.',
    reason: 'The inputs of KMD transactions earn interest, so that outputs and fee together may exceed them.',
  },
  {
    limit: 'watcher-signature',
    change: 'The signature or the receiver inside of a transaction for watchers is changed.',
    reason: 'The log stores no id of such a transaction, and signatures are not verified.',
  },
];
