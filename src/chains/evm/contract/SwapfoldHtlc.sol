// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What the contract asks of a token beside transfers.
interface Balances {
    function balanceOf(address owner) external view returns (uint256);
}

/// Hash time locks for ether and ERC-20 tokens, one payment under each id. Whoever shows the secret may claim a payment for its
/// receiver, without a time limit; from the lock time on it may be refunded instead. Nobody owns the contract, and nothing can
/// change it or stop it.
///
///  - SC1: An id serves one payment, and ends once: claimed or refunded. What is claimed or refunded is what was paid: receiver,
///    sender, secret hash, token, amount and reward are those of the stored hash.
///  - SC2: A claim needs the secret. A refund needs a block whose time has reached the lock time.
///  - SC3: For an id the contract pays out at most what it took for it, in each coin.
///  - SC4: Who calls a plain function is the party that the payment names; the reward functions may be called by anybody, and pay
///    the amount to the parties alone.
///  - SC5: A payment is stored before any coin moves, and has ended before any coin moves; what cannot be paid out undoes the whole
///    call, so that the payment stays open. One exception: a sender that does not take its reward back stops no claim (SC7).
///  - SC6: A token must move what it is asked to move. A payment of which another amount arrives is refused.
///  - SC7: No party but the one that is paid, or that calls, can make a claim or a refund fail.
contract SwapfoldHtlc {
    enum State {
        Uninitialized,
        PaymentSent,
        ReceiverSpent,
        SenderRefunded
    }

    struct Payment {
        bytes20 paymentHash;
        uint64 lockTime;
        State state;
    }

    /// What a payment's hash is made of when it carries a reward.
    struct Terms {
        address receiver;
        address sender;
        bytes20 secretHash;
        address token;
        uint256 amount;
        uint8 rewardTarget;
        bool sendsContractRewardOnSpend;
        uint256 rewardAmount;
    }

    event PaymentSent(bytes32 id);
    event ReceiverSpent(bytes32 id, bytes32 secret);
    event SenderRefunded(bytes32 id);

    /// The id already has a payment, open or ended.
    error IdAlreadyUsed();
    /// The amount is zero.
    error NothingPaid();
    /// The receiver is the zero address or this contract, neither of which can claim.
    error ReceiverCannotClaim();
    /// The id has no payment, or its payment has ended.
    error PaymentNotOpen();
    /// A party, the secret, the token, the amount or the reward is not that of the payment.
    error TermsDiffer();
    /// The block's time is before the lock time.
    error LockedUntil(uint64 lockTime);
    /// The reward target is none of 0 to 3.
    error UnknownRewardTarget(uint8 rewardTarget);
    /// One reward cannot go both to the target and to whoever claims.
    error RewardPromisedTwice();
    /// The reward is part of the amount and leaves nothing of it.
    error RewardTakesAll();
    /// The ether that came along is not the reward.
    error WrongRewardValue(uint256 expected);
    /// There is no contract at the token's address.
    error TokenHasNoCode();
    /// The token refused a transfer: it reverted, or returned something else than true.
    error TokenRefused();
    /// Another amount of the token arrived than was to be paid.
    error TokenAmountDiffers();
    /// The account does not take ether.
    error EtherRefused();
    /// A token called back for another payment while one was being taken.
    error PaymentUnderWay();

    uint8 private constant TARGET_NONE = 0;
    uint8 private constant TARGET_CONTRACT = 1;
    uint8 private constant TARGET_SENDER = 2;
    uint8 private constant TARGET_SPENDER = 3;
    /// Stands for ether in the place of a token.
    address private constant ETHER = address(0);

    mapping(bytes32 id => Payment) public payments;
    bool private idle = true;

    /// What arrives of a token is measured by the contract's balance, so that another payment meanwhile would count as part of it.
    modifier onePaymentAtATime() {
        if (!idle) revert PaymentUnderWay();
        idle = false;
        _;
        idle = true;
    }

    /// Pays the value of the call to whoever is `receiver` and shows the secret.
    function ethPayment(bytes32 id, address receiver, bytes20 secretHash, uint64 lockTime) external payable {
        bytes20 hash = plainHash(receiver, msg.sender, secretHash, ETHER, msg.value);
        open(id, hash, receiver, msg.value, lockTime);
    }

    /// Pays `amount` of a token, which the caller has approved, to whoever is `receiver` and shows the secret.
    function erc20Payment(
        bytes32 id,
        uint256 amount,
        address token,
        address receiver,
        bytes20 secretHash,
        uint64 lockTime
    ) external onePaymentAtATime {
        open(id, plainHash(receiver, msg.sender, secretHash, token, amount), receiver, amount, lockTime);
        take(token, amount);
    }

    /// The receiver's claim. `token` is zero for ether.
    function receiverSpend(bytes32 id, uint256 amount, bytes32 secret, address token, address sender) external {
        close(id, plainHash(msg.sender, sender, hashOf(secret), token, amount), State.ReceiverSpent);
        emit ReceiverSpent(id, secret);
        pay(token, msg.sender, amount);
    }

    /// The sender's refund. `token` is zero for ether.
    function senderRefund(bytes32 id, uint256 amount, bytes20 secretHash, address token, address receiver) external {
        expired(id);
        close(id, plainHash(receiver, msg.sender, secretHash, token, amount), State.SenderRefunded);
        emit SenderRefunded(id);
        pay(token, msg.sender, amount);
    }

    /// As `ethPayment`, with a reward that is part of the value: see `rewardIsTaken`.
    function ethPaymentReward(
        bytes32 id,
        address receiver,
        bytes20 secretHash,
        uint64 lockTime,
        uint8 rewardTarget,
        bool sendsContractRewardOnSpend,
        uint256 rewardAmount
    ) external payable {
        Terms memory terms = Terms(
            receiver, msg.sender, secretHash, ETHER, msg.value, rewardTarget, sendsContractRewardOnSpend, rewardAmount
        );
        checkReward(terms);
        open(id, rewardHash(terms), receiver, msg.value, lockTime);
    }

    /// As `erc20Payment`, with a reward: part of the amount where whoever claims is the target, else ether that comes along.
    function erc20PaymentReward(
        bytes32 id,
        uint256 amount,
        address token,
        address receiver,
        bytes20 secretHash,
        uint64 lockTime,
        uint8 rewardTarget,
        bool sendsContractRewardOnSpend,
        uint256 rewardAmount
    ) external payable onePaymentAtATime {
        Terms memory terms = Terms(
            receiver, msg.sender, secretHash, token, amount, rewardTarget, sendsContractRewardOnSpend, rewardAmount
        );
        checkReward(terms);
        uint256 beside = rewardIsTaken(terms) && !rewardIsInAmount(terms) ? rewardAmount : 0;
        if (msg.value != beside) revert WrongRewardValue(beside);
        open(id, rewardHash(terms), receiver, amount, lockTime);
        take(token, amount);
    }

    /// A claim for `receiver`, by anybody who knows the secret.
    function receiverSpendReward(
        bytes32 id,
        uint256 amount,
        bytes32 secret,
        address token,
        address sender,
        address receiver,
        uint8 rewardTarget,
        bool sendsContractRewardOnSpend,
        uint256 rewardAmount
    ) external {
        Terms memory terms = Terms(
            receiver, sender, hashOf(secret), token, amount, rewardTarget, sendsContractRewardOnSpend, rewardAmount
        );
        close(id, rewardHash(terms), State.ReceiverSpent);
        emit ReceiverSpent(id, secret);
        payClaim(terms);
    }

    /// A refund for `sender`, by anybody.
    function senderRefundReward(
        bytes32 id,
        uint256 amount,
        bytes20 secretHash,
        address token,
        address sender,
        address receiver,
        uint8 rewardTarget,
        bool sendsContractRewardOnSpend,
        uint256 rewardAmount
    ) external {
        Terms memory terms = Terms(
            receiver, sender, secretHash, token, amount, rewardTarget, sendsContractRewardOnSpend, rewardAmount
        );
        expired(id);
        close(id, rewardHash(terms), State.SenderRefunded);
        emit SenderRefunded(id);
        payRefund(terms);
    }

    function open(bytes32 id, bytes20 hash, address receiver, uint256 amount, uint64 lockTime) private {
        if (payments[id].state != State.Uninitialized) revert IdAlreadyUsed();
        if (amount == 0) revert NothingPaid();
        if (receiver == address(0) || receiver == address(this)) revert ReceiverCannotClaim();
        payments[id] = Payment(hash, lockTime, State.PaymentSent);
        emit PaymentSent(id);
    }

    function expired(bytes32 id) private view {
        Payment storage payment = payments[id];
        if (payment.state == State.PaymentSent && block.timestamp < payment.lockTime) {
            revert LockedUntil(payment.lockTime);
        }
    }

    function close(bytes32 id, bytes20 hash, State end) private {
        Payment storage payment = payments[id];
        if (payment.state != State.PaymentSent) revert PaymentNotOpen();
        if (payment.paymentHash != hash) revert TermsDiffer();
        payment.state = end;
    }

    function checkReward(Terms memory terms) private pure {
        if (terms.rewardTarget > TARGET_SPENDER) revert UnknownRewardTarget(terms.rewardTarget);
        bool toParty = terms.rewardTarget == TARGET_SENDER || terms.rewardTarget == TARGET_SPENDER;
        if (terms.sendsContractRewardOnSpend && toParty) revert RewardPromisedTwice();
        if (rewardIsTaken(terms) && rewardIsInAmount(terms) && terms.rewardAmount >= terms.amount) revert RewardTakesAll();
    }

    /// A reward without a target that is not sent on a claim either is a number and nothing else.
    function rewardIsTaken(Terms memory terms) private pure returns (bool) {
        return terms.rewardTarget != TARGET_NONE || terms.sendsContractRewardOnSpend;
    }

    /// The reward is in the coin of the payment and part of its amount; otherwise it is ether beside a payment of tokens.
    function rewardIsInAmount(Terms memory terms) private pure returns (bool) {
        return terms.token == ETHER || terms.rewardTarget == TARGET_SPENDER;
    }

    function payClaim(Terms memory terms) private {
        (uint256 rest, uint256 reward, address rewardToken) = split(terms);
        pay(terms.token, terms.receiver, rest);
        if (reward == 0) return;
        if (terms.rewardTarget == TARGET_SPENDER || terms.sendsContractRewardOnSpend) {
            pay(rewardToken, msg.sender, reward);
        } else if (terms.rewardTarget == TARGET_SENDER) {
            // With the gas of a bare transfer and whatever comes of it: a sender that could make the claim fail would have the secret
            // from the failed call, and its own refund later. Refused, the reward stays here.
            sendEther(terms.sender, reward, 0);
        }
        // A reward of the contract stays here when it is not sent on a claim.
    }

    function payRefund(Terms memory terms) private {
        (uint256 rest, uint256 reward, address rewardToken) = split(terms);
        if (terms.rewardTarget != TARGET_NONE) {
            pay(terms.token, terms.sender, rest);
            pay(rewardToken, msg.sender, reward);
        } else if (rewardIsInAmount(terms)) {
            pay(terms.token, terms.sender, terms.amount);
        } else {
            pay(terms.token, terms.sender, rest);
            pay(ETHER, terms.sender, reward);
        }
    }

    /// What was taken, parted into the reward with its coin, and the rest of the amount.
    function split(Terms memory terms) private pure returns (uint256 rest, uint256 reward, address rewardToken) {
        reward = rewardIsTaken(terms) ? terms.rewardAmount : 0;
        bool inAmount = rewardIsInAmount(terms);
        rest = inAmount ? terms.amount - reward : terms.amount;
        rewardToken = inAmount ? terms.token : ETHER;
    }

    function take(address token, uint256 amount) private {
        if (token.code.length == 0) revert TokenHasNoCode();
        uint256 before = Balances(token).balanceOf(address(this));
        callToken(token, abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, address(this), amount));
        if (Balances(token).balanceOf(address(this)) != before + amount) revert TokenAmountDiffers();
    }

    function pay(address token, address to, uint256 amount) private {
        if (amount == 0) return;
        if (token != ETHER) {
            callToken(token, abi.encodeWithSignature("transfer(address,uint256)", to, amount));
        } else if (!sendEther(to, amount, gasleft())) {
            revert EtherRefused();
        }
    }

    /// Tokens of the first years return nothing; what a token returns must be true, and what returns nothing must be a contract.
    function callToken(address token, bytes memory data) private {
        if (token.code.length == 0) revert TokenHasNoCode();
        (bool done, bytes memory answer) = token.call(data);
        bool agreed = answer.length == 0 || (answer.length >= 32 && abi.decode(answer, (uint256)) == 1);
        if (!done || !agreed) revert TokenRefused();
    }

    /// What the account answers is not copied, so that it cannot cost anything. A call with a value has 2300 gas more than is given.
    function sendEther(address to, uint256 amount, uint256 gasGiven) private returns (bool taken) {
        assembly ("memory-safe") {
            taken := call(gasGiven, to, amount, 0, 0, 0, 0)
        }
    }

    function hashOf(bytes32 secret) private pure returns (bytes20) {
        return ripemd160(abi.encodePacked(sha256(abi.encodePacked(secret))));
    }

    function plainHash(address receiver, address sender, bytes20 secretHash, address token, uint256 amount)
        private
        pure
        returns (bytes20)
    {
        return ripemd160(abi.encodePacked(receiver, sender, secretHash, token, amount));
    }

    function rewardHash(Terms memory terms) private pure returns (bytes20) {
        return ripemd160(
            abi.encodePacked(
                abi.encodePacked(terms.receiver, terms.sender, terms.secretHash, terms.token, terms.amount),
                terms.rewardTarget,
                terms.sendsContractRewardOnSpend,
                terms.rewardAmount
            )
        );
    }
}
