import { describe, expect, it } from 'vitest';
import type { NegotiationMessage } from '../../../../src/htlc/negotiation.ts';
import { clockAhead, crashAt, type ScenarioChange, scenario } from '../../../../src/sim/world/build.ts';
import { type Behaviour, SOUND } from '../../../../src/sim/world/node.ts';
import { runScenario } from '../../../../src/sim/world/run-scenario.ts';

// What a party says of itself in the negotiation is held against what it can know.

type Party = 'maker' | 'taker';

/** An engine whose first word says another moment for its start, and another lock with it. */
function saying(party: Party, later: number): Behaviour {
  const moved = <M extends NegotiationMessage>(said: M): M => ({
    ...said,
    started_at: said.started_at + later,
    payment_locktime: said.payment_locktime + later,
  });
  return {
    ...SOUND,
    decide(runner, now, node) {
      const command = SOUND.decide(runner, now, node);
      if (command.kind !== 'send') return command;
      const { message } = command;
      if (party === 'maker' && message.kind === 'negotiation')
        return { ...command, message: { ...message, offer: moved(message.offer) } };
      if (party === 'taker' && message.kind === 'negotiationReply')
        return { ...command, message: { ...message, reply: moved(message.reply) } };
      return command;
    },
  };
}

function broken(party: Party, behaviour: Behaviour, ...changes: readonly ScenarioChange[]): readonly string[] {
  const { violations } = runScenario(scenario(...changes), { behaviours: { [party]: behaviour } });
  return violations.filter(({ rule }) => rule === 'R11').map(({ party: whose, text }) => `${whose}: ${text}`);
}

/** The clock is set this far, in seconds, once the party runs and before it has started. */
const setEarly = (party: Party, skew: number): ScenarioChange => {
  const crash = crashAt(party, { at: 1, when: 'before', downFor: 30 });
  return (given) => {
    const { parties, ...rest } = crash(given);
    const plan = parties[party];
    return { ...rest, parties: { ...parties, [party]: { ...plan, jumps: [{ at: 11, skew }] } } };
  };
};

describe.each(['maker', 'taker'] as const)('the start that a %s reports', (party) => {
  it.each([
    ['right', 0],
    ['some seconds ahead', 23],
    ['hours behind', -9279],
    ['hours ahead', 7013],
  ])('is that of its own clock, which is %s', (_, skew) => {
    expect(broken(party, SOUND, clockAhead(party, skew))).toEqual([]);
    expect(broken(party, SOUND, setEarly(party, skew))).toEqual([]);
  });

  it.each([1, -40])('is no other: not %i s later', (later) => {
    const text = `${party}: the ${party} says that it started ${later} s after it did`;
    expect(broken(party, saying(party, later))).toContain(text);
  });
});

describe('a maker whose clock is hours behind', () => {
  it('is not to guess the true time', () => {
    const text = 'maker: the maker says that it started 9279 s after it did';
    expect(broken('maker', saying('maker', 9279), setEarly('maker', -9279))).toContain(text);
  });
});

describe('what a wallet is asked to sign (R11)', () => {
  /** An engine that takes the two parties of a payment for one another when it asks for a transaction. */
  const turned = (purpose: string): Behaviour => ({
    ...SOUND,
    decide(runner, now, node) {
      const command = SOUND.decide(runner, now, node);
      if (command.kind !== 'ask' || command.question.op !== 'prepare') return command;
      const { request } = command.question;
      if (request.purpose !== purpose || !('terms' in request)) return command;
      const { sender, receiver } = request.terms;
      const terms = { ...request.terms, sender: receiver, receiver: sender };
      return { ...command, question: { op: 'prepare', request: { ...request, terms } } };
    },
  });

  it.each([
    ['taker', 'payment', 'sender'],
    ['maker', 'payment', 'sender'],
  ] as const)('is its own, and said once: a %s that turns its %s round', (party, purpose, role) => {
    expect(broken(party, turned(purpose))).toEqual([
      `${party}: it asks its wallet for a ${purpose} that is not its own: the ${role} is somebody else`,
    ]);
    expect(broken(party, SOUND)).toEqual([]);
  });
});
