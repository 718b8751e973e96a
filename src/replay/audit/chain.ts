import { type Envelope, envelopeHash, GENESIS_HASH } from '../../primitives/envelope.ts';
import { type AuditCheck, type Findings, findingsOf } from './report.ts';
import type { AuditRule } from './rule.ts';

const HASH_CHAIN: AuditRule = {
  check: 'hash-chain',
  describes:
    'The hash of every record of a JSON Lines log covers the record and the hash before it; of each stream the first broken record is reported.',
  source: 'swapfold log format',
};

const RECORD_NUMBERS: AuditRule = {
  check: 'record-numbers',
  describes: 'The records of each stream are numbered from 0 without gaps.',
  source: 'swapfold log format',
};

/** Checks of a JSON Lines log that no stored swap of another format has. */
export const chainRules: readonly AuditRule[] = [HASH_CHAIN, RECORD_NUMBERS];

type Stream = {
  previous: Envelope | undefined;
  records: number;
  broken: boolean;
  misnumbered: boolean;
  /** Whether the first record has a hash; a log is sealed as a whole or not at all. */
  readonly sealed: boolean;
};

/**
 * Audits the chain of hashes and the numbering of records in the order in which a file holds them. Streams may be mixed; each
 * has a chain of its own. `seq` of a finding is that of the record, and the name of the stream stands in `found`.
 *
 * A change anywhere breaks the chain at the changed record, unless all later hashes were made anew: the chain shows
 * damage and careless changes, not those of somebody who knows the rule. Never throws.
 *
 * @example
 * ```ts
 * import { toEnvelopes } from 'swapfold/events';
 * import { auditChain } from 'swapfold/replay';
 * import { buildSwap } from 'swapfold/testing';
 *
 * const records = toEnvelopes(buildSwap({ role: 'taker', path: ['Started', 'StartFailed'] }));
 * const changed = records.map((one) => (one.seq === 2 ? { ...one, type: 'Finished' } : one));
 * auditChain(changed).map(({ check, seq, status }) => `${check} ${seq} ${status}`); // → [
 * //   'hash-chain 2 violated',
 * //   'record-numbers null verified',
 * // ]
 * ```
 */
export function auditChain(envelopes: Iterable<Envelope>): readonly AuditCheck[] {
  const checks: AuditCheck[] = [];
  const chain = findingsOf(HASH_CHAIN.check, checks);
  const numbers = findingsOf(RECORD_NUMBERS.check, checks);
  const streams = new Map<string, Stream>();
  for (const envelope of envelopes) {
    const known = streams.get(envelope.stream);
    const stream = known ?? {
      previous: undefined,
      records: 0,
      broken: false,
      misnumbered: false,
      sealed: envelope.hash !== '',
    };
    if (known === undefined) streams.set(envelope.stream, stream);
    checkNumber(stream, envelope, numbers);
    if (!stream.broken) checkHash(stream, envelope, chain);
    stream.previous = envelope;
    stream.records++;
  }
  for (const [name, { records, broken, misnumbered, sealed }] of streams) {
    const found = `${records} records of ${name}`;
    if (!broken && sealed) chain.verified(null, found);
    if (!misnumbered) numbers.verified(null, found);
  }
  return checks;
}

function checkNumber(stream: Stream, { seq }: Envelope, findings: Findings): void {
  const expected = (stream.previous?.seq ?? -1) + 1;
  if (seq === expected || stream.misnumbered) return;
  stream.misnumbered = true;
  findings.violated(seq, { expected: String(expected), found: String(seq), reason: 'the first record out of order' });
}

function checkHash(stream: Stream, envelope: Envelope, findings: Findings): void {
  const previous = stream.previous?.hash ?? GENESIS_HASH;
  const { seq, hash } = envelope;
  if ((hash !== '') !== stream.sealed) {
    stream.broken = true;
    const expected = stream.sealed ? 'a record with its hash' : 'a record without a hash, as the first one';
    findings.violated(seq, { expected, found: hash === '' ? 'no hash' : hash, reason: 'a log is sealed as a whole' });
    return;
  }
  if (!stream.sealed) {
    if (stream.records === 0) findings.notCheckable(seq, 'the records have no hashes, as another program wrote them');
    return;
  }
  const expected = sealOf(previous, envelope);
  if (expected === undefined) {
    stream.broken = true;
    findings.notCheckable(seq, 'the data of the record is nested too deeply to be hashed');
  } else if (expected !== hash) {
    stream.broken = true;
    findings.violated(seq, { expected, found: hash, reason: 'the first broken record of its stream' });
  }
}

function sealOf(previous: string, envelope: Envelope): string | undefined {
  try {
    return envelopeHash(previous, envelope);
  } catch {
    return undefined;
  }
}
