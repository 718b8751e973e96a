import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NegotiationMessage } from '../../../../src/htlc/negotiation.ts';
import { decodeClockAnswer, encodeClockAnswer } from '../../../../src/peers/kdf-wire/clock-request.ts';
import { decodeHealthCheck, encodeHealthCheck } from '../../../../src/peers/kdf-wire/health-check.ts';
import { decodeOrderMessage, encodeOrderMessage } from '../../../../src/peers/kdf-wire/order-message.ts';
import {
  decodeSwapMessage,
  encodeSwapMessage,
  type TopicMessage,
  transactionOf,
} from '../../../../src/peers/kdf-wire/swap-message.ts';
import { decodeWatcherMessage, encodeWatcherMessage } from '../../../../src/peers/kdf-wire/watcher-message.ts';
import type { MatchBy, OrderMessage } from '../../../../src/ports/orders.ts';
import type { WatcherMessage } from '../../../../src/ports/peers.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { fractionOf } from '../../../../src/primitives/fraction.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';

// Whatever one node may say, another reads as it was meant. What the network does not carry, such as the id of a transaction, follows from what it does.

const bytes = (minLength: number, maxLength = minLength) => fc.uint8Array({ minLength, maxLength });
const hex = (...lengths: readonly [number, number?]) => bytes(...lengths).map(bytesToHex);
const key = fc.tuple(fc.constantFrom('02', '03'), hex(32)).map((parts) => parts.join(''));
const hash = fc.oneof(hex(20), hex(32));
const seconds = fc.nat({ max: 2 ** 32 - 1 }).map((at) => at as UnixSeconds);
const ticker = fc.stringMatching(/^[A-Z][A-Z0-9_-]{0,20}$/);
const transaction = hex(0, 300).map(transactionOf);
const contract = fc.option(hex(20));

const common = { started_at: seconds, payment_locktime: seconds };
const contracts = { maker_coin_swap_contract: contract, taker_coin_swap_contract: contract };
const negotiation: fc.Arbitrary<NegotiationMessage> = fc.oneof(
  fc.record({ version: fc.constant(1 as const), persistent_pubkey: key, ...common, secret_hash: hex(20) }),
  fc.record({ version: fc.constant(2 as const), persistent_pubkey: key, ...common, ...contracts, secret_hash: hash }),
  fc.record({
    ...{ version: fc.constant(3 as const), maker_coin_htlc_pub: key, taker_coin_htlc_pub: key },
    ...{ ...common, ...contracts, secret_hash: hash },
  }),
);
const instructions = fc.oneof(
  fc.bigInt({ min: 1n, max: 10n ** 30n }).map((units) => ({ WatcherReward: String(units) as DecimalText })),
  fc.stringMatching(/^ln[a-z0-9é]{1,300}$/u).map((invoice) => ({ Lightning: invoice })),
);
const swapMessage: fc.Arbitrary<TopicMessage> = fc.oneof(
  negotiation.map((offer) => ({ kind: 'negotiation' as const, offer })),
  negotiation.map((reply) => ({ kind: 'negotiationReply' as const, reply })),
  fc.boolean().map((accepted) => ({ kind: 'negotiated' as const, accepted })),
  fc.record({ kind: fc.constant('takerFee' as const), tx: transaction }),
  fc.record({ kind: fc.constant('takerFee' as const), tx: transaction, instructions }),
  fc.record({ kind: fc.constant('makerPayment' as const), tx: transaction, instructions: fc.option(instructions) }),
  fc.record({ kind: fc.constant('takerPayment' as const), tx: transaction }),
);

const amount = fc
  .tuple(fc.bigInt({ min: 1n, max: 2n ** 500n }), fc.bigInt({ min: 1n, max: 2n ** 500n }))
  .map(([numer, denom]) => fractionOf(numer, denom));
