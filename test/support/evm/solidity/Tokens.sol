// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A token as the standard has it.
contract PlainToken {
    mapping(address owner => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function increaseAllowance(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] += amount;
        return true;
    }

    function decreaseAllowance(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] -= amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        move(msg.sender, to, amount);
        return true;
    }

    /// The largest allowance stands for any amount and stays, as most tokens have it.
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        if (allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }

    function move(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

/// A token each move of which takes more gas than a block has room for beside much else.
contract DearToken {
    mapping(address owner => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    function transfer(address to, uint256 amount) external returns (bool) {
        uint256 rest = gasleft() - 600_000;
        while (gasleft() > rest) {}
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

/// How a token misbehaves in the transfer that is asked for next.
enum Manner {
    Sound,
    ReturnsNothing,
    ReturnsFalse,
    ReturnsTwo,
    ReturnsOneByte,
    Reverts,
    RevertsSilently,
    RevertsWithTrue,
    MovesNothing,
    TakesFee,
    AddsBonus
}

/// A token that tells its digits in another way than most, or not at all.
contract DigitsToken is PlainToken {
    bytes32 private digits;

    function tell(bytes32 next) external {
        digits = next;
    }

    function decimals() external view returns (bytes32) {
        require(digits != 0, "no digits");
        return digits;
    }
}

/// A token whose manner of transfer anybody may change: what it returns, and what it moves.
contract MoodyToken {
    mapping(address owner => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    Manner public manner;

    function behave(Manner next) external {
        manner = next;
    }

    /// Takes away from whoever has some, as tokens do that follow a price or an order of a court.
    function seize(address owner, uint256 amount) external {
        balanceOf[owner] -= amount;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
    }

    function transfer(address to, uint256 amount) external {
        answer(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        answer(from, to, amount);
    }

    function answer(address from, address to, uint256 amount) private {
        if (manner == Manner.Reverts) revert("no");
        if (manner == Manner.RevertsSilently) revert();
        if (manner == Manner.RevertsWithTrue) {
            assembly {
                mstore(0, 1)
                revert(0, 32)
            }
        }
        bool moves = manner != Manner.ReturnsFalse && manner != Manner.MovesNothing;
        if (moves) {
            balanceOf[from] -= amount;
            balanceOf[to] += amount;
        }
        if (manner == Manner.TakesFee) balanceOf[to] -= amount / 100;
        if (manner == Manner.AddsBonus) balanceOf[to] += 1;
        uint256 returned = manner == Manner.ReturnsFalse ? 0 : manner == Manner.ReturnsTwo ? 2 : 1;
        uint256 size = manner == Manner.ReturnsNothing ? 0 : manner == Manner.ReturnsOneByte ? 1 : 32;
        assembly {
            mstore(0, returned)
            return(sub(32, size), size)
        }
    }
}

/// A token that calls an owner with code back before it moves anything, and can be told to move nothing after that, but for what was
/// asked for meanwhile: the most that a hook can be abused for.
contract HookToken {
    mapping(address owner => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    bool private withholding;
    uint256 private depth;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function withhold(bool yes) external {
        withholding = yes;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        if (to.code.length > 0) Hooked(to).onToken();
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        depth += 1;
        if (from.code.length > 0) Hooked(from).onToken();
        depth -= 1;
        if (withholding && depth == 0) return true;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

interface Hooked {
    function onToken() external;
}
