import { secp256k1 } from '@noble/curves/secp256k1.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BITCOIN_FORM,
  type BuiltSpend,
  bytesToHex,
  completeSpendPreimage,
  concatBytes,
  type DecodedTransaction,
  decimalOf,
  decodeTransaction,
  dexFee,
  encodeTransaction,
  extractSecret,
  FINAL_SEQUENCE,
  feeOutputs,
  feeProblem,
  findPaymentOutput,
  type HtlcTerms,
  hash160,
  hexToBytes,
  inputKey,
  isTransactionProblem,
  keyInputScripts,
  type OutPoint,
  p2pkhScript,
  p2wpkhScript,
  parseScript,
  paymentOutputs,
  paymentProblem,
  paymentScript,
  pushData,
  type ScriptScheme,
  SIGHASH_ALL,
  type SpendRequest,
  secretHashOf,
  sha256,
  signatureHasher,
  signedSpend,
  spendSize,
  type TransactionOutput,
  takenBy,
  toBaseUnits,
  transactionId,
  unixSecondsOf,
  unsignedSpend,
  virtualSize,
  witnessSignatureHash,
} from '../../src/htlc/index.ts';
import { LITECOIND, type Litecoind, startLitecoind } from '../support/litecoind.ts';
import { describeWith } from '../support/optional-part.ts';
import { beginChain, mine, OWNER, reachedBy } from './funded-chain.ts';
import { secretAt } from './recipes.ts';

// What an embedder has beside `swapfold/htlc`: keys, a node, and a signer.
const signer = (secretKey: Uint8Array) => ({
  key: secp256k1.getPublicKey(secretKey, true),
  sign: (hash: Uint8Array) => secp256k1.sign(hash, secretKey, { prehash: false, lowS: true, format: 'der' }),
});
const owner = signer(secretAt(OWNER));
const receiver = signer(sha256(hexToBytes('07')));
const SECRET = sha256(hexToBytes('5ec4e7'));
const COIN = 5_000_000_000n;
const MINER_FEE = 20_000n;

type Coin = OutPoint & { readonly value: bigint; readonly scheme: 'p2pkh' | 'p2wpkh' };
type Made = { readonly bytes: Uint8Array; readonly txid: string; readonly transaction: DecodedTransaction };

/** Pays from one coin of the owner, with change by P2WPKH behind the given outputs. */
function pay(coin: Coin, outputs: readonly TransactionOutput[]): Made {
  const change = outputs.reduce((left, { value }) => left - value, coin.value - MINER_FEE);
  const draft: DecodedTransaction = {
    ...BITCOIN_FORM,
    inputs: [{ txid: coin.txid, vout: coin.vout, scriptSig: new Uint8Array(0), sequence: FINAL_SEQUENCE }],
    outputs: [...outputs, { value: change, script: p2wpkhScript(hash160(owner.key)) }],
    lockTime: 0,
  };
  const part = { input: 0, scriptCode: p2pkhScript(hash160(owner.key)), amount: coin.value, hashType: SIGHASH_ALL };
  const hash = coin.scheme === 'p2pkh' ? signatureHasher(draft)(part) : witnessSignatureHash(draft, part);
  const signature = concatBytes([owner.sign(hash as Uint8Array), Uint8Array.of(SIGHASH_ALL)]);
  const scripts = keyInputScripts({ scheme: coin.scheme, signature, key: owner.key });
  const transaction: DecodedTransaction = {
    ...draft,
    format: scripts.witness === undefined ? 'legacy' : 'segwit',
    inputs: draft.inputs.map((input) => ({ ...input, ...scripts })),
  };
  const bytes = encodeTransaction(transaction);
  return { bytes, transaction, txid: transactionId(bytes, transaction) };
}

function changeOf({ txid, transaction }: Made): Coin {
  const vout = transaction.outputs.length - 1;
  return { txid, vout, value: transaction.outputs[vout]?.value as bigint, scheme: 'p2wpkh' };
}

