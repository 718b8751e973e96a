/** Why a coin was not activated. The caller words it: the real node's text is in the message where it has one. */
export type ActivationFailureKind =
  | 'coinMissing'
  | 'alreadyActive'
  /** Another request is activating it, and may yet fail. */
  | 'underWay'
  | 'mm2Missing'
  | 'protocolMissing'
  | 'protocolInvalid'
  | 'protocolUnsupported'
  | 'requestInvalid'
  | 'entryInvalid'
  | 'minConnectedZero'
  | 'minAboveMax'
  | 'daemonConf'
  | 'daemonUnreachable'
  | 'serversUnreachable'
  | 'nodesUnreachable'
  | 'nodesTooFew'
  | 'stationUnreachable'
  | 'packageMissing'
  | 'nodeStopping';

/** An activation that came to nothing. It ends in an answer and is no fault of the program. */
export class ActivationFailure extends Error {
  readonly kind: ActivationFailureKind;

  constructor(kind: ActivationFailureKind, message: string) {
    super(message);
    this.name = 'ActivationFailure';
    this.kind = kind;
  }
}
