import type { PaymentView } from '../../src/ports/chain.ts';
import type { Millis } from '../../src/primitives/time.ts';
import type { Command, NewEvent } from '../../src/runtime/command.ts';
import { type SwapRunner, viewOf } from '../../src/runtime/swap/runner.ts';
import type { IncidentParty } from '../../src/sim/incidents/incident.ts';
import { type Behaviour, type SimNode, SOUND } from '../../src/sim/world/node.ts';
import { plantedBugs } from './planted-bugs.ts';

// For each incident an engine with the mistake that caused it, or one like it.

export type IncidentBug = {
  /** What the engine does, after "an engine that". */
  readonly text: string;
  readonly behaviours: Partial<Record<IncidentParty, Behaviour>>;
};

type Decide = Behaviour['decide'];

function bug(
  text: string,
  changes: Partial<Behaviour>,
  parties: readonly IncidentParty[] = ['maker', 'taker'],
): IncidentBug {
  const behaviour = { ...SOUND, ...changes };
  return { text, behaviours: Object.fromEntries(parties.map((party) => [party, behaviour])) };
}

function known(name: string): IncidentBug {
  const planted = plantedBugs[name];
  if (planted === undefined) throw new RangeError(`no planted bug is called ${name}`);
  const behaviour = planted.plant(SOUND);
  return {
    text: planted.text,
    behaviours: Object.fromEntries(planted.parties.map((party) => [party, behaviour])),
  };
}

/** The sound engine, but for the events that it appends out of turn. */
function deciding(early: (runner: SwapRunner, now: Millis, node: SimNode) => readonly NewEvent[] | null): Decide {
  return (runner, now, node) => {
    const events = early(runner, now, node);
    return events === null ? SOUND.decide(runner, now, node) : { kind: 'append', events };
  };
}

/** The sound engine, but for the commands that it does not carry out. */
function refusing(refuse: (command: Command, runner: SwapRunner) => boolean, pause = 60): Decide {
  return (runner, now, node) => {
    const command = SOUND.decide(runner, now, node);
    return refuse(command, runner) ? { kind: 'wait', until: (now + pause * 1000) as Millis } : command;
  };
}

function prepares(command: Command, purpose: string): boolean {
  return command.kind === 'ask' && command.question.op === 'prepare' && command.question.request.purpose === purpose;
}

/** A broadcast of something that the network had taken before. */
function repeats(command: Command, { journal }: SwapRunner): boolean {
  if (command.kind !== 'ask' || command.question.op !== 'broadcast') return false;
  const hash = command.question.transaction.tx_hash;
  return Object.values(journal.prepared)
    .flat()
    .some(({ tx, acceptedAt }) => tx.tx_hash === hash && acceptedAt !== null);
}

function failedBroadcast({ facts }: SwapRunner): boolean {
  return [...facts.tries].some(([key, tries]) => key.includes(':broadcast:') && tries.count > 0);
}

const error = (text: string) => ({ error: text });

const neverAgain = bug('broadcasts nothing a second time', { decide: refusing(repeats) });

const acceptedIsDone = bug('takes an accepted claim for a final one', {
  answer: (question, result, node) => {
    if (question.op !== 'payment' || !result.ok) return result;
    const { journal } = node.runner;
    const claim = journal.prepared.claim.find(({ acceptedAt }) => acceptedAt !== null);
    const view = result.value as PaymentView;
    const isOther = question.query.terms.lock === viewOf(node.runner).otherTerms?.lock;
    if (claim === undefined || !isOther) return result;
    const { tx_hex, tx_hash } = claim.tx;
    const spend = { how: 'secret', tx: { tx_hex, tx_hash }, confirmations: 99, secret: null } as const;
    return { ok: true, value: { ...view, spend } };
  },
});

const endsUnseen = bug('ends a swap whose payment it does not see', {
  decide: deciding((runner) => {
    const { state, role } = viewOf(runner);
    const seen = runner.facts.payments.taker?.value;
    if (role !== 'taker' || seen === undefined || seen.funding !== null) return null;
    if (!['waitingForRefund', 'refunding', 'refundFailed'].includes(state)) return null;
    return [runner.events.closeLost('nothing to refund')];
  }),
});

function forgetting(purposes: readonly string[]): Partial<Behaviour> {
  return {
    load: (records) =>
      records.filter(({ data }) => !purposes.includes((data as { purpose?: string } | null)?.purpose ?? '')),
  };
}

