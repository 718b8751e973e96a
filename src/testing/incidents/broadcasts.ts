import { abandoned, refundEnding, restarted, SWAPPED } from './endings.ts';
import type { Incident, IncidentRun } from './incident.ts';
import { during, momentOf, swapWith, withCrash, withNodeFaults } from './moments.ts';
import { answeredOnce, firstOf, journalOf, onePaymentOnly, seenOf, unless } from './records.ts';

// What became of a transaction when the answer to its broadcast, or the process that sent it, was lost.

export const kdf491: Incident = {
  id: 'kdf-491',
  system: 'KDF',
  title: 'a payment that was sent is recorded as failed',
  source: 'https://github.com/GLEECBTC/komodo-defi-framework/issues/491',
  what: 'A node answered that it already had the taker payment, which KDF stored as TakerPaymentTransactionFailed: the swap ended and the payment stayed locked.',
  shape:
    'The taker coin has accounts. The payment reaches the network but the call gets no answer, and for a minute the node does not show the transaction, so that it is broadcast a second time.',
  outcome: 'The second answer, that the network has it, counts as success; one payment is made and both sides swap.',
  seed: 491,
  parts: [
    {
      name: 'payment without an answer',
      scenario: (seed) => {
        const calm = swapWith(seed, { taker: { kind: 'account' } });
        const { at } = momentOf(calm, { party: 'taker', broadcast: 'payment' });
        return withNodeFaults(calm, { party: 'taker', chain: 'taker' }, [
          during({ kind: 'broadcast', effect: 'unanswered', purposes: ['payment'] }, at, at + 1),
          during({ kind: 'lag', seconds: 60 }, at, at + 60),
        ]);
      },
      cause: (run) =>
        firstOf(
          answeredOnce(run, { party: 'taker', purpose: 'payment', answers: ['unavailable'] }),
          answeredOnce(run, { party: 'taker', purpose: 'payment', answers: ['known', 'confirmed'] }),
        ),
      ending: {
        maker: SWAPPED,
        taker: {
          ...SWAPPED,
          log: [
            'BroadcastRefused:payment',
            'BroadcastAccepted:payment',
            'TakerPaymentSent',
            'MakerPaymentSpendConfirmed',
          ],
          never: ['TakerPaymentTransactionFailed'],
        },
      },
      check: (run) => onePaymentOnly(run, 'taker'),
    },
  ],
};

export const bisq3502: Incident = {
  id: 'bisq-3502',
  system: 'Bisq',
  title: 'a transaction is never broadcast after a forced quit',
  source: 'https://github.com/bisq-network/bisq/issues/3502',
  what: 'The client was closed by force while it published the deposit: the transaction was never broadcast, the trade forgot it, and every later step failed on the missing value.',
  shape:
    'The taker dies between the append of its signed payment and the call that broadcasts it; it comes back after a minute, and in a second play only after the time for paying is over.',
  outcome:
    'The stored transaction is broadcast after the restart; when it is too late for that it is made impossible first, and then the swap is called failed.',
  seed: 3502,
  parts: [
    {
      name: 'back in time',
      scenario: (seed) =>
        withCrash(swapWith(seed), { party: 'taker', broadcast: 'payment' }, { when: 'before', downFor: 60 }),
      cause: restarted('taker'),
      ending: {
        maker: SWAPPED,
        taker: { ...SWAPPED, log: ['TransactionPrepared:payment', 'BroadcastAttempted:payment', 'TakerPaymentSent'] },
      },
      check: (run) => firstOf(onePaymentOnly(run, 'taker'), sentAsStored(run)),
    },
    {
      name: 'back too late',
      scenario: (seed) =>
        withCrash(swapWith(seed), { party: 'taker', broadcast: 'payment' }, { when: 'before', downFor: 4000 }),
      cause: restarted('taker'),
      ending: {
        maker: { money: 'refunded' },
        taker: {
          money: 'untouched',
          log: ['TransactionPrepared:payment', 'PaymentSettled', 'DeadlineReached', 'TakerPaymentTransactionFailed'],
          never: ['TakerPaymentSent'],
        },
      },
      check: (run) => unless(seenOf(run, 'taker', 'payment').length === 0, 'the payment was sent too late'),
    },
  ],
};

function sentAsStored(run: IncidentRun): string | null {
  const [stored] = journalOf(run.logs.taker, 'TransactionPrepared', 'payment');
  const [seen] = seenOf(run, 'taker', 'payment');
  return unless(stored?.data.tx.tx_hash === seen?.hash, 'what was broadcast is not what the log held');
}

