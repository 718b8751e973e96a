import { initialTransition, type SnapshotFrom, transition } from 'xstate';
import type { EnableTendermintContext } from '../../../../machines/activation/enable-tendermint/context.ts';
import { enableTendermintDeadlines } from '../../../../machines/activation/enable-tendermint/deadlines.ts';
import { enableTendermintInvariants } from '../../../../machines/activation/enable-tendermint/invariants.ts';
import { enableTendermintChart } from '../../../../machines/activation/enable-tendermint/machine.ts';
import {
  type EnableTendermintEvent,
  type EnableTendermintEventType,
  enableTendermintEventTypes,
  readEnableTendermintEvent,
} from '../../../../src/events/enable-tendermint.ts';
import { loggedTendermintRequest, withheldFromTendermint } from '../../../../src/events/enable-tendermint-request.ts';
import { type Millis, millisOf } from '../../../../src/primitives/time.ts';

export type Snapshot = SnapshotFrom<typeof enableTendermintChart>;

export const START = millisOf(1_700_000_000_000);
export const TASK_ID = 7;

export const request = {
  ticker: 'IRIS',
  nodes: [{ url: 'https://one.example' }, { url: 'wss://two.example/rpc' }],
  tokens_params: [{ ticker: 'ATOM-IBC', required_confirmations: 4 }],
  required_confirmations: 2,
};

export const details = {
  ticker: 'IRIS',
  address: 'iaa1erfnkjsmalkwtvj44qnfr2drfzdt4n9ldh0kjv',
  current_block: 3001,
  balance: { spendable: '7.62', unspendable: '0' },
  tokens_balances: { 'ATOM-IBC': { spendable: '0.0005', unspendable: '0' } },
};

const failure = {
  error: 'All the current rpc nodes are unavailable.',
  error_path: 'enable_tendermint',
  error_trace: 'enable_tendermint]',
  error_type: 'Transport',
  error_data: 'All the current rpc nodes are unavailable.',
};

/** A limit for the whole activation, so that its deadline exists. */
export const limits = { user_action: 300, device_connect: 300, activation: 1800 };

export function startOf(more: object = {}): EnableTendermintEvent {
  const params = { ...request, ...more };
  const data = { task_id: TASK_ID, params: loggedTendermintRequest(params), withheld: withheldFromTendermint(params) };
  return readEnableTendermintEvent({ type: 'TaskStarted', at: START, data });
}

function dataOf(type: EnableTendermintEventType): unknown {
  switch (type) {
    case 'TaskStarted':
      return { task_id: TASK_ID, client_id: 3, params: loggedTendermintRequest(request), limits };
    case 'Completed':
      return { details };
    case 'Failed':
      return failure;
    case 'TokenReleased':
    case 'KeptTokenReleased':
      return { ticker: 'ATOM-IBC' };
    default:
      return null;
  }
}

/** An event of the type, one second later than the one before, or at the deadline that it says has passed. */
export function nextEvent({ value, context }: Snapshot, type: EnableTendermintEventType): EnableTendermintEvent {
  const due = enableTendermintDeadlines(value, context).find(({ kind }) => kind === type);
  const at = Math.max((context.lastEventAt ?? START) + 1000, due?.at ?? 0);
  return readEnableTendermintEvent({ type, at, data: dataOf(type) });
}

export function initialSnapshot(): Snapshot {
  return initialTransition(enableTendermintChart)[0];
}

/** The strict step: an event that the state cannot take is an error, as in a replay. */
export function take(snapshot: Snapshot, event: EnableTendermintEvent): Snapshot {
  if (!snapshot.can(event)) throw new Error(`${snapshot.value} cannot take ${event.type}`);
  return transition(enableTendermintChart, snapshot, event)[0];
}

/** Folds one event of each type in turn; the time and data of each follow from the state before it. */
export function reach(...types: readonly EnableTendermintEventType[]): Snapshot {
  return types.reduce((snapshot, type) => take(snapshot, nextEvent(snapshot, type)), initialSnapshot());
}

export function brokenInvariants({ value, context }: Snapshot): string[] {
  return enableTendermintInvariants.filter(({ holds }) => !holds(value, context)).map(({ id }) => id);
}

export function doctored(
  snapshot: Snapshot,
  change: (context: EnableTendermintContext) => Partial<EnableTendermintContext>,
): string[] {
  return brokenInvariants({ ...snapshot, context: { ...snapshot.context, ...change(snapshot.context) } } as Snapshot);
}

export function legalTypes(snapshot: Snapshot): readonly EnableTendermintEventType[] {
  return enableTendermintEventTypes.filter((type) => snapshot.can(nextEvent(snapshot, type)));
}

export function later(at: Millis, seconds: number): Millis {
  return millisOf(at + seconds * 1000);
}
