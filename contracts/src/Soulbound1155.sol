// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";

import {Capped1155} from "./Capped1155.sol";

/// @title Token kinds whose copies cannot leave the wallet they were minted to
/// @notice They can be burned but neither transferred nor approved, so a marketplace rejects listings of them.
contract Soulbound1155 is Capped1155 {
    error Soulbound();

    constructor(
        string memory name_,
        string memory symbol_,
        string memory baseURI_,
        address admin,
        address[] memory minters
    ) Capped1155(name_, symbol_, baseURI_, admin, minters) {}

    function setApprovalForAll(address, bool) public pure override {
        revert Soulbound();
    }

    function _update(address from, address to, uint256[] memory ids, uint256[] memory values) internal override {
        if (from != address(0) && to != address(0)) revert Soulbound();
        super._update(from, to, ids, values);
    }
}
