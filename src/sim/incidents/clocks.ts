import type { NewRecord } from '../../ports/event-log.ts';
import { compactUtxoCodec } from '../chains/utxo/compact-codec.ts';
import { honestParty, type Scenario } from '../world/scenario.ts';
import { abandoned, refundEnding, SWAPPED, UNTOUCHED } from './endings.ts';
import type { Incident, IncidentParty, IncidentPlay, IncidentRun } from './incident.ts';
import { once, refusing } from './meddling.ts';
import { during, momentOf, swapWith, withCrash, withNodeFaults } from './moments.ts';
import { answeredOnce, errorOf, firstOf, holds, journalOf, seenOf, unless } from './records.ts';
import { disagreementIsRefused, refundsWhenTheChainSays } from './rules.ts';

// Whose clock decides, and who computes the locks.

const PARTIES = ['maker', 'taker'] as const;

/** The numbers of a party's first public event. */
function startedOf(records: readonly NewRecord[]): Readonly<Record<string, number | undefined>> {
  return (records.find(({ type }) => type === 'Started')?.data ?? {}) as Record<string, number>;
}

export const kdf702: Incident = {
  id: 'kdf-702',
  system: 'KDF',
  title: 'the two sides compute different locks',
  source: 'https://github.com/GLEECBTC/komodo-defi-framework/issues/702',
  what: 'The maker chose a lock duration of 31200 s and the taker 7800 s for the same swap, so every swap between them failed in the negotiation.',
  shape:
    'One function gives both sides the duration. The checks of both sides run with every pair of durations that it can give. A play has a maker that locks four times as long as agreed and says so.',
  outcome:
    'Equal durations agree on both sides. Different ones end the negotiation with both numbers in the text, before anyone pays.',
  seed: 702,
  parts: [
    { name: 'all durations against each other', rule: disagreementIsRefused },
    {
      name: 'a maker that locks for longer',
      scenario: (seed) => {
        const conduct = { kind: 'shortLock', seconds: 62_400, admit: true } as const;
        return swapWith(seed, { parties: { maker: honestParty({ conduct }), taker: honestParty() } });
      },
      cause: ({ logs }) => {
        const { started_at = 0, maker_payment_lock = 0 } = startedOf(logs.maker);
        return unless(maker_payment_lock - started_at === 62_400, 'the maker locks for as long as agreed');
      },
      ending: {
        maker: UNTOUCHED,
        taker: { ...UNTOUCHED, log: ['NegotiateFailed', 'Finished'], never: ['Negotiated', 'TakerFeeSent'] },
      },
      check: ({ logs }) => {
        const text = errorOf(logs.taker, 'NegotiateFailed') ?? 'no text';
        const [said, expected] =
          /payment_locktime (\d+) not equal to expected Some\((\d+)\)/.exec(text)?.slice(1) ?? [];
        return unless(Number(said) - Number(expected) === 46_800, `the text does not name both locks: ${text}`);
      },
    },
    {
      name: 'the longer duration on both sides',
      scenario: (seed) => swapWith(seed, { lockDuration: 31_200, horizon: 120_000 }),
      cause: ({ scenario }) => unless(scenario.lockDuration === 31_200, 'the duration is another one'),
      ending: { maker: SWAPPED, taker: SWAPPED },
    },
  ],
};

/** No node ever refused a refund of the party, and it tried none before the chain's clock had passed the lock. */
function neverTooEarly(party: IncidentParty): (run: IncidentRun) => string | null {
  return ({ logs }) =>
    unless(!holds(logs[party], 'BroadcastRefused:refund'), 'a refund was refused, so it was tried too early');
}

/** How far the host's clock was past the lock at the first refund attempt, in seconds; null without one. */
function lagOf({ logs }: IncidentRun, party: IncidentParty): number | null {
  const [tried] = journalOf(logs[party], 'BroadcastAttempted', 'refund');
  const lock = startedOf(logs[party])[`${party}_payment_lock`];
  return tried === undefined || lock === undefined ? null : tried.at / 1000 - lock;
}

function lagged(run: IncidentRun, party: IncidentParty): string | null {
  const lag = lagOf(run, party);
  return unless(lag !== null && lag > 600, `the chain's clock was only ${lag} s behind at the refund`);
}

