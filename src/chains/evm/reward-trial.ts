import { NO_TOKEN } from '../../htlc/evm-calls.ts';
import { encodeRewardCall, REWARD_TARGET, type Reward } from '../../htlc/evm-reward-calls.ts';
import { scriptHash160 } from '../../htlc/secret-hash.ts';
import { abiWord } from '../../htlc/token-calls.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { sha256 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';

import { CallReverted, type EvmLook } from './reader.ts';

// Code that an account runs in a call that changes nothing: it makes calls one after the other and returns which of them succeeded, a bit each, and by
// how much somebody’s ether has grown. Arguments are that account, and for each call the contract, the value, the length of its data (a word each) and
// the data. It accepts or refuses ether that is paid to the account meanwhile.

const IF_PAID = '361560' + '53' + '57';
const BEFORE = '6000' + '35' + '31';
/** No call yet, and where the first one stands. */
const START = '6000' + '6020';
const WHILE_ANY = '5b' + '8036111560' + '41' + '57';
const COPY = '80604001' + '35' + '80' + '82606001' + '600037';
const CALL = '60006000826000' + '85602001' + '35' + '8635' + '5af1';
/** Its bit, and on to the next one. */
const NOTE = '9260011b83019250' + '01606001' + '600d56';
const RETURN = '5b50600052' + '6000353103602052' + '60406000f3';
const EXECUTOR = IF_PAID + BEFORE + START + WHILE_ANY + COPY + CALL + NOTE + RETURN;
const TAKES_ETHER = `${EXECUTOR}5b00`;
const REFUSES_ETHER = `${EXECUTOR}5b60006000fd`;

type Step = { readonly to: string; readonly value: bigint; readonly data: string };
type Trying = {
  readonly account: string;
  readonly code: string;
  readonly watched: string;
  readonly steps: readonly Step[];
};

const RICH = 10n ** 18n;
const DONE = 0b11n;
const OWED = 1000n;
const REWARD = 7n;
const SHARES = [
  { reward: { target: REWARD_TARGET.none, onClaim: true, amount: REWARD }, code: TAKES_ETHER },
  { reward: { target: REWARD_TARGET.sender, onClaim: false, amount: REWARD }, code: REFUSES_ETHER },
] as const;

/**
 * Whether a swap contract splits payments with a reward so that each pays for itself and no sender can stop a claim, tried at the node by payments of ether
 * with their claims, none of which stays: a reward that is sent on a claim comes out of the payment that promised it, and one that its sender refuses does
 * not undo the claim. With other contracts a receiver may not get its due, although the payment is as agreed. Also false if the node cannot try that.
 */
export async function keepsRewards(look: EvmLook, contract: string): Promise<boolean> {
  // Nobody can have paid under an id that follows from the last block.
  const name = (text: string) => bytesToHex(sha256(new TextEncoder().encode(`${text} ${look.head.hash}`)));
  const [account, watched] = [name('account').slice(24), name('receiver').slice(24)];
  const secret = name('secret');
  const outcomes = await Promise.all(
    SHARES.map(async ({ reward, code }, place) => {
      const payment = {
        contract,
        swapId: name(`id ${place}`),
        account,
        receiver: watched,
        secret,
        lock: look.head.time,
        reward,
      };
      return tried(look, { account, code, watched, steps: stepsOf(payment) });
    }),
  );
  return outcomes.every((outcome) => outcome?.done === DONE && outcome.got === OWED);
}

type Payment = {
  readonly contract: string;
  readonly swapId: string;
  readonly account: string;
  readonly receiver: string;
  readonly secret: string;
  readonly lock: number;
  readonly reward: Reward;
};

/** A payment, and its claim by the payer. */
function stepsOf({ contract, swapId, account, receiver, secret, lock, reward }: Payment): readonly Step[] {
  const amount = OWED + reward.amount;
  const secretHash = bytesToHex(scriptHash160(sha256(hexToBytes(secret))) ?? new Uint8Array(20));
  const common = { swapId, amount, token: NO_TOKEN, receiver, reward };
  const paid = { ...common, kind: 'payment', sender: null, secretHash, secret: null, lockTime: BigInt(lock) } as const;
  const claimed = { ...common, kind: 'claim', sender: account, secretHash: null, secret, lockTime: null } as const;
  return [
    { to: contract, value: amount, data: encodeRewardCall(paid) },
    { to: contract, value: 0n, data: encodeRewardCall(claimed) },
  ];
}

/** Null if the node cannot tell. */
async function tried(look: EvmLook, { account, code, watched, steps }: Trying) {
  const calls = steps.map(
    ({ to, value, data }) => abiWord(to) + abiWord(value.toString(16)) + abiWord((data.length / 2).toString(16)) + data,
  );
  const data = abiWord(watched) + calls.join('');
  try {
    const answer = await look.call({ from: account, to: account, data, code, balance: RICH });
    if (answer.length !== 128) return null;
    return { done: BigInt(`0x${answer.slice(0, 64)}`), got: BigInt(`0x${answer.slice(64)}`) };
  } catch (error) {
    if (error instanceof CallReverted || error instanceof BackendSilent) return null;
    throw error;
  }
}
