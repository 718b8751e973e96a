import { describe, expect, it } from 'vitest';
import { startedText } from '../../../../src/cli/render/serve.ts';

const opened = {
  ...{ url: 'http://127.0.0.1:7783/', publicKey: '02ab', tickers: ['ETH', 'DOC'], log: '/DB/swapfold.db' },
  ...{ needed: [], before: [], again: [], lost: [], ignored: [], warnings: [], network: null, offline: true },
};

describe('what a served node prints when it listens', () => {
  it('is its name and where it stores', () => {
    expect(startedText(opened, { columns: 100 })).toBe(`The node listens on http://127.0.0.1:7783/
  key    02ab
  coins  2 coins are configured; none is active before it is enabled
  swaps  /DB/swapfold.db
  net    off (disable_p2p): this node connects to no other node
`);
  });

  it('and which coins come back, which do not, why, and which call activates them again', () => {
    const text = startedText(
      {
        ...opened,
        again: ['ETH', 'USDC'],
        lost: [
          {
            ticker: 'BNB',
            coins: ['BNB', 'TOK'],
            withheld: ['/nodes/1/url', '/gas_station_url'],
            call: 'task::enable_eth::init',
          },
        ],
        before: [
          { method: 'enable', coins: ['DOC', 'MATIC'] },
          { method: 'enable_tendermint_with_assets', coins: ['ATOM', 'IBC'] },
        ],
      },
      { columns: 300 },
    );
    expect(text.split('\n').slice(2, -1)).toEqual([
      '  coins  2 coins are configured; none except those under "again" is active before it is enabled',
      '  swaps  /DB/swapfold.db',
      '  net    off (disable_p2p): this node connects to no other node',
      '  again  ETH, USDC: this node activates them again as soon as their nodes answer',
      '  not    BNB, TOK: active before, but not activated again, because the log holds no passwords or keys of URLs; call task::enable_eth::init with params.nodes[1].url, params.gas_station_url in full',
      '  before DOC, MATIC: active until the node stopped, but not activated again; call enable',
      '  before ATOM, IBC: active until the node stopped, but not activated again; call enable_tendermint_with_assets',
    ]);
  });
});
