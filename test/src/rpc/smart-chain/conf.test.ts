import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { confPath, openConf, parseConf, readConf, setConfPort } from '../../../../src/rpc/smart-chain/conf.ts';
import { systemRandom } from '../../../../src/runtime/host/random-system.ts';
import { scratchFolder } from '../../../support/cli.ts';

const zeros = { bytes: (count: number) => new Uint8Array(count) };

describe('a conf file', () => {
  it('is read as the node writes it', () => {
    const text = [
      '# made by a node',
      'rpcuser=user1234',
      'rpcpassword=pass99 # not to be told',
      ' rpcport = 14268 ',
      'rpcport=1',
      'server=1',
      'rpcworkqueue=256',
      'rpcallowip=127.0.0.1',
      'rpcallowip=10.0.0.0/8',
      'rpcbind=127.0.0.1',
      'no setting',
      '=nothing',
    ].join('\r\n');
    const conf = parseConf(text, 'X.conf');
    expect(conf.password.reveal()).toBe('pass99');
    expect({ ...conf, password: String(conf.password), others: [...conf.others] }).toEqual({
      user: 'user1234',
      password: '[redacted]',
      port: 14_268,
      bind: '127.0.0.1',
      allow: ['127.0.0.1', '10.0.0.0/8'],
      workQueue: 256,
      others: [['server', '1']],
    });
  });

  it('needs only a user and a password', () => {
    const { port, bind, allow, workQueue } = parseConf('rpcuser=u\nrpcpassword=p', 'X.conf');
    expect({ port, bind, allow, workQueue }).toEqual({
      port: 7771,
      bind: '127.0.0.1',
      allow: [],
      workQueue: undefined,
    });
  });

  it.each([
    ['rpcpassword=veryhidden', 'rpcuser is not set'],
    ['rpcuser=u', 'rpcpassword is not set'],
    ['rpcuser=u\nrpcpassword=', 'rpcpassword is not set'],
    ['rpcuser=u\nrpcpassword=veryhidden\nrpcport=70000', 'rpcport is not a number up to 65535'],
    ['rpcuser=u\nrpcpassword=veryhidden\nrpcport=x', 'rpcport is not a number up to 65535'],
  ])('%j is refused: %s', (text, fault) => {
    const read = () => parseConf(text, 'X.conf');
    expect(read).toThrow(
      expect.objectContaining({ code: 'SMARTCHAIN_OPTION_INVALID', facts: { file: 'X.conf', fault } }),
    );
    expect(read).not.toThrow(/veryhidden/);
  });

  it('is made with a random password, for its owner alone, and then read', async () => {
    using scratch = scratchFolder();
    const path = confPath(scratch.path, 'SWAP');
    expect(path).toBe(scratch.file('SWAP.conf'));
    expect(await readConf(path)).toBeUndefined();
    const made = await openConf(path, { random: systemRandom, port: 9000, settings: { ac_supply: '5' } });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(scratch.path)).toEqual(['SWAP.conf']);
    expect(made.password.reveal()).toMatch(/^pass[0-9a-f]{64}$/);
    expect([made.port, [...made.others]]).toEqual([9000, [['ac_supply', '5']]]);
    const again = await openConf(path, { random: zeros, port: 1 });
    expect([again.port, again.user, again.password.reveal()]).toEqual([9000, made.user, made.password.reveal()]);
  });

  it('has another password in each file', async () => {
    using scratch = scratchFolder();
    const made = await Promise.all(['a', 'b'].map((name) => openConf(scratch.file(name), { random: systemRandom })));
    expect(new Set(made.map(({ password }) => password.reveal())).size).toBe(2);
  });

  it('is made once when two make it at the same time', async () => {
    using scratch = scratchFolder();
    const path = scratch.file('X.conf');
    const made = await Promise.all([1, 2, 3].map(() => openConf(path, { random: systemRandom })));
    expect(new Set(made.map(({ password }) => password.reveal())).size).toBe(1);
  });

  it('that exists is never changed, not even a broken one', async () => {
    using scratch = scratchFolder();
    const path = scratch.file('X.conf');
    writeFileSync(path, 'rpcuser=u\n');
    await expect(openConf(path, { random: systemRandom })).rejects.toMatchObject({ code: 'SMARTCHAIN_OPTION_INVALID' });
    expect(readFileSync(path, 'utf8')).toBe('rpcuser=u\n');
  });
});

describe('the port of a conf file', () => {
  const LOGIN = 'rpcuser=u\nrpcpassword=p';
  it.each([
    ['is set where it stands first', `${LOGIN}\nrpcport=0\nrpcport=1\n`, `${LOGIN}\nrpcport=4711\nrpcport=1\n`],
    ['leaves remarks and blanks', ` rpcport = 7771 # mine\r\n${LOGIN}`, ` rpcport = 4711 # mine\r\n${LOGIN}`],
    ['is set where a remark names it', `#rpcport=1\n${LOGIN}\n`, `rpcport=4711\n#rpcport=1\n${LOGIN}\n`],
    [
      'stands above sections where there was none',
      `\ufeff${LOGIN}\n[test]\n`,
      `\ufeffrpcport=4711\n${LOGIN}\n[test]\n`,
    ],
    ['may be a nonsense that is set right', `${LOGIN}\nrpcport=\n`, `${LOGIN}\nrpcport=4711\n`],
  ])('%s', async (_name, text, expected) => {
    using scratch = scratchFolder({ 'X.conf': text });
    const path = confPath(scratch.path, 'X');
    await setConfPort(path, 4711);
    expect(readFileSync(path, 'utf8')).toBe(expected);
    expect((await readConf(path))?.port).toBe(4711);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('is reported if the file is missing', async () => {
    using scratch = scratchFolder();
    await expect(setConfPort(confPath(scratch.path, 'X'), 4711)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });
});
