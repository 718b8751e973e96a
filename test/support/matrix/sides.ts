import type { Leg } from './chain.ts';

export type Side = Leg | 'watcher';
export const LEGS: readonly Leg[] = ['maker', 'taker'];
export const COINS: Readonly<Record<Leg, string>> = { maker: 'MAK', taker: 'TAK' };
