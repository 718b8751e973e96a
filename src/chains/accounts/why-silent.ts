/** Failures of connections, by their code. */
const CODES: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'refused the connection'],
  [/^(?:ENOTFOUND|EAI_)/, 'is a host name without an address'],
  [/^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT|ESOCKETTIMEDOUT)$/, 'did not answer in time'],
  [/^E(?:HOST|NET)UNREACH$/, 'cannot be reached'],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|ERR_STREAM_PREMATURE_CLOSE)$/, 'closed the connection'],
  [/CERT|SELF_SIGNED|UNABLE_TO_/, 'presents an invalid certificate'],
  [/^(?:ERR_SSL_|EPROTO$)/, 'violates the TLS protocol'],
  [/^HPE_/, 'does not speak HTTP'],
];

/** For errors that have only a name. */
const NAMES: Readonly<Record<string, string>> = {
  TimeoutError: 'did not answer in time',
  AbortError: 'did not answer in time',
  SyntaxError: 'sent an answer that is not JSON',
  ResponseBodyTooLargeError: 'sent an answer above the size limit',
  // On Node 24 it has no code.
  HTTPParserError: 'does not speak HTTP',
};

const STATUS_TEXT = /^Bad status on response: (\d{3})$/;
/** How many nested causes to examine. */
const DEEPEST = 8;

/**
 * Why whoever was asked gave no answer, in one sentence without a full stop.
 *
 * Nothing that another program says is repeated, for it may hold an address with its credentials: what is told is found out from codes, statuses and names.
 *
 * @param host host and port, never more of an address
 */
export function whySilent(error: unknown, host: string): string {
  const found = causesOf(error)
    .map(reasonOf)
    .findLast((reason) => reason !== null);
  return `${host} ${found ?? `does not answer (${error instanceof Error ? error.name : 'no answer'})`}`;
}

/** The error and its causes, deepest last. */
function causesOf(error: unknown): readonly object[] {
  const causes: object[] = [];
  let one = error;
  while (typeof one === 'object' && one !== null && causes.length < DEEPEST) {
    causes.push(one);
    // A host with several addresses has failed at each: the first one counts.
    one = one instanceof AggregateError && one.errors.length > 0 ? one.errors[0] : 'cause' in one ? one.cause : null;
  }
  return causes;
}

function reasonOf(cause: object): string | null {
  const { status, code, message, name, type } = cause as Readonly<Record<string, unknown>>;
  const answered = typeof status === 'number' ? status : STATUS_TEXT.exec(String(message))?.[1];
  if (answered !== undefined) return `answered HTTP ${answered}`;
  const known = typeof code === 'string' ? CODES.find(([pattern]) => pattern.test(code)) : undefined;
  if (known !== undefined) return known[1];
  // From the platform, which connects to no port of other protocols (Fetch Standard, section 2.9).
  if (message === 'bad port') return 'uses a port that HTTP clients block';
  if (type === 'invalid-json') return NAMES['SyntaxError'] ?? null;
  return NAMES[String(name)] ?? null;
}
