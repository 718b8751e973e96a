import { randomBytes } from 'node:crypto';
import { walletOfPassphrase } from '../node/keys.ts';
import { topicKind } from '../peers/kdf-wire/topics.ts';
import { captureStopLine, openCaptureFile } from '../peers/libp2p/capture-file.ts';
import { openLibp2pNetwork } from '../peers/libp2p/network.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { bytesToHex } from '../primitives/hex.ts';
import { Secret } from '../primitives/secret.ts';
import type { Millis, Seconds } from '../primitives/time.ts';
import { UsageError } from './io.ts';

export type CaptureSession = {
  readonly seeds: readonly string[];
  readonly netid: number;
  /** Topics to listen to. */
  readonly topics: readonly string[];
  readonly lasts: Seconds;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the session before its time. @defaultValue nothing does */
  readonly ended?: Promise<void>;
  /** Bytes that the recording may have. @defaultValue those of {@link openCaptureFile} */
  readonly mostBytes?: number;
};

/**
 * Records what goes over the network to a light node that has no coin and publishes nothing but that it is there, to who asks, under a key and an identity that are drawn and
 * forgotten. A recording that can hold no more ends the session.
 *
 * @throws UsageError; PackageMissingError; PeerNetworkError PEER_ADDRESS_INVALID, NETID_INVALID, PEER_CAPTURE_FILE
 */
export async function recordSession(file: string, session: CaptureSession): Promise<void> {
  const { seeds, netid, topics, lasts, clock, logger, ended, mostBytes } = session;
  const unknown = topics.find((topic) => topicKind(topic) === null);
  if (unknown !== undefined) {
    throw new UsageError(`the topic ${unknown.slice(0, 80)} is none of orbk/, swap/, swpwtchr/ and txhlp/`);
  }
  const { coins: signer } = walletOfPassphrase(new Secret(bytesToHex(Uint8Array.from(randomBytes(32)))));
  let over = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    over = resolve;
  });
  const capture = openCaptureFile(file, {
    ...(mostBytes === undefined ? {} : { mostBytes }),
    onStop(stop) {
      const { message, fields } = captureStopLine(file, stop);
      logger.warn(message, fields);
      over();
    },
  });
  try {
    const network = await openLibp2pNetwork({ signer, clock, logger, seeds, netid, capture: capture.tell });
    for (const topic of topics) {
      if (topicKind(topic) === 'orders') network.orders.subscribe(topic, () => {});
      else network.peers.subscribe(topic, () => {});
    }
    const cancel = clock.wakeAt((clock.now() + lasts * 1000) as Millis, over);
    await Promise.race([stopped, ...(ended === undefined ? [] : [ended])]);
    cancel();
    await network.close();
  } finally {
    capture.close();
  }
}
