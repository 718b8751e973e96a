import type { PrepareRequest } from '../ports/chain.ts';
import type { SwapMessage } from '../ports/peers.ts';
import type { Leg } from '../runtime/command.ts';
import type { SwapFacts } from '../runtime/swap/swap-facts.ts';
import { accept, leastUrgency } from './accept.ts';
import { type Body, nameOf } from './bodies.ts';
import type { ChainParts, ChainState } from './chain-state.ts';
import type { Model } from './model.ts';
import { prepare } from './prepare.ts';

/** What an adversary or a free watcher knows beyond the chains. */
export type OutsiderState = {
  /** What it offered or answered. */
  readonly said: 'nothing' | 'fair' | 'short';
  /** Messages that it received. */
  readonly heard: readonly SwapMessage[];
  readonly knowsSecret: boolean;
};

/** Something that it may do now. */
export type Move = {
  readonly text: string;
  readonly state: OutsiderState;
  readonly chains: Readonly<Record<Leg, ChainState>>;
  readonly sent: readonly SwapMessage[];
};

/** What an outsider sees. */
export type Sight = {
  readonly state: OutsiderState;
  /** Seconds since 1970. */
  readonly now: number;
  readonly chains: Readonly<Record<Leg, ChainState>>;
  /** The swap as the honest side sees it, and the messages that this side has got. */
  readonly honest: SwapFacts;
};

/** A participant without an engine: any of its moves may come at any time, or never. */
export type Outsider = {
  readonly party: 'maker' | 'taker' | 'watcher';
  readonly initial: OutsiderState;
  readonly moves: (sight: Sight) => readonly Move[];
};

export const IGNORANT: OutsiderState = { said: 'nothing', heard: [], knowsSecret: false };

export function keyOfOutsider({ said, heard, knowsSecret }: OutsiderState): string {
  return `${said} ${knowsSecret} ${heard.map((message) => JSON.stringify(message)).join()}`;
}

export function heard(state: OutsiderState, message: SwapMessage): OutsiderState {
  if (state.heard.some(({ kind }) => kind === message.kind)) return state;
  return { ...state, heard: [...state.heard, message] };
}

/** What everyone sees: a claim on a chain or in a mempool shows the secret. */
export function observed({ bodies }: Model, state: OutsiderState, taker: ChainState): OutsiderState {
  if (state.knowsSecret) return state;
  const shown = taker.txs.some(({ id }) => bodies.get(id)?.purpose === 'claim');
  return shown ? { ...state, knowsSecret: true } : state;
}

/**
 * Hands the network a transaction that replaces whatever it conflicts with, as one with a higher fee does. Null if the chain cannot take it, or
 * already has it.
 */
export function handOver(
  parts: ChainParts,
  state: ChainState,
  { request, party }: { readonly request: PrepareRequest; readonly party: 'maker' | 'taker' | 'watcher' },
): { readonly state: ChainState; readonly body: Body } | null {
  const signer = { party, reserved: NOTHING };
  const first = prepare(parts, state, { request, signer });
  if (!first.ok) return null;
  const body = dearer(parts, state, parts.bodies.get(first.value.tx_hash) as Body);
  const { state: next, answer } = accept(parts, state, { body, ahead: true });
  return answer.ok && answer.value === 'sent' ? { state: next, body } : null;
}

const NOTHING: ReadonlySet<string> = new Set();

/** The same transaction, with a higher fee than its rivals. */
function dearer(parts: ChainParts, state: ChainState, body: Body): Body {
  const { id: _, ...content } = body;
  return parts.bodies.make({ ...content, urgency: Math.max(body.urgency, leastUrgency(parts, state, body)) });
}

/** A move that hands over one transaction; none where that is impossible. */
export function broadcasting(
  model: Model,
  sight: Sight,
  { leg, request, party, text }: { leg: Leg; request: PrepareRequest; party: Outsider['party']; text?: string },
): readonly Move[] {
  const handed = handOver(model.chains[leg], sight.chains[leg], { request, party });
  if (handed === null) return [];
  const what = text ?? `broadcasts the ${nameOf(handed.body)}`;
  return [{ text: what, state: sight.state, chains: { ...sight.chains, [leg]: handed.state }, sent: [] }];
}
