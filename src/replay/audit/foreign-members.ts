import { payloadMembers } from './payload-members.ts';
import type { Findings } from './report.ts';
import type { SwapRule } from './rule.ts';
import { type Fields, fieldsOf } from './stored-fields.ts';

/** From this many on, members of other events are the mark of a program that stores all events in one shape. */
const UNION_MEMBERS = 8;

type Filled = { readonly seq: number; readonly type: string; readonly name: string };

/** Members of other events in logs that a program stored again. */
export const foreignMembersRule: SwapRule = {
  check: 'foreign-members',
  describes:
    'A program that stores every event in one shape leaves the members that do not belong to an event empty. One alone that has a value among the many that have none was changed; several may be the habit of another program.',
  source: 'recorded swaps of third parties',
  run: (swap, findings) => {
    const filled: Filled[] = [];
    for (const [seq, event] of swap.log.events.entries()) {
      if (!event.known) continue;
      const data = fieldsOf(event.data);
      const foreign = foreignMembers(swap.role, { type: event.type, data });
      if (foreign.length < UNION_MEMBERS) continue;
      const members = [...foreign.map((name) => [name, data[name]] as const), ...foreignFees(data)];
      const values = members.filter(([, value]) => !isEmpty(value));
      filled.push(...values.map(([name]) => ({ seq, type: event.type, name })));
      if (values.length === 0) findings.verified(seq, `${foreign.length} members of other events, all empty`);
    }
    judge(filled, findings);
  },
};

function judge(filled: readonly Filled[], findings: Findings): void {
  const [first, ...others] = filled;
  if (first !== undefined && others.length === 0) {
    findings.violated(first.seq, { expected: `no ${first.name}`, found: 'a value', reason: first.type });
    return;
  }
  for (const { seq, type, name } of filled) {
    findings.notCheckable(seq, `${name}, which does not belong to ${type}, has a value`);
  }
}

const DETAILS = [
  'block_height',
  'coin',
  'fee_details',
  'from',
  'internal_id',
  'my_balance_change',
  'received_by_me',
  'spent_by_me',
  'timestamp',
  'to',
  'total_amount',
];

function foreignMembers(
  role: 'maker' | 'taker',
  { type, data }: { readonly type: string; readonly data: Fields },
): readonly string[] {
  const own = payloadMembers(role).byType.get(type) ?? new Set<string>();
  const nested = fieldsOf(data['transaction'])['tx_hex'] !== undefined;
  const holdsTransaction = own.has('tx_hex') && !nested;
  const others = payloadMembers(role).all;
  return Object.keys(data).filter((name) => {
    if (own.has(name)) return false;
    return others.has(name) || (DETAILS.includes(name) && !holdsTransaction);
  });
}

/** The fee of an EVM transaction beside that of a UTXO transaction. */
function foreignFees(data: Fields): readonly (readonly [string, unknown])[] {
  const transaction = fieldsOf(data['transaction']);
  const fees = fieldsOf((transaction['fee_details'] === undefined ? data : transaction)['fee_details']);
  if (typeof fees['amount'] !== 'string' || fees['amount'] === '') return [];
  return ['gas', 'gas_price', 'total_fee'].map((name) => [name, fees[name]] as const);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === 0 || value === false;
}
