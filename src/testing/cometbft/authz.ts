import { protoReader, readingProto } from '../../htlc/protobuf.ts';
import { decodeTendermintMessage, type OtherMessage, type TendermintMessage } from '../../htlc/tendermint-messages.ts';

const EXEC_URL = '/cosmos.authz.v1beta1.MsgExec';

/** Codes of the authorization module. */
export const AUTHZ = { noAuthorization: 2 } as const;

/** Messages that one account carries out in the name of whoever lets it. */
export type Executed = { readonly grantee: string; readonly messages: readonly TendermintMessage[] };

/** What a message has carried out; null for one of another type. */
export function executedOf({ typeUrl, value }: OtherMessage): Executed | null {
  if (typeUrl !== EXEC_URL) return null;
  const read = readingProto(() => {
    const reader = protoReader(value);
    const messages = reader.all(2).map(decodeTendermintMessage);
    return messages.every((message) => message !== undefined) ? { grantee: reader.text(1), messages } : undefined;
  });
  return read ?? null;
}
