/** Numbers of the messages that this package sends or reads, as in the device's protocol. */
export const MESSAGE = {
  initialize: 0,
  ping: 1,
  success: 2,
  failure: 3,
  getPublicKey: 11,
  publicKey: 12,
  features: 17,
  pinMatrixRequest: 18,
  pinMatrixAck: 19,
  cancel: 20,
  lockDevice: 24,
  buttonRequest: 26,
  buttonAck: 27,
  passphraseRequest: 41,
  passphraseAck: 42,
  getFeatures: 55,
  ethereumGetAddress: 56,
  ethereumAddress: 57,
  ethereumSignTx: 58,
  ethereumTxRequest: 59,
  ethereumTxAck: 60,
  endSession: 83,
  ethereumGetPublicKey: 450,
  ethereumPublicKey: 451,
  ethereumSignTxEip1559: 452,
} as const;

/** Numbers in a `Failure`: why the device refused. */
export const FAILURE = {
  unexpectedMessage: 1,
  buttonExpected: 2,
  dataError: 3,
  actionCancelled: 4,
  pinExpected: 5,
  pinCancelled: 6,
  pinInvalid: 7,
  invalidSignature: 8,
  processError: 9,
  notEnoughFunds: 10,
  notInitialized: 11,
  pinMismatch: 12,
  wipeCodeMismatch: 13,
  invalidSession: 14,
  busy: 15,
  firmwareError: 99,
} as const;

/** Maximum bytes of a transaction's data in one message. */
export const DATA_CHUNK = 1024;
/** Maximum bytes of data that a device signs. */
export const MOST_DATA = 16_000_000;
/** Maximum bytes of a passphrase, and digits of a PIN. */
export const MOST_PASSPHRASE_BYTES = 50;
export const MOST_PIN_DIGITS = 50;