const matchBy: fc.Arbitrary<MatchBy> = fc.oneof(
  fc.constant({ type: 'Any' as const }),
  fc.array(fc.uuid(), { maxLength: 6 }).map((data) => ({ type: 'Orders' as const, data })),
  fc.array(hex(32), { maxLength: 6 }).map((data) => ({ type: 'Pubkeys' as const, data })),
);
const confirmations = { base_confs: fc.nat(), base_nota: fc.boolean(), rel_confs: fc.nat(), rel_nota: fc.boolean() };
const infos = fc
  .tuple(fc.option(hex(0, 40)), fc.option(hex(0, 40)))
  .map(([base, rel]) => ({ base_protocol_info: base, rel_protocol_info: base === null ? null : rel }));
const traded = { base: ticker, rel: ticker, base_amount: amount, rel_amount: amount };
const settings = { conf_settings: fc.record(confirmations) };
const orders = { taker_order_uuid: fc.uuid(), maker_order_uuid: fc.uuid() };
const takerRequest = fc
  .record({
    ...{ kind: fc.constant('takerRequest' as const), uuid: fc.uuid(), ...traded, match_by: matchBy, ...settings },
    action: fc.constantFrom('Buy' as const, 'Sell' as const),
  })
  .chain((request) => infos.map((told): OrderMessage => ({ ...request, ...told })));
const orderMessage: fc.Arbitrary<OrderMessage> = fc.oneof(
  takerRequest,
  fc
    .record({ kind: fc.constant('makerReserved' as const), ...traded, ...orders, ...settings })
    .chain((reserved) => infos.map((told): OrderMessage => ({ ...reserved, ...told }))),
  fc.record({ kind: fc.constantFrom('takerConnect' as const, 'makerConnected' as const), ...orders }),
);

const watcherMessage: fc.Arbitrary<WatcherMessage> = fc.record({
  ...{ uuid: fc.uuid(), secret_hash: hash, swap_started_at: seconds, lock_duration: fc.nat() },
  ...{ maker_payment_spend_preimage: hex(0, 500), taker_payment_refund_preimage: hex(0, 500) },
  ...{ taker_coin: ticker, taker_fee_hash: hex(32), taker_payment_hash: hex(32), taker_coin_start_block: fc.nat() },
  ...{ taker_payment_confirmations: fc.nat(), taker_payment_requires_nota: fc.option(fc.boolean()) },
  ...{ maker_coin: ticker, maker_pub: key, maker_payment_hash: hex(32), maker_coin_start_block: fc.nat() },
  ...{ taker_amount: fc.constant(null), maker_amount: fc.constant(null), taker_pub: fc.constant(null) },
});

describe('a drawn message survives a round trip', () => {
  it('on the topic of a swap', () => {
    fc.assert(
      fc.property(swapMessage, (message) => {
        expect(decodeSwapMessage(encodeSwapMessage(message))).toEqual({ ok: true, value: message });
      }),
    );
  });

  it('on the topic of a pair of coins, also behind the version of its swap', () => {
    fc.assert(
      fc.property(orderMessage, (message) => {
        const encoded = encodeOrderMessage(message);
        expect(decodeOrderMessage(encoded)).toEqual({ ok: true, value: message });
        if (!('rel_protocol_info' in message) || message.rel_protocol_info === null) return;
        // The head of the array stands behind the variant; newer nodes tell a version of the swap behind all.
        const newer = new Uint8Array([...encoded, 0x91, 2]);
        newer[2] = (newer[2] ?? 0) + 1;
        expect(decodeOrderMessage(newer)).toEqual({ ok: true, value: message });
      }),
    );
  });

  it('on the topic of watchers', () => {
    fc.assert(
      fc.property(watcherMessage, (message) => {
        expect(decodeWatcherMessage(encodeWatcherMessage(message))).toEqual({ ok: true, value: message });
      }),
    );
  });

  it('as a health check, and as an answer about the time', () => {
    const check = fc.record({ key: bytes(36), expiresAt: seconds, isReply: fc.boolean(), signature: bytes(64) });
    fc.assert(
      fc.property(check, fc.option(seconds), (word, now) => {
        expect(decodeHealthCheck(encodeHealthCheck(word))).toEqual({ ok: true, value: word });
        expect(decodeClockAnswer(encodeClockAnswer(now))).toEqual({ ok: true, value: now });
      }),
    );
  });
});
