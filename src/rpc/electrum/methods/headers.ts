import type { Tip } from '../../../chains/utxo/reader.ts';
import { countArgument } from '../arguments.ts';
import { type Headers, headerProof } from '../headers.ts';
import type { ElectrumContext, ElectrumMethod } from '../method.ts';
import { bad } from '../rpc-error.ts';

/** Most headers in one answer, which is also told in each. */
const MOST_HEADERS = 2016;

const header: ElectrumMethod = {
  name: 'blockchain.block.header',
  params: ['height', 'cp_height'],
  least: 1,
  async run([given, cp], { context }) {
    const height = countArgument(given, { name: 'height' });
    const checkpoint = countArgument(cp, { name: 'cp_height', absent: 0 });
    const { reader, follower } = context;
    const hash = blockAt(context, height).hash;
    const proof = checkpoint === 0 ? null : headerProof(reader, { height, checkpoint, tip: follower.tip().height });
    const [hex] = await context.headers.of([hash]);
    return proof === null ? hex : { branch: proof.branch, header: hex, root: proof.root };
  },
};

const headers: ElectrumMethod = {
  name: 'blockchain.block.headers',
  params: ['start_height', 'count', 'cp_height'],
  least: 2,
  async run([start, wanted, cp], { context }) {
    const from = countArgument(start, { name: 'start_height' });
    const asked = countArgument(wanted, { name: 'count' });
    const checkpoint = countArgument(cp, { name: 'cp_height', absent: 0 });
    const { reader, follower } = context;
    const tip = follower.tip().height;
    const count = Math.max(0, Math.min(asked, MOST_HEADERS, tip - from + 1));
    const hashes = Array.from({ length: count }, (_, place) => blockAt(context, from + place).hash);
    const proof =
      checkpoint === 0 || count === 0 ? null : headerProof(reader, { height: from + count - 1, checkpoint, tip });
    const hex = (await context.headers.of(hashes)).join('');
    return { hex, count, max: MOST_HEADERS, ...(proof === null ? {} : { branch: proof.branch, root: proof.root }) };
  },
};

const subscribe: ElectrumMethod = {
  name: 'blockchain.headers.subscribe',
  params: [],
  least: 0,
  async run(_, { context, session }) {
    // Before it is asked for, so that no block that comes meanwhile is missed.
    session.headers = true;
    return shownHeader(context.headers, context.follower.tip());
  },
};

/** The header at the top of a chain, as subscribers are told of it. */
export async function shownHeader(known: Headers, { hash, height }: Tip) {
  const [hex] = await known.of([hash]);
  return { hex, height };
}

/** A block of the best chain. @throws ElectrumRpcError */
export function blockAt({ reader, follower }: ElectrumContext, height: number) {
  const block = height > follower.tip().height ? undefined : reader.blockAt(height);
  if (block === undefined) throw bad(`height ${height} out of range: the chain has ${follower.tip().height}`);
  return block;
}

export const HEADER_METHODS: readonly ElectrumMethod[] = [header, headers, subscribe];
