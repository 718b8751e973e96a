import { type Command, Option } from 'commander';
import { OUTCOMES } from '../../machines/swap-verdict.ts';
import { moment, wholeNumber } from './arguments.ts';
import { SORT_KEYS } from './sort-keys.ts';

/** Options that choose among swaps, the same for each command that reports swaps. */
export function selecting(
  command: Command,
  outcome = new Option('--outcome <outcome>', 'only swaps with this outcome').choices(OUTCOMES),
): Command {
  return command
    .option('--coin <ticker>', 'only swaps that trade this coin, on either side')
    .addOption(outcome)
    .addOption(new Option('--role <role>', 'only logs of this side').choices(['maker', 'taker']))
    .option('--state <state>', 'only swaps in this state')
    .option('--anomaly <code>', 'only logs with this anomaly, or any for logs with an anomaly of any kind')
    .option('--since <time>', 'only swaps that started at or after this time: ISO 8601, Unix seconds, or now', moment)
    .option('--until <time>', 'only swaps that started before this time', moment)
    .addOption(new Option('--sort <key>', 'sort by this; by default, keep the order of the inputs').choices(SORT_KEYS))
    .option('--limit <n>', 'show at most this many swaps', wholeNumber({ from: 1 }));
}