export const kdf921: Incident = {
  id: 'kdf-921',
  system: 'KDF',
  title: 'Bitcoin refuses refunds as not final',
  source: 'https://github.com/GLEECBTC/komodo-defi-framework/issues/921',
  what: "A node refused an automatic refund as non-final: the chain's median time past had not reached the lock time, although the host's clock had. The swap ended with the payment locked.",
  shape:
    'Each side in turn is left alone with a payment on a chain with a block every ten minutes, whose median time past is about an hour behind.',
  outcome: 'The refund waits for the chain, no node refuses it, and it confirms.',
  seed: 921,
  parts: PARTIES.map(
    (party): IncidentPlay => ({
      name: `${party} refund`,
      scenario: (seed) => abandoned(swapWith(seed, { [party]: { blockTime: 600 } }), party),
      cause: (run) => lagged(run, party),
      ending: refundEnding(party),
      check: neverTooEarly(party),
    }),
  ),
};

const KOMODO_MOST_BEHIND = 3600;

export const kdf852: Incident = {
  id: 'kdf-852',
  system: 'KDF',
  title: 'Komodo refuses refunds for their lock time',
  source: 'https://github.com/GLEECBTC/komodo-defi-framework/issues/852',
  what: 'Komodo accepts no transaction whose lock time is more than an hour behind the chain. It therefore refused a refund that carried the lock of its payment and came later than that, even by hand.',
  shape:
    'The taker leaves the maker alone, and the maker is away until two hours after its lock. Its node then refuses every transaction whose lock time is more than an hour behind the median time past.',
  outcome: 'The node refuses the stored refund. The maker signs a new one with a current lock time, and it confirms.',
  seed: 852,
  parts: [
    {
      name: 'refund that comes late',
      scenario: (seed) =>
        withCrash(
          abandoned(swapWith(seed), 'maker'),
          { party: 'maker', record: 'MakerPaymentWaitRefundStarted' },
          { when: 'after', downFor: 15_000 },
        ),
      meddle: () =>
        once(
          () => true,
          (world) => {
            const codec = compactUtxoCodec();
            refusing(world.nodes.maker.wallets.maker, ({ tx_hex }) => {
              const lockTime = codec.decode(tx_hex)?.lockTime ?? 0;
              const behind = world.chains.maker.clock() - lockTime;
              return behind > KOMODO_MOST_BEHIND
                ? { kind: 'invalid', message: 'komodo_validate_interest failed' }
                : null;
            });
          },
        ),
      cause: (run) => answeredOnce(run, { party: 'maker', purpose: 'refund', answers: ['invalid'] }),
      ending: refundEnding('maker'),
      check: (run) => {
        const landed = seenOf(run, 'maker', 'refund').filter(({ status }) => status === 'confirmed');
        return unless(landed.length === 1, `${landed.length} refunds are in the chain`);
      },
    },
  ],
};

const WRONG_BY = [61, -61] as const;

export const kdf1115: Incident = {
  id: 'kdf-1115',
  system: 'KDF',
  title: 'swaps fail when clocks differ by more than a minute',
  source: 'https://github.com/GLEECBTC/komodo-defi-framework/issues/1115',
  what: 'Swaps between hosts whose clocks differed by more than 60 s failed one after the other, and users could not tell why.',
  shape: "The taker's clock is off by 61 s in either direction, and by 60 s in a third play.",
  outcome:
    'From 61 s on the negotiation fails before anyone pays, with the exact difference in the text. With 60 s the swap completes.',
  seed: 1115,
  parts: [
    ...WRONG_BY.map(
      (skew): IncidentPlay => ({
        name: `clock ${skew > 0 ? 'ahead' : 'behind'} by 61 s`,
        scenario: (seed) => skewed(seed, skew),
        cause: ({ scenario }) => unless(scenario.parties.taker.skew === skew, 'the clock is right'),
        ending: {
          maker: { ...UNTOUCHED, never: ['Negotiated'] },
          taker: { ...UNTOUCHED, log: ['NegotiateFailed', 'Finished'], never: ['Negotiated', 'TakerFeeSent'] },
        },
        check: ({ logs }) => {
          const text = errorOf(logs.taker, 'NegotiateFailed') ?? 'no text';
          return unless(text.includes('Current difference: 61.'), `the text does not name the difference: ${text}`);
        },
      }),
    ),
    {
      name: 'clock ahead by 60 s',
      scenario: (seed) => skewed(seed, 60),
      cause: ({ scenario }) => unless(scenario.parties.taker.skew === 60, 'the clock is right'),
      ending: { maker: SWAPPED, taker: SWAPPED },
    },
  ],
};

