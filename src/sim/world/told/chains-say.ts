import type { FoundSpend, RecoveryFacts } from '../../../../machines/recovery/facts.ts';
import { onLeg } from '../../../primitives/pair.ts';
import type { PaymentState } from '../../chains/types.ts';
import { otherLeg, type Scene, truthOf } from '../judge/truth.ts';
import type { ChainName } from '../scenario.ts';

/** What the ledgers say about both payments of a swap, as one side sees them. */
export type Chains = {
  readonly own: PaymentState;
  readonly other: PaymentState;
  /** Whether the own payment can go back now, and that of the other side, by the clocks of their chains. */
  readonly ownCanGoBack: boolean;
  readonly otherCanGoBack: boolean;
  readonly autoRefund: boolean;
};

export function chainsOf(scene: Scene): Chains {
  const { name } = scene.node;
  const other = otherLeg(name);
  return {
    own: truthOf(scene, name),
    other: truthOf(scene, other),
    ownCanGoBack: canGoBack(scene, name),
    otherCanGoBack: canGoBack(scene, other),
    autoRefund: onLeg(scene.world.chains, name).kind === 'autoRefund',
  };
}

function canGoBack({ world, agreement }: Scene, leg: ChainName): boolean {
  return onLeg(world.chains, leg).clock() > onLeg(agreement, leg).terms.lock;
}

/** An answer that never came. */
export const SILENCE = 'the node of that chain is silent';

/** Every fact that recovery may need, from the ledgers. `silent`: the chain that does not answer. */
export function factsFrom(scene: Scene, chains: Chains, silent: 'own' | 'other' | null): Required<RecoveryFacts> {
  const { name } = scene.node;
  const { lock } = onLeg(scene.agreement, name).terms;
  const yes = <T>(whose: 'own' | 'other', value: T) =>
    silent === whose ? ({ ok: false, error: SILENCE } as const) : ({ ok: true, value } as const);
  const found = (leg: ChainName, { spend }: PaymentState): FoundSpend | null =>
    spend === null ? null : { kind: spend.how === 'secret' ? 'spent' : 'refunded', ...spendOf(scene, leg, spend) };
  return {
    ownPayment: yes('own', transactionOf(scene, name, chains.own.fundings[0]?.hash)),
    ownPaymentSpend: yes('own', found(name, chains.own)),
    otherPayment: yes('other', transactionOf(scene, otherLeg(name), chains.other.fundings[0]?.hash)),
    otherPaymentSpend: yes('other', found(otherLeg(name), chains.other)),
    refundableFrom: yes('own', chains.ownCanGoBack ? null : lock),
    otherRefundable: yes('other', chains.otherCanGoBack),
    autoRefund: chains.autoRefund,
    secretShown: false,
  };
}

function spendOf(scene: Scene, leg: ChainName, { how, hash }: NonNullable<PaymentState['spend']>) {
  const tx = transactionOf(scene, leg, hash ?? undefined) ?? { tx_hex: '', tx_hash: '' };
  return { tx, secret: how === 'secret' ? scene.world.secret : null };
}

function transactionOf({ world }: Scene, leg: ChainName, hash: string | undefined) {
  if (hash === undefined) return null;
  return { tx_hex: onLeg(world.chains, leg).ledger.transaction(hash)?.hex ?? '', tx_hash: hash };
}
