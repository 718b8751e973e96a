export type { RpcListener, Timeouts } from './http/serve.ts';
export type { RpcCredentials } from './smart-chain/auth.ts';
export type { Compatibility, NodeContext } from './smart-chain/context.ts';
export {
  type DispatchTerms,
  dispatch,
  type MethodTable,
  methodTable,
  type RpcAnswer,
  type WarmingUp,
} from './smart-chain/dispatch.ts';
export { type ListenOptions, listen } from './smart-chain/listen.ts';
export type { Params, RpcMethod } from './smart-chain/method.ts';
export { METHODS } from './smart-chain/methods.ts';
export { RPC_CODE, RpcError } from './smart-chain/rpc-error.ts';
