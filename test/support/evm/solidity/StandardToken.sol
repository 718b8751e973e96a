// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A token as most are in use: it tells of what it does. A strict one refuses to change an allowance that is not zero to another one
/// that is not, and one with a tax keeps a part of what is moved.
contract StandardToken {
    mapping(address owner => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    uint8 public immutable decimals;
    bool public immutable strict;
    uint256 public immutable tax;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint8 digits, bool isStrict, uint256 taxed) {
        decimals = digits;
        strict = isStrict;
        tax = taxed;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        require(!strict || amount == 0 || allowance[msg.sender][spender] == 0, "not zero before");
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }

    function move(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount - tax;
        emit Transfer(from, to, amount - tax);
    }
}
