import { expect, it } from 'vitest';
import {
  fieldMissing,
  noSecretHash,
  noSuchCoin,
  notNegotiated,
  notStarted,
  RecreateError,
  unexpectedEvent,
} from '../../../../src/replay/recreate/recreate-error.ts';

it("the errors have the real node's text and type, and say what to do", () => {
  const errors = [
    notStarted(),
    notNegotiated(),
    unexpectedEvent('Negotiated', 'Start failed...'),
    noSuchCoin('DOC'),
    noSecretHash(),
    fieldMissing('my_persistent_pub'),
  ];
  for (const error of errors) expect(error).toBeInstanceOf(RecreateError);
  expect(errors.map(({ code, shortMessage, kdf, next }) => ({ code, shortMessage, kdf, next }))).toMatchInlineSnapshot(`
    [
      {
        "code": "RECREATE_NOT_STARTED",
        "kdf": {
          "error_type": "SwapIsNotStarted",
        },
        "next": "Neither party has paid before the negotiation ended, so there is nothing to recover.",
        "shortMessage": "Swap hasn't been started. Swap not recoverable",
      },
      {
        "code": "RECREATE_NOT_NEGOTIATED",
        "kdf": {
          "error_type": "SwapIsNotNegotiated",
        },
        "next": "Neither party has paid before the negotiation ended, so there is nothing to recover.",
        "shortMessage": "Swap hasn't been negotiated. Swap not recoverable",
      },
      {
        "code": "RECREATE_UNEXPECTED_EVENT",
        "kdf": {
          "error_data": {
            "expected": "Negotiated",
            "found": "Start failed...",
          },
          "error_type": "UnexpectedEvent",
        },
        "next": "Check whether the log is whole: it must begin with Started and Negotiated.",
        "shortMessage": "Expected 'Negotiated' event, found 'Start failed...'",
      },
      {
        "code": "RECREATE_NO_SUCH_COIN",
        "kdf": {
          "error_data": {
            "coin": "DOC",
          },
          "error_type": "NoSuchCoin",
        },
        "next": "Activate DOC and try again.",
        "shortMessage": "No such coin DOC",
      },
      {
        "code": "RECREATE_NO_SECRET_HASH",
        "kdf": {
          "error_type": "NoSecretHash",
        },
        "next": "Without it no payment of the swap can be found or spent. Look for a fuller copy of the log.",
        "shortMessage": "'secret_hash' not found in swap data",
      },
      {
        "code": "RECREATE_FIELD_MISSING",
        "kdf": {
          "error_data": "'my_persistent_pub' not found in swap data",
          "error_type": "Internal",
        },
        "next": "Look for a fuller copy of the log: this one lost a member that the other log needs.",
        "shortMessage": "'my_persistent_pub' not found in swap data",
      },
    ]
  `);
});
