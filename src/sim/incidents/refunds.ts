import { EPOCH, type Scenario } from '../world/scenario.ts';
import type { World } from '../world/world.ts';
import { abandoned, refundEnding, restarted, SWAPPED } from './endings.ts';
import type { Incident, IncidentRun } from './incident.ts';
import { lock, newest, once } from './meddling.ts';
import { during, momentOf, swapWith, withCrash, withNodeFaults } from './moments.ts';
import { firstOf, holds, isLabelled, journalOf, onePaymentOnly, seenOf, unless } from './records.ts';

// Refunds that must not happen, and refunds that must.

const NO_REFUND = [
  'TakerPaymentWaitForSpendFailed',
  'TakerPaymentWaitRefundStarted',
  'TakerPaymentRefundStarted',
  'BroadcastAttempted:refund',
] as const;

/** When the party's log got its last record of this label, in seconds from the start of the world. */
function lastAt({ logs }: IncidentRun, party: 'maker' | 'taker', label: string): number {
  const found = logs[party].filter((record) => isLabelled(record, label)).at(-1);
  return found === undefined ? 0 : Math.floor(found.at / 1000) - EPOCH;
}

export const kdf510: Incident = {
  id: 'kdf-510',
  system: 'KDF',
  title: 'an app that slept refunds a spent payment',
  source: 'https://github.com/GLEECBTC/komodo-defi-framework/issues/510',
  what: 'A phone app that had slept for hours declared TakerPaymentWaitForSpendFailed without checking the chain. It tried to refund a payment that the maker had spent long before; the maker payment stayed unclaimed.',
  shape: "After its payment the taker sleeps for two and a half hours, past the maker's spend and past its own lock.",
  outcome:
    'When it wakes, it checks the chain first, finds the spend, extracts the secret and claims. It never begins a refund.',
  seed: 510,
  parts: [
    {
      name: 'asleep past the spend',
      scenario: (seed) =>
        withCrash(swapWith(seed), { party: 'taker', record: 'TakerPaymentSent' }, { when: 'after', downFor: 9000 }),
      cause: (run) =>
        firstOf(
          restarted('taker')(run),
          unless(lastAt(run, 'taker', 'TakerPaymentSpent') > run.scenario.lockDuration, 'it woke before its lock'),
        ),
      ending: {
        maker: SWAPPED,
        taker: {
          ...SWAPPED,
          log: ['TakerPaymentSent', 'TakerPaymentSpent', 'MakerPaymentSpent', 'MakerPaymentSpendConfirmed', 'Finished'],
          never: NO_REFUND,
        },
      },
    },
  ],
};

export const farcaster156: Incident = {
  id: 'farcaster-156',
  system: 'Farcaster',
  title: 'the node broadcasts the cancel after the success',
  source: 'https://github.com/farcaster-project/farcaster-node/issues/156',
  what: 'After a successful swap the node still broadcast the cancel transaction once its time lock had passed.',
  shape:
    "A claim needs 40 blocks of five minutes to be final, so the lock of the taker's payment passes while both wait.",
  outcome: "Neither side's log has a refund that went out, and no chain ever sees one.",
  seed: 156,
  parts: [
    {
      name: 'lock that passes during the claim',
      scenario: (seed) =>
        swapWith(seed, { maker: { finality: 40, blockTime: 300 }, taker: { finality: 40, blockTime: 300 } }),
      cause: (run) =>
        unless(lastAt(run, 'taker', 'Finished') > run.scenario.lockDuration, 'the swap was over before the lock'),
      ending: {
        maker: { ...SWAPPED, never: ['MakerPaymentWaitRefundStarted', 'BroadcastAttempted:refund'] },
        taker: { ...SWAPPED, never: NO_REFUND },
      },
      check: (run) =>
        unless(
          seenOf(run, 'maker', 'refund').length + seenOf(run, 'taker', 'refund').length === 0,
          'a chain has seen a refund',
        ),
    },
  ],
};

/** From its payment until the given moment, the taker's node forwards nothing that it sends on its own chain. */
function swallowed(scenario: Scenario, until: number): Scenario {
  const { at } = momentOf(scenario, { party: 'taker', broadcast: 'payment' });
  const fault = during({ kind: 'broadcast', effect: 'lost' } as const, at, until);
  return withNodeFaults(scenario, { party: 'taker', chain: 'taker' }, [fault]);
}

