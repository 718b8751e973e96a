import { keccak256, numberToHex, toHex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { swapContractBytecode } from '../../../src/chains/evm/contract/artefact.ts';
import { isKnownAlready, refusalKind } from '../../../src/chains/evm/refusals.ts';
import { type Anvil, GENESIS, startAnvil } from '../../support/evm/anvil.ts';
import { claim, ETHER, type Payment, pay, refund, secretHash } from '../../support/evm/swap-contract.ts';
import { type Agreed, type Book, type Draft, FUNDS, ROLES, type Role, type Verdict } from './draft.ts';
import { idOf, secretsOf } from './secrets.ts';

export type Call = readonly [method: string, ...params: unknown[]];
export type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

const CHAIN_ID = 31_337;
const DEPLOYER = '0xf39fd6e51aad88f6f4ce6ab8827279cff8fb92266'.slice(0, 42);
/** Calls that are asked for at once. */
const MOST = 400;
/** Gas costs what a transaction offers, at any price; a block holds all that waits, in the order in which it came. */
const OPTIONS = [
  '--gas-price=0',
  '--block-base-fee-per-gas=0',
  '--gas-limit=3000000000',
  '--order=fifo',
  '--auto-impersonate',
];

/** A real node with our contract, asked in batches. */
export class LawNode {
  now = GENESIS;
  contract: Payment['token'] = ETHER;
  readonly #anvil: Anvil;

  private constructor(anvil: Anvil) {
    this.#anvil = anvil;
  }

  static async start(): Promise<LawNode> {
    const node = new LawNode(await startAnvil(OPTIONS));
    const id = await node.call('eth_sendTransaction', {
      from: DEPLOYER,
      data: swapContractBytecode,
      gas: numberToHex(5_000_000),
      gasPrice: '0x0',
    });
    await node.mine(GENESIS + 1);
    const { contractAddress } = (await node.call('eth_getTransactionReceipt', id)) as {
      readonly contractAddress: Payment['token'];
    };
    node.contract = contractAddress;
    return node;
  }

  stop(): void {
    this.#anvil.stop();
  }

  async call(...call: Call): Promise<unknown> {
    const [answer] = await this.batch([call]);
    if (answer === undefined || 'error' in answer) throw new Error(`${call[0]}: ${JSON.stringify(answer)}`);
    return answer.result;
  }

  /** Answers in the order of the calls. */
  async batch(calls: readonly Call[]): Promise<Answer[]> {
    const found: Answer[] = [];
    for (let from = 0; from < calls.length; from += MOST) {
      const part = calls.slice(from, from + MOST);
      const body = JSON.stringify(part.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params })));
      const response = await fetch(this.#anvil.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const answers = (await response.json()) as readonly (Answer & { readonly id: number })[];
      found.push(...[...answers].sort((one, other) => one.id - other.id));
    }
    return found;
  }

  /** A block with all that waits, at this time. */
  async mine(at: number): Promise<void> {
    await this.call('evm_mine', numberToHex(at));
    this.now = at;
  }
}

const NOTHING_AGREED: Agreed = { from: 'sender', to: 'receiver', amount: 0n, lock: 0, reward: null };

/** A sequence on the real node. Its places are put into the book by whoever asks the node for all sequences at once. */
export class AnvilSide {
  readonly built: { readonly hex: string; readonly id: string }[] = [];
  readonly accounts: Readonly<Record<Role, PrivateKeyAccount>>;
  readonly #name: string;
  readonly #node: LawNode;

  constructor(name: string, node: LawNode) {
    this.#name = name;
    this.#node = node;
    const account = (role: Role) => privateKeyToAccount(keccak256(toHex(`${role} of ${name}`)));
    this.accounts = { sender: account('sender'), receiver: account('receiver'), stranger: account('stranger') };
  }

  /** What gives the accounts their coins. */
  funding(): readonly Call[] {
    return ROLES.map((role) => ['anvil_setBalance', this.accounts[role].address, numberToHex(FUNDS)]);
  }

  async build(draft: Draft, book: Book): Promise<void> {
    const { by, nonce, price, gas, value } = draft;
    const { to, data } = this.#target(draft, book);
    const hex = await this.accounts[by].signTransaction({
      ...{ type: 'legacy', chainId: CHAIN_ID, nonce, gasPrice: BigInt(price), gas: BigInt(gas), value, to },
      ...(data === undefined ? {} : { data }),
    });
    this.built.push({ hex, id: keccak256(hex) });
  }

  /** What the node says, in the words of the chain port and by the rules of the shipped adapter. */
  verdictOf(tx: number, { answer, book }: { readonly answer: Answer; readonly book: Book }): Verdict {
    const { by, nonce } = book.drafts[tx] as Draft;
    if ('result' in answer) return book.free(by) < nonce ? 'nonceGap' : 'sent';
    if (isKnownAlready(answer.error)) return 'known';
    const kind = refusalKind(answer.error);
    // The adapter looks where it stands before it sends anything.
    if (kind === 'nonceUsed' && (book.standing(tx) ?? 0) > 0) return 'confirmed';
    return kind === 'unavailable' ? 'other' : (kind as Verdict);
  }

  /** The question by which the contract tells what it keeps. */
  asks(agreed: number, book: Book): Call {
    const { lock } = book.agreed[agreed] ?? { lock: 0 };
    const id = idOf(lock, secretsOf(this.#name, agreed).hash);
    return ['eth_call', { to: this.#node.contract, data: `0x0716326d${id}` }, 'latest'];
  }

  #target(draft: Draft, book: Book): Pick<ReturnType<typeof pay>, 'to' | 'data'> {
    const { call, by } = draft;
    if (call.kind === 'transfer') return { to: this.accounts[call.to].address, data: undefined };
    const payment = this.#payment(call.agreed, book);
    const to = this.#node.contract;
    if (call.kind === 'payment') return pay(to, { ...payment, receiver: this.#address(call.to) });
    const terms = {
      ...payment,
      amount: call.amount,
      secret: call.secret === 'right' ? payment.secret : this.#wrong(call.agreed),
    };
    const { forParty } = call;
    const named = { ...terms, reward: forParty?.reward };
    const actor = this.#address(forParty?.owner ?? by);
    const party = this.#address(call.party);
    return call.kind === 'claim'
      ? claim(to, { ...named, sender: party, receiver: actor })
      : refund(to, { ...named, receiver: party, sender: actor });
  }

  #payment(agreed: number, book: Book): Payment {
    const { from, to, amount, lock, reward } = book.agreed[agreed] ?? NOTHING_AGREED;
    const { secret, hash } = secretsOf(this.#name, agreed);
    const payment = {
      sender: this.#address(from),
      receiver: this.#address(to),
      token: ETHER,
      amount,
      lockTime: lock,
      reward: reward ?? undefined,
    } as const;
    if (secretHash(`0x${secret}`) !== `0x${hash}`) throw new Error('two pieces of arithmetic differ');
    return { ...payment, id: `0x${idOf(lock, hash)}`, secret: `0x${secret}` };
  }

  #wrong(agreed: number): Payment['secret'] {
    return `0x${secretsOf(this.#name, agreed).wrong}`;
  }

  #address(role: Role | 'nobody'): Payment['sender'] {
    return role === 'nobody' ? ETHER : this.accounts[role].address;
  }
}