/** One mistake for each incident, by its id. */
export const incidentBugs: Readonly<Record<string, IncidentBug>> = {
  'kdf-491': bug('takes an error answer to its payment for a failure', {
    decide: deciding((runner) => {
      if (viewOf(runner).state !== 'sendingTakerPayment' || !failedBroadcast(runner)) return null;
      return [{ type: 'TakerPaymentTransactionFailed', data: error('already imported') }];
    }),
  }),
  'kdf-510': bug('gives up waiting before it has looked', {
    decide: deciding((runner, now) => {
      const { state, ownTerms, role } = viewOf(runner);
      if (role !== 'taker' || state !== 'waitingForSpend' || now / 1000 <= (ownTerms?.lock ?? 0)) return null;
      return [{ type: 'TakerPaymentWaitForSpendFailed', data: error('timeout') }, runner.events.refundWaitStarted()];
    }),
  }),
  'kdf-702': known('acceptShortLock'),
  'kdf-852': bug('sends the stored refund and never another one', {
    decide: refusing((command, { journal }) => prepares(command, 'refund') && journal.prepared.refund.length > 0),
  }),
  'kdf-921': known('wallClock'),
  'kdf-1115': bug('does not look at the clock of the other side', {
    decide: (runner, now, node) => {
      const terms = runner.events.negotiationTerms();
      const kept = runner.journal.messages['negotiation'] ?? runner.facts.inbox.get('negotiation');
      const offer = (kept as { offer?: { started_at: never } } | undefined)?.offer;
      if (terms === null || offer === undefined) return SOUND.decide(runner, now, node);
      const negotiationTerms = () => ({ ...terms, startedAt: offer.started_at });
      return SOUND.decide({ ...runner, events: { ...runner.events, negotiationTerms } }, now, node);
    },
  }),
  'kdf-1200': endsUnseen,
  'kdf-1293': bug('waits two hours for its turn to sign a claim', {
    decide: refusing((command, { journal }) => prepares(command, 'claim') && journal.prepared.claim.length === 0, 7200),
  }),
  'kdf-2175': acceptedIsDone,
  'kdf-2573': known('giveUpAfterOneFailure'),
  'farcaster-156': known('refundAfterSecret'),
  'farcaster-737': bug('forgets at a restart that it has paid', forgetting(['payment', 'refund'])),
  'farcaster-865': neverAgain,
  'comit-514': bug('takes a claim that needs long for a failed one', {
    decide: deciding((runner, now) => {
      const { state, role } = viewOf(runner);
      const since = runner.journal.prepared.claim[0]?.preparedAt ?? now;
      if (role !== 'maker' || state !== 'confirmingClaim' || now - since < 300_000) return null;
      return runner.events.claimUnconfirmed('timeout');
    }),
  }),
  'comit-1063': known('wallClock'),
  'boltz-backend-1201': neverAgain,
  'boltz-client-615': endsUnseen,
  'dcrdex-952': bug('signs its refund only when it is due', {
    decide: (runner, now, node) => {
      const command = SOUND.decide(runner, now, node);
      if (command.kind !== 'append') return command;
      const pays = command.events.some(({ type }) => type === 'TransactionPrepared');
      if (!pays || viewOf(runner).ownPayment !== null) return command;
      const events = command.events.filter(({ data }) => (data as { purpose?: string } | null)?.purpose !== 'refund');
      return { ...command, events };
    },
  }),
  'dcrdex-1467': acceptedIsDone,
  'dcrdex-3135': bug('never makes a payment impossible', {
    decide: refusing((command) => prepares(command, 'void')),
  }),
  'arkade-508': bug('takes the spend of its own claim for an error', {
    decide: deciding((runner, _, node) => {
      const { state, role } = viewOf(runner);
      const spent = runner.facts.payments.maker?.value.spend?.how === 'secret';
      if (role !== 'taker' || state !== 'claiming' || node.restarts === 0 || !spent) return null;
      return [{ type: 'MakerPaymentSpendFailed', data: error('already spent') }];
    }),
  }),
  'arkade-629': bug('knows of no refund without a transaction', {
    answer: (question, result) => {
      if (question.op !== 'payment' || !result.ok) return result;
      const view = result.value as PaymentView;
      return view.spend?.how === 'refund' && view.spend.tx === null
        ? { ok: true, value: { ...view, spend: null } }
        : result;
    },
  }),
  'breez-1059': known('giveUpAfterOneFailure'),
  'bisq-3502': bug('forgets at a restart what it has signed', forgetting(['payment', 'refund'])),
};
