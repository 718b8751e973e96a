import type { ChainTraits } from '../../../ports/chain.ts';
import { announce } from '../network.ts';
import { settingsOf } from '../settings.ts';
import { termsBook } from '../terms-book.ts';
import type { SimChain, SimChainOptions } from '../types.ts';
import { simWallet } from '../wallet.ts';
import { acceptUtxo } from './accept.ts';
import { burdenUtxo } from './burden.ts';
import { compactUtxoCodec } from './compact-codec.ts';
import { utxoLedger } from './ledger.ts';
import { evict } from './mempool.ts';
import { mineUtxo } from './mining.ts';
import { utxoModel } from './model.ts';
import { partyOf } from './parties.ts';
import { realUtxoCodec } from './real-codec.ts';
import { reorgUtxo } from './reorg.ts';
import { IN_MEMPOOL, type UtxoState, utxoState } from './state.ts';
import { termsInfo } from './views.ts';

const DEFAULTS = { minTxAmount: 1000n, feeRate: 2, finality: 3 };

/**
 * A chain of outputs with a mempool and hash time locks by script: locks run by the median time past of 11 blocks, a spend must be signed by the
 * right key and show the right secret, and a dearer transaction may replace any unconfirmed one.
 *
 * @throws RangeError for options out of bounds.
 */
export function createUtxoChain(options: SimChainOptions): SimChain {
  const settings = settingsOf(options, DEFAULTS);
  const real = settings.fidelity === 'real';
  const codec = real ? realUtxoCodec(settings.coin, options) : compactUtxoCodec();
  const state = utxoState(settings, codec);
  const book = termsBook((terms) => termsInfo(state, terms));
  const traits: ChainTraits = {
    coin: settings.coin,
    decimals: settings.decimals,
    minTxAmount: settings.minTxAmount,
    refund: 'transaction',
    watchers: true,
    finality: settings.finality,
    blockTime: settings.blockTime,
    contract: null,
    // The short bytes of the compact form hold no scripts.
    ...(real ? { scheme: options.scheme ?? 'p2sh' } : {}),
    secretHashBytes: 20,
    notarised: settings.notariseEvery !== null,
  };
  return {
    kind: 'utxo',
    coin: settings.coin,
    ledger: utxoLedger(state, book),
    height: () => state.list.truth.height,
    clock: () => state.list.truth.median,
    wallet: (wallet) => {
      const party = partyOf(state, wallet);
      return simWallet(utxoModel({ state, book, traits }, party, { keyPerSwap: wallet.keyPerSwap ?? false }));
    },
    mine: (block = {}) => mineUtxo(state, block),
    reorg: (reorg) => reorgUtxo(state, reorg),
    drop: (hash) => drop(state, hash),
    expire: (before) => expire(state, before),
    submit: (hex) => acceptUtxo(state, hex, null),
    burden: (hash, children) => burdenUtxo(state, hash, children),
    setFaults: (faults) => {
      state.network.faults = faults;
    },
  };
}

function drop(state: UtxoState, hash: string): boolean {
  const entry = state.entries.get(hash);
  if (entry === undefined || entry.height !== IN_MEMPOOL) return false;
  evict(state, [entry]);
  announce(state.network);
  return true;
}

function expire(state: UtxoState, before: number): readonly string[] {
  const left = evict(
    state,
    state.mempool.filter(({ since }) => since < before),
  );
  if (left.length > 0) announce(state.network);
  return left.map(({ tx }) => tx.id);
}