function spend(request: SpendRequest, secret?: Uint8Array): BuiltSpend {
  const unsigned = unsignedSpend(request);
  const by = request.kind === 'claim' ? receiver : owner;
  return signedSpend(unsigned, {
    signature: by.sign(unsigned.signatureHash),
    ...(secret === undefined ? {} : { secret }),
  });
}

describeWith(LITECOIND, 'payments, claims and refunds that are built with swapfold/htlc alone', () => {
  let node: Litecoind;
  let coins: Coin[];

  beforeAll(async () => {
    // Litecoin ships with replacement switched off.
    node = await startLitecoind(['-mempoolreplacement=1']);
    coins = (await beginChain(node)).map((coin) => ({ ...coin, value: COIN, scheme: 'p2pkh' }));
  }, 120_000);
  afterAll(() => node?.stop());

  const coin = () => coins.shift() as Coin;
  const send = async ({ bytes }: { readonly bytes: Uint8Array }): Promise<string> => {
    const [answer] = await node.batch([['sendrawtransaction', bytesToHex(bytes)]]);
    if (answer === undefined) throw new Error('no answer');
    return 'result' in answer ? String(answer.result) : `${answer.error.code}: ${answer.error.message}`;
  };
  const shown = async (txid: string) => {
    const raw = hexToBytes((await node.call('getrawtransaction', txid)) as string);
    const decoded = decodeTransaction(raw);
    if (isTransactionProblem(decoded)) throw new Error(decoded.problem);
    return { raw, decoded };
  };
  const told = async (txid: string) =>
    (await node.call('getrawtransaction', txid, true)) as {
      vsize: number;
      vout: { scriptPubKey: { type: string } }[];
    };
  const termsFor = async (hashBytes: 20 | 32): Promise<HtlcTerms> => ({
    lockTime: unixSecondsOf((await reachedBy(node)).medianTime + 3600),
    senderKey: owner.key,
    receiverKey: receiver.key,
    secretHash: secretHashOf(SECRET, hashBytes),
  });
  /** A payment that is in a block, and what a spend of it needs. */
  const paid = async (scheme: ScriptScheme, from = coin()) => {
    const terms = await termsFor(scheme === 'p2sh' ? 20 : 32);
    const value = toBaseUnits(decimalOf('1.23456789'));
    const payment = pay(from, paymentOutputs({ terms, scheme, value }));
    expect(await send(payment)).toBe(payment.txid);
    await mine(node, 1);
    const { decoded } = await shown(payment.txid);
    expect(paymentProblem(decoded, { terms, scheme, value })).toBeNull();
    const found = findPaymentOutput(decoded, { terms, scheme });
    expect(found).toEqual({ vout: 0, value });
    const base = {
      form: BITCOIN_FORM,
      scheme,
      terms,
      funding: { txid: payment.txid, vout: 0, value },
      fee: 5000n,
    };
    const claim: SpendRequest = { ...base, kind: 'claim', to: p2wpkhScript(hash160(receiver.key)) };
    const refund: SpendRequest = { ...base, kind: 'refund', to: p2pkhScript(hash160(owner.key)) };
    return { payment, terms, value, claim, refund };
  };
  const passLock = async (lockTime: number) => {
    await node.call('setmocktime', lockTime + 1);
    await mine(node, 12);
  };

  describe.each(['p2sh', 'p2wsh'] as const)('under %s', (scheme) => {
    const type = scheme === 'p2sh' ? 'scripthash' : 'witness_v0_scripthash';

    it('the claim is accepted before the lock, although its lock time is that of the payment, and shows the secret', async () => {
      const { payment, claim } = await paid(scheme);
      const types = (await told(payment.txid)).vout.map(({ scriptPubKey }) => scriptPubKey.type);
      expect(types.slice(0, 2)).toEqual([type, 'nulldata']);
      const built = spend(claim, SECRET);
      expect(built.transaction.lockTime).toBe(claim.terms.lockTime);
      expect(await send(built)).toBe(built.txid);
      const size = (await told(built.txid)).vsize;
      expect(virtualSize(built.transaction)).toBe(size);
      expect(spendSize(claim) - size).toBeGreaterThanOrEqual(0);
      expect(spendSize(claim) - size).toBeLessThanOrEqual(2);
      await mine(node, 1);
      const { raw, decoded } = await shown(built.txid);
      expect(extractSecret(raw, claim.terms.secretHash)).toEqual(SECRET);
      expect(takenBy(decoded, claim.funding)).toEqual({ how: 'secret', secret: SECRET });
    });

    it('a watcher completes the claim that the receiver signed', async () => {
      const { claim } = await paid(scheme);
      const preimage = spend(claim);
      expect(await send(preimage)).toMatch(/^-26: (mandatory|non-mandatory)-script-verify-flag/);
      const whole = completeSpendPreimage(preimage.bytes, SECRET);
      if (isTransactionProblem(whole)) throw new Error(whole.problem);
      expect(whole).toEqual(spend(claim, SECRET).bytes);
      expect(await send({ bytes: whole })).toMatch(/^[0-9a-f]{64}$/);
      await mine(node, 1);
    });

    it('the refund is taken once the median time past is above the lock, and not before', async () => {
      const { refund, terms } = await paid(scheme);
      const built = spend(refund);
      expect(await send(built)).toBe('-26: non-final');
      const early = { ...refund, terms, lockTime: unixSecondsOf(terms.lockTime - 1) };
      expect(() => unsignedSpend(early)).toThrow(expect.objectContaining({ code: 'HTLC_SPEND_INVALID' }));
      // Median time past equal to the lock is not yet above it.
      await node.call('setmocktime', terms.lockTime);
      for (let blocks = 0; (await reachedBy(node)).medianTime < terms.lockTime && blocks < 20; blocks++)
        await mine(node, 1);
      if ((await reachedBy(node)).medianTime === terms.lockTime) expect(await send(built)).toBe('-26: non-final');
      await passLock(terms.lockTime);
      expect(await send(built)).toBe(built.txid);
      await mine(node, 1);
      const { decoded } = await shown(built.txid);
      expect(takenBy(decoded, refund.funding)).toEqual({ how: 'refund' });
    });

    it('a claim that signals replacement is replaced by one with a higher fee, and a claim as KDF makes it is not', async () => {
      const signalling = await paid(scheme);
      const first = spend({ ...signalling.claim, replaceable: true }, SECRET);
      const second = spend({ ...signalling.claim, replaceable: true, fee: 25_000n }, SECRET);
      expect(await send(first)).toBe(first.txid);
      expect(await send(second)).toBe(second.txid);
      expect(await node.call('getrawmempool')).toEqual([second.txid]);
      const plain = await paid(scheme);
      const fixed = spend(plain.claim, SECRET);
      expect(await send(fixed)).toBe(fixed.txid);
      expect(await send(spend({ ...plain.claim, fee: 25_000n }, SECRET))).toBe('-26: txn-mempool-conflict');
      await mine(node, 1);
    });

    it('a refund that signals replacement is bound by the lock as well', async () => {
      const { refund, terms } = await paid(scheme);
      const cheap = spend({ ...refund, replaceable: true });
      expect(await send(cheap)).toBe('-26: non-final');
      await passLock(terms.lockTime);
      expect(await send(cheap)).toBe(cheap.txid);
      const dear = spend({ ...refund, replaceable: true, fee: 40_000n });
      expect(await send(dear)).toBe(dear.txid);
      await mine(node, 1);
    });

    it('nobody can spend it with the key of the other side', async () => {
      const { claim, refund, terms } = await paid(scheme);
      const swapped = unsignedSpend(claim);
      const foreign = signedSpend(swapped, { signature: owner.sign(swapped.signatureHash), secret: SECRET });
      expect(await send(foreign)).toMatch(/^-26: .*script-verify-flag/);
      await passLock(terms.lockTime);
      const back = unsignedSpend(refund);
      const stolen = signedSpend(back, { signature: receiver.sign(back.signatureHash) });
      expect(await send(stolen)).toMatch(/^-26: .*script-verify-flag/);
    });
  });

  it.each([
    ['a zero of one byte, which nodes relay', '0100', true],
    ['a negative zero, which nodes relay', '0180', true],
    ['a longer push of nothing, which only miners take', '4c00', false],
  ])('a claim beside %s spends the payment and shows the secret', async (_, zero, isRelayed) => {
    const { claim } = await paid('p2sh');
    const built = spend(claim, SECRET);
    const inputs = built.transaction.inputs.map((input) => {
      const [signature, secret, , script] = (parseScript(input.scriptSig) ?? []).map(({ data }) => data);
      const pushes = [signature, secret, script].map((data) => pushData(data ?? new Uint8Array(0)));
      pushes.splice(2, 0, hexToBytes(zero));
      return { ...input, scriptSig: concatBytes(pushes) };
    });
    const transaction = { ...built.transaction, inputs };
    const bytes = encodeTransaction(transaction);
    if (isRelayed) expect(await send({ bytes })).toBe(transactionId(bytes, transaction));
    else expect(await send({ bytes })).toMatch(/^-26: non-mandatory-script-verify-flag/);
    await mine(node, 1);
    expect(takenBy(transaction, claim.funding)).toEqual({ how: 'secret', secret: SECRET });
  });

  it('the change of one payment pays for the next, by witness', async () => {
    const { payment } = await paid('p2wsh');
    const next = await paid('p2sh', changeOf(payment));
    expect((await told(next.payment.txid)).vsize).toBe(virtualSize(next.payment.transaction));
    expect(await send(spend(next.claim, SECRET))).toMatch(/^[0-9a-f]{64}$/);
    await mine(node, 1);
  });

  it('a trading fee with its burn is accepted, and a maker finds in it who paid what', async () => {
    const fee = dexFee({ takerCoin: 'KMD', makerCoin: 'LTC', takerAmount: decimalOf('77.7') });
    const sent = pay(coin(), feeOutputs(fee));
    expect(await send(sent)).toBe(sent.txid);
    await mine(node, 1);
    const { decoded } = await shown(sent.txid);
    expect(feeProblem({ txid: sent.txid, outputs: decoded.outputs }, fee)).toBeNull();
    expect(decoded.inputs.map(inputKey)).toEqual([owner.key]);
    const types = (await told(sent.txid)).vout.map(({ scriptPubKey }) => scriptPubKey.type);
    expect(types).toEqual(['pubkeyhash', 'nulldata', 'witness_v0_keyhash']);
  });

  it('the scripts are those that the node makes of the same redeem script', async () => {
    const terms = await termsFor(20);
    const [inner] = paymentOutputs({ terms, value: 1n });
    const { decodescript } = { decodescript: 'decodescript' };
    const redeem = unsignedSpend({
      kind: 'claim',
      form: BITCOIN_FORM,
      terms,
      funding: { txid: 'ab'.repeat(32), vout: 0, value: 2n },
      to: inner?.script as Uint8Array,
      fee: 1n,
    }).redeemScript;
    const answer = (await node.call(decodescript, bytesToHex(redeem))) as {
      p2sh: string;
      segwit: { hex: string };
    };
    expect(answer.segwit.hex).toBe(bytesToHex(paymentScript({ terms, scheme: 'p2wsh' })));
    const address = (await node.call('validateaddress', answer.p2sh)) as { scriptPubKey: string };
    expect(address.scriptPubKey).toBe(bytesToHex(paymentScript({ terms })));
  });
});