const LATE = 9000;

function since(world: World, seconds: number): boolean {
  return world.now / 1000 - EPOCH >= seconds;
}

export const boltzClient615: Incident = {
  id: 'boltz-client-615',
  system: 'boltz-client',
  title: 'a lockup that appears after the expiry cannot be refunded',
  source: 'https://github.com/BoltzExchange/boltz-client/issues/615',
  what: 'A lockup transaction reached the mempool only after its swap had expired. The client no longer watched the address of a failed swap and offered no refund.',
  shape:
    "The taker's node says that it sent the payment and withholds it, until twenty minutes after the lock somebody else relays it. In a second play nobody ever does.",
  outcome:
    'The taker sees the late payment and takes it back, or makes it impossible before it can confirm. Only then does the swap end.',
  seed: 615,
  parts: [
    {
      name: 'payment passed on after the lock',
      scenario: (seed) => swallowed(swapWith(seed), LATE + 900),
      meddle: () =>
        once(
          (world) => since(world, LATE),
          (world) => void world.chains.taker.submit(newest(world, 'taker', 'payment').tx_hex),
        ),
      cause: (run) =>
        unless(
          seenOf(run, 'taker', 'payment').some(({ firstSeen }) => firstSeen - EPOCH >= LATE),
          'the payment was seen before the lock',
        ),
      ending: {
        maker: { money: 'refunded', never: ['TakerPaymentSpent'] },
        taker: {
          money: ['refunded', 'untouched'],
          log: [
            'TakerPaymentSent',
            'TakerPaymentWaitForSpendFailed',
            'PaymentSettled',
            'TakerPaymentRefunded',
            'Finished',
          ],
        },
      },
    },
    {
      name: 'payment that is never passed on',
      scenario: (seed) => swallowed(swapWith(seed), LATE),
      cause: (run) => unless(seenOf(run, 'taker', 'payment').length === 0, 'the payment was seen'),
      ending: {
        maker: { money: 'refunded', never: ['TakerPaymentSpent'] },
        taker: { money: 'untouched', log: ['TakerPaymentSent', 'PaymentSettled', 'TakerPaymentRefunded', 'Finished'] },
      },
      check: ({ logs }) => {
        const how = journalOf(logs.taker, 'PaymentSettled').map(({ data }) => data.how);
        return unless(how.join() === 'voided', `the payment was settled as ${how.join()}`);
      },
    },
  ],
};

/** The refund that stands beside the payment in the log, and whether it stood there before anyone could see the payment. */
function storedRefund({ logs }: IncidentRun): { readonly hash: string | null; readonly inTime: boolean } {
  const kit = logs.taker.findIndex((record) => isLabelled(record, 'TransactionPrepared:refund'));
  const shown = logs.taker.findIndex((record) => isLabelled(record, 'BroadcastAttempted:payment'));
  const data = logs.taker[kit]?.data as { readonly tx: { readonly tx_hash: string } } | undefined;
  return { hash: data?.tx.tx_hash ?? null, inTime: kit >= 0 && kit < shown };
}

function refundedAsStored(run: IncidentRun): string | null {
  const { hash, inTime } = storedRefund(run);
  const landed = seenOf(run, 'taker', 'refund').filter(({ status }) => status === 'confirmed');
  return firstOf(
    unless(inTime, 'the payment could be seen before the log held its refund'),
    unless(landed.length === 1 && landed[0]?.hash === hash, 'the refund in the chain is not the stored one'),
  );
}

