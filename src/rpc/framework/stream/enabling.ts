import { u64 } from '../../../node/serde.ts';
import type { FrameworkContext } from '../context.ts';
import { RpcFailure } from '../failure.ts';
import { type ClientFault, type EnableTerms, streamClients } from './clients.ts';

/** The client of a call; 0 where it names none, which is also whose a stream without an id is. */
export const clientId = u64.optional().default(0);

const NOBODY = streamClients();

export type Enabling = { readonly id: number; readonly streamer: string; readonly terms?: EnableTerms };

/** @throws RpcFailure EnableError */
export function enabled({ streams = NOBODY }: FrameworkContext, { id, streamer, terms }: Enabling) {
  const fault = streams.enable(id, streamer, terms);
  if (fault !== null) throw enableError(textOf(fault, id), fault);
  return { streamer_id: streamer };
}

/** @throws RpcFailure DisableError */
export function disabled({ streams = NOBODY }: FrameworkContext, { id, streamer }: Enabling) {
  const fault = streams.disable(id, streamer);
  if (fault !== null) throw new RpcFailure(textOf(fault, id), { type: 'DisableError', data: fault, status: 400 });
  return { result: 'Success' };
}

export function enableError(text: string, data: string = text): RpcFailure {
  return new RpcFailure(text, { type: 'EnableError', data, status: 400 });
}

function textOf(fault: ClientFault, id: number): string {
  switch (fault) {
    case 'UnknownClient':
      return `The client ${id} has no stream: open /event-stream?id=${id}, and call again while it is open`;
    case 'ClientAlreadyListening':
      return `The client ${id} has already enabled this`;
    case 'StreamerNotFound':
      return `The client ${id} has enabled nothing with this streamer_id`;
  }
}
