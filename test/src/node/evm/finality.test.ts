import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { ActivatedEvm } from '../../../../src/ports/evm-activator.ts';
import type { JsonObject } from '../../../../src/primitives/json.ts';
import { activating, madeOf } from '../../../support/evm/activating.ts';
import { EvmTestChain } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { type Manner, type ManneredNode, manneredNode } from '../../../support/evm/mannered-node.ts';
import { describeWith } from '../../../support/optional-part.ts';

/** Blocks behind the head that anvil calls final: two epochs of four slots. */
const BEHIND = 8;
const isFinal = (method: string, params: readonly unknown[]) =>
  method === 'eth_getBlockByNumber' && params[0] === 'finalized';

describeWith(ANVIL, 'finality of coins on an EVM chain', () => {
  let chain: EvmTestChain;
  const opened: ActivatedEvm[] = [];
  const nodes: ManneredNode[] = [];

  beforeAll(async () => {
    chain = await EvmTestChain.start(['--slots-in-an-epoch=4']);
    await chain.mine(BEHIND);
  }, 60_000);
  afterEach(async () => {
    for (const { close } of opened.splice(0)) close();
    for (const node of nodes.splice(0)) await node.close();
  });
  afterAll(() => chain?.stop());

  const active = async (own: JsonObject = {}, ...manners: readonly (Manner | undefined)[]) => {
    const named: ManneredNode[] = [];
    for (const manner of manners.length === 0 ? [undefined] : manners)
      named.push(await manneredNode(chain.url, manner));
    nodes.push(...named);
    const urls = named.map(({ url }) => ({ url }));
    const made = madeOf((await activating(chain, { own }).activate({ nodes: urls })).result);
    opened.push(made);
    return made;
  };
  const paid = async (): Promise<string> => {
    const [from] = (await chain.request('eth_accounts')) as readonly string[];
    const id = (await chain.request('eth_sendTransaction', [{ from, to: from, value: '0x1' }])) as string;
    await chain.mine();
    return id.slice(2);
  };
  const depth = async ({ coins }: ActivatedEvm, id: string) => {
    const answer = await coins[0]?.chain.transaction(id);
    return answer?.ok === true ? answer.value.confirmations : answer;
  };

  it('takes what the nodes call final, beside the depth of three', async () => {
    const made = await active();
    const id = await paid();
    expect(await depth(made, id)).toBe(1);
    await chain.mine(BEHIND - 1);
    expect(await depth(made, id)).toBe(2);
    await chain.mine();
    expect(await depth(made, id)).toBe(BEHIND + 1);
  });

  it.each([
    ['the coins file says so', { finalized_tag: false }, undefined],
    ['no node knows that word', {}, ({ method, params }, answer) => (isFinal(method, params) ? null : answer)],
  ] as [string, JsonObject, Manner | undefined][])('uses only the depth if %s', async (_, own, manner) => {
    const made = await active(own, manner);
    const id = await paid();
    await chain.mine(4);
    expect(await depth(made, id)).toBe(5);
  });

  const knowsNone: Manner = ({ method, params }, answer) => (isFinal(method, params) ? null : answer);
  const callsAllFinal: Manner = ({ method, params }, answer) =>
    isFinal(method, params) ? { ...(answer as object), number: '0xffff' } : answer;

  it.each([
    ['knows none', knowsNone],
    ['calls all of them final', callsAllFinal],
  ])('does not believe one node of two that %s', async (_, lie) => {
    const made = await active({}, undefined, lie);
    const id = await paid();
    await chain.mine(4);
    expect(await depth(made, id)).toBe(2);
  });

  it('is not reached while a node that knew a final block reports none', async () => {
    let forgets = false;
    const made = await active({}, ({ method, params }, answer) => (forgets && isFinal(method, params) ? null : answer));
    const id = await paid();
    forgets = true;
    await chain.mine(BEHIND);
    expect(await depth(made, id)).toBe(2);
    forgets = false;
    expect(await depth(made, id)).toBe(BEHIND + 1);
  });

  it('follows the current answers, also of nodes that knew none, or that came later', async () => {
    let knows = false;
    const made = await active({}, ({ method, params }, answer) => (knows || !isFinal(method, params) ? answer : null));
    const id = await paid();
    await chain.mine(4);
    expect(await depth(made, id)).toBe(5);
    knows = true;
    expect(await depth(made, id)).toBe(2);
    // It was seen to be a chain that has them.
    knows = false;
    expect(await depth(made, id)).toBe(2);
    await chain.mine(BEHIND);
    knows = true;
    expect(await depth(made, id)).toBe(BEHIND + 5);
  });

  it('is not made weaker by one node of two that calls none but an old block final, whenever it begins to', async () => {
    await chain.mine(1, 1801);
    await chain.mine(BEHIND + 1);
    const first = await chain.request('eth_getBlockByNumber', ['0x1', false]);
    for (const at of [0, 1]) {
      let isLying = at === 0;
      const lie: Manner = ({ method, params }, answer) => (isLying && isFinal(method, params) ? first : answer);
      const made = await active({}, undefined, lie);
      const id = await paid();
      await chain.mine(4);
      isLying = true;
      expect([await depth(made, id), at]).toEqual([2, at]);
      await chain.mine(BEHIND);
      isLying = false;
      expect([await depth(made, id), at]).toEqual([BEHIND + 5, at]);
    }
  });

  it('is judged by the depth alone if the final block is half an hour behind, unless the coins file says otherwise', async () => {
    await chain.mine(1, 1801);
    const [made, told] = [await active(), await active({ finalized_tag: true })];
    const id = await paid();
    await chain.mine(4);
    expect([await depth(made, id), await depth(told, id)]).toEqual([5, 2]);
    await chain.mine(BEHIND);
    const again = await active();
    const next = await paid();
    await chain.mine(4);
    expect(await depth(again, next)).toBe(2);
  });
});
