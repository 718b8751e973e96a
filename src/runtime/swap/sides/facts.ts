import { publishedMargin } from '../../../../machines/deadlines/table.ts';
import { raceOf } from '../../../../machines/swap/limits.ts';
import type { SwapSide } from '../../../../machines/swap/side.ts';
import type { MakerNegotiated, MakerStarted, TakerNegotiated, TakerStarted } from '../../../events/payloads.ts';
import type { StoredTradeFee } from '../../../htlc/locked-amount.ts';
import type { PaymentTerms } from '../../../ports/chain.ts';
import type { DecimalText } from '../../../primitives/decimal.ts';
import type { Millis, UnixSeconds } from '../../../primitives/time.ts';
import type { Leg } from '../../command.ts';
import { type AgreedTerms, agreedTerms, keyOf, type SideInputs, termsOf, withRoles } from '../side-inputs.ts';
import type { SwapFacts } from '../swap-facts.ts';

/** What both sides' logs say about their payments; each side stores its own part. */
export type Payloads<S, N> = {
  readonly started: S | null;
  readonly negotiated: N | null;
};

type Started = MakerStarted | TakerStarted;
type Negotiated = MakerNegotiated | TakerNegotiated;

/** What a side stores under names that the other side lacks. */
export type SideParts<S, N> = {
  readonly secretHash: (started: S, negotiated: N) => string | null;
  readonly peer: (negotiated: N) => string;
  readonly ownLock: (started: S) => UnixSeconds;
  readonly otherLock: (negotiated: N) => UnixSeconds;
  readonly claimFee: (started: S) => StoredTradeFee | undefined;
};

/** What the neutral names of the machine do not say. */
type Beside = {
  /** Somebody else has the own claim, and with it the secret. @defaultValue false */
  readonly claimSeen?: boolean;
  readonly watched: boolean;
  readonly rewardAsked: DecimalText | null;
};

/** A swap for the effects that both roles share. */
export function factsOf<S extends Started, N extends Negotiated>(
  side: SwapSide,
  { started, negotiated, parts, ...beside }: Payloads<S, N> & Beside & { readonly parts: SideParts<S, N> },
  { request, agreed, traits }: SideInputs,
): SwapFacts {
  const { role: own, other } = side;
  const make = (begun: S, settled: N) => termsOfBoth(own, parts, { started: begun, negotiated: settled });
  const terms = agreedTerms(agreed, { started, negotiated }, withRoles(make, { own, traits }));
  const lockDuration = started?.lock_duration ?? request?.lock_duration ?? 0;
  return {
    role: own,
    state: side.state,
    uuid: request?.uuid ?? started?.uuid ?? '',
    own,
    other,
    startedAt: started?.started_at ?? null,
    startBlocks: { maker: started?.maker_coin_start_block ?? null, taker: started?.taker_coin_start_block ?? null },
    lockDuration,
    margin: publishedMargin(lockDuration),
    race: terms.other === null ? null : raceOf(side),
    ownTerms: terms.own,
    otherTerms: terms.other,
    ownPayment: side.ownPayment,
    otherPayment: side.otherPayment,
    otherConfirmations: confirmationsOf(started, other) ?? 1,
    otherValidated: side.otherValidated,
    watched: beside.watched,
    otherRequiresNota: requiresNota(started, other) ?? false,
    claimFee: (started === null ? null : parts.claimFee(started)) ?? null,
    ownConfirmations: confirmationsOf(started, own) ?? 1,
    secret: side.secret,
    secretIsPublic: side.secretIsPublic || beside.claimSeen === true,
    claim: side.claim,
    refunded: side.refunded,
    rewardAsked: beside.rewardAsked,
    lastEventAt: side.lastEventAt ?? (0 as Millis),
  };
}

function confirmationsOf(started: Started | null, leg: Leg): number | undefined {
  return leg === 'maker' ? started?.maker_payment_confirmations : started?.taker_payment_confirmations;
}

function requiresNota(started: Started | null, leg: Leg): boolean | null | undefined {
  return leg === 'maker' ? started?.maker_payment_requires_nota : started?.taker_payment_requires_nota;
}

function termsOfBoth<S extends Started, N extends Negotiated>(
  own: Leg,
  parts: SideParts<S, N>,
  { started, negotiated }: { readonly started: S; readonly negotiated: N },
): Pick<AgreedTerms, 'own' | 'other'> {
  const secretHash = parts.secretHash(started, negotiated);
  const peer = parts.peer(negotiated);
  const payment = (leg: Leg, lock: UnixSeconds): PaymentTerms | null => {
    const isMaker = leg === 'maker';
    const mine = keyOf(
      isMaker ? started.maker_coin_htlc_pubkey : started.taker_coin_htlc_pubkey,
      started.my_persistent_pub,
    );
    const theirs = keyOf(isMaker ? negotiated.maker_coin_htlc_pubkey : negotiated.taker_coin_htlc_pubkey, peer);
    const told = isMaker ? negotiated.maker_coin_swap_contract_addr : negotiated.taker_coin_swap_contract_addr;
    const kept = isMaker ? started.maker_coin_swap_contract_address : started.taker_coin_swap_contract_address;
    const [sender, receiver] = leg === own ? [mine, theirs] : [theirs, mine];
    const amount = isMaker ? started.maker_amount : started.taker_amount;
    return termsOf({ lock, secretHash, sender, receiver, amount, contract: told ?? kept });
  };
  const locks = { own: parts.ownLock(started), other: parts.otherLock(negotiated) };
  const other = own === 'maker' ? 'taker' : 'maker';
  return { own: payment(own, locks.own), other: payment(other, locks.other) };
}
