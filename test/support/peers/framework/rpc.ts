import { bytesAt, eachAt, type Field, fieldsOf, messageOf, numberAt, textAt } from './protobuf.ts';

/** A message on a topic. */
export type Published = {
  readonly from: Buffer;
  readonly data: Buffer;
  /** As eight bytes, highest first; null where there is none. */
  readonly seqno: Buffer | null;
  readonly topic: string;
};

/** What one frame of gossip says. */
export type Rpc = {
  readonly subscriptions: readonly { readonly subscribe: boolean; readonly topic: string }[];
  readonly published: readonly Published[];
  readonly iAmRelay: boolean | null;
  readonly included: { readonly included: boolean; readonly meshSize: number } | null;
  readonly meshSize: number | null;
  readonly grafts: readonly string[];
};

export const SILENT: Rpc = {
  subscriptions: [],
  published: [],
  iAmRelay: null,
  included: null,
  meshSize: null,
  grafts: [],
};

/** Reads a frame as the framework does: of a message that is not valid only the message is lost. Throws for a frame that is none. */
export function readRpc(bytes: Buffer): Rpc {
  const fields = fieldsOf(bytes);
  const control = fieldsOf(bytesAt(fields, 3) ?? Buffer.alloc(0));
  const included = bytesAt(control, 6);
  const relay = numberAt(control, 5);
  return {
    subscriptions: eachAt(fields, 1).map((one) => {
      const parts = fieldsOf(one);
      return { subscribe: numberAt(parts, 1) === 1, topic: textAt(parts, 2) };
    }),
    published: eachAt(fields, 2).flatMap((one) => readPublished(one)),
    iAmRelay: relay === null ? null : relay !== 0,
    included: included === null ? null : includedOf(fieldsOf(included)),
    meshSize: numberAt(control, 7),
    grafts: eachAt(control, 3).map((one) => textAt(fieldsOf(one), 1)),
  };
}

function readPublished(bytes: Buffer): readonly Published[] {
  const parts = fieldsOf(bytes);
  const seqno = bytesAt(parts, 3) ?? Buffer.alloc(0);
  if (seqno.length !== 0 && seqno.length !== 8) return [];
  return [
    {
      from: bytesAt(parts, 1) ?? Buffer.alloc(0),
      data: bytesAt(parts, 2) ?? Buffer.alloc(0),
      seqno: seqno.length === 0 ? null : seqno,
      topic: textAt(parts, 4),
    },
  ];
}

/** Both members have to be there. */
function includedOf(fields: readonly Field[]): Rpc['included'] {
  const [included, meshSize] = [numberAt(fields, 1), numberAt(fields, 2)];
  if (included === null || meshSize === null) throw new Error('a word about the mesh that lacks a member');
  return { included: included !== 0, meshSize };
}

export function writeRpc(rpc: Partial<Rpc>): Buffer {
  const { subscriptions, published, iAmRelay, included, meshSize, grafts } = { ...SILENT, ...rpc };
  const control: Field[] = grafts.map((topic) => ({ no: 3, value: messageOf([{ no: 1, value: Buffer.from(topic) }]) }));
  if (iAmRelay !== null) control.push({ no: 5, value: Number(iAmRelay) });
  if (included !== null) {
    const parts = [
      { no: 1, value: Number(included.included) },
      { no: 2, value: included.meshSize },
    ];
    control.push({ no: 6, value: messageOf(parts) });
  }
  if (meshSize !== null) control.push({ no: 7, value: meshSize });
  return messageOf([
    ...subscriptions.map(({ subscribe, topic }) => ({
      no: 1,
      value: messageOf([
        { no: 1, value: Number(subscribe) },
        { no: 2, value: Buffer.from(topic) },
      ]),
    })),
    ...published.map(({ from, data, seqno, topic }) => ({
      no: 2,
      value: messageOf([
        { no: 1, value: from },
        { no: 2, value: data },
        ...(seqno === null ? [] : [{ no: 3, value: seqno }]),
        { no: 4, value: Buffer.from(topic) },
      ]),
    })),
    ...(control.length === 0 ? [] : [{ no: 3, value: messageOf(control) }]),
  ]);
}
