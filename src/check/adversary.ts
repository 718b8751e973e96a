import type { PreparedTransaction } from '../ports/chain.ts';
import type { SwapMessage } from '../ports/peers.ts';
import type { DecimalText } from '../primitives/decimal.ts';
import type { Body } from './bodies.ts';
import { bodyOf, type ChainState, type Standing } from './chain-state.ts';
import { type Model, otherOf, type PartyName, SHORT, START, secretOf } from './model.ts';
import { broadcasting, IGNORANT, type Move, type Outsider, type Sight } from './outsider.ts';
import type { PartyEngine } from './party-engine.ts';
import { transaction } from './views.ts';

/**
 * A party without an engine. It negotiates fairly, with a short lock, or not at all. It pays what was agreed, too little, or nothing, at any time. It
 * claims the other payment whenever it has the secret, refunds its own whenever the chain allows it, and voids a payment that has not confirmed. It
 * stops whenever it likes. Where two transactions race, its own can win.
 *
 * @param own an engine of the same party; it says what a fair party would say.
 */
export function createAdversary(model: Model, own: PartyEngine): Outsider {
  const party = own.seat as PartyName;
  const words = party === 'maker' ? makerWords(model, own) : takerWords(model, own);
  return {
    party,
    initial: IGNORANT,
    moves: (sight) => [
      ...words(sight),
      ...(party === 'taker' ? feeing(model, sight) : []),
      ...paying(model, sight, party),
      ...taking(model, sight, party),
      ...takingBack(model, sight, party),
      ...cancelling(model, sight, party),
    ],
  };
}

function shortened<T extends { readonly started_at: number; readonly payment_locktime: number }>(
  { bounds }: Model,
  message: T,
): T {
  return { ...message, payment_locktime: START + bounds.lockDuration * SHORT };
}

/** What a fair engine sends first, or in answer to a message. */
function spoken(own: PartyEngine, heard: SwapMessage | null): SwapMessage | undefined {
  const from = heard === null ? own.initial : own.received(own.initial, heard);
  const { sent } = own.run(from, { now: START, chains: { maker: 0, taker: 0 } });
  return sent[0];
}

function makerWords(model: Model, own: PartyEngine): (sight: Sight) => readonly Move[] {
  const fair = spoken(own, null);
  return (sight) => {
    const { state, chains, honest } = sight;
    if (fair?.kind !== 'negotiation' || honest.state !== 'negotiating') return [];
    if (state.said === 'nothing') {
      const short = { kind: 'negotiation', offer: shortened(model, fair.offer) } as const;
      return [
        { text: 'offers the terms of the order', state: { ...state, said: 'fair' }, chains, sent: [fair] },
        { text: 'offers a short lock', state: { ...state, said: 'short' }, chains, sent: [short] },
      ];
    }
    if (!state.heard.some(({ kind }) => kind === 'negotiationReply')) return [];
    return [{ text: 'accepts the reply', state, chains, sent: [{ kind: 'negotiated', accepted: true }] }];
  };
}

function takerWords(model: Model, own: PartyEngine): (sight: Sight) => readonly Move[] {
  return (sight) => {
    const { state, chains, honest } = sight;
    const offer = state.heard.find(({ kind }) => kind === 'negotiation');
    if (offer === undefined || honest.state !== 'negotiating') return [];
    const fair = spoken(own, offer);
    if (fair?.kind !== 'negotiationReply') return [];
    const short = { kind: 'negotiationReply', reply: shortened(model, fair.reply) } as const;
    const moves: Move[] = [];
    if (state.said !== 'short') {
      moves.push({
        text: 'replies with the terms of the order',
        state: { ...state, said: 'fair' },
        chains,
        sent: [fair],
      });
    }
    if (state.said !== 'fair') {
      moves.push({ text: 'replies with a short lock', state: { ...state, said: 'short' }, chains, sent: [short] });
    }
    return moves;
  };
}

function feeing(model: Model, sight: Sight): readonly Move[] {
  if (sight.honest.ownTerms === null) return [];
  const { bodies } = model;
  const paid = sight.chains.taker.txs.find(({ id }) => bodies.get(id)?.purpose === 'fee');
  if (paid !== undefined) {
    const tx = transaction(paid.id);
    return [{ text: 'tells of its fee', state: sight.state, chains: sight.chains, sent: [{ kind: 'takerFee', tx }] }];
  }
  const request = { purpose: 'fee', feeSat: 1000n, burnSat: 0n, urgency: 0, replaces: null } as const;
  return broadcasting(model, sight, { leg: 'taker', request, party: 'taker' });
}

/** Payments of the adversary on its own chain, and what voided one. */
function ownOnes(model: Model, sight: Sight, party: PartyName): ChainState['txs'] {
  return sight.chains[party].txs.filter((tx) => {
    const { owner, purpose } = bodyOf(model.chains[party], tx);
    return owner === party && (purpose === 'payment' || purpose === 'void');
  });
}

