import type { Scenario } from '../world/scenario.ts';
import type { IncidentParty, IncidentPlay, IncidentRun, PartyEnding } from './incident.ts';
import { unless } from './records.ts';

/** Both have the other's coins. */
export const SWAPPED = { money: 'swapped' } as const satisfies PartyEnding;

/** This side locked nothing. */
export const UNTOUCHED = { money: 'untouched' } as const satisfies PartyEnding;

/** The other side stops for good once it has seen the party's payment, so nobody takes that. */
export function abandoned(scenario: Scenario, party: IncidentParty): Scenario {
  const other = party === 'maker' ? 'taker' : 'maker';
  const after = party === 'maker' ? 'MakerPaymentReceived' : 'TakerPaymentReceived';
  const plan = { ...scenario.parties[other], conduct: { kind: 'vanish', after, backAfter: null } as const };
  return { ...scenario, parties: { ...scenario.parties, [other]: plan } };
}

/** How the abandoned party ends, and how the one that left it ends. */
export function refundEnding(party: IncidentParty): IncidentPlay['ending'] {
  return party === 'maker'
    ? {
        maker: {
          money: 'refunded',
          log: [
            'MakerPaymentWaitRefundStarted',
            'MakerPaymentRefundStarted',
            'MakerPaymentRefunded',
            'MakerPaymentRefundFinished',
          ],
          never: ['TakerPaymentSpent', 'MakerPaymentRefundFailed'],
        },
        taker: { money: 'untouched', state: 'confirmingMakerPayment' },
      }
    : {
        maker: { money: 'locked', state: 'confirmingTakerPayment' },
        taker: {
          money: 'refunded',
          log: [
            'TakerPaymentWaitRefundStarted',
            'TakerPaymentRefundStarted',
            'TakerPaymentRefunded',
            'TakerPaymentRefundFinished',
          ],
          never: ['TakerPaymentSpent', 'TakerPaymentRefundFailed'],
        },
      };
}

/** The cause of a play with a crash: the process died and came back. */
export function restarted(party: IncidentParty): (run: IncidentRun) => string | null {
  return ({ world }) => unless(world.nodes[party].restarts > 0, `the ${party} did not die`);
}
