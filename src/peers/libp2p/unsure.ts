/** How a recording bears on a rule: it confirms it, contradicts it, or says nothing. */
export type Borne = { readonly asTaken: number; readonly otherwise: number };

/** What the framework's source does not show, and what this node assumes until a recording shows more. */
export type Unsure = {
  readonly id: UnsureId;
  /** What this node assumes. */
  readonly taken: string;
  /** The consequence if the assumption is wrong. */
  readonly tolerance: string;
};

export type UnsureId =
  | 'relay-words'
  | 'silent-relays'
  | 'mesh-keeps-links'
  | 'floodsub-on-connect'
  | 'clock-question'
  | 'newest-gossip'
  | 'low-s'
  | 'plain-payments'
  | 'bare-helpers';

/** Every inferred rule of the network, in one place. */
export const UNSURE: readonly Unsure[] = [
  {
    id: 'relay-words',
    taken:
      'the words of relays are the fields 5 (a number), 6 and 7 of the control message, as in the gossip that the framework had of its own until 2024',
    tolerance: 'a field 5 that is a message is read as newer gossip has it; other fields are passed over',
  },
  {
    id: 'silent-relays',
    taken: 'a relay says that it is one when a link is made, and announces no topics',
    tolerance: 'one that announces topics is told what it listens to, and is taken for no relay',
  },
  {
    id: 'mesh-keeps-links',
    taken: 'the size of the mesh, told every 30 s, keeps a link from being idle for the 120 s after which it is ended',
    tolerance: 'a link that ends is made again',
  },
  {
    id: 'floodsub-on-connect',
    taken: 'a node opens /floodsub/1.0.0 when a link is made, and ends the link where it cannot',
    tolerance: 'it is there to be opened; what comes is read and dropped',
  },
  {
    id: 'clock-question',
    taken: 'each side asks the other for the time when a link is made, in one array of numbers',
    tolerance: 'one that never asks is fine; every other question is told that there is no answer',
  },
  {
    id: 'newest-gossip',
    taken: '/meshsub/1.1.0 is agreed on',
    tolerance: '/meshsub/1.0.0 is spoken as well',
  },
  {
    id: 'low-s',
    taken: 'nobody takes a signature with a high s, so that nobody makes one',
    tolerance: 'a message with one is dropped, and its sender’s link ended',
  },
  {
    id: 'plain-payments',
    taken: 'payments of swaps without Lightning or rewards go as plain bytes',
    tolerance: 'a pair with instructions is read too',
  },
  {
    id: 'bare-helpers',
    taken: 'a transaction for helpers goes as its bytes, since who gets one reads no envelope',
    tolerance: 'a seed node hands on what comes, whatever it is; nobody here acts on it',
  },
];