/** Pays once, and once replaces that payment while it waits. */
function paying(model: Model, sight: Sight, party: PartyName): readonly Move[] {
  const { ownTerms, otherTerms } = sight.honest;
  if (ownTerms === null || otherTerms === null) return [];
  const own = ownOnes(model, sight, party);
  const [paid, ...more] = own;
  if (own.length === 1 && paid !== undefined && model.bounds.payments === 2)
    return payingTwice(model, sight, { party, paid });
  const earlier = paid === undefined ? null : bodyOf(model.chains[party], paid);
  const settled = paid !== undefined && (paid.depth > 0 || earlier?.purpose === 'void' || earlier?.urgency !== 0);
  if (more.length > 0 || settled) return [];
  const replaces = earlier === null ? null : preparedOf(earlier);
  const variants = [
    { terms: otherTerms, text: `broadcasts the ${party} payment` },
    { terms: { ...otherTerms, amount: '0.01' as DecimalText }, text: 'broadcasts a payment of too little' },
    { terms: { ...otherTerms, lock: ownTerms.lock }, text: 'broadcasts a payment with the lock of the other one' },
  ];
  return variants.flatMap(({ terms, text }) => {
    const known = earlier?.terms;
    if (known?.lock === terms.lock && known.amount === terms.amount) return [];
    const request = { purpose: 'payment', terms, urgency: 0, replaces } as const;
    const instead = earlier === null ? text : `${text} in the place of the one that waits`;
    return broadcasting(model, sight, { leg: party, request, party, text: instead });
  });
}

/** Pays a second time beside the first, with another coin: as agreed, too little, or with another lock. */
function payingTwice(
  model: Model,
  sight: Sight,
  { party, paid }: { party: PartyName; paid: Standing },
): readonly Move[] {
  const { ownTerms, otherTerms } = sight.honest;
  const first = bodyOf(model.chains[party], paid);
  if (ownTerms === null || otherTerms === null || first.purpose !== 'payment') return [];
  const variants = [
    { terms: otherTerms, text: `broadcasts another ${party} payment beside the first` },
    {
      terms: { ...otherTerms, amount: '0.01' as DecimalText },
      text: 'broadcasts a payment of too little beside the first',
    },
  ];
  return variants.flatMap(({ terms, text }) => {
    const request = { purpose: 'payment', terms, urgency: 0, replaces: null } as const;
    return broadcasting(model, sight, { leg: party, request, party, text });
  });
}

function preparedOf({ id, spends }: Body): PreparedTransaction {
  return { ...transaction(id), spends, fee: '0' as DecimalText };
}

/** Claims whatever the other side has paid, under any terms. */
function taking(model: Model, sight: Sight, party: PartyName): readonly Move[] {
  if (party === 'taker' && !sight.state.knowsSecret) return [];
  const leg = otherOf(party);
  const parts = model.chains[leg];
  return sight.chains[leg].txs.flatMap((paid) => {
    const { owner, terms } = bodyOf(parts, paid);
    if (owner !== leg || terms === null || paid.reverted === true) return [];
    if (isEnding(model, sight, { party, paid })) return [];
    const rest = { purpose: 'claim', secret: secretOf(), urgency: 0, replaces: null } as const;
    return broadcasting(model, sight, { leg, request: { ...rest, terms, funding: transaction(paid.id) }, party });
  });
}

/** Whether the payment is spent in a block, or by the adversary itself. */
function isEnding({ chains }: Model, sight: Sight, { party, paid }: { party: PartyName; paid: Standing }): boolean {
  const leg = bodyOf(chains.maker, paid).chain;
  const { lockKey, id } = bodyOf(chains[leg], paid);
  return sight.chains[leg].txs.some((tx) => {
    const body = bodyOf(chains[leg], tx);
    if (body.lockKey !== lockKey || body.id === id || body.purpose === 'payment') return false;
    // Where spending consumes an output, each of two payments under one lock has its own end.
    if (chains[leg].kind === 'utxo' && body.funding !== id) return false;
    return body.owner === party || (tx.depth > 0 && tx.reverted !== true);
  });
}

function takingBack(model: Model, sight: Sight, party: PartyName): readonly Move[] {
  return ownOnes(model, sight, party).flatMap((payment) => {
    const { terms } = bodyOf(model.chains[party], payment);
    if (terms === null || sight.chains[party].clock <= terms.lock) return [];
    if (isEnding(model, sight, { party, paid: payment })) return [];
    const rest = { purpose: 'refund', urgency: 0, replaces: null } as const;
    const request = { ...rest, terms, funding: transaction(payment.id) };
    return broadcasting(model, sight, { leg: party, request, party });
  });
}

function cancelling(model: Model, sight: Sight, party: PartyName): readonly Move[] {
  const payment = ownOnes(model, sight, party).find((tx) => {
    return tx.depth === 0 && bodyOf(model.chains[party], tx).purpose === 'payment';
  });
  if (payment === undefined) return [];
  const body = bodyOf(model.chains[party], payment);
  const request = { purpose: 'void', target: preparedOf(body), urgency: body.urgency + 1 } as const;
  return broadcasting(model, sight, { leg: party, request, party });
}
