import { type Command, Option } from 'commander';
import { OUTCOMES } from '../../machines/swap-verdict.ts';
import { moment, wholeNumber } from './arguments.ts';
import { SORT_KEYS } from './sort-keys.ts';

/** Options that choose among swaps, the same for each command that tells of them. */
export function selecting(
  command: Command,
  outcome = new Option('--outcome <outcome>', 'only swaps with this outcome').choices(OUTCOMES),
): Command {
  return command
    .option('--coin <ticker>', 'only swaps of this coin, on either side')
    .addOption(outcome)
    .addOption(new Option('--role <role>', 'only logs of this side').choices(['maker', 'taker']))
    .option('--state <state>', 'only swaps in this state of the machine')
    .option('--anomaly <code>', 'only logs with this anomaly; any for logs with any')
    .option('--since <time>', 'only swaps that began then or later: ISO 8601, unix seconds, or now', moment)
    .option('--until <time>', 'only swaps that began before then', moment)
    .addOption(new Option('--sort <key>', 'sort by this instead of keeping the order of the inputs').choices(SORT_KEYS))
    .option('--limit <n>', 'at most this many', wholeNumber({ from: 1 }));
}
