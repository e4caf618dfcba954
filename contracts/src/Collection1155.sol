// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Capped1155} from "./Capped1155.sol";
import {Royalty} from "./Royalty.sol";

/// @title A collection of token kinds with many copies each that can be traded (ERC-1155)
contract Collection1155 is Capped1155, Royalty {
    constructor(
        string memory name_,
        string memory symbol_,
        string memory baseURI_,
        address admin,
        address[] memory minters,
        address royaltyReceiver,
        uint96 royaltyBasisPoints
    ) Capped1155(name_, symbol_, baseURI_, admin, minters) Royalty(royaltyReceiver, royaltyBasisPoints) {}

    function supportsInterface(bytes4 id) public view override(Capped1155, Royalty) returns (bool) {
        return super.supportsInterface(id);
    }
}
