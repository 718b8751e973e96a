import { nearestMember } from '../../node/config.ts';
import type { LostCoins } from '../../node/tasks/after-restart.ts';
import type { CoinsBefore, OpenedNode } from '../serve/trading-node.ts';
import { fitted } from './fitted.ts';
import { clean, type Style } from './text.ts';

/** What a served node tells when it listens: how it is called, and what becomes of the coins that were active before. */
export function startedText(opened: Omit<OpenedNode, 'close'>, { columns }: Pick<Style, 'columns'>): string {
  const { url, publicKey, log, needed, before, again, lost, ignored, warnings } = opened;
  const lines = [
    `The node listens on ${url}`,
    `  key    ${publicKey}`,
    `  coins  ${coinsText(opened)}`,
    `  swaps  ${log}`,
    `  net    ${networkText(opened)}`,
    ...(needed.length === 0 ? [] : [`  swaps resume once these coins are active: ${needed.join(', ')}`]),
    ...(again.length === 0
      ? []
      : [`  again  ${again.join(', ')}: this node activates them again as soon as their nodes answer`]),
    ...lost.map((coins) => `  not    ${lostText(coins)}`),
    ...before.map((coins) => `  before ${beforeText(coins)}`),
    ...(ignored.length === 0 ? [] : [`  conf   without effect: ${ignored.map(withMeant).join(', ')}`]),
    ...warnings.map((text) => `  look   ${text}`),
  ];
  return fitted(`${lines.map(clean).join('\n')}\n`, columns);
}

function coinsText({ tickers, again }: Pick<OpenedNode, 'tickers' | 'again'>): string {
  const coins = tickers.length === 1 ? '1 coin is' : `${tickers.length} coins are`;
  const but = again.length === 0 ? '' : ' except those under "again"';
  return `${coins} configured; none${but} is active before it is enabled`;
}

function lostText({ coins, withheld, call }: LostCoins): string {
  const members = withheld.map(memberOf).join(', ');
  return (
    `${coins.join(', ')}: active before, but not activated again, because the log holds no passwords or keys of ` +
    `URLs; call ${call} with ${members} in full`
  );
}

/** `/nodes/0/url` as `params.nodes[0].url`. */
function memberOf(pointer: string): string {
  const path = pointer.slice(1).replaceAll(/\/(\d+)/g, '[$1]');
  return `params.${path.replaceAll('/', '.')}`;
}

function beforeText({ coins, method }: CoinsBefore): string {
  return `${coins.join(', ')}: active until the node stopped, but not activated again; call ${method}`;
}

function networkText({ network, offline }: Pick<OpenedNode, 'network' | 'offline'>): string {
  if (offline) return 'off (disable_p2p): this node connects to no other node';
  if (network === null) {
    return (
      'alone: this node connects to no other node, because no seed node is configured (seednodes) and it is not ' +
      'one itself (i_am_seed)'
    );
  }
  const { netid, seeds, addresses } = network;
  const own = addresses.length === 0 ? [] : [`seed node on ${addresses.join(', ')}`];
  const others = seeds.length === 0 ? [] : [`over ${seeds.join(', ')}`];
  return [`network ${netid}`, ...own, ...others].join(', ');
}

function withMeant(name: string): string {
  const near = nearestMember(name);
  return near === undefined ? name : `${name} (did you mean ${near}?)`;
}
