import { base58 } from '@scure/base';
import type { Clock, Random } from '../../ports/clock.ts';
import {
  decodeKnownRelays,
  decodeRelaysRequest,
  encodeKnownRelays,
  encodeRelaysRequest,
  type KnownRelay,
  MOST_KNOWN_RELAYS,
  MOST_RELAYS_BYTES,
} from '../kdf-wire/known-relays.ts';
import { multiaddrText } from './address.ts';
import { shuffled } from './drawing.ts';
import type { Link, WireStream } from './link.ts';
import { answerOnce, askOnce } from './one-frame.ts';
import { type RelayRules, relayAddressOf } from './relay-addresses.ts';
import type { ToldRelay } from './relay-book.ts';

export const EXCHANGE_PROTOCOL = '/peers-exchange/2';

/** More bytes than a question has. */
const MOST_QUESTION_BYTES = 64;

export type RelayAnswering = {
  readonly clock: Clock;
  readonly random: Random;
  readonly rules: RelayRules;
  /** Relays to which there is a link. */
  readonly relays: () => readonly Link[];
};

/**
 * Tells which relays this one has a link to, and no others, since it cannot vouch for what it heard. A node that asks for more than
 * allowed gets no answer, as with the framework.
 */
export function answerRelays(stream: WireStream, { clock, random, rules, relays }: RelayAnswering): void {
  answerOnce(stream, {
    ...{ clock, most: MOST_QUESTION_BYTES },
    answer(question) {
      const count = decodeRelaysRequest(question);
      if (count === null) return null;
      const known = new Map(relays().flatMap((link) => tellable(link, rules)));
      return encodeKnownRelays(shuffled([...known.values()], random).slice(0, count));
    },
  });
}

/** By its address, if it has one. One that connected by itself listens where all of the network do, if it is what it says. */
function tellable(link: Link, { port, isPublic }: RelayRules): readonly (readonly [string, KnownRelay])[] {
  const { host, idBytes } = link;
  if (!isPublic(host) || (link.dialed && link.port !== port)) return [];
  return [[host, { id: idBytes, addresses: [multiaddrText({ host, port })] }]];
}

export type RelayAsking = { readonly clock: Clock; readonly timeout: number; readonly rules: RelayRules };

/** Asks a relay for others. Null if it gives no valid answer; skips addresses that may not be announced. */
export async function askForRelays(
  link: Link,
  { clock, timeout, rules }: RelayAsking,
): Promise<readonly ToldRelay[] | null> {
  const next = await askOnce(link, {
    ...{ clock, timeout, protocol: EXCHANGE_PROTOCOL, most: MOST_RELAYS_BYTES },
    question: encodeRelaysRequest(MOST_KNOWN_RELAYS),
  });
  const read = next.is === 'frame' ? decodeKnownRelays(next.frame) : null;
  if (read === null || !read.ok) return null;
  return read.value.flatMap(({ id, addresses }) => {
    const [address] = addresses.flatMap((text) => relayAddressOf(text, rules) ?? []);
    return address === undefined ? [] : [{ id: base58.encode(id), address }];
  });
}
