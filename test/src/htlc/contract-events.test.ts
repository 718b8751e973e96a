import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import {
  isSwapEvent,
  isTokenMove,
  type SwapEventKind,
  secretTold,
  TRANSFER_TOPIC,
} from '../../../src/htlc/contract-events.ts';

const abi = parseAbi([
  'event PaymentSent(bytes32 id)',
  'event ReceiverSpent(bytes32 id, bytes32 secret)',
  'event SenderRefunded(bytes32 id)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
const [contract, token] = ['c7'.repeat(20), '7d'.repeat(20)];
const [id, secret] = ['1d'.repeat(32), '5e'.repeat(32)];
const [from, to] = ['a1'.repeat(20), 'b2'.repeat(20)];
const hex0 = (hex: string): `0x${string}` => `0x${hex}`;
const topic = (eventName: 'PaymentSent' | 'ReceiverSpent' | 'SenderRefunded') =>
  String(encodeEventTopics({ abi, eventName })[0]).slice(2);

const told = {
  paid: { contract, topics: [topic('PaymentSent')], data: id },
  claimed: { contract, topics: [topic('ReceiverSpent')], data: id + secret },
  refunded: { contract, topics: [topic('SenderRefunded')], data: id },
} as const;
const KINDS = Object.keys(told) as readonly SwapEventKind[];

describe('what the swap contract reports', () => {
  it('is of one kind, one contract and one payment', () => {
    for (const kind of KINDS)
      for (const query of KINDS) {
        expect(isSwapEvent(told[kind], { kind: query, contract, id })).toBe(kind === query);
        expect(isSwapEvent(told[kind], { kind: query, contract: token, id })).toBe(false);
        expect(isSwapEvent(told[kind], { kind: query, contract, id: secret })).toBe(false);
      }
  });

  it('has a secret if it is a claim', () => {
    expect(KINDS.map((kind) => secretTold(told[kind], kind))).toEqual([null, secret, null]);
  });
});

describe('what a token reports as moved', () => {
  const move = { token, from, to, amount: 77n };
  const log = {
    contract: token,
    topics: encodeEventTopics({ abi, eventName: 'Transfer', args: { from: hex0(from), to: hex0(to) } }).map((one) =>
      String(one).slice(2),
    ),
    data: encodeAbiParameters([{ type: 'uint256' }], [77n]).slice(2),
  };

  it('is written as another implementation writes it', () => {
    expect(log.topics[0]).toBe(TRANSFER_TOPIC);
    expect(isTokenMove(log, move)).toBe(true);
  });

  it('is another move if any part of it differs', () => {
    for (const other of [{ token: contract }, { from: to }, { to: from }, { amount: 78n }])
      expect(isTokenMove(log, { ...move, ...other })).toBe(false);
    expect(isTokenMove({ ...log, topics: [topic('PaymentSent'), ...log.topics.slice(1)] }, move)).toBe(false);
  });
});
