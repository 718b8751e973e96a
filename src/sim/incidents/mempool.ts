import { EPOCH } from '../world/scenario.ts';
import type { World } from '../world/world.ts';
import { SWAPPED } from './endings.ts';
import type { Incident, IncidentParty, IncidentPlay, IncidentRun } from './incident.ts';
import { newest, onceAppended, overtake } from './meddling.ts';
import { during, minedAt, momentOf, swapWith } from './moments.ts';
import { firstOf, journalOf, onePaymentOnly, seenOf, unless } from './records.ts';

// What happens to transactions before they are final.

export const comit514: Incident = {
  id: 'comit-514',
  system: 'xmr-btc-swap',
  title: 'a slow claim in a fee spike advances the state',
  source: 'https://github.com/comit-network/xmr-btc-swap/issues/514',
  what: "The service's claim took many hours in a fee spike. The service took its own timeout for a fact and moved the swap to another state, although the claim was under way.",
  shape:
    "Fees rise eightfold just after the claim of a side is in the mempool, and stay there for an hour and a half: the maker's claim in one play, the taker's in the other.",
  outcome: 'No timeout moves the swap: claims that pay more replace the first one until one is final.',
  seed: 514,
  parts: (['maker', 'taker'] as const).map(
    (party): IncidentPlay => ({
      name: `${party} claim`,
      scenario: (seed) => {
        const chain = party === 'maker' ? 'taker' : 'maker';
        const { at } = momentOf(swapWith(seed), { party, broadcast: 'claim' });
        const spike = during({ kind: 'feeSpike', factor: 8 } as const, at + 1, at + 5400);
        return swapWith(seed, { [chain]: { faults: [spike] } });
      },
      cause: (run) => {
        const [first] = run.broadcasts.filter((seen) => seen.party === party && seen.purpose === 'claim');
        const seen = seenOf(run, party, 'claim').find(({ hash }) => hash === first?.hash);
        return unless(seen !== undefined && !seen.everMined, 'the first claim was mined');
      },
      ending: {
        maker: {
          ...SWAPPED,
          never: ['TakerPaymentSpendFailed', 'TakerPaymentSpendConfirmFailed', 'MakerPaymentWaitRefundStarted'],
        },
        taker: {
          ...SWAPPED,
          never: ['MakerPaymentSpendFailed', 'MakerPaymentSpendConfirmFailed', 'TakerPaymentWaitRefundStarted'],
        },
      },
      check: (run) => {
        const spike = run.scenario.chains[party === 'maker' ? 'taker' : 'maker'].faults[0];
        const mined = seenOf(run, party, 'claim').find(({ status }) => status === 'confirmed');
        return firstOf(
          unless(mined !== undefined, 'no claim is in the chain'),
          unless((mined?.firstSeen ?? 0) - EPOCH < (spike?.until ?? 0), 'no dearer claim went out during the spike'),
        );
      },
    }),
  ),
};

export const farcaster865: Incident = {
  id: 'farcaster-865',
  system: 'Farcaster',
  title: 'reorgs and mempool drops strand transactions',
  source: 'https://github.com/farcaster-project/farcaster-node/pull/865',
  what: 'The node never rebroadcast transactions that a reorganization had removed from the chain, or that the mempool had dropped: swaps stopped where they were.',
  shape:
    'The mempool drops each payment and each claim in turn just after it was sent. In other plays, blocks without it replace the block that holds it, less deep than the required confirmations.',
  outcome: 'The engine notices what is missing and sends it again. Both sides swap, with the same transactions.',
  seed: 865,
  parts: (
    [
      ['taker', 'payment'],
      ['maker', 'payment'],
      ['maker', 'claim'],
      ['taker', 'claim'],
    ] as const
  ).flatMap(([party, purpose]) => [dropped(party, purpose), reorganised(party, purpose)]),
};

type Sent = 'payment' | 'claim';

function chainOf(party: IncidentParty, purpose: Sent): IncidentParty {
  return (purpose === 'claim') === (party === 'maker') ? 'taker' : 'maker';
}

/** Sent again: the same transaction went to the network at two moments, and is in the chain at the end. */
function sentAgain(run: IncidentRun, party: IncidentParty, purpose: Sent): string | null {
  const [first] = run.broadcasts.filter((seen) => seen.party === party && seen.purpose === purpose);
  const taken = run.broadcasts.filter(({ hash, answer }) => hash === first?.hash && answer === 'sent');
  return unless(taken.length > 1, `the ${purpose} was sent ${taken.length} times`);
}

