import { secp256k1 } from '@noble/curves/secp256k1.js';
import { describe, expect, it } from 'vitest';
import { decodeEnvelope, encodeEnvelope, isSigned, signEnvelope } from '../../../../src/peers/kdf-wire/envelope.ts';
import { messageId } from '../../../../src/peers/kdf-wire/message-id.ts';
import { decodeOrderMessage, encodeOrderMessage } from '../../../../src/peers/kdf-wire/order-message.ts';
import {
  decodeSwapMessage,
  encodeSwapMessage,
  type TopicMessage,
} from '../../../../src/peers/kdf-wire/swap-message.ts';
import { decodeWatcherMessage, encodeWatcherMessage } from '../../../../src/peers/kdf-wire/watcher-message.ts';
import type { OrderMessage } from '../../../../src/ports/orders.ts';
import type { WatcherMessage } from '../../../../src/ports/peers.ts';
import { sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';

// Bytes that the framework's own serializer writes and reads.

const UUID = '41383f43-46a5-478c-9386-3b2cce0aca20';
const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const STARTED = 1_700_000_000 as UnixSeconds;
const tx = (hex: string) => ({ tx_hex: hex, tx_hash: expect.any(String) as string });

describe('messages of a swap', () => {
  it.each<[name: string, hex: string, message: TopicMessage]>([
    ['Negotiated', '8102c3', { kind: 'negotiated', accepted: true }],
    [
      'Negotiation of version 2',
      '810096ce6553f100ce65542df0dc0014000102030405060708090a0b0c0d0e0f10111213dc00210202020202020202020202020202020202020202020202020202020202020202029090',
      {
        kind: 'negotiation',
        offer: {
          version: 2,
          started_at: STARTED,
          payment_locktime: 1_700_015_600 as UnixSeconds,
          secret_hash: '000102030405060708090a0b0c0d0e0f10111213',
          persistent_pubkey: '02'.repeat(33),
          maker_coin_swap_contract: null,
          taker_coin_swap_contract: null,
        },
      },
    ],
    ['TakerFee', '8103940100cc80ccff', { kind: 'takerFee', tx: tx('010080ff') }],
    [
      'MakerPayment with instructions',
      '8104929201ccff9107',
      { kind: 'makerPayment', tx: tx('01ff'), instructions: { Lightning: '\u0007' } },
    ],
    ['TakerPayment', '8105930100ccff', { kind: 'takerPayment', tx: tx('0100ff') }],
  ])('%s', (_, hex, message) => {
    expect(bytesToHex(encodeSwapMessage(message))).toBe(hex);
    expect(decodeSwapMessage(hexToBytes(hex))).toEqual({ ok: true, value: message });
  });
});

it('the envelope of a message, signed', async () => {
  const secretKey = new Uint8Array(32).fill(1);
  const signer = {
    key: secp256k1.getPublicKey(secretKey, true),
    sign: (hash: Uint8Array) => secp256k1.sign(hash, secretKey, { prehash: false, lowS: true, format: 'der' }),
  };
  const hex =
    '938100c421031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078fc440506b65309ad09c439b3460753a3ce449d1e9bec1ac294c4954ed8025c3c98bc43d1c5fee53fa1f8d94e6d3f35593aac8378036539bfb545c99c63c91af2e4e7cc4038102c3';
  expect(bytesToHex(await signEnvelope(signer, hexToBytes('8102c3')))).toBe(hex);
  const read = decodeEnvelope(hexToBytes(hex));
  if (!read.ok) throw new Error(read.expected);
  expect(isSigned(read.value)).toBe(true);
  expect(bytesToHex(encodeEnvelope(read.value))).toBe(hex);
});

it('the message of a taker to watchers', () => {
  const watch: WatcherMessage = {
    uuid: UUID,
    secret_hash: 'aa'.repeat(20),
    maker_payment_spend_preimage: '01',
    taker_payment_refund_preimage: '02',
    swap_started_at: STARTED,
    lock_duration: 7800,
    taker_coin: 'KMD',
    taker_amount: null,
    taker_fee_hash: '11'.repeat(32),
    taker_payment_hash: '22'.repeat(32),
    taker_coin_start_block: 100,
    taker_payment_confirmations: 1,
    taker_payment_requires_nota: null,
    maker_coin: 'DOGE',
    maker_amount: null,
    maker_pub: '02'.repeat(33),
    taker_pub: null,
    maker_payment_hash: '33'.repeat(32),
    maker_coin_start_block: 70_000,
  };
  const bytes = encodeWatcherMessage(watch);
  expect(bytes.length).toBe(256);
  expect(bytesToHex(sha256(bytes))).toBe('b08c419addd6c04f235518bf742effd3c5c6bb706826764134b31fb42d3eb4f1');
  expect(decodeWatcherMessage(bytes)).toEqual({ ok: true, value: watch });
});

describe('messages about orders', () => {
  const standard = '91a87374616e64617264';
  it.each<[name: string, hex: string, message: OrderMessage]>([
    [
      'TakerConnect',
      '810692c41041383f4346a5478c93863b2cce0aca20c41000000000000000000000000000000000',
      { kind: 'takerConnect', taker_order_uuid: UUID, maker_order_uuid: NIL_UUID },
    ],
    [
      'TakerRequest',
      '81049aa34b4d44a4444f4745929201910192019102929201910a920191018101c0c41041383f4346a5478c93863b2cce0aca208100c09401c202c392010290',
      {
        kind: 'takerRequest',
        uuid: UUID,
        base: 'KMD',
        rel: 'DOGE',
        base_amount: { numer: 1n, denom: 2n },
        rel_amount: { numer: 10n, denom: 1n },
        action: 'Sell',
        match_by: { type: 'Any' },
        conf_settings: { base_confs: 1, base_nota: false, rel_confs: 2, rel_nota: true },
        base_protocol_info: '0102',
        rel_protocol_info: '',
      },
    ],
    [
      'MakerReserved',
      '810599a4444f4745a34b4d44929201910a92019101929201910192019102c41041383f4346a5478c93863b2cce0aca20c410000000000000000000000000000000009401c201c29acc91cca87374616e646172649acc91cca87374616e64617264',
      {
        kind: 'makerReserved',
        taker_order_uuid: UUID,
        maker_order_uuid: NIL_UUID,
        base: 'DOGE',
        rel: 'KMD',
        base_amount: { numer: 10n, denom: 1n },
        rel_amount: { numer: 1n, denom: 2n },
        conf_settings: { base_confs: 1, base_nota: false, rel_confs: 1, rel_nota: false },
        base_protocol_info: standard,
        rel_protocol_info: standard,
      },
    ],
  ])('%s', (_, hex, message) => {
    expect(bytesToHex(encodeOrderMessage(message))).toBe(hex);
    expect(decodeOrderMessage(hexToBytes(hex))).toEqual({ ok: true, value: message });
  });
});

it('the id of a publication', () => {
  const [data, seqno] = [hexToBytes('010203'), hexToBytes('0102030405060708')];
  expect(messageId({ data, seqno })).toBe('b635541e75b943f6');
  expect(messageId({ data: new Uint8Array(0), seqno: null })).toBe('76be999e3e25b2a0');
});