export const dcrdex952: Incident = {
  id: 'dcrdex-952',
  system: 'dcrdex',
  title: 'a refund needs the server and an unlocked wallet',
  source: 'https://github.com/decred/dcrdex/issues/952',
  what: 'The client loaded orders only once it had reached the server, and signed refunds only when due. Without the server, or with a locked wallet, it did not refund a failed swap.',
  shape:
    'The maker is gone for good. In one play the taker restarts with a wallet that no longer signs anything. In the other the taker never comes back either, and somebody who has its log submits the stored refund to the chain.',
  outcome:
    'The taker signed and durably stored the refund before anyone could see the payment, and that very transaction brings the payment back.',
  seed: 952,
  parts: [
    {
      name: 'locked wallet and no counterparty',
      scenario: (seed) =>
        withCrash(
          abandoned(swapWith(seed), 'taker'),
          { party: 'taker', record: 'TakerPaymentWaitRefundStarted' },
          { when: 'after', downFor: 600 },
        ),
      meddle: () =>
        once(
          (world) => world.nodes.taker.restarts > 0,
          (world) => lock(world.nodes.taker.wallets.taker),
        ),
      cause: restarted('taker'),
      ending: refundEnding('taker'),
      check: refundedAsStored,
    },
    {
      name: 'nothing but the log',
      scenario: (seed) => {
        const alone = abandoned(swapWith(seed), 'taker');
        return withCrash(alone, { party: 'taker', record: 'TakerPaymentSent' }, { when: 'after', downFor: 1_000_000 });
      },
      meddle: () =>
        once(
          (world) => world.chains.taker.clock() - EPOCH > world.scenario.lockDuration + 10,
          (world) => {
            const kit = world.nodes.taker.records.find((record) => isLabelled(record, 'TransactionPrepared:refund'));
            world.chains.taker.submit((kit?.data as { tx: { tx_hex: string } } | undefined)?.tx.tx_hex ?? '');
          },
        ),
      cause: ({ world }) => unless(!world.nodes.taker.alive, 'the taker came back'),
      ending: {
        maker: { money: 'locked', state: 'confirmingTakerPayment' },
        taker: { money: 'refunded', state: 'waitingForSpend' },
      },
      check: refundedAsStored,
    },
  ],
};

export const dcrdex3135: Incident = {
  id: 'dcrdex-3135',
  system: 'dcrdex',
  title: 'a swap transaction that is never mined',
  source: 'https://github.com/decred/dcrdex/issues/3135',
  what: 'No miner ever included a swap transaction whose fee was too low: the match reported both that the swap had happened and that a refund was coming.',
  shape:
    'Fees rise twelvefold just after the payment is in the mempool, for the taker and in a second play for the maker, and stay there until long after the lock.',
  outcome:
    'After the lock, a transaction that pays more spends the same coins and makes the payment impossible. The log says voided, and nothing is left in the mempool.',
  seed: 3135,
  parts: (['taker', 'maker'] as const).map((party) => ({
    name: `${party} payment`,
    scenario: (seed: number) => {
      const calm = swapWith(seed);
      const { at } = momentOf(calm, { party, broadcast: 'payment' });
      const spike = during({ kind: 'feeSpike', factor: 12 } as const, at + 1, 24_000);
      return swapWith(seed, { [party]: { faults: [spike] } });
    },
    cause: (run: IncidentRun) =>
      unless(
        seenOf(run, party, 'payment').length === 1 &&
          seenOf(run, party, 'payment').every(({ everMined }) => !everMined),
        'the payment was mined',
      ),
    ending:
      party === 'taker'
        ? {
            maker: { money: 'refunded', never: ['TakerPaymentSpent'] },
            taker: {
              money: 'untouched',
              log: ['TakerPaymentSent', 'PaymentSettled', 'TakerPaymentRefunded', 'Finished'],
            },
          }
        : {
            maker: {
              money: 'untouched',
              log: ['MakerPaymentSent', 'PaymentSettled', 'MakerPaymentRefunded', 'Finished'],
            },
            taker: { money: 'untouched', never: ['TakerPaymentSent', 'MakerPaymentSpent'] },
          },
    check: (run: IncidentRun) =>
      firstOf(
        onePaymentOnly(run, party),
        unless(!holds(run.logs[party], 'TransactionPrepared:claim'), 'a claim was signed'),
        unless(
          [...seenOf(run, party, 'payment'), ...seenOf(run, party, 'void')].every(({ status }) => status !== 'mempool'),
          'the payment, or what takes its coins, still waits in the mempool',
        ),
      ),
  })),
};

export const refundIncidents: readonly Incident[] = [kdf510, farcaster156, boltzClient615, dcrdex952, dcrdex3135];
