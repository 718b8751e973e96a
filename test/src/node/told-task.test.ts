import { expect, it, onTestFinished } from 'vitest';
import { toldOf } from '../../../src/node/told-task.ts';
import { TendermintProcesses, withAssets } from '../../support/tendermint/node-processes.ts';

async function bench() {
  const made = await TendermintProcesses.start();
  onTestFinished(() => made.listening.close());
  const told = async (id: number) => {
    const all = await Promise.all(
      (await made.log.read(`enable-tendermint/${id}`)).map((envelope) => toldOf(envelope, made.log)),
    );
    return all.filter((one) => one !== null);
  };
  return { made, told };
}

it('shows the client that began a task of a Tendermint chain its state', async () => {
  const { made, told } = await bench();
  const { node } = await made.node();
  const params = { ticker: 'NYAN', nodes: [{ url: made.listening.url }], ...withAssets('ATOM-IBC') };
  await node.tendermintTasks.init({ request: { ticker: 'NYAN', params, atOnce: false }, client_id: 4 });
  await expect.poll(async () => (await made.types(0)).at(-1), { timeout: 10_000 }).toBe('Completed');
  const whose = { task_id: 0, client: 4 };
  expect(await told(0)).toEqual([
    { ...whose, status: { status: 'InProgress', details: 'RequestingWalletBalance' } },
    { ...whose, status: { status: 'InProgress', details: 'Finishing' } },
    { ...whose, status: { status: 'Ok', details: expect.objectContaining({ ticker: 'NYAN' }) } },
  ]);
  await node.close();
});

it('reports no activation by a single call, which has its answer: no client knows its id', async () => {
  const { made, told } = await bench();
  const { node, enable } = await made.node();
  await enable();
  expect([(await made.types(0)).includes('Completed'), await told(0)]).toEqual([true, []]);
  await node.close();
});
