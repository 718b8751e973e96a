import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ERROR_KINDS, type StoredErrorKind } from '../../../../src/events/stored-errors/kinds.ts';
import { readStoredError } from '../../../../src/events/stored-errors/read.ts';
import { draws } from '../../../support/draws.ts';
import { describeShared, manifest, readShared } from '../../../support/shared.ts';

/** Texts as nodes write them, with what a reader must learn from each. */
const TEXTS: readonly (readonly [text: string, kind: StoredErrorKind, reason: string])[] = [
  [
    'lp_swap:1888] eth:654] RPC error: Error { code: ServerError(-32010), message: "Transaction with the same hash was already imported.", data: None }',
    'alreadyKnown',
    'Transaction with the same hash was already imported.',
  ],
  [
    'taker_swap:899] utxo:1009] rpc_clients:963] JsonRpcError { request: JsonRpcRequest { jsonrpc: "2.0", id: "139", method: "blockchain.transaction.broadcast", params: [String("01ab")] }, error: Response(Object({"code": Number(1), "message": String("the transaction was rejected by network rules.\\n\\n18: bad-txns-inputs-spent\\n[010000000147b81c0bbd55693a]")})) }',
    'outputSpent',
    'the transaction was rejected by network rules. 18: bad-txns-inputs-spent',
  ],
  [
    'JsonRpcError { client_info: "coin: KMD", request: JsonRpcRequest { jsonrpc: "2.0", id: "7", method: "sendrawtransaction", params: [String("message: \\"no\\"")] }, error: Response(electrum1.example:10001, Object {"code": Number(-25), "message": String("Missing inputs")}) }',
    'inputsMissing',
    'Missing inputs',
  ],
  ['taker_swap:10] utxo_common:2] error: 64: non-final (code 64)', 'notFinal', 'error: 64: non-final (code 64)'],
  ['maker_swap:319] "maker_swap:315] timeout (180.0 > 180.0)"', 'peerSilent', 'timeout (180.0 > 180.0)'],
  ['taker_swap:1267] Timeout 1730514773 > 1730514206', 'tooLate', 'Timeout 1730514773 > 1730514206'],
  ['maker_swap:1] Started_at time_dif over 60 75', 'clockOff', 'Started_at time_dif over 60 75'],
  ['Maker sent negotiated = false', 'peerRefused', 'Maker sent negotiated = false'],
  [
    'Origin Taker error event: MakerPaymentValidateFailed(SwapError { error: "taker_swap:1] !validate maker payment: Provided payment tx output value doesn\'t match expected 1 2" })',
    'wrongPayment',
    "!validate maker payment: Provided payment tx output value doesn't match expected 1 2",
  ],
  [
    'taker_swap:1698] !taker_coin.wait_for_confirmations: rpc_clients:158] Waited too long until 1730187904 for transaction ce94a6369e32d88fc7ec6feb3dce61cf953cb8f5647615f95faae7660b758695 to be confirmed 2 times',
    'notConfirmed',
    '!taker_coin.wait_for_confirmations: Waited too long until 1730187904 for transaction ce94a6369e32d88fc7ec6feb3dce61cf953cb8f5647615f95faae7660b758695 to be confirmed 2 times',
  ],
  [
    'utxo:1330] Waited too long until 1582100558 for transaction Transaction { version: 4, inputs: [TransactionInput { script_sig: 48 }], zcash: true } 0 to be spent ',
    'notSpent',
    'Waited too long until 1582100558 for transaction … 0 to be spent',
  ],
  [
    'taker_swap:1046] !check_balance_for_taker_swap check_balance:75] Not enough KMD for swap: available 0.3496745089721220796661853315043, required at least 2, locked by swaps None',
    'notEnough',
    '!check_balance_for_taker_swap Not enough KMD for swap: available 0.34967450…, required at least 2, locked by swaps None',
  ],
  ['"utxo_common:4] error: \\"66: min relay fee not met\\""', 'feeTooLow', 'error: "66: min relay fee not met"'],
  ['eth:1] execution reverted', 'reverted', 'execution reverted'],
  ['eth:1] nonce too low', 'nonceUsed', 'nonce too low'],
  [
    '16: mandatory-script-verify-flag-failed (Signature must be zero)',
    'badSignature',
    '16: mandatory-script-verify-flag-failed (Signature must be zero)',
  ],
  ['An error', 'unknown', 'An error'],
  ['', 'unknown', ''],
];

