import { abandoned, refundEnding, restarted, SWAPPED } from './endings.ts';
import type { Incident, IncidentRun } from './incident.ts';
import { during, momentOf, swapWith, withCrash, withNodeFaults } from './moments.ts';
import { answeredOnce, firstOf, journalOf, onePaymentOnly, seenOf, unless } from './records.ts';

// What happened to a transaction after the answer to its broadcast, or the process that sent it, was lost.

export const kdf491: Incident = {
  id: 'kdf-491',
  system: 'KDF',
  title: 'KDF records a sent payment as failed',
  source: 'https://github.com/GLEECBTC/komodo-defi-framework/issues/491',
  what: 'A node answered that it already had the taker payment. KDF stored that as TakerPaymentTransactionFailed: the swap ended and the payment stayed locked.',
  shape:
    'The taker coin is account-based. The payment reaches the network but the call gets no answer. For a minute the node does not show the transaction, so the taker broadcasts it a second time.',
  outcome: 'The second answer, that the network has it, counts as success. The taker pays once and both sides swap.',
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
  what: 'A forced quit closed the client while it published the deposit: the client never broadcast the transaction, the trade forgot it, and every later step failed on the missing value.',
  shape:
    'The taker dies between the append of its signed payment and the call that broadcasts it. It comes back after a minute, and in a second play only after the time for paying has passed.',
  outcome:
    'The taker broadcasts the stored transaction after the restart. If it is too late for that, the taker first makes the transaction impossible, and only then calls the swap failed.',
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
  what: 'A restored swap did not know that it had already funded its side, and funded it a second time.',
  shape:
    'Each side in turn dies after it gets the answer to the broadcast of its payment, before its log has it. When it comes back, its node is two minutes behind and does not show the payment.',
  outcome:
    'The restarted engine knows its payment from its log and sends the same one again: the chain only ever sees one payment.',
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
  what: 'A process died between submitting a claim and finalizing it. At its restart it found the coin spent, took that for an error and gave up.',
  shape:
    'The process dies after its claim, or its refund, has reached the network and before the log says so. At the restart the payment shows as spent.',
  outcome: 'The engine recognizes the spend as its own and watches it until it is final.',
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
  title: 'a failed claim broadcast counts as a refund',
  source: 'https://github.com/breez/breez-sdk-liquid/pull/1059',
  what: 'After a claim failed to broadcast, the SDK read the absence of a claim as a refund: it marked the swap as failed although its coins could still be claimed.',
  shape:
    "For hours, from the first attempt on, the taker's node accepts no claim. Meanwhile the lock of the taker's own payment passes.",
  outcome:
    'The engine concludes nothing from the absence: it retries the claim until a node accepts it, and the swap completes.',
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
