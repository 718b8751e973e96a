import type { NegotiationMessage } from '../../../htlc/negotiation.ts';
import type { PaymentTerms } from '../../../ports/chain.ts';
import { hash160, sha256 } from '../../../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../primitives/hex.ts';
import { onLeg, type Pair } from '../../../primitives/pair.ts';
import type { Seconds, UnixSeconds } from '../../../primitives/time.ts';
import { unitsOf } from '../depths.ts';
import type { ChainName } from '../scenario.ts';
import type { World } from '../world.ts';

/** The payment of one leg, on which honest parties must agree. */
export type AgreedPayment = {
  readonly terms: PaymentTerms;
  /** In base units. */
  readonly units: bigint;
  /** How many confirmations the other side waits for, at least 1: what waits in a mempool can be replaced. */
  readonly confirmations: number;
  readonly requiresNota: boolean;
};

/**
 * What both sides agreed on. It follows from the scenario, the keys of the wallets, and the negotiation messages: when each side started, and the
 * hash of the secret. It asks no engine.
 */
export type Agreement = Pair<AgreedPayment> & {
  /** When each side started, by its own word. */
  readonly started: Pair<UnixSeconds>;
};

/** How long the payment of a leg stays locked: by the protocol two durations for a maker, one for a taker. */
export function lockOf(leg: ChainName, started: UnixSeconds, duration: Seconds): UnixSeconds {
  return (started + (leg === 'maker' ? 2 * duration : duration)) as UnixSeconds;
}

/** The hash that both sides lock to: 32 bytes if one of the chains knows no shorter one. */
export function secretHashOf({ secret, nodes }: Pick<World, 'secret' | 'nodes'>): string {
  const { maker, taker } = nodes.maker.wallets;
  return hashOf(secret, maker.traits.secretHashBytes === 32 || taker.traits.secretHashBytes === 32 ? 32 : 20);
}

/** The hash of a secret of 32 bytes, in hex: SHA-256, or HASH160 where 20 bytes are wanted. */
export function hashOf(secret: string, size: 20 | 32): string {
  if (last.secret !== secret || last.size !== size) {
    const bytes = hexToBytes(secret);
    last = { secret, size, hash: bytesToHex(size === 32 ? sha256(bytes) : hash160(bytes)) };
  }
  return last.hash;
}

/** A run asks for the hash of one secret repeatedly. */
let last = { secret: '', size: 20, hash: '' };

/** What was agreed on; null until both sides have spoken. */
export function agreementOf(world: World): Agreement | null {
  const { offer, reply } = world.wire;
  if (offer === null || reply === null) return null;
  const started = { maker: offer.started_at, taker: reply.started_at };
  return { maker: paymentOf(world, 'maker', offer), taker: paymentOf(world, 'taker', reply), started };
}

function paymentOf(world: World, leg: ChainName, said: NegotiationMessage): AgreedPayment {
  const { scenario, nodes, wire, uuid } = world;
  const other = leg === 'maker' ? 'taker' : 'maker';
  const sender = onLeg(nodes, leg).wallets;
  const receiver = onLeg(nodes, other).wallets;
  const { traits } = onLeg(sender, leg);
  const amount = leg === 'maker' ? scenario.makerAmount : scenario.takerAmount;
  const terms: PaymentTerms = {
    lock: lockOf(leg, said.started_at, scenario.lockDuration),
    // What the maker says, even if untrue: nobody else can know better.
    secretHash: wire.offer?.secret_hash ?? '',
    sender: onLeg(sender, leg).htlcKey(uuid),
    receiver: onLeg(receiver, leg).htlcKey(uuid),
    amount,
    contract: traits.contract,
  };
  return {
    terms,
    units: unitsOf(amount, traits.decimals),
    confirmations: Math.max(1, onLeg(scenario.confirmations, leg)),
    requiresNota: onLeg(scenario.requiresNota, leg),
  };
}
