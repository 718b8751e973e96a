import { type Bounds, type BoundsChanges, boundsOf } from './bounds.ts';

/** Bounds under a name, with what they explore in one sentence. */
export type NamedBounds = { readonly name: string; readonly text: string; readonly bounds: Bounds };

function named(name: string, text: string, changes: BoundsChanges): NamedBounds {
  return { name, text, bounds: boundsOf(changes) };
}

const UTXO = 'utxo';
const ACCOUNT = 'account';

// If one number served both chains, a mix-up of the two could not show: most bounds have unequal ones.

/** What a check explores by default: about half a minute on one core. */
export const publishedBounds: readonly NamedBounds[] = [
  named('crashes', 'two crashes', {
    crashes: 2,
    confirmations: { maker: 2, taker: 1 },
    finality: { maker: 2, taker: 3 },
  }),
  named('node errors', 'a crash and an error of a node', { crashes: 1, nodeErrors: 1 }),
  named('two node errors', 'two errors of nodes', {
    nodeErrors: 2,
    confirmations: { maker: 2, taker: 1 },
    finality: { maker: 2, taker: 3 },
  }),
  named('messages', 'a lost message, a late broadcast and a crash', {
    crashes: 1,
    losses: 1,
    preemptions: 1,
    confirmations: { maker: 1, taker: 2 },
  }),
  named('chains', 'a replaced block, a forgotten transaction and a crash', {
    crashes: 1,
    reorgs: 1,
    drops: 1,
    confirmations: { maker: 2, taker: 3 },
    finality: { maker: 3, taker: 2 },
  }),
  named('deep reorgs', 'two blocks taken back, at once or one by one, and a crash', {
    crashes: 1,
    reorgs: 2,
    confirmations: { maker: 3, taker: 2 },
    finality: { maker: 3, taker: 4 },
  }),
  named('full blocks', 'a block that leaves a transaction out, a forgotten transaction and a crash', {
    crashes: 1,
    drops: 1,
    partials: 1,
    confirmations: { maker: 1, taker: 2 },
    finality: { maker: 3, taker: 2 },
  }),
  named('rogue maker', 'a maker that does what it likes, a replaced block and a crash of the taker', {
    adversary: 'maker',
    crashes: 1,
    reorgs: 1,
    confirmations: { maker: 2, taker: 1 },
    finality: { maker: 2, taker: 3 },
  }),
  named('two payments', 'a maker that pays twice at once, a block that leaves a transaction out', {
    adversary: 'maker',
    payments: 2,
    partials: 1,
    confirmations: { maker: 2, taker: 1 },
    finality: { maker: 2, taker: 3 },
  }),
  named('rogue taker', 'a taker that does what it likes, and a crash of the maker', { adversary: 'taker', crashes: 1 }),
  named('watcher', 'a watcher, a maker that does what it likes, and a crash', {
    adversary: 'maker',
    watcher: 'engine',
    crashes: 1,
  }),
  named('free watcher', 'a watcher and a maker that do what they like', {
    adversary: 'maker',
    watcher: 'free',
    finality: { maker: 3, taker: 2 },
  }),
  named('accounts', 'chains with accounts and nonces, a forgotten transaction and a crash', {
    chains: { maker: ACCOUNT, taker: ACCOUNT },
    crashes: 1,
    drops: 1,
    confirmations: { maker: 1, taker: 2 },
    finality: { maker: 3, taker: 2 },
  }),
  named('rewards', 'a watcher whom chains with accounts pay, and a crash', {
    chains: { maker: ACCOUNT, taker: ACCOUNT },
    rewards: true,
    watcher: 'engine',
    crashes: 1,
  }),
  named('automatic refund', 'a chain that refunds by itself, a forgotten transaction and a crash', {
    chains: { maker: UTXO, taker: 'autoRefund' },
    crashes: 1,
    drops: 1,
  }),
];

/** Wider bounds, for a check that may take some minutes. */
export const thoroughBounds: readonly NamedBounds[] = [
  named('crashes', 'three crashes and one error of a node', { crashes: 3, nodeErrors: 1 }),
  named('node errors', 'a crash and two errors of nodes', { crashes: 1, nodeErrors: 2 }),
  named('everything', 'one trouble of each kind', {
    crashes: 1,
    nodeErrors: 1,
    losses: 1,
    preemptions: 1,
    reorgs: 1,
    drops: 1,
    confirmations: 2,
  }),
  named('rogue maker', 'a maker that does what it likes, and troubles of the chains', {
    adversary: 'maker',
    crashes: 1,
    preemptions: 1,
    reorgs: 1,
    drops: 1,
    confirmations: 2,
  }),
  named('rogue taker', 'a taker that does what it likes, and troubles of the chains', {
    adversary: 'taker',
    crashes: 1,
    preemptions: 1,
    reorgs: 1,
    confirmations: 2,
  }),
  named('two payments', 'a taker that pays twice at once, and a crash of the maker', {
    adversary: 'taker',
    payments: 2,
    crashes: 1,
    confirmations: { maker: 1, taker: 2 },
    finality: { maker: 3, taker: 2 },
  }),
  named('deep reorgs', 'three blocks taken back, a forgotten transaction and a crash', {
    crashes: 1,
    reorgs: 3,
    drops: 1,
    confirmations: { maker: 3, taker: 4 },
    finality: { maker: 4, taker: 3 },
  }),
  named('watcher', 'a watcher, a maker that does what it likes, two crashes', {
    adversary: 'maker',
    watcher: 'engine',
    crashes: 2,
  }),
  named('accounts', 'chains with accounts, two crashes and a forgotten transaction', {
    chains: { maker: ACCOUNT, taker: ACCOUNT },
    crashes: 2,
    drops: 1,
  }),
  named('rogue taker on accounts', 'a taker that does what it likes, on chains with accounts', {
    adversary: 'taker',
    chains: { maker: ACCOUNT, taker: ACCOUNT },
    crashes: 1,
    drops: 1,
  }),
];
