// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

import {Minting} from "./Minting.sol";

/// @title A currency for development chains (ERC-20)
/// @notice Minters mint any amount: it has no value and must never represent money.
contract TestToken is ERC20, Minting {
    uint8 private immutable _decimals;

    constructor(string memory name_, string memory symbol_, uint8 decimals_, address admin, address[] memory minters)
        ERC20(name_, symbol_)
        Minting(admin, minters)
    {
        _decimals = decimals_;
    }

    /// @notice Mints `amount` base units.
    function mint(address to, uint256 amount) external onlyRole(MINTER_ROLE) {
        _mint(to, amount);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }
}
