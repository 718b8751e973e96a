import type { ChainTraits } from '../../../ports/chain.ts';
import { announce } from '../network.ts';
import { settingsOf } from '../settings.ts';
import { termsBook } from '../terms-book.ts';
import type { AccountChainOptions, SimChain, SimChainKind, SimChainOptions } from '../types.ts';
import { simWallet } from '../wallet.ts';
import { compactContractCodec, compactModuleCodec } from './compact-codec.ts';
import { swapContract } from './contract.ts';
import { realContractCodec } from './evm-codec.ts';
import { htlcModule } from './htlc-module.ts';
import { accountLedger } from './ledger.ts';
import { acceptAccount, leave } from './mempool.ts';
import { mineAccount, reorgAccount } from './mining.ts';
import { accountModel } from './model.ts';
import { partyOf } from './parties.ts';
import { type AccountParts, accountState, IN_MEMPOOL, termsInfo } from './state.ts';
import { realModuleCodec } from './tendermint-codec.ts';

const DEFAULTS = { minTxAmount: 1n, feeRate: 1, finality: 3 };

/**
 * A chain with accounts, nonces and gas, and KDF's swap contract: locks run by the time of blocks, a claim is possible until the refund, only the
 * parties themselves can act, and a transaction that the contract refuses is included without effect.
 *
 * @throws RangeError for options out of bounds.
 */
export function createAccountChain(options: AccountChainOptions): SimChain {
  const settings = settingsOf(options, DEFAULTS);
  const codec = settings.fidelity === 'real' ? realContractCodec(settings.coin) : compactContractCodec(settings.coin);
  const module = swapContract({ gaps: options.gaps ?? 'queue', rewards: options.rewards ?? false });
  return accountChain({ settings, codec, module }, { kind: 'account', refund: 'transaction', secretHashBytes: 20 });
}

/**
 * A chain with accounts that locks payments by a count of blocks and refunds them automatically; the lock time is turned into blocks by the nominal
 * block time. A block is final at once unless the options say otherwise.
 *
 * @throws RangeError for options out of bounds.
 */
export function createAutoRefundChain(options: SimChainOptions): SimChain {
  const settings = settingsOf(options, { ...DEFAULTS, finality: 1 });
  const codec = settings.fidelity === 'real' ? realModuleCodec(settings.coin) : compactModuleCodec();
  const module = htlcModule(settings);
  return accountChain({ settings, codec, module }, { kind: 'autoRefund', refund: 'automatic', secretHashBytes: 32 });
}

type Character = Pick<ChainTraits, 'refund' | 'secretHashBytes'> & { readonly kind: SimChainKind };

function accountChain(parts: AccountParts, { kind, refund, secretHashBytes }: Character): SimChain {
  const { settings, codec, module } = parts;
  const state = accountState(parts);
  const book = termsBook((terms) => termsInfo(state, terms));
  const traits: ChainTraits = {
    coin: settings.coin,
    decimals: settings.decimals,
    minTxAmount: settings.minTxAmount,
    refund,
    // As for every account that pays for its calls.
    ...(refund === 'transaction' ? { refundFeeFrom: 'wallet' } : {}),
    watchers: module.rewards,
    ...(module.rewards ? { rewards: true } : {}),
    finality: settings.finality,
    blockTime: settings.blockTime,
    contract: codec.contract,
    secretHashBytes,
  };
  const drop = (hashes: readonly string[]): readonly string[] => {
    leave(
      state,
      hashes.flatMap((hash) => state.entries.get(hash) ?? []),
    );
    if (hashes.length > 0) announce(state.network);
    return hashes;
  };
  return {
    kind,
    coin: settings.coin,
    ledger: accountLedger(state, book),
    height: () => state.list.truth.height,
    clock: () => state.list.truth.time,
    wallet: (wallet) => simWallet(accountModel({ state, book, traits }, partyOf(state, wallet))),
    mine: (block = {}) => mineAccount(state, block),
    reorg: (reorg) => reorgAccount(state, reorg),
    drop: (hash) => state.entries.get(hash)?.height === IN_MEMPOOL && drop([hash]).length > 0,
    expire: (before) => drop(state.mempool.filter(({ since }) => since < before).map(({ tx }) => tx.id)),
    submit: (hex) => acceptAccount(state, hex, null),
    burden: () => 0,
    setFaults: (faults) => {
      state.network.faults = faults;
    },
  };
}
