import type { Watch } from '../../events/watcher.ts';
import { type DecimalText, toBigNumber } from '../../primitives/decimal.ts';
import type { MarketWorld } from './market.ts';
import type { Process } from './process.ts';
import { latenessOf } from './promptness.ts';
import type { Report } from './rules.ts';

/** What a node told its user, and how it served others, over the whole run. */
export function judgeTold(world: MarketWorld, process: Process, report: Report): void {
  const { name } = process.party;
  for (const untruth of process.untruths) report({ ...untruth, party: name });
  for (const { rule, text } of [...shortages(process), ...watches(process)])
    report({ rule, party: name, swap: null, text });
  for (const { swap, text } of latenessOf(world, process)) report({ rule: 'M13', party: name, swap, text });
}

const SHORTAGE =
  /Not enough (?:base coin )?(\S+) (?:balance )?for swap: available (\S+), required at least \S+, locked by swaps Some\(BigDecimal\("(\S+)"\)\)/;

type Problem = { readonly rule: 'M4' | 'M11'; readonly text: string };

/** What is available and what is held for other swaps add up to what some quote showed. */
function shortages({ log, quoted }: Process): readonly Problem[] {
  return log.find({ eventType: 'StartFailed' }).flatMap(({ stream }) =>
    log.read(stream).flatMap(({ type, data }): readonly Problem[] => {
      const [, coin, available, locked] =
        type === 'StartFailed' ? (SHORTAGE.exec((data as { readonly error: string }).error) ?? []) : [];
      if (coin === undefined) return [];
      const total = toBigNumber(available as DecimalText).plus(toBigNumber(locked as DecimalText));
      if (quoted.get(coin)?.has(total.toFixed()) === true) return [];
      return [{ rule: 'M11', text: `of ${coin} ${available} are told to be there and ${locked} to be locked` }];
    }),
  );
}

const STREAM = /^[a-z-]+\/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** One watch covers what a taker has paid, and each watch has its own name. */
function watches({ log }: Process): readonly Problem[] {
  const users = new Map<string, string>();
  return log.find({}).flatMap(({ stream }): readonly Problem[] => {
    if (!STREAM.test(stream)) return [{ rule: 'M11', text: `${stream} names no swap` }];
    if (!stream.startsWith('watcher/')) return [];
    const { watch } = (log.read(stream)[0]?.data ?? {}) as { readonly watch?: Watch };
    if (watch === undefined) return [];
    const { taker_pub, taker_payment_hash, maker_payment_hash, taker_fee_hash, secret_hash } = watch;
    return [taker_payment_hash, maker_payment_hash, taker_fee_hash, secret_hash].flatMap((hash): readonly Problem[] => {
      const key = `${taker_pub} ${hash}`;
      const user = users.get(key);
      users.set(key, stream);
      if (user === undefined || user === stream) return [];
      return [{ rule: 'M4', text: `${hash.slice(0, 12)} is watched twice, in ${user} and in ${stream}` }];
    });
  });
}
