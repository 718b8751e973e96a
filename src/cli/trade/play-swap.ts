import { setTimeout as pause } from 'node:timers/promises';
import { activate, agree, conclude, eachSays, showBalances } from './acts.ts';
import type { Play } from './setting.ts';
import { BLOCK_MS } from './stage.ts';

/** How long the taker's node is away. */
const AWAY_MS = 2000;
/** Blocks after which a claim is final. */
const DEPTH = 3;

/** Both swap, though the taker's node is killed when it has just paid, and the taker takes out what it bought. */
export async function playSwap(stage: Play): Promise<boolean> {
  const { alice, bob, board, show } = stage;
  const agreed = await agree(stage);
  if (!(await board.until('TakerPaymentSent', 'bob'))) return conclude(stage, { ...agreed, sound: false });
  await bob.kill();
  show({ kind: 'act', title: 'Killed: the node of bob, who has just paid (SIGKILL)' });
  await pause(AWAY_MS);
  await bob.start();
  show({ kind: 'act', title: 'The node of bob is started again, and goes on once its coins are active' });
  await activate(stage, bob);
  await board.until('Finished', 'alice', 'bob');
  const swapped = await eachSays(stage, agreed, { alice: { success: true }, bob: { success: true } });
  await showBalances(stage, [alice, bob]);
  const out = await takeOut(stage);
  return conclude(stage, { ...agreed, sound: out && swapped });
}

/** Bob sends what he bought to the address of alice. */
async function takeOut({ alice, bob, show, red }: Play): Promise<boolean> {
  const { address } = await alice.call({ method: 'my_balance', coin: 'RED' });
  const signed = await bob.call({ method: 'withdraw', coin: 'RED', to: String(address), max: true });
  const { tx_hex, total_amount } = signed as { readonly tx_hex: string; readonly total_amount: string };
  const { tx_hash } = await bob.call({ method: 'send_raw_transaction', coin: 'RED', tx_hex });
  show({ kind: 'line', who: 'bob', text: `sends ${total_amount} RED away, in ${String(tx_hash).slice(0, 12)}` });
  const until = (await red.height()) + DEPTH;
  while ((await red.height()) < until) await pause(BLOCK_MS['RED']);
  const { balance } = await bob.call({ method: 'my_balance', coin: 'RED' });
  show({ kind: 'line', who: 'bob', text: `has ${String(balance)} RED left` });
  return balance === '0';
}
