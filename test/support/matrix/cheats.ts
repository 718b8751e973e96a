import { walletOfPassphrase } from '../../../src/node/keys.ts';
import type { TradingNode } from '../../../src/node/node.ts';
import type { PaymentTerms, PrepareRequest } from '../../../src/ports/chain.ts';
import type { SwapMessage } from '../../../src/ports/peers.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';
import type { RuntimeChain } from '../../../src/runtime/loop/gate.ts';
import type { Cheat } from './scenario.ts';
import { COINS } from './sides.ts';

/** Has a node make its payment by other terms than were agreed, or a fee of another amount. */
export function cheatWith({ side, with: what }: Cheat): (node: TradingNode) => void {
  return (node) => {
    const coin = COINS[side];
    const honest = node.coins.get(coin)?.chain;
    if (honest === undefined) throw new Error(`${coin} is not active`);
    node.runtime.removeChain(coin);
    node.runtime.addChain(cheated(honest, { with: what }));
  };
}

/** The same of a chain that no node has yet. */
export function cheated(honest: RuntimeChain, { with: what }: Pick<Cheat, 'with'>): RuntimeChain {
  return {
    ...honest,
    payment: (query) => honest.payment({ ...query, terms: twisted(query.terms, what) }),
    prepare: (request, forSwap) => honest.prepare(twistedRequest(request, what), forSwap),
  };
}

/** What such a party says in the place of a message. */
export function saidBy({ side, with: what }: Cheat, message: SwapMessage): SwapMessage {
  if (side !== 'maker' || what !== 'offeredLock' || message.kind !== 'negotiation') return message;
  const { offer } = message;
  return { ...message, offer: { ...offer, payment_locktime: unixSecondsOf(offer.payment_locktime - 7800) } };
}

function twistedRequest(request: PrepareRequest, what: Cheat['with']): PrepareRequest {
  if (request.purpose === 'fee') return what === 'fee' ? { ...request, feeSat: request.feeSat - 1n } : request;
  if (request.purpose === 'payment' || request.purpose === 'refund')
    return { ...request, terms: twisted(request.terms, what) };
  return request;
}

const HOUR = 3600;

function twisted(terms: PaymentTerms, what: Cheat['with']): PaymentTerms {
  switch (what) {
    case 'amount':
      return { ...terms, amount: lessBy(terms.amount) };
    case 'lock':
      return { ...terms, lock: unixSecondsOf(terms.lock - HOUR) };
    case 'hash':
      return {
        ...terms,
        secretHash: `${terms.secretHash.slice(0, -2)}${terms.secretHash.endsWith('00') ? '01' : '00'}`,
      };
    case 'key':
      return { ...terms, receiver: bytesToHex(walletOfPassphrase(new Secret('somebody else')).coins.key) };
    default:
      return terms;
  }
}

/** By one in its last digit. */
function lessBy(amount: DecimalText): DecimalText {
  const [whole = '0', part = ''] = String(amount).split('.');
  const less = (BigInt(`${whole}${part}`) - 1n).toString().padStart(part.length + 1, '0');
  return `${less.slice(0, -part.length)}.${less.slice(-part.length)}` as DecimalText;
}
