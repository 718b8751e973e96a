/** What happens in a play, for the renderer. */
export type Scene =
  | { readonly kind: 'act'; readonly title: string }
  | { readonly kind: 'line'; readonly who: string; readonly text: string }
  | { readonly kind: 'event'; readonly who: string; readonly event: string; readonly detail: string | null }
  | { readonly kind: 'balances'; readonly who: string; readonly balances: Readonly<Record<string, string>> }
  | {
      readonly kind: 'end';
      /** Whether both sides ended the swap well, and the taker could take its coins out. */
      readonly sound: boolean;
      /** Payments to scripts in the blocks of each chain. */
      readonly payments: Readonly<Record<string, number>>;
    };
