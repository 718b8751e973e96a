import type { SwapRequest } from '../../events/journal.ts';
import { onLeg } from '../../primitives/pair.ts';
import { EPOCH } from '../world/scenario.ts';
import { happenAt } from './host.ts';
import { lookAt } from './looks.ts';
import type { Process, ProcessWorld, Told } from './process.ts';
import type { MarketAllowance, Mistake } from './scenario.ts';

/** Plays what the user of a process asks of its node, and how often the user looks. */
export function planUser(world: ProcessWorld, process: Process): void {
  const { timeline } = world;
  const { looksEvery, mistakes, allowances } = process.party.user;
  const at = (seconds: number) => ({ at: (EPOCH + seconds) * 1000 });
  for (const mistake of mistakes) happenAt(timeline, at(mistake.at), () => mistaken(world, process, mistake));
  for (const allowance of allowances) happenAt(timeline, at(allowance.at), () => allow(world, process, allowance));
  if (looksEvery === null) return;
  const look = (): void => {
    happenAt(timeline, { at: timeline.now + looksEvery * 1000 }, look);
    lookAt(world, process);
  };
  happenAt(timeline, { at: timeline.now + looksEvery * 1000 }, look);
}

const WRONG: Readonly<Record<Mistake['kind'], string>> = {
  usedSecret: 'secret',
  oneCoin: 'taker_coin',
  ownKey: 'counterparty',
  confirmations: 'taker_payment_confirmations',
};

function withMistake({ request }: Told, { kind, at }: Mistake): SwapRequest {
  const uuid = `${String(at).padStart(8, '0')}${request.uuid.slice(8)}`;
  switch (kind) {
    case 'usedSecret':
      return { ...request, uuid };
    case 'oneCoin':
      return { ...request, uuid, taker_coin: request.maker_coin };
    case 'ownKey':
      return { ...request, uuid, counterparty: request.my_persistent_pub.slice(2) };
    case 'confirmations':
      return { ...request, uuid, taker_payment_confirmations: -1 };
  }
}

/** Asks for what must be refused. If the log does not answer, this judges nothing. */
function mistaken({ timeline }: ProcessWorld, process: Process, mistake: Mistake): void {
  const { runtime, life, told, log, untruths } = process;
  const { kind, swap } = mistake;
  const of = told.find(({ index }) => index === swap);
  if (runtime === null || life.over || of === undefined) return;
  const isBegun = log.read(`${of.request.role}-swap/${of.request.uuid}`).length > 0;
  if (kind === 'usedSecret' && (of.request.secret === null || !isBegun)) return;
  const request = withMistake(of, mistake);
  const report = (text: string) => untruths.push({ rule: 'M12', swap, text });
  timeline.stirred = true;
  const taken = () => report(`a request with a mistake (${kind}) is taken`);
  const refused = (error: unknown): void => {
    if (life.over) return;
    const { code, facts } = error as { readonly code?: string; readonly facts?: { readonly member?: string } };
    if (code === 'LOG_UNAVAILABLE') return;
    if (code !== 'SWAP_REQUEST_INVALID') report(`a request with a mistake (${kind}) is refused with ${code}`);
    else if (facts?.member !== WRONG[kind]) report(`a mistake (${kind}) is told of ${facts?.member}`);
    if (log.read(`${request.role}-swap/${request.uuid}`).length > 0) report(`a refused request (${kind}) is written`);
  };
  runtime.startSwap(request).then(taken, refused);
}

/** Allows higher fees for a swap on a chain, and checks that its node reports this for that chain. */
function allow({ timeline }: ProcessWorld, process: Process, { swap, leg, most }: MarketAllowance): void {
  const { runtime, life, told, untruths } = process;
  const request = told.find(({ index }) => index === swap)?.request;
  if (runtime === null || life.over || request === undefined) return;
  const coin = leg === 'maker' ? request.maker_coin : request.taker_coin;
  timeline.stirred = true;
  const ordered = runtime.allowFees(request.uuid, { coin, most }).then(() => runtime.status(request.uuid));
  const looked = (status: Awaited<typeof ordered>): void => {
    if (life.over || status === null || status.error !== null) return;
    const allowed = onLeg(status.feesAllowed, leg);
    if (allowed === most) return;
    const text = `fees of ${most} are allowed on ${coin}, and it is told that ${allowed ?? 'none'} are`;
    untruths.push({ rule: 'M11', swap, text });
  };
  const refused = (error: unknown): void => {
    // Nobody is at fault if the log does not hold the swap yet, or does not answer.
    if (life.over || (error as { readonly code?: string }).code !== 'FEE_ORDER_INVALID') return;
    untruths.push({
      rule: 'M11',
      swap,
      text: `fees of ${most} on ${coin} are refused as if the swap had no such coin`,
    });
  };
  ordered.then(looked, refused);
}
