// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Capped} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Capped.sol";

import {Minting} from "./Minting.sol";

/// @title GOD, the token of the games (ERC-20, 18 decimals)
/// @notice Minters create it as players earn it, up to a cap that is fixed when the contract is made. Nobody can burn
/// it, so the cap is also the most that can ever be minted.
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
