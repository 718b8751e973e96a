// A trading node in a process of its own, which is killed: its log is a file, its chain is real, and its device speaks the wire of a real one.
// Arguments: URL of the built `src/`, path of the log, port of the device, id of the chain, and the status in which its activations stay for ever ('-' for
// none; 'cancelling' for one that does not end when it is told to). Says its port on standard output.
import { createServer } from 'node:http';

const [, , root, path, devicePort, chainId, hold] = process.argv;
const load = (module) => import(new URL(module, root));
const { openSqliteLog } = await load('log/sqlite/index.js');
const { systemClock } = await load('runtime/host/clock-system.js');
const { systemRandom } = await load('runtime/host/random-system.js');
const { createNode } = await load('node/node.js');
const { coinsOf } = await load('node/coins-file.js');
const { walletOfPassphrase } = await load('node/keys.js');
const { Births } = await load('node/births.js');
const { EvmHomes } = await load('node/evm/homes.js');
const { createEvmActivator } = await load('node/evm/activator.js');
const { createNftProvider } = await load('chains/evm/nft/provider.js');
const { createInProcessNetwork } = await load('peers/in-process/index.js');
const { Secret } = await load('primitives/secret.js');
const { createTrezorWallet, hwErrorName } = await load('hardware/index.js');
const { withRpc } = await load('rpc/index.js');

const clock = systemClock();
const log = await openSqliteLog({ path });
const signer = walletOfPassphrase(new Secret('a passphrase of the suite'));
const logger = { info() {}, warn() {}, error() {} };
const births = new Births({ log, now: () => clock.now(), guardFor: 3600 });
const chain = createEvmActivator({
  ...{ homes: new EvmHomes(clock), clock, births, random: systemRandom, logger, finality: 3, poll: 10 },
  ...{ signer, log, compatibility: 'specification', usualConfirmations: 3, nfts: createNftProvider() },
  ...{ paths: null, device: null, remote: null },
});
const device = createTrezorWallet({ clock, port: Number(devicePort) });
const forever = () => new Promise(() => {});
const QUESTIONS = { pin: 'TrezorPin', passphrase: 'TrezorPassphrase' };

async function follow(step, talk) {
  for (let now = step; ; ) {
    if (now.kind === 'done' || now.kind === 'failed') return now;
    if (now.kind === 'button') {
      await talk.tell('FollowHwDeviceInstructions');
      now = await now.proceed();
    } else now = await now.enter(await talk.ask(QUESTIONS[now.kind]));
  }
}

/** Has the device show an address; then the coin is activated over its chain. */
async function activate(order, given) {
  if (hold === 'ActivatingCoin' || hold === 'cancelling') await forever();
  const tell = async (status) => {
    await given.tell(status);
    if (status === hold) await forever();
  };
  const talk = { signal: given.signal, ask: given.ask, tell };
  if (order.request.priv_key_policy.type === 'Trezor') {
    await tell('WaitingForDeviceToConnect');
    const connected = await follow(await device.connect({ waitMs: 300_000, signal: given.signal }), talk);
    if (connected.kind === 'failed')
      return { ok: false, fault: { type: 'HwError', data: hwErrorName(connected.fault) } };
    try {
      const shown = await follow(await connected.value.address({ path: "m/44'/60'/0'/0/0", show: true }), talk);
      if (shown.kind === 'failed') return { ok: false, fault: { type: 'HwError', data: hwErrorName(shown.fault) } };
    } finally {
      await connected.value.close();
    }
    await tell('ActivatingCoin');
  }
  const request = { ...order.request, priv_key_policy: { type: 'ContextPrivKey', session: null } };
  return chain.activate({ ...order, request }, talk);
}

const protocol = { type: 'ETH', protocol_data: { chain_id: Number(chainId) } };
const coins = coinsOf([{ coin: 'ETH', mm2: 1, trezor_coin: 'Ethereum', protocol }], 'the suite');
const peers = createInProcessNetwork().peer('a1'.repeat(32));
const node = withRpc(createNode({ coins, signer, log, clock, peers, logger, evm: { activate } }), {
  password: new Secret('a password of the suite'),
});
await node.start();
const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const asked = new Request('http://node/', { method: 'POST', body: Buffer.concat(chunks) });
  const answer = await node.fetch(asked, { address: '127.0.0.1', local: true });
  response.writeHead(answer.status).end(await answer.text());
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
