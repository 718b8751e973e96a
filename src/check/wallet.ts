import type { Chain, Quote, SignedTransaction } from '../ports/chain.ts';
import type { DecimalText } from '../primitives/decimal.ts';
import type { UnixSeconds } from '../primitives/time.ts';
import { refused } from '../sim/chains/faults.ts';
import { accept } from './accept.ts';
import type { ChainParts, ChainState } from './chain-state.ts';
import { prepare, type Signer } from './prepare.ts';
import { usualRewardText } from './rewards.ts';
import { feeProblem, HEIGHT, paymentView, transactionView } from './views.ts';

/** A chain that a run of an engine works on; each broadcast puts another value in its place. */
export type ChainCell = { readonly parts: ChainParts; state: ChainState };

export type WalletParts = {
  readonly cell: ChainCell;
  /** Asked again for each transaction: what the party has committed follows from its log. */
  readonly signer: () => Signer;
  readonly key: string;
  /** Learns of everything that is handed to the network, before the network judges it. */
  readonly onBroadcast: (transaction: SignedTransaction) => void;
};

/** The port over an abstract chain. Answers come at once and are true. */
export function createWallet({ cell, signer, key, onBroadcast }: WalletParts): Chain {
  const { parts } = cell;
  return {
    traits: parts.traits,
    htlcKey: () => key,
    quote: () => ({ ok: true, value: quoteOf(parts, cell.state) }),
    payment: (query) => ({ ok: true, value: paymentView(parts, cell.state, query) }),
    transaction: (hash) => ({ ok: true, value: transactionView(parts, cell.state, hash) }),
    checkFee: (check) => ({ ok: true, value: feeProblem(parts, cell.state, check) }),
    prepare: (request) => prepare(parts, cell.state, { request, signer: signer() }),
    broadcast: (transaction) => {
      onBroadcast(transaction);
      const body = parts.bodies.get(transaction.tx_hash);
      if (body === undefined) return refused('invalid', 'the bytes are no transaction');
      const { state, answer } = accept(parts, cell.state, { body });
      cell.state = state;
      return answer;
    },
  };
}

function quoteOf({ leg, traits }: ChainParts, { clock }: ChainState): Quote {
  const little = '0.00001' as DecimalText;
  return {
    height: HEIGHT,
    clock: clock as UnixSeconds,
    spendable: '100' as DecimalText,
    paymentFee: little,
    spendFee: little,
    // Nobody runs out of coins on the abstract chains, so there is nothing to weigh.
    spendFeeFrom: 'claim',
    dexFeeFee: little,
    ...(traits.rewards === true ? { reward: usualRewardText(leg) } : {}),
  };
}
