/** Where takers of a coin ask for watchers. */
export function watchTopic(takerCoin: string): string {
  return `swpwtchr/${takerCoin}`;
}

/** Where transactions of a coin are handed to whoever has a node for it. */
export function helperTopic(coin: string): string {
  return `txhlp/${coin}`;
}
