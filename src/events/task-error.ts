import { z } from 'zod';
import { kindOf, text } from './fields.ts';

/**
 * Every `error_type` that an activation task may end with: the task errors of the specification (§7), and the variants
 * that the real node's `task::enable_eth` and `task::enable_tendermint` answer.
 */
export const taskErrorTypes = [
  'TaskTimedOut',
  'CoinCreationError',
  'HwError',
  'TaskFinished',
  'NoSuchTask',
  'PlatformIsAlreadyActivated',
  'PlatformConfigIsNotFound',
  'CoinProtocolParseError',
  'UnexpectedPlatformProtocol',
  'TokenConfigIsNotFound',
  'TokenProtocolParseError',
  'UnexpectedTokenProtocol',
  'PlatformCoinCreationError',
  'PrivKeyNotAllowed',
  'InternalError',
  'PrivKeyPolicyNotAllowed',
  'UnexpectedDerivationMethod',
  'Transport',
  'AtLeastOneNodeRequired',
  'InvalidPayload',
  'FailedSpawningBalanceEvents',
  'Internal',
  'UnexpectedDeviceActivationPolicy',
  'CustomTokenError',
  'WalletConnectError',
] as const;

export type TaskErrorType = (typeof taskErrorTypes)[number];

/** Error object of a task (specification §7): text, two debugging strings, a type, and data where the type has any. */
export const taskError = z.looseObject(
  {
    error: text,
    error_path: text,
    error_trace: text,
    error_type: z.enum(taskErrorTypes, {
      error: (issue) => `expected an error type of an activation task, found ${kindOf(issue.input)}`,
    }),
    error_data: z.unknown().optional(),
  },
  { error: (issue) => `expected an object, found ${kindOf(issue.input)}` },
);

export type TaskError = Readonly<z.output<typeof taskError>>;
