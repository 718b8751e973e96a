import { type Check, called, flag, given, numberOf, oneOf, partsOf, textOf } from '../shape-check.ts';

// A mistake, such as an empty ticker or a misspelt option, would otherwise show only as a chain or a wallet that does
// too little.

/** Checked by the chain itself, which knows its bounds. */
const unread: Check = () => {};
const name = textOf('a name', (text) => text !== '');

const kindCheck = oneOf('utxo', 'account', 'autoRefund');
const chainCheck = partsOf(
  { coin: name, now: called, rng: given },
  {
    fidelity: oneOf('real', 'compact'),
    startHeight: unread,
    blockTime: unread,
    decimals: unread,
    minTxAmount: unread,
    finality: unread,
    feeRate: unread,
    notariseEvery: unread,
    scheme: oneOf('p2sh', 'p2wsh'),
    network: given,
    gaps: oneOf('queue', 'refuse'),
    rewards: flag,
  },
);
const walletCheck = partsOf(
  { party: name },
  { funds: unread, coins: numberOf({ from: 1, whole: true }), keyPerSwap: flag },
);

/** @throws MemberTypeError, MemberValueError for an unknown kind or option, and for a name close to one. */
export function checkChainOptions(kind: unknown, options: unknown): void {
  kindCheck(kind, 'kind');
  chainCheck(options, 'options');
}

/** @throws MemberTypeError, MemberValueError as {@link checkChainOptions}. */
export function checkWalletOptions(options: unknown): void {
  walletCheck(options, 'wallet options');
}
