export type { ActiveCoin } from '../ports/coin-wallet.ts';
