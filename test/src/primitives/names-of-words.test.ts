import { describe, expect, it } from 'vitest';
import { isWords } from '../../../src/primitives/names-of-words.ts';

describe('a run is shown', () => {
  const names = [
    'non-mandatory-script-verify-flag',
    'bad-txns-inputs-missingorspent',
    'TakerPaymentSpendConfirmStarted',
    'TAKER_PAYMENT_REFUND_FAILED_AT_LAST',
    'OP_CHECKLOCKTIMEVERIFY_NOT_SATISFIED',
    'MakerPaymentWaitConfirmFailed',
    'HTLCPaymentOfTheTakerNotFound',
    'getTransactionByHashFromServer',
    'src/chains/utxo/electrum/connection',
    'ecdsa-secp256k1-of-the-signer',
    'the_coin_is_not_active_on_2_of_3_servers',
  ];
  for (const name of names) it(name, () => expect(isWords(name)).toBe(true));
});

describe('a run is not shown', () => {
  const carriers = {
    'base64 of small numbers': 'AQAAAAAAAAB+AAQAPgJAAAAFAAMGB+',
    'base64 without three alike': 'AQA0AABA+AABAABAACcAABECAwAEBQYHolg+CDk1CQo=',
    'base64 of addresses': 'D-AABAABaabaadaAABAAOgAAOAABigAABQ-BBgcIFO0',
    'base64 that sounds': 'AQAA0AABh+AaqgCaabcacZcAAGAAYaAABAABuoabZFA=',
    'base64 of which half is like words': 'AQAABM0A+AA0AAB+AABAWddoFacaba',
    'base64 of many short pieces': '-AA-AAEAAI9-t99-AB9-D-DaaAABAFaabgYamwJialc',
    'base58 of letters alone': 'DayrcHiaunhMgpsSomrnvRqyYtvknDtkiimMBApeEBCb',
  };
  for (const [name, run] of Object.entries(carriers)) it(name, () => expect(isWords(run)).toBe(false));
});
