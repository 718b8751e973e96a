/** Code of the token module. Source: smart-chain node. */
export const EVAL_TOKENS = 0xf2;
