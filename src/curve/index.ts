export type { Curve, RecoverableSignature, RecoverRequest, SignRequest, VerifyRequest } from './curve.ts';
export { curve } from './fastest.ts';
export { hasLowS } from './order.ts';
