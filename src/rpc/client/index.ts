export type { LegacyAnswer, LegacyMethod, LegacyParams, V2Method, V2Params, V2Result } from './answers.ts';
export { createRpcClient, type EventOptions, type RpcClient, type RpcClientOptions } from './client.ts';
export { type RefusedCall, RpcAnswerInvalidError, RpcRefusedError, RpcUnansweredError } from './errors.ts';
export type { NodeEvent } from './events.ts';
