import type { Clock } from '../../ports/clock.ts';
import { type Account, drawMessage, openAccount, type Rate } from '../allowance.ts';
import type { Link } from './link.ts';

/**
 * Whether one more question of a link is answered. Questions are short, answers are not, and each costs a stream: none of it counts against
 * the allowance of its address.
 */
export function createQuestions({ clock, rate }: { readonly clock: Clock; readonly rate: Rate }) {
  const allowance = { messages: rate, weight: rate };
  const accounts = new WeakMap<Link, Account>();
  return (link: Link): boolean => {
    const now = clock.now();
    const account = accounts.get(link) ?? openAccount(allowance, now);
    accounts.set(link, account);
    return drawMessage(account, { allowance, now });
  };
}
