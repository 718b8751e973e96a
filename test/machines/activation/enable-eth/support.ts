import { initialTransition, type SnapshotFrom, transition } from 'xstate';
import type { EnableEthContext } from '../../../../machines/activation/enable-eth/context.ts';
import { enableEthDeadlines } from '../../../../machines/activation/enable-eth/deadlines.ts';
import { enableEthInvariants } from '../../../../machines/activation/enable-eth/invariants.ts';
import { enableEthChart } from '../../../../machines/activation/enable-eth/machine.ts';
import {
  type EnableEthEvent,
  type EnableEthEventType,
  enableEthEventTypes,
  readEnableEthEvent,
} from '../../../../src/events/enable-eth.ts';
import { enableEthRequest, loggedRequest } from '../../../../src/events/enable-eth-request.ts';
import { type Millis, millisOf } from '../../../../src/primitives/time.ts';

export type TaskSnapshot = SnapshotFrom<typeof enableEthChart>;

export const START = millisOf(1_700_000_000_000);
export const TASK_ID = 7;

export const request = enableEthRequest.parse({
  ticker: 'MATIC',
  swap_contract_address: `0x${'9'.repeat(40)}`,
  fallback_swap_contract: `0x${'8'.repeat(40)}`,
  erc20_tokens_requests: [{ ticker: 'PGX-PLG20', required_confirmations: 4 }],
  nodes: [{ url: 'https://polygon.example', ws_url: 'wss://polygon.example/ws' }],
  priv_key_policy: { type: 'Trezor' },
});

export const walletResult = {
  current_block: 52_023_000,
  ticker: 'MATIC',
  wallet_balance: {
    wallet_type: 'HD',
    accounts: [
      {
        account_index: 0,
        derivation_path: "m/44'/60'/0'",
        total_balance: { MATIC: { spendable: '1.5', unspendable: '0' } },
        addresses: [
          {
            address: '0x5555555555555555555555555555555555555555',
            derivation_path: "m/44'/60'/0'/0/0",
            chain: 'External',
            balance: { MATIC: { spendable: '1.5', unspendable: '0' } },
          },
        ],
      },
    ],
  },
  nfts_infos: {},
};

const failure = {
  error: 'eth:100] all nodes failed',
  error_path: 'enable_eth',
  error_trace: 'enable_eth]',
  error_type: 'Transport',
  error_data: 'all nodes failed',
};

/** The start of a task whose request had secrets that the log does not hold. */
export const withheldStart: EnableEthEvent = readEnableEthEvent({
  type: 'TaskStarted',
  at: START,
  data: { task_id: 7, params: loggedRequest(request), withheld: ['/nodes/0/url', '/priv_key_policy/session'] },
});

/** Limits with an activation time-out, so that every deadline exists. */
export const limits = { user_action: 300, device_connect: 300, activation: 1800 };

function dataOf(type: EnableEthEventType, context: EnableEthContext): unknown {
  switch (type) {
    case 'TaskStarted':
      return { task_id: TASK_ID, client_id: 3, params: loggedRequest(request), limits };
    case 'UserActionProvided':
      return { action_type: context.awaiting === 'EnterTrezorPassphrase' ? 'TrezorPassphrase' : 'TrezorPin' };
    case 'WrongUserActionProvided':
      return { action_type: context.awaiting === 'EnterTrezorPassphrase' ? 'TrezorPin' : 'TrezorPassphrase' };
    case 'Completed':
      return { details: walletResult };
    case 'Failed':
      return failure;
    case 'TokenReleased':
    case 'KeptTokenReleased':
      return { ticker: 'PGX-PLG20' };
    default:
      return null;
  }
}

/** An event of the type, one second later than the one before, or at the deadline that it says has passed. */
export function nextEvent(snapshot: TaskSnapshot, type: EnableEthEventType): EnableEthEvent {
  const { context } = snapshot;
  const due = enableEthDeadlines(snapshot.value, context).find(({ kind }) => kind === type);
  const at = Math.max((context.lastEventAt ?? START) + 1000, due?.at ?? 0);
  return readEnableEthEvent({ type, at, data: dataOf(type, context) });
}

export function initialSnapshot(): TaskSnapshot {
  return initialTransition(enableEthChart)[0];
}

/** The strict step: an event that the state cannot take is an error, as in a replay. */
export function take(snapshot: TaskSnapshot, event: EnableEthEvent): TaskSnapshot {
  if (!snapshot.can(event)) throw new Error(`${snapshot.value} cannot take ${event.type}`);
  return transition(enableEthChart, snapshot, event)[0];
}

export function takeAll(events: readonly EnableEthEvent[], from = initialSnapshot()): TaskSnapshot {
  return events.reduce(take, from);
}

/** Folds one event of each type in turn; the time and data of each follow from the state before it. */
export function reach(...types: readonly EnableEthEventType[]): TaskSnapshot {
  return types.reduce((snapshot, type) => take(snapshot, nextEvent(snapshot, type)), initialSnapshot());
}

/** The events that {@link reach} folds. */
export function eventsOf(types: readonly EnableEthEventType[]): readonly EnableEthEvent[] {
  const events: EnableEthEvent[] = [];
  let snapshot = initialSnapshot();
  for (const type of types) {
    const event = nextEvent(snapshot, type);
    events.push(event);
    snapshot = take(snapshot, event);
  }
  return events;
}

export function brokenInvariants({ value, context }: TaskSnapshot): string[] {
  return enableEthInvariants.filter(({ holds }) => !holds(value, context)).map(({ id }) => id);
}

export function legalTypes(snapshot: TaskSnapshot): readonly EnableEthEventType[] {
  return enableEthEventTypes.filter((type) => snapshot.can(nextEvent(snapshot, type)));
}

export type Edge = { readonly from: string; readonly type: EnableEthEventType; readonly to: string };

/** Every edge of the chart, in its order. */
export function chartEdges(): readonly Edge[] {
  return Object.values(enableEthChart.states).flatMap((state) =>
    [...state.transitions].flatMap(([type, list]) =>
      list.map(({ target }) => ({
        from: state.key,
        type: type as EnableEthEventType,
        to: target?.[0]?.key ?? '',
      })),
    ),
  );
}

export function later(at: Millis, seconds: number): Millis {
  return millisOf(at + seconds * 1000);
}
