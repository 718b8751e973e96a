import type { Answer } from '../../ports/chain.ts';
import { fromBaseUnits } from '../../primitives/decimal.ts';
import { fault, ok } from '../accounts/answers.ts';
import { tokenPayment, weiTaken } from './account.ts';
import { changesApproval } from './approvals.ts';
import { askedToPay } from './ask-ahead.ts';
import { fundsOf } from './funds.ts';
import { heldWei } from './held-wei.ts';
import { type Parts, WEI_DIGITS } from './parts.ts';
import { dayPrices } from './prices.ts';
import type { EvmLook } from './reader.ts';
import { takenOf } from './token-effect.ts';
import { delegates, hasBlobs, type Made, madeOf } from './transaction.ts';

/** How many nonces a signed transaction may skip: the account fills them at its own cost. */
const MOST_AHEAD = 16;

/** `isNew`: it was not signed for a swap, and is given back if no node accepts it. */
export type Admitted = { readonly made: Made; readonly isNew: boolean };

type Admitting = {
  readonly made: Made;
  readonly look: EvmLook;
  /** Notes what it takes of held tokens, in base units. */
  readonly takes: Map<string, bigint>;
};

/**
 * Whether a signed transaction may go out: whatever leaves this account must leave what swaps have signed and hold. If so, it is marked, so that no
 * swap takes its nonce. Needs a look that asks each question only once.
 */
export async function admit(
  parts: Parts,
  { tx_hex, look }: { tx_hex: string; look: EvmLook },
): Promise<Answer<Admitted>> {
  const { account } = parts;
  if (hasBlobs(tx_hex))
    return fault('unsupported', 'blob transactions are not sent, because their blob fees are not counted');
  const made = madeOf(tx_hex);
  if (made === null) return fault('invalid', 'the bytes are not a transaction');
  if (made.chainId !== account.chainId)
    return fault('invalid', `it is signed for chain ${made.chainId ?? '(any)'}, and this is chain ${account.chainId}`);
  // What was given back is free again, although it was once signed or admitted here.
  const isMarked = (): boolean => account.holders(made.nonce).some(({ id }) => id === made.id);
  if (made.from !== account.address || isMarked()) return ok({ made, isNew: false });
  // Asked before the turn: the answers stay the same, apart from what is signed meanwhile.
  await Promise.all([askedToPay(parts, { look, moves: false }), promisedTo(parts, { made, look, takes: new Map() })]);
  return account.inTurn(async () => {
    if (isMarked()) return ok({ made, isNew: false });
    const [next] = (await account.freeNonces(look, 1)) as [number];
    if (account.holders(made.nonce).length > 0)
      return fault(
        'coinsPromised',
        `another pending transaction of this account has nonce ${made.nonce}; sign with nonce ${next} instead`,
      );
    if (made.nonce > next + MOST_AHEAD)
      return fault(
        'nonceGap',
        `nonce ${made.nonce} is too far ahead: the next one is ${next}, and at most ${MOST_AHEAD} may be skipped`,
      );
    const takes = new Map<string, bigint>();
    const promised = await promisedTo(parts, { made, look, takes });
    if (promised !== null) return promised;
    account.adopt(made, takes);
    return ok({ made, isNew: true });
  });
}

/** Why it takes what swaps hold of the account, in any of its coins; null if it does not. */
async function promisedTo(
  { coin, account }: Parts,
  { made, look, takes: ofTokens }: Admitting,
): Promise<Answer<never> | null> {
  const day = await dayPrices(account.prices, look);
  const { free } = (await fundsOf({ coin: {}, account }, { look })).wei;
  const takes = weiTaken(made);
  const ticker = coin.token?.platform ?? coin.coin;
  const ether = (wei: bigint): string => `${fromBaseUnits(wei, WEI_DIGITS)} ${ticker}`;
  if (takes > free)
    return fault('insufficientFunds', `with its gas it may spend ${ether(takes)}, and ${ether(free)} are free`);
  const held = await heldWei({ account }, { look, day });
  if (free - takes < held)
    return fault(
      'coinsPromised',
      `it may spend ${ether(takes)} of the ${ether(free)} that are free, of which ${ether(held)} are held for swaps`,
    );
  const behind = await paymentBehind({ account }, { made, look });
  if (behind !== null)
    return fault(
      'coinsPromised',
      `the payment ${behind} of a swap waits for an approval that this could change; send it once that payment is in a block`,
    );
  const tokens = account.holds.heldTokens();
  if ((held > 0n || tokens.length > 0) && delegates(made))
    return fault(
      'coinsPromised',
      `it lets code act for accounts, which could spend everything they hold, and ${ether(held)} and ${tokens.length} tokens are held for swaps`,
    );
  return tokensPromised({ coin, account }, { made, look, takes: ofTokens });
}

/** Id of a token payment that would be included after it, by an approval that it may change; null if there is none. */
async function paymentBehind(
  { account }: Pick<Parts, 'account'>,
  { made, look }: Pick<Admitting, 'made' | 'look'>,
): Promise<string | null> {
  const later = account.waiting(await look.used(account.address)).filter(({ nonce }) => nonce > made.nonce);
  const found = later.find((other) => {
    const payment = tokenPayment(other);
    return payment !== null && changesApproval(made, payment);
  });
  return found?.id ?? null;
}

async function tokensPromised(
  { coin, account }: Pick<Parts, 'coin' | 'account'>,
  { made, look, takes }: Admitting,
): Promise<Answer<never> | null> {
  const contracts = [coin.contract, coin.fallbackContract ?? coin.contract];
  for (const token of account.holds.heldTokens()) {
    const { tokens } = await fundsOf({ coin: { ...coin, token: { address: token } }, account }, { look });
    const free = tokens?.free ?? 0n;
    const held = account.holds.tokens(token);
    const taken = await takenOf(look, { made, token, contracts, balance: tokens?.all ?? 0n });
    const named = `of the token 0x${token}, of which ${free} base units are free and ${held} are held for swaps`;
    if (taken === 'unknown')
      return fault('coinsPromised', `nobody can tell how much it spends ${named}; send it once they have ended`);
    if (taken > 0n && free - taken < held) return fault('coinsPromised', `it may spend ${taken} ${named}`);
    takes.set(token, taken);
  }
  return null;
}
