// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "./OtherHtlc.sol";

/// Tells of a payment whatever it is called with, and keeps nothing: the event of a swap contract from elsewhere. For tests alone.
contract Echo {
    event PaymentSent(bytes32 id);

    fallback() external payable {
        emit PaymentSent(bytes32(msg.data[4:36]));
    }
}

/// The interface of the swap contract with rewards that nobody has looked after: one that is sent on a claim comes out of whatever the
/// contract has, whether it came along with the payment or not.
contract LooseOtherHtlc is PlainOtherHtlc {
    event SenderPaid(bool taken);

    struct Loose {
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
        bytes memory plain = abi.encodePacked(receiver, msg.sender, secretHash, address(0), msg.value);
        keep(id, receiver, hashOf(plain, Loose(target, onClaim, amount)), lockTime);
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
        keep(id, receiver, hashOf(plain, Loose(target, onClaim, rewardAmount)), lockTime);
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
        Loose memory reward = Loose(target, onClaim, rewardAmount);
        finish(id, hashOf(plain, reward), CLAIMED);
        bool isIn = target == 3 || (token == address(0) && target != 0);
        give(token, receiver, isIn ? amount - rewardAmount : amount);
        if (target == 3) give(token, msg.sender, rewardAmount);
        if (target == 2) {
            (bool taken,) = sender.call{value: rewardAmount}("");
            emit SenderPaid(taken);
        }
        if (onClaim) give(address(0), msg.sender, rewardAmount);
        emit ReceiverSpent(id, secret);
    }

    function senderRefundReward(bytes32, uint256, bytes20, address, address, address, uint8, bool, uint256) external pure {
        revert("of no use to these tests");
    }

    function hashOf(bytes memory plain, Loose memory reward) private pure returns (bytes20) {
        return ripemd160(abi.encodePacked(plain, reward.target, reward.onClaim, reward.amount));
    }
}
