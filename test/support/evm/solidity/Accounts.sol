// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// An account with code: does what it is told, and, when it is paid, first whatever it was prepared for.
contract Actor {
    address private target;
    bytes private data;
    bool private refuses;
    bool private burns;
    /// Whether what it was prepared for was done, and how often it was paid.
    bool public succeeded;
    uint256 public calls;

    function refuse(bool yes) external {
        refuses = yes;
    }

    /// Uses up all gas that comes along when it is paid.
    function burn(bool yes) external {
        burns = yes;
    }

    /// On the next payment of ether or tokens, this call is made once.
    function prepare(address next, bytes calldata call) external {
        target = next;
        data = call;
        succeeded = false;
    }

    function run(address to, uint256 value, bytes calldata call) external payable {
        (bool done, bytes memory answer) = to.call{value: value}(call);
        if (!done) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
    }

    /// Two calls in one transaction; both must succeed.
    function runBoth(address to, bytes calldata first, bytes calldata second) external {
        this.run(to, 0, first);
        this.run(to, 0, second);
    }

    function onToken() external {
        react();
    }

    receive() external payable {
        if (burns) while (true) {}
        require(!refuses, "refused");
        react();
    }

    function react() private {
        if (target == address(0)) return;
        address to = target;
        target = address(0);
        calls += 1;
        (succeeded, ) = to.call(data);
    }
}
