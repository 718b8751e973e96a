export {
  createRpcClient,
  type EventOptions,
  type LegacyAnswer,
  type LegacyMethod,
  type LegacyParams,
  type RpcClient,
  type RpcClientOptions,
  type V2Method,
  type V2Params,
  type V2Result,
} from './client.ts';
export { type Refused, RpcRefusedError, RpcUnansweredError } from './errors.ts';
export type { NodeEvent } from './events.ts';