export const farcaster737: Incident = {
  id: 'farcaster-737',
  system: 'Farcaster',
  title: 'double funding after a restore',
  source: 'https://github.com/farcaster-project/farcaster-node/issues/737',
  what: 'A restored swap did not know that it had funded its side already and funded it a second time.',
  shape:
    'Each side in turn dies with the answer to the broadcast of its payment in hand and nothing of it in the log; when it comes back its node is two minutes behind and does not show the payment.',
  outcome:
    'The restarted engine knows its payment from its log and sends the same one again: one payment is ever seen.',
  seed: 737,
  parts: (['taker', 'maker'] as const).map((party) => ({
    name: `${party} payment`,
    scenario: (seed: number) => {
      const calm = swapWith(seed, { maker: { blockTime: 120 }, taker: { blockTime: 120 } });
      const { at } = momentOf(calm, { party, broadcast: 'payment' });
      const dies = withCrash(calm, { party, broadcast: 'payment' }, { when: 'after', downFor: 20 });
      return withNodeFaults(dies, { party, chain: party }, [during({ kind: 'lag', seconds: 120 }, at, at + 120)]);
    },
    cause: (run: IncidentRun) =>
      firstOf(restarted(party)(run), answeredOnce(run, { party, purpose: 'payment', answers: ['known', 'confirmed'] })),
    ending: { maker: SWAPPED, taker: SWAPPED },
    check: (run: IncidentRun) => onePaymentOnly(run, party),
  })),
};

export const arkade508: Incident = {
  id: 'arkade-508',
  system: 'Arkade',
  title: 'a crash between submit and finalize leaves a claim half done',
  source: 'https://github.com/arkade-os/ts-sdk/issues/508',
  what: 'A process that died between handing over a claim and finishing it found the coin spent at its restart, took that for an error and gave up.',
  shape:
    'The process dies after its claim, or its refund, has reached the network and before the log says so; at the restart the payment shows as spent.',
  outcome: 'The spend is recognised as the own one and watched until it is final.',
  seed: 508,
  parts: [
    {
      name: 'taker claim',
      scenario: (seed) =>
        withCrash(swapWith(seed), { party: 'taker', broadcast: 'claim' }, { when: 'after', downFor: 300 }),
      cause: restarted('taker'),
      ending: {
        maker: SWAPPED,
        taker: {
          ...SWAPPED,
          log: [
            'BroadcastAttempted:claim',
            'BroadcastAccepted:claim',
            'MakerPaymentSpent',
            'MakerPaymentSpendConfirmed',
          ],
          never: ['MakerPaymentSpendFailed'],
        },
      },
    },
    {
      name: 'maker claim',
      scenario: (seed) =>
        withCrash(swapWith(seed), { party: 'maker', broadcast: 'claim' }, { when: 'after', downFor: 300 }),
      cause: restarted('maker'),
      ending: {
        maker: {
          ...SWAPPED,
          log: ['BroadcastAttempted:claim', 'TakerPaymentSpent', 'TakerPaymentSpendConfirmed'],
          never: ['TakerPaymentSpendFailed', 'MakerPaymentRefundStarted'],
        },
        taker: SWAPPED,
      },
    },
    {
      name: 'maker refund',
      scenario: (seed) => {
        const alone = abandoned(swapWith(seed), 'maker');
        return withCrash(alone, { party: 'maker', broadcast: 'refund' }, { when: 'after', downFor: 300 });
      },
      cause: restarted('maker'),
      ending: refundEnding('maker'),
    },
  ],
};

export const breez1059: Incident = {
  id: 'breez-1059',
  system: 'Breez',
  title: 'a claim that could not be broadcast is taken for a refund',
  source: 'https://github.com/breez/breez-sdk-liquid/pull/1059',
  what: 'After a claim failed to broadcast, the absence of a claim was read as a refund: the swap was marked as failed although its coins could still be claimed.',
  shape:
    "For hours, from the first try on, the taker's node accepts no claim; meanwhile the lock of the taker's own payment passes.",
  outcome: 'Nothing is concluded from the absence: the claim is tried until it is taken, and the swap completes.',
  seed: 1059,
  parts: [
    {
      name: 'claim without a way out',
      scenario: (seed) => {
        const calm = swapWith(seed);
        const { at } = momentOf(calm, { party: 'taker', broadcast: 'claim' });
        const fault = { kind: 'broadcast', effect: 'refused', purposes: ['claim'] } as const;
        return withNodeFaults(calm, { party: 'taker', chain: 'maker' }, [during(fault, at, 9000)]);
      },
      cause: (run) => answeredOnce(run, { party: 'taker', purpose: 'claim', answers: ['unavailable'] }),
      ending: {
        maker: SWAPPED,
        taker: {
          ...SWAPPED,
          log: ['TakerPaymentSpent', 'BroadcastRefused:claim', 'MakerPaymentSpent', 'MakerPaymentSpendConfirmed'],
          never: ['MakerPaymentSpendFailed', 'TakerPaymentWaitRefundStarted', 'TakerPaymentRefundStarted'],
        },
      },
    },
  ],
};

export const broadcastIncidents: readonly Incident[] = [kdf491, bisq3502, farcaster737, arkade508, breez1059];
