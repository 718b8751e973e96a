import type { PaymentTerms, PrepareRequest } from '../../ports/chain.ts';
import { onLeg } from '../../primitives/pair.ts';
import type { MineOptions, SimWallet } from '../chains/types.ts';
import { agreementOf } from './judge/agreement.ts';
import type { ChainName } from './scenario.ts';
import type { World } from './world.ts';

// A stranger who does whatever the contract lets anyone do for a reward.

/** What a stranger puts at the start of the next block: each call that the contract would accept now and that pays its caller. */
export function grabbed(world: World, name: ChainName): Pick<MineOptions, 'extra'> {
  const wallet = world.grabber === null ? null : onLeg(world.grabber, name);
  const agreement = agreementOf(world);
  if (wallet === null || agreement === null) return {};
  const { ledger } = onLeg(world.chains, name);
  // What a reorganization gave back is first in the next block anyway.
  if (ledger.transactions(wallet.party).some(({ status }) => status === 'mempool')) return {};
  // Whatever remains of its earlier transactions is in blocks.
  wallet.restart();
  const terms = { ...onLeg(agreement, name).terms, reward: roleOf(world, name) };
  const funding = fundingOf(wallet, terms);
  if (funding === null) return {};
  const common = { terms, funding, urgency: 0, replaces: null, unpaid: true } as const;
  const secret = shownSecret(world);
  const wanted: readonly PrepareRequest[] = [
    ...(secret === null ? [] : [{ purpose: 'claimFor' as const, secret, ...common }]),
    { purpose: 'refundFor' as const, ...common },
  ];
  for (const request of wanted) {
    const made = wallet.prepare(request, { swap: world.uuid });
    if (made.ok) return { extra: [made.value.tx_hex] };
  }
  return {};
}

function roleOf({ scenario }: World, leg: ChainName) {
  const other = leg === 'maker' ? 'taker' : 'maker';
  return { leg, otherPays: onLeg(scenario.chains, other).rewards === true };
}

function fundingOf(wallet: SimWallet, terms: PaymentTerms) {
  const view = wallet.payment({ terms });
  if (!view.ok || view.value.funding === null || (view.value.spend?.confirmations ?? 0) > 0) return null;
  const { tx_hex, tx_hash } = view.value.funding.tx;
  return { tx_hex, tx_hash };
}

/** The secret as soon as any claim shows it, even in a mempool. */
function shownSecret({ chains, secret }: World): string | null {
  const isShown = (['maker', 'taker'] as const).some((leg) =>
    onLeg(chains, leg)
      .ledger.transactions()
      .some(({ purpose }) => purpose === 'claim'),
  );
  return isShown ? secret : null;
}
