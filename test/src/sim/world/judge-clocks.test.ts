import { describe, expect, it } from 'vitest';
import type { JournalPayloads } from '../../../../src/events/journal.ts';
import type { PaymentView } from '../../../../src/ports/chain.ts';
import { conductOf, faultyNetwork, lyingNode, type ScenarioChange, scenario } from '../../../../src/sim/world/build.ts';
import { type Behaviour, SOUND } from '../../../../src/sim/world/node.ts';
import { runScenario } from '../../../../src/sim/world/run-scenario.ts';
import { EPOCH } from '../../../../src/sim/world/scenario.ts';

// What an engine says of clocks and of ends is held against the clock that decides and against the ledger, whatever else went wrong.

type Party = 'maker' | 'taker';

function told(party: Party, behaviour: Behaviour, ...changes: readonly ScenarioChange[]) {
  const { violations } = runScenario(scenario(...changes), { behaviours: { [party]: behaviour } });
  const said = violations.filter(({ rule, party: whose }) => rule === 'R4' && whose === party);
  return said.map(({ rule, text }) => `${rule} ${text}`);
}

/** An engine that sees the payment of a lock otherwise, from a moment on; both in seconds from the start. */
function seeing(lock: number, { from, ...change }: { readonly from: number } & Partial<PaymentView>): Behaviour {
  return {
    ...SOUND,
    answer: (question, result, node) => {
      if (question.op !== 'payment' || !result.ok || question.query.terms.lock !== EPOCH + lock) return result;
      if (node.hostClock() < EPOCH + from) return result;
      const view = result.value as PaymentView;
      return { ok: true, value: { ...view, ...change } };
    },
  };
}

/** What a log says of deadlines, with another clock. */
function saying(behaviour: Behaviour, clock: JournalPayloads['DeadlineReached']['clock']): Behaviour {
  return {
    ...behaviour,
    decide: (runner, now, node) => {
      const command = behaviour.decide(runner, now, node);
      if (command.kind !== 'append') return command;
      const events = command.events.map((event) =>
        event.type === 'DeadlineReached' ? { ...event, data: { ...(event.data as object), clock } } : event,
      );
      return { ...command, events };
    },
  };
}

const TAKER_LOCK = 7800;

const left = (party: Party): ScenarioChange =>
  party === 'taker'
    ? conductOf('maker', { kind: 'vanish', after: 'TakerPaymentReceived', backAfter: null })
    : conductOf('taker', { kind: 'vanish', after: 'MakerPaymentReceived', backAfter: null });

describe('the end of the wait for a spend', () => {
  const early = seeing(TAKER_LOCK, { refundable: true, from: TAKER_LOCK + 1 });

  it('is not there while the chain keeps the payment locked, though the time of the lock is over', () => {
    // Median time past is some six blocks behind.
    expect(told('taker', early, left('taker'))).toEqual(
      expect.arrayContaining([
        'R4 DeadlineReached: the deadline has not passed by takerChain',
        'R4 TakerPaymentWaitForSpendFailed: the lock of the own payment has not passed',
      ]),
    );
    expect(told('taker', SOUND, left('taker'))).toEqual([]);
  });

  it('comes if miners have written times that are ahead, since the chain then accepts the refund', () => {
    const ahead = faultyNetwork('taker', { kind: 'warp', seconds: 7200, from: 0, until: 20_000 });
    expect(told('taker', SOUND, left('taker'), ahead)).toEqual([]);
  });

  it('comes if the chain accepts the refund by its blocks', () => {
    const counting: ScenarioChange = ({ chains, ...rest }) => ({
      ...rest,
      chains: { ...chains, taker: { ...chains.taker, kind: 'autoRefund' } },
    });
    expect(told('taker', SOUND, counting, left('taker'))).toEqual([]);
  });
});

describe('a claim that a maker gives up', () => {
  const wrong = 'R4 TakerPaymentSpendFailed: the claim is given up though it can succeed';
  /** Its wallet signs no claim, so that the swap waits with its payment out. */
  const locked: Behaviour = {
    ...SOUND,
    answer: (question, result, node) => {
      const claims = question.op === 'prepare' && question.request.purpose === 'claim';
      if (claims) return { ok: false, fault: { kind: 'unavailable', message: 'the wallet is locked' } };
      return SOUND.answer(question, result, node);
    },
  };
  const lie = (chain: Party): ScenarioChange => lyingNode('maker', { chain, says: 'present', from: 0, until: 30_000 });

  it('is lost by the clock that the log names, and by no other', () => {
    expect(told('maker', locked)).toEqual([]);
    // The host has come to the margin. Median time past is some six blocks behind on either chain.
    for (const clock of ['makerChain', 'takerChain'] as const) {
      expect(told('maker', saying(locked, clock))).toEqual([
        `R4 DeadlineReached: the deadline has not passed by ${clock}`,
        `${wrong}, by ${clock}`,
      ]);
    }
  });

  it('is excused by what the node of that chain said, and not by that of another', () => {
    expect(told('maker', saying(locked, 'makerChain'), lie('taker'))).toContain(`${wrong}, by makerChain`);
    expect(told('maker', saying(locked, 'makerChain'), lie('maker'))).not.toContain(`${wrong}, by makerChain`);
  });
});

describe('the end of a payment that nobody has made as agreed', () => {
  const settled = {
    payment: 'taker',
    how: 'refunded',
    by: 'counterparty',
    tx_hash: 'ab'.repeat(32),
    confirmations: 9,
  } as const satisfies JournalPayloads['PaymentSettled'];
  /** It says half an hour into the swap that the taker has what it never paid. */
  const invents: Behaviour = {
    ...SOUND,
    decide: (runner, now, node) => {
      const { prepared, settled: ends } = runner.journal;
      const isDue = prepared.payment.length > 0 && now > (EPOCH + 2000) * 1000 && ends.taker === null;
      if (!isDue) return SOUND.decide(runner, now, node);
      return { kind: 'append', events: [{ type: 'PaymentSettled', data: settled }] };
    },
  };

  it('is on the chain, whatever the node said long ago', () => {
    const lie = lyingNode('maker', { chain: 'taker', says: 'present', from: 0, until: 60 });
    const invented = 'R4 PaymentSettled: no taker payment was refunded for good';
    expect(told('maker', invents, left('maker'), lie)).toContain(invented);
    expect(told('maker', SOUND, left('maker'), lie)).toEqual([]);
  });
});
