import { z } from 'zod';
import { option, readAs, strictStruct, text, u64, variant } from '../../node/serde.ts';
import type { JsonObject } from '../../primitives/json.ts';
import { RpcFailure } from './failure.ts';

/** A v2 request as far as every method has it (specification §4.3). */
export type EnvelopeV2 = {
  readonly method: string;
  readonly params: unknown;
  readonly userpass: string | null;
  readonly id: number | null;
};

const envelope = strictStruct('MmRpcRequest', {
  mmrpc: variant('2.0'),
  userpass: option(text),
  method: text,
  params: z.unknown().optional(),
  id: option(u64),
});

/** @throws RpcFailure InvalidMmRpcVersion, or InvalidRequest for members that are wrong or that no envelope has */
export function readEnvelope(request: JsonObject): EnvelopeV2 {
  const version = readAs(variant('2.0'), request['mmrpc']);
  if (!version.ok) {
    const message = `Error parsing mmrpc version: ${version.problem}`;
    throw new RpcFailure(message, { type: 'InvalidMmRpcVersion', data: version.problem, status: 400 });
  }
  const read = readAs(envelope, request);
  if (read.ok) return { ...read.value, params: read.value.params ?? null };
  throw new RpcFailure(`Error parsing request: ${read.problem}`, {
    type: 'InvalidRequest',
    data: read.problem,
    status: 400,
  });
}

/** The id to echo: none where the request has one that is no id. */
export function envelopeIdOf(request: JsonObject): number | null {
  const read = readAs(option(u64), request['id']);
  return read.ok ? read.value : null;
}
