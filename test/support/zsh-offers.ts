import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { runCli, scratchFolder } from './cli.ts';

// A completion of zsh works at a terminal alone, so a shell runs on one of its own: whatever it would offer is printed behind a mark.

const OFFER = '\u0001';
const DONE = '\u0002';

/** What the shell at the terminal runs first. Matches that are looked up into an array are only looked at, and offer nothing yet. */
const INSIDE = `autoload -U compinit; compinit -u -D
source "$SWAPFOLD_SCRIPT"
compadd() {
  if (( \${argv[(I)-[a-zA-Z]#[OAD]]} )); then builtin compadd "$@"; return; fi
  typeset -a hits
  builtin compadd -A hits "$@"
  print -rl -- $'\\1'\${^hits}
  return $(( ! $#hits ))
}
finish() { print -n $'\\2'; comppostfuncs=(finish) }
comppostfuncs=(finish)
bindkey '^I' complete-word
print ready
`;

/** Types each line after the one before it is wiped, and asks for what completes it. */
const OUTSIDE = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT= ; unsetopt beep; source $SWAPFOLD_INSIDE"
zpty -m -r shell seen $'*ready*'
for line in "$@"; do
  zpty -w -n shell $'\\025'"$line"$'\\t'
  zpty -m -r shell seen $'*\\2*'
  print -r -- "$seen"
done
zpty -d shell
`;

/** What zsh offers for each line, in alphabetical order, in a folder with `stored-1.json` and `stored-2.json`. */
export async function zshOffers(lines: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const { code, out } = await runCli(['completion', 'zsh']);
  expect(code).toBe(0);
  const files = { 'stored-1.json': '{}', 'stored-2.json': '{}' };
  using scratch = scratchFolder({ script: out, inside: INSIDE, outside: OUTSIDE, ...files });
  const env = { ...process.env, SWAPFOLD_SCRIPT: scratch.file('script'), SWAPFOLD_INSIDE: scratch.file('inside') };
  const given = spawnSync('zsh', ['-f', scratch.file('outside'), ...lines], {
    cwd: scratch.path,
    env,
    encoding: 'utf8',
    timeout: 120_000,
  });
  expect([given.status, given.stderr]).toEqual([0, '']);
  const answers = given.stdout.split(DONE).slice(0, lines.length);
  return new Map(lines.map((line, index) => [line, offersIn(answers[index] ?? '')]));
}

function offersIn(answer: string): readonly string[] {
  const offers = answer.split(OFFER).slice(1);
  return offers.map((offer) => offer.split(/[\r\n]/)[0] ?? '').toSorted();
}
