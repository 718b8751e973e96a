// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface AnyToken {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// The interface of the swap contract with another inside: what it keeps lies elsewhere and is packed in another way, it refuses with
/// texts, looks at its rules in another order, and tells of a payment after its coins have moved. For tests alone.
contract PlainOtherHtlc {
    event PaymentSent(bytes32 id);
    event ReceiverSpent(bytes32 id, bytes32 secret);
    event SenderRefunded(bytes32 id);

    // Another slot than that of a contract that begins with its payments.
    address private maker = msg.sender;
    /// From the lowest byte up: the state, the lock time, the hash. More than one word would not fit into the gas that wallets give.
    mapping(bytes32 id => uint256) private words;

    uint256 internal constant SENT = 1;
    uint256 internal constant CLAIMED = 2;
    uint256 internal constant REFUNDED = 3;

    function payments(bytes32 id) external view returns (bytes20 paymentHash, uint64 lockTime, uint8 state) {
        uint256 word = words[id];
        return (bytes20(uint160(word >> 72)), uint64(word >> 8), uint8(word));
    }

    function ethPayment(bytes32 id, address receiver, bytes20 secretHash, uint64 lockTime) external payable {
        require(msg.value != 0, "no ether");
        keep(id, receiver, ripemd160(abi.encodePacked(receiver, msg.sender, secretHash, address(0), msg.value)), lockTime);
        emit PaymentSent(id);
    }

    function erc20Payment(
        bytes32 id,
        uint256 amount,
        address token,
        address receiver,
        bytes20 secretHash,
        uint64 lockTime
    ) external {
        require(amount != 0, "no tokens");
        keep(id, receiver, ripemd160(abi.encodePacked(receiver, msg.sender, secretHash, token, amount)), lockTime);
        require(AnyToken(token).transferFrom(msg.sender, address(this), amount), "the token refuses");
        emit PaymentSent(id);
    }

    function receiverSpend(bytes32 id, uint256 amount, bytes32 secret, address token, address sender) external {
        bytes20 secretHash = ripemd160(abi.encodePacked(sha256(abi.encodePacked(secret))));
        finish(id, ripemd160(abi.encodePacked(msg.sender, sender, secretHash, token, amount)), CLAIMED);
        give(token, msg.sender, amount);
        emit ReceiverSpent(id, secret);
    }

    function senderRefund(bytes32 id, uint256 amount, bytes20 secretHash, address token, address receiver) external {
        finish(id, ripemd160(abi.encodePacked(receiver, msg.sender, secretHash, token, amount)), REFUNDED);
        give(token, msg.sender, amount);
        emit SenderRefunded(id);
    }

    function keep(bytes32 id, address receiver, bytes20 hash, uint64 lockTime) internal {
        require(receiver != address(0), "nobody receives");
        require(words[id] == 0, "the id is taken");
        words[id] = (uint256(uint160(hash)) << 72) | (uint256(lockTime) << 8) | SENT;
    }

    function finish(bytes32 id, bytes20 hash, uint256 end) internal {
        uint256 word = words[id];
        require(uint160(hash) == word >> 72, "not these terms");
        require(uint8(word) == SENT, "not open");
        require(end == CLAIMED || block.timestamp >= uint64(word >> 8), "too early");
        words[id] = (word & ~uint256(0xff)) | end;
    }

    function give(address token, address to, uint256 amount) internal {
        if (amount == 0) return;
        if (token == address(0)) {
            (bool done,) = to.call{value: amount}("");
            require(done, "the account refuses");
        } else {
            require(AnyToken(token).transfer(to, amount), "the token refuses");
        }
    }
}

/// The same with the functions of rewards.
contract WatchedOtherHtlc is PlainOtherHtlc {
    struct Reward {
        uint8 target;
        bool onClaim;
        uint256 amount;
    }

    function ethPaymentReward(
        bytes32 id,
        address receiver,
        bytes20 secretHash,
        uint64 lockTime,
        uint8 target,
        bool onClaim,
        uint256 amount
    ) external payable {
        require(msg.value > amount, "the reward takes all");
        bytes memory plain = abi.encodePacked(receiver, msg.sender, secretHash, address(0), msg.value);
        keep(id, receiver, withReward(plain, Reward(target, onClaim, amount)), lockTime);
        emit PaymentSent(id);
    }

    function erc20PaymentReward(
        bytes32 id,
        uint256 amount,
        address token,
        address receiver,
        bytes20 secretHash,
        uint64 lockTime,
        uint8 target,
        bool onClaim,
        uint256 rewardAmount
    ) external payable {
        bytes memory plain = abi.encodePacked(receiver, msg.sender, secretHash, token, amount);
        {
            Reward memory reward = Reward(target, onClaim, rewardAmount);
            require(msg.value == (besides(token, reward) ? rewardAmount : 0), "another reward");
            plain = abi.encodePacked(withReward(plain, reward));
        }
        keep(id, receiver, bytes20(plain), lockTime);
        require(AnyToken(token).transferFrom(msg.sender, address(this), amount), "the token refuses");
        emit PaymentSent(id);
    }

    function receiverSpendReward(
        bytes32 id,
        uint256 amount,
        bytes32 secret,
        address token,
        address sender,
        address receiver,
        uint8 target,
        bool onClaim,
        uint256 rewardAmount
    ) external {
        bytes memory plain = abi.encodePacked(receiver, sender, ripemd160(abi.encodePacked(sha256(abi.encodePacked(secret)))));
        plain = abi.encodePacked(plain, token, amount);
        Reward memory reward = Reward(target, onClaim, rewardAmount);
        finish(id, withReward(plain, reward), CLAIMED);
        give(token, receiver, rest(amount, token, reward));
        if (target == 3 || onClaim) give(coinOf(token, reward), msg.sender, rewardAmount);
        else if (target == 2) give(coinOf(token, reward), sender, rewardAmount);
        emit ReceiverSpent(id, secret);
    }

    function senderRefundReward(
        bytes32 id,
        uint256 amount,
        bytes20 secretHash,
        address token,
        address sender,
        address receiver,
        uint8 target,
        bool onClaim,
        uint256 rewardAmount
    ) external {
        bytes memory plain = abi.encodePacked(receiver, sender, secretHash, token, amount);
        Reward memory reward = Reward(target, onClaim, rewardAmount);
        finish(id, withReward(plain, reward), REFUNDED);
        give(token, sender, rest(amount, token, reward));
        if (isTaken(reward)) give(coinOf(token, reward), target == 0 ? sender : msg.sender, rewardAmount);
        emit SenderRefunded(id);
    }

    function withReward(bytes memory plain, Reward memory reward) private pure returns (bytes20) {
        return ripemd160(abi.encodePacked(plain, reward.target, reward.onClaim, reward.amount));
    }

    function isTaken(Reward memory reward) private pure returns (bool) {
        return reward.target != 0 || reward.onClaim;
    }

    /// Ether that comes beside tokens.
    function besides(address token, Reward memory reward) private pure returns (bool) {
        return token != address(0) && reward.target != 3 && isTaken(reward);
    }

    function coinOf(address token, Reward memory reward) private pure returns (address) {
        return besides(token, reward) ? address(0) : token;
    }

    function rest(uint256 amount, address token, Reward memory reward) private pure returns (uint256) {
        return isTaken(reward) && !besides(token, reward) ? amount - reward.amount : amount;
    }
}
