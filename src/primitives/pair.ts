/** Something that exists once for each chain of a swap: the maker coin's and the taker coin's. */
export type Pair<T> = { readonly maker: T; readonly taker: T };

/** The member for one chain. A look-up by a variable name would cost several times as much, and engines make many. */
export function onLeg<T>(pair: Pair<T>, leg: 'maker' | 'taker'): T {
  return leg === 'maker' ? pair.maker : pair.taker;
}

/** Changes the member for one chain. */
export function setOnLeg<T>(pair: { maker: T; taker: T }, leg: 'maker' | 'taker', value: T): void {
  if (leg === 'maker') pair.maker = value;
  else pair.taker = value;
}
