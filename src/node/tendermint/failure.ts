import type { JsonValue } from '../../primitives/json.ts';
import type { ActivationFailure } from '../activation-failure.ts';
import type { Compatibility } from '../compatibility.ts';

/** Names of what an activation is refused with: of the specification (§7), and of the real node where that has others. */
export type TendermintErrorType =
  | 'PlatformIsAlreadyActivated'
  | 'PlatformConfigIsNotFound'
  | 'CoinProtocolParseError'
  | 'UnexpectedPlatformProtocol'
  | 'TokenConfigIsNotFound'
  | 'TokenProtocolParseError'
  | 'UnexpectedTokenProtocol'
  | 'PlatformCoinCreationError'
  | 'PrivKeyNotAllowed'
  | 'Transport'
  | 'InternalError'
  | 'Internal';

const STATUS: Readonly<Record<TendermintErrorType, number>> = {
  PlatformIsAlreadyActivated: 400,
  PlatformConfigIsNotFound: 400,
  CoinProtocolParseError: 500,
  UnexpectedPlatformProtocol: 400,
  TokenConfigIsNotFound: 400,
  TokenProtocolParseError: 500,
  UnexpectedTokenProtocol: 400,
  PlatformCoinCreationError: 500,
  PrivKeyNotAllowed: 500,
  Transport: 502,
  InternalError: 500,
  Internal: 500,
};

/** Why coins of a Tendermint chain are not activated. It ends in an answer and is no fault of the program. */
export class TendermintFailure extends Error {
  readonly type: TendermintErrorType;
  readonly data: JsonValue;

  constructor(type: TendermintErrorType, message: string, data: JsonValue) {
    super(message);
    this.name = 'TendermintFailure';
    this.type = type;
    this.data = data;
  }

  /** HTTP status of the answer, as the real node has it. */
  get status(): number {
    return STATUS[this.type];
  }
}

type Occupied = { readonly ticker: string; readonly compatibility: Compatibility };

/** Of a coin that is active the text is its ticker (as in the real node), of one that is being activated what is the matter. */
export function occupiedBy(
  { kind, message }: ActivationFailure,
  { ticker, compatibility }: Occupied,
): TendermintFailure {
  const text = kind === 'underWay' && compatibility !== 'kdf' ? message : ticker;
  return new TendermintFailure('PlatformIsAlreadyActivated', text, ticker);
}

/** In the words of the real node. */
export function creationFailure(ticker: string, error: string): TendermintFailure {
  const text = `Error on platform coin ${ticker} creation: ${error}`;
  return new TendermintFailure('PlatformCoinCreationError', text, { ticker, error });
}
