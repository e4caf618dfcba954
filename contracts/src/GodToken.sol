// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Capped} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Capped.sol";

import {Minting} from "./Minting.sol";

/// @title GOD, the token of the games (ERC-20, 18 decimals)
/// @notice Minters mint it as players earn it, up to a cap that is set in the constructor. It cannot be burned, so the
/// cap also limits how much is ever minted.
contract GodToken is ERC20Capped, Minting {
    constructor(uint256 cap_, address admin, address[] memory minters)
        ERC20("GOD", "GOD")
        ERC20Capped(cap_)
        Minting(admin, minters)
    {}

    /// @notice Mints `amount` base units; reverts above the cap.
    function mint(address to, uint256 amount) external onlyRole(MINTER_ROLE) {
        _mint(to, amount);
    }
}
