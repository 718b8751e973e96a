import type { Connection, Stream } from '@libp2p/interface';
import { lengthPrefixed } from './protobuf.ts';
import { type Rpc, writeRpc } from './rpc.ts';

export const GOSSIP = ['/meshsub/1.1.0', '/meshsub/1.0.0'] as const;

/** Another node to which there is a link: what it said of itself, and the own stream to it. */
export type Other = {
  readonly connection: Connection;
  readonly topics: Set<string>;
  readonly waiting: Buffer[];
  out: Stream | null;
  opening: boolean;
  isRelay: boolean;
  includesUs: boolean;
  inMesh: boolean;
};

export function otherOf(connection: Connection): Other {
  return {
    ...{ connection, topics: new Set<string>(), waiting: [], out: null, opening: false },
    ...{ isRelay: false, includesUs: false, inMesh: false },
  };
}

export function tell(other: Other, rpc: Partial<Rpc>, onFault: (fault: string) => void): void {
  send(other, lengthPrefixed(writeRpc(rpc)), onFault);
}

/** The own stream is opened when there is something to say. */
export function send(other: Other, frame: Buffer, onFault: (fault: string) => void): void {
  other.waiting.push(frame);
  if (other.out !== null) flush(other, other.out);
  else if (!other.opening) {
    other.opening = true;
    void other.connection.newStream([...GOSSIP]).then(
      (stream) => {
        other.out = stream;
        flush(other, stream);
      },
      () => onFault('it has no gossip'),
    );
  }
}

function flush({ waiting }: Other, out: Stream): void {
  for (const frame of waiting.splice(0)) if (out.writeStatus === 'writable') out.send(frame);
}