function skewed(seed: number, skew: number): Scenario {
  return swapWith(seed, { parties: { maker: honestParty(), taker: honestParty({ skew }) } });
}

export const comit1063: Incident = {
  id: 'comit-1063',
  system: 'xmr-btc-swap',
  title: 'the client misses an expired time lock',
  source: 'https://github.com/comit-network/xmr-btc-swap/issues/1063',
  what: 'The client did not notice that a time lock had expired. It published, again and again, a transaction that the chain could no longer accept.',
  shape:
    'At every block around a lock a test compares the derived state with what the chain then accepts, on chains of three kinds. In the plays, each side in turn refunds with a host clock that is off by 50 s and a node that is blocks behind.',
  outcome:
    'The engine calls a payment refundable exactly when the chain accepts the refund. Each refund that it sends is the right one, and the chain accepts it.',
  seed: 1063,
  parts: [
    { name: 'state and chain agree at every block', rule: refundsWhenTheChainSays },
    ...PARTIES.flatMap((party) =>
      (['utxo', 'account'] as const).map(
        (kind): IncidentPlay => ({
          name: `${party} refund on a chain of kind ${kind}`,
          scenario: (seed) => {
            const wrong = honestParty({ skew: seed % 2 === 0 ? 50 : -50 });
            const parties = { maker: honestParty(), taker: honestParty(), [party]: wrong };
            const left = abandoned(swapWith(seed, { [party]: { kind }, parties }), party);
            const { at } = momentOf(left, {
              party,
              record: `${party === 'maker' ? 'Maker' : 'Taker'}PaymentRefundStarted`,
            });
            const fault = during({ kind: 'lag', blocks: 3 } as const, at - 600, at + 600);
            return withNodeFaults(left, { party, chain: party }, [fault]);
          },
          cause: (run) => unless((lagOf(run, party) ?? 0) > 0, 'no refund was tried'),
          ending: refundEnding(party),
          check: (run) =>
            firstOf(
              neverTooEarly(party)(run),
              unless(
                seenOf(run, party, 'refund').every(({ status }) => status !== 'reverted'),
                'a refund had no effect',
              ),
            ),
        }),
      ),
    ),
  ],
};

export const arkade629: Incident = {
  id: 'arkade-629',
  system: 'Arkade',
  title: 'a block height is compared with the wall clock',
  source: 'https://github.com/arkade-os/ts-sdk/pull/629',
  what: 'Locks came as block heights, and the code compared them with seconds since 1970. A height looked decades overdue, so refunds fired too early or were postponed forever.',
  shape:
    'Each side in turn is left alone with a payment on a chain that locks by a number of blocks and refunds automatically. The types keep heights and times apart.',
  outcome:
    'The engine sends no refund. It sees the payment return at its height, and the swap ends as refunded by the chain.',
  seed: 629,
  parts: [
    { name: 'refundable means the height is reached', rule: () => refundsWhenTheChainSays(['autoRefund']) },
    ...PARTIES.map(
      (party): IncidentPlay => ({
        name: `${party} payment that comes back`,
        scenario: (seed) => abandoned(swapWith(seed, { [party]: { kind: 'autoRefund', finality: 2 } }), party),
        cause: ({ logs }) => {
          const by = journalOf(logs[party], 'PaymentSettled').map(({ data }) => data.by);
          return unless(by.includes('chain'), 'the chain did not refund by itself');
        },
        ending: refundEnding(party),
        check: (run) =>
          firstOf(
            unless(!holds(run.logs[party], 'TransactionPrepared:refund'), 'a refund was signed'),
            unless(seenOf(run, party, 'refund').length === 0, 'a refund was sent'),
          ),
      }),
    ),
  ],
};

export const clockIncidents: readonly Incident[] = [kdf702, kdf852, kdf921, kdf1115, comit1063, arkade629];
