// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";

/// @title A plain OpenZeppelin ERC-1155 contract, with one URI for all tokens
contract Wagons is ERC1155 {
    constructor(string memory uri_) ERC1155(uri_) {}

    function mint(address to, uint256 first, uint256 count, uint256 units) external {
        for (uint256 id = first; id < first + count; id++) _mint(to, id, units, "");
    }
}
