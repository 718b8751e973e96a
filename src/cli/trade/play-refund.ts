import { activate, agree, conclude, eachSays, hasLost, showBalances } from './acts.ts';
import type { Play } from './setting.ts';
import { FUNDS } from './stage.ts';

/** More than what transactions cost, and the trading fee beside them. */
const COSTS = { alice: '0.001', bob: '0.01' } as const;

/** The maker's node is killed when both are about to have paid, and comes back when the taker has waited long enough. */
export async function playRefund(stage: Play): Promise<boolean> {
  const { alice, bob, board, show, lock } = stage;
  const agreed = await agree(stage);
  // The taker knows the payment of the maker, and has not paid yet: no secret can be out.
  if (!(await board.until('MakerPaymentReceived', 'bob'))) return conclude(stage, { ...agreed, sound: false });
  await alice.kill();
  show({ kind: 'act', title: `Killed: the node of alice, who has paid. Bob pays, and waits ${lock} s for his lock` });
  const isBack = await board.until('TakerPaymentRefunded', 'bob');
  await alice.start();
  show({ kind: 'act', title: `The node of alice is started again. Her payment is locked for ${2 * lock} s` });
  await activate(stage, alice);
  await board.until('Finished', 'alice', 'bob');
  const told = await eachSays(stage, agreed, {
    alice: { success: false, has: 'MakerPaymentRefunded' },
    bob: { success: false, has: 'TakerPaymentRefunded' },
  });
  await showBalances(stage, [alice, bob]);
  const kept =
    !(await hasLost(alice, { coin: 'RED', due: FUNDS['RED'] ?? [], most: COSTS.alice })) &&
    !(await hasLost(bob, { coin: 'BLU', due: FUNDS['BLU'] ?? [], most: COSTS.bob }));
  return conclude(stage, { ...agreed, sound: isBack && told && kept });
}
