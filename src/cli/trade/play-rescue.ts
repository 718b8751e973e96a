import { activate, agree, balancesOf, conclude, eachSays, hasLost, showBalances } from './acts.ts';
import type { Play } from './setting.ts';
import { BOUGHT } from './stage.ts';

/** More than what a claim costs. */
const COSTS = '0.001';

/** The taker's node is killed when it has paid and told the watchers. One of them claims for it. */
export async function playRescue(stage: Play): Promise<boolean> {
  const { alice, bob, carol, board, show, lock } = stage;
  if (carol === null) throw new Error('a rescue without a watcher');
  await activate(stage, carol);
  const agreed = await agree(stage);
  if (!(await board.until('WatcherMessageSent', 'bob'))) return conclude(stage, { ...agreed, sound: false });
  await bob.kill();
  const waits = `Carol waits ${lock} s whether he comes back, then claims for him`;
  show({ kind: 'act', title: `Killed: the node of bob, who has paid and told the watchers (SIGKILL). ${waits}` });
  await board.until('MakerPaymentSpent', 'carol');
  await bob.start();
  show({ kind: 'act', title: 'The node of bob is started again, and finds what he bought' });
  await activate(stage, bob);
  await board.until('Finished', 'alice', 'bob');
  const told = await eachSays(stage, agreed, {
    alice: { success: true },
    bob: { success: true, has: 'MakerPaymentSpentByWatcher' },
  });
  await showBalances(stage, [alice, bob, carol]);
  const kept =
    !(await hasLost(bob, { coin: 'RED', due: [BOUGHT], most: COSTS })) && (await balancesOf(carol))['RED'] === '0';
  return conclude(stage, { ...agreed, sound: told && kept });
}
