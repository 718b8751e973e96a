import { randomBytes } from 'node:crypto';
import { walletOfPassphrase } from '../../../src/node/keys.ts';
import { signEnvelope } from '../../../src/peers/kdf-wire/envelope.ts';
import {
  decodeFrame,
  encodeFrame,
  type GossipFrame,
  type Publication,
} from '../../../src/peers/kdf-wire/gossip-frame.ts';
import { parsePeerAddress } from '../../../src/peers/libp2p/address.ts';
import { peerPayload } from '../../../src/peers/libp2p/codec.ts';
import { createFrameSplitter, withLength } from '../../../src/peers/libp2p/frame-splitter.ts';
import { openHost } from '../../../src/peers/libp2p/host.ts';
import { answerPings, PING_PROTOCOL } from '../../../src/peers/libp2p/keeping.ts';
import { USUAL_LIMITS } from '../../../src/peers/libp2p/limits.ts';
import type { Link, WireStream } from '../../../src/peers/libp2p/link.ts';
import type { Libp2pNetwork } from '../../../src/peers/libp2p/network.ts';
import { loadPackages } from '../../../src/peers/libp2p/packages.ts';
import { GOSSIP_PROTOCOLS } from '../../../src/peers/libp2p/peer.ts';
import type { SwapMessage } from '../../../src/ports/peers.ts';
import { Secret } from '../../../src/primitives/secret.ts';

/** Somebody on the network who sends what it likes. */
export type Stranger = {
  readonly id: string;
  readonly link: Link;
  /** Its stream of gossip; sends bytes as they are. */
  readonly out: WireStream;
  readonly frame: (frame: Partial<GossipFrame>) => void;
  readonly publish: (...publications: readonly Partial<Publication>[]) => void;
  /** What it was told. */
  readonly heard: readonly GossipFrame[];
  readonly isLinked: () => boolean;
  readonly redial: () => Promise<Link>;
  readonly close: () => Promise<void>;
};

export type StrangerOptions = {
  /** @defaultValue true */
  readonly answersPings?: boolean;
  /** Whether it opens a stream of gossip. @defaultValue true */
  readonly speaks?: boolean;
  /** Whether it reads what it is told. @defaultValue true */
  readonly reads?: boolean;
  /** Bytes that it sends back on the stream on which it is told. @defaultValue 0 */
  readonly talksBack?: number;
};

export async function stranger(to: Pick<Libp2pNetwork, 'addresses'>, options: StrangerOptions = {}): Promise<Stranger> {
  const { answersPings = true, speaks = true, reads = true, talksBack = 0 } = options;
  const heard: GossipFrame[] = [];
  const read = (stream: WireStream): void => {
    const splitter = createFrameSplitter(USUAL_LIMITS.heldBytes);
    stream.read({
      bytes(chunk) {
        splitter.push(chunk);
        for (let next = splitter.next(); next.is === 'frame'; next = splitter.next()) {
          const frame = decodeFrame(next.frame);
          if (frame.ok) heard.push(frame.value);
        }
      },
      end() {},
    });
    if (!reads) stream.pause();
    if (talksBack > 0) stream.send(new Uint8Array(talksBack));
  };
  const gossip = Object.fromEntries(GOSSIP_PROTOCOLS.map((name) => [name, { handle: read, most: 4 }]));
  const host = await openHost(await loadPackages(), {
    identity: Uint8Array.from(randomBytes(32)),
    listen: [],
    limits: USUAL_LIMITS,
    admits: () => true,
    handlers: { ...gossip, [PING_PROTOCOL]: { handle: answersPings ? answerPings : () => {}, most: 4 } },
    onLink() {},
    resolve: async (name) => [name],
  });
  const address = parsePeerAddress(to.addresses[0] ?? '', 0);
  const link = await host.dial(address);
  let linked = true;
  link.onEnd(() => {
    linked = false;
  });
  const silent: WireStream = {
    protocol: '',
    send: () => false,
    waiting: () => 0,
    onIdle: () => {},
    read() {},
    pause() {},
    resume() {},
    close() {},
    abort() {},
  };
  const out = speaks ? await link.open(GOSSIP_PROTOCOLS) : silent;
  if (speaks) out.read({ bytes() {}, end() {} });
  const frame = (given: Partial<GossipFrame>): void => void out.send(withLength(encodeFrame(given)));
  return {
    ...{ id: host.id, link, out, heard, frame },
    publish: (...publications) =>
      frame({
        publications: publications.map((given) => ({
          ...{
            from: host.idBytes,
            data: new Uint8Array(0),
            seqno: Uint8Array.from(randomBytes(8)),
            topic: 'swap/none',
          },
          ...given,
        })),
      }),
    isLinked: () => linked,
    redial: () => host.dial(address),
    close: () => host.close(),
  };
}

const wallet = walletOfPassphrase(new Secret('the passphrase of a stranger'));

/** A message as the stranger signs it. */
export async function signedBytes(topic: string, message: SwapMessage): Promise<Uint8Array> {
  return signEnvelope(wallet.coins, peerPayload(topic, message));
}

/** The same with a signature that is not good. */
export async function forgedBytes(topic: string, message: SwapMessage): Promise<Uint8Array> {
  const bytes = await signedBytes(topic, message);
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] as number) ^ 1;
  return bytes;
}
