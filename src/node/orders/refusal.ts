/** An order that was not made, or not cancelled. It ends in an answer and is no fault of the program. */
export class OrderRefusal extends Error {
  readonly kind: OrderRefusalKind;

  constructor(kind: OrderRefusalKind, message: string) {
    super(message);
    this.name = 'OrderRefusal';
    this.kind = kind;
  }
}

export type OrderRefusalKind =
  | 'coinInactive'
  | 'termsInvalid'
  | 'balanceTooLow'
  | 'balanceUnknown'
  | 'beingMatched'
  | 'notFound'
  | 'offerInvalid'
  | 'offerExpired';
