import type { NegotiationMessage } from '../../htlc/negotiation.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import { MESSAGE_LIMITS } from '../message-bounds.ts';
import type { MessagePackReader } from './message-pack-reader.ts';
import type { MessagePackWriter } from './message-pack-writer.ts';
import { PeerMessageError } from './problem.ts';
import { hexOf, readKey, readStruct, wireBytes } from './structs.ts';

// `NegotiationDataMsg` of the framework: three versions, and nothing that tells which.

const { hashBytes } = MESSAGE_LIMITS;
const whole = (reader: MessagePackReader): number => reader.uint();
const common = { started_at: whole, payment_locktime: whole, secret_hash: hexOf(hashBytes) };
const contracts = { maker_coin_swap_contract: hexOf(hashBytes), taker_coin_swap_contract: hexOf(hashBytes) };
const V1 = { ...common, persistent_pubkey: readKey };
const V2 = { ...V1, ...contracts };
const V3 = { ...common, ...contracts, maker_coin_htlc_pub: readKey, taker_coin_htlc_pub: readKey };
/** An array says its version by its length. */
const BY_LENGTH = new Map<number, typeof V1 | typeof V2 | typeof V3>(
  [V1, V2, V3].map((of) => [Object.keys(of).length, of]),
);
/** A map may have the members of any version. */
const ANY = { ...V2, ...V3 };

/** What was read; a member that is absent was not there. */
type Told = { [Name in keyof typeof ANY]?: ReturnType<(typeof ANY)[Name]> };

export function writeNegotiation(writer: MessagePackWriter, message: NegotiationMessage): void {
  const bytes = (hex: string | null): void => writer.numbers(wireBytes(hex ?? '', 'negotiation'));
  const keys = (): void => {
    if (message.version === 3) {
      bytes(message.maker_coin_htlc_pub);
      bytes(message.taker_coin_htlc_pub);
    } else bytes(message.persistent_pubkey);
  };
  if (!isHash(message.secret_hash) || (message.version === 1 && message.secret_hash.length !== 40)) {
    throw new PeerMessageError('negotiation', `a secret hash of ${message.secret_hash.length / 2} bytes`);
  }
  writer.array(Object.keys(message.version === 1 ? V1 : message.version === 2 ? V2 : V3).length);
  writer.uint(message.started_at);
  writer.uint(message.payment_locktime);
  bytes(message.secret_hash);
  if (message.version !== 3) keys();
  if (message.version === 1) return;
  bytes(message.maker_coin_swap_contract);
  bytes(message.taker_coin_swap_contract);
  if (message.version === 3) keys();
}

export function readNegotiation(reader: MessagePackReader): NegotiationMessage {
  const count = reader.peekArray()?.count;
  const members = count === undefined ? ANY : BY_LENGTH.get(count);
  if (members === undefined) return reader.fail('a negotiation of 4, 6 or 7 members');
  const told: Told = readStruct(reader, members);
  return (
    (count === 6 ? secondVersion(told) : null) ?? negotiationOf(told) ?? reader.fail('a whole negotiation before it')
  );
}

/** The first version that all its members are there for, as the framework tries them one after the other. */
function negotiationOf(told: Told): NegotiationMessage | null {
  return firstVersion(told) ?? secondVersion(told) ?? thirdVersion(told);
}

function firstVersion(told: Told): NegotiationMessage | null {
  const { persistent_pubkey } = told;
  const shared = commonOf(told);
  if (shared === null || persistent_pubkey === undefined || shared.secret_hash.length !== 40) return null;
  return { version: 1, persistent_pubkey, ...shared };
}

function secondVersion(told: Told): NegotiationMessage | null {
  const { persistent_pubkey } = told;
  const shared = commonOf(told);
  const named = contractsOf(told);
  if (shared === null || named === null || persistent_pubkey === undefined) return null;
  return { version: 2, persistent_pubkey, ...shared, ...named };
}

function thirdVersion(told: Told): NegotiationMessage | null {
  const { maker_coin_htlc_pub, taker_coin_htlc_pub } = told;
  const shared = commonOf(told);
  const named = contractsOf(told);
  if (shared === null || named === null) return null;
  if (maker_coin_htlc_pub === undefined || taker_coin_htlc_pub === undefined) return null;
  return { version: 3, maker_coin_htlc_pub, taker_coin_htlc_pub, ...shared, ...named };
}

type Common = Pick<NegotiationMessage, 'started_at' | 'payment_locktime' | 'secret_hash'>;

function commonOf({ started_at, payment_locktime, secret_hash }: Told): Common | null {
  if (started_at === undefined || payment_locktime === undefined || secret_hash === undefined) return null;
  if (!isHash(secret_hash)) return null;
  return {
    started_at: started_at as UnixSeconds,
    payment_locktime: payment_locktime as UnixSeconds,
    secret_hash,
  };
}

/** Empty is none. */
function contractsOf({ maker_coin_swap_contract: maker, taker_coin_swap_contract: taker }: Told) {
  if (maker === undefined || taker === undefined) return null;
  return { maker_coin_swap_contract: maker || null, taker_coin_swap_contract: taker || null };
}

function isHash(hex: string): boolean {
  return hex.length === 40 || hex.length === 64;
}