function dropped(party: IncidentParty, purpose: Sent): IncidentPlay {
  const chain = chainOf(party, purpose);
  return {
    name: `${party} ${purpose} dropped`,
    scenario: (seed) => {
      const { at } = momentOf(swapWith(seed), { party, broadcast: purpose });
      // No block comes between the broadcast and the drop.
      const nobody = during({ kind: 'censor', purposes: [purpose] } as const, at, at + 2);
      return swapWith(seed, {
        [chain]: { faults: [nobody] },
        chainEvents: [{ at: at + 1, chain, kind: 'dropMempool' }],
      });
    },
    cause: (run) => sentAgain(run, party, purpose),
    ending: { maker: SWAPPED, taker: SWAPPED },
    check: (run) => firstOf(onePaymentOnly(run, 'maker'), onePaymentOnly(run, 'taker')),
  };
}

function reorganised(party: IncidentParty, purpose: Sent): IncidentPlay {
  const chain = chainOf(party, purpose);
  const careful = (seed: number) => swapWith(seed, { confirmations: { maker: 3, taker: 3 } });
  return {
    name: `${party} ${purpose} removed by a reorganization`,
    scenario: (seed) => {
      const calm = careful(seed);
      const at = minedAt(calm, { party, purpose });
      return { ...calm, chainEvents: [{ at: at + 1, chain, kind: 'reorg', depth: 1, drop: true }] };
    },
    cause: (run) => sentAgain(run, party, purpose),
    ending: { maker: SWAPPED, taker: SWAPPED },
    check: (run) => firstOf(onePaymentOnly(run, 'maker'), onePaymentOnly(run, 'taker')),
  };
}

/** At its owner's request, the wallet sends some of its coins to itself. */
function claimRewards(world: World): void {
  const wallet = world.nodes.taker.wallets.taker;
  const taken = wallet.prepare({ purpose: 'fee', feeSat: 100_000_000n, burnSat: 0n, urgency: 0, replaces: null });
  const made = taken.ok ? wallet.prepare({ purpose: 'void', target: taken.value, urgency: 4 }) : taken;
  if (!made.ok) throw new RangeError(`the wallet claims no rewards: ${made.fault.message}`);
  world.chains.taker.submit(made.value.tx_hex);
}

export const kdf1200: Incident = {
  id: 'kdf-1200',
  system: 'KDF',
  title: 'a payment and a reward claim spend the same coins',
  source: 'https://github.com/GLEECBTC/komodo-defi-framework/issues/1200',
  what: 'A taker payment and a reward claim of the same wallet spent the same coins while these were unconfirmed, and the payment vanished from the mempool.',
  shape:
    'In one play the same wallet makes another transaction between signing and sending the payment. In the other, another process of the wallet, which knows nothing of the swap, spends the coins of the payment after it was sent.',
  outcome:
    'A wallet reserves no coin twice, and the swap completes. The log records a payment whose coins are gone for good as voided, and the engine stops waiting for it.',
  seed: 1200,
  parts: [
    {
      name: 'coins that are promised already',
      scenario: (seed) => swapWith(seed),
      meddle: () => onceAppended({ party: 'taker', record: 'TransactionPrepared:payment' }, claimRewards),
      cause: (run) =>
        unless(
          seenOf(run, 'taker', 'void').some(({ status }) => status === 'confirmed'),
          'no rewards were claimed',
        ),
      ending: { maker: SWAPPED, taker: { ...SWAPPED, never: ['TransactionDropped', 'BroadcastRefused:payment'] } },
      check: (run) => onePaymentOnly(run, 'taker'),
    },
    {
      name: 'coins taken by another process',
      scenario: (seed) => swapWith(seed),
      meddle: () =>
        onceAppended({ party: 'taker', record: 'TakerPaymentSent' }, (world) => {
          const where = { party: 'taker', chain: 'taker' } as const;
          overtake(world, where, { target: newest(world, 'taker', 'payment'), urgency: 3 });
        }),
      cause: (run) =>
        unless(
          seenOf(run, 'taker', 'payment').every(({ status }) => status === 'gone'),
          'the payment is still there',
        ),
      ending: {
        maker: { money: 'refunded', never: ['TakerPaymentSpent'] },
        taker: {
          money: 'untouched',
          log: ['TakerPaymentSent', 'PaymentSettled', 'TakerPaymentRefunded', 'Finished'],
          never: ['TakerPaymentSpent'],
        },
      },
      check: ({ logs }) => {
        const how = journalOf(logs.taker, 'PaymentSettled').map(({ data }) => data.how);
        return unless(how.join() === 'voided', `the payment was settled as ${how.join()}`);
      },
    },
  ],
};

export const mempoolIncidents: readonly Incident[] = [kdf1200, farcaster865, comit514];