describe('a stored error text', () => {
  for (const [text, kind, reason] of TEXTS) {
    it(`is read: ${kind}: ${reason.slice(0, 60)}`, () => {
      expect(readStoredError(text)).toMatchObject({ kind, reason });
    });
  }

  it('is quoted whole, however many places in the code stand in it', () => {
    const place = fc.stringMatching(/^[a-z][a-z_]{0,8}:[0-9]{1,4}\] $/);
    const words = fc.stringMatching(/^[A-Z][a-z ]{0,30}[a-z]$/).map((text) => text.replaceAll(/ +/g, ' '));
    fc.assert(
      fc.property(fc.array(fc.tuple(place, words), { minLength: 1, maxLength: 6 }), (parts) => {
        const text = parts.map(([where, what]) => `${where}${what}`).join(' ');
        expect(readStoredError(text).reason).toBe(parts.map(([, what]) => what).join(' '));
      }),
    );
  });

  it('from anybody ends in a reason of bounded length, in bounded time', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2000, unit: 'binary' }), (text) => {
        const { reason, means, cure } = readStoredError(text);
        expect(reason.length).toBeLessThanOrEqual(2001);
        expect(means.length * cure.length).toBeGreaterThan(0);
      }),
    );
    for (const hostile of [
      '"',
      '\\',
      'a:1] ',
      'Transaction {',
      'JsonRpcError { error: Transport(',
      '0.',
      'f',
      'message: "',
    ]) {
      const begun = performance.now();
      readStoredError(hostile.repeat(draws({ sample: 50_000, change: 1_000_000 })));
      expect(performance.now() - begun, hostile).toBeLessThan(2000);
    }
  });
});

describe('the table of kinds', () => {
  it('has one row for each, that a text of the tests meets or the corpus has', () => {
    const kinds = ERROR_KINDS.map(({ kind }) => kind);
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  it('ends no meaning in a full stop, and each cure in one', () => {
    for (const { means, cure, source } of ERROR_KINDS) {
      expect(means).toMatch(/^[a-z].*[^.]$/);
      expect(cure).toMatch(/^[A-Z].*\.$/);
      expect(source).not.toBe('');
    }
  });
});

describeShared('error texts of real swaps', () => {
  const texts = (): ReadonlyMap<string, string> => {
    const found = new Map<string, string>();
    for (const { file } of manifest()) {
      const { events = [] } = JSON.parse(readShared(`swaps/${file}`)) as {
        events?: readonly { event: { type: string; data?: { error?: string } } }[];
      };
      for (const { event } of events) {
        if (typeof event.data?.error === 'string' && event.data.error !== '') found.set(event.data.error, event.type);
      }
    }
    return found;
  };

  it('are each read as what they say', () => {
    const read = [...texts()].map(([text, type]) => {
      const { kind, reason } = readStoredError(text);
      return `${type}: ${kind}: ${reason}`;
    });
    expect([...new Set(read)].toSorted()).toMatchInlineSnapshot(`
      [
        "MakerPaymentSpendFailed: feeTooLow: the transaction was rejected by network rules. 66: min relay fee not met",
        "MakerPaymentSpendFailed: unknown: error",
        "MakerPaymentSpendFailed: unreachable: All electrums are currently disconnected",
        "MakerPaymentTransactionFailed: alreadyKnown: Transaction with the same hash was already imported.",
        "MakerPaymentValidateFailed: notConfirmed: !wait for maker payment confirmations: Waited too long until 1578610248 for transaction … to be confirmed 2 times",
        "MakerPaymentValidateFailed: peerSilent: Error waiting for 'maker-payment' data: timeout (270.0 > 270.0)",
        "MakerPaymentWaitConfirmFailed: unknown: error",
        "NegotiateFailed: peerSilent: timeout (180.0 > 180.0)",
        "TakerFeeValidateFailed: peerSilent: timeout (270.0 > 270.0)",
        "TakerPaymentRefundFailed: unreachable: All electrums are currently disconnected",
        "TakerPaymentValidateFailed: peerSilent: timeout (2690.0 > 2690.0)",
        "TakerPaymentValidateFailed: peerSilent: timeout (2690.6 > 2690.0)",
        "TakerPaymentValidateFailed: peerSilent: timeout (4770.0 > 4770.0)",
        "TakerPaymentValidateFailed: unknown: An error",
        "TakerPaymentWaitConfirmFailed: unknown: An error",
        "TakerPaymentWaitForSpendFailed: notSpent: Waited too long until 1582100558 for transaction … 0 to be spent",
        "TakerPaymentWaitForSpendFailed: unknown: An error",
      ]
    `);
  });

  it('name no place in the code, and no whole transaction', () => {
    for (const text of texts().keys()) {
      expect(readStoredError(text).reason).not.toMatch(/\w+:\d+\] |[0-9a-f]{130}|Transaction \{/);
    }
  });
});
