// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Capped721} from "./Capped721.sol";
import {Royalty} from "./Royalty.sol";

/// @title A collection of unique tokens that can be traded (ERC-721)
contract Collection721 is Capped721, Royalty {
    constructor(
        string memory name_,
        string memory symbol_,
        string memory baseURI_,
        address admin,
        address[] memory minters,
        uint256 maxSupply_,
        address royaltyReceiver,
        uint96 royaltyBasisPoints
    )
        Capped721(name_, symbol_, baseURI_, admin, minters, maxSupply_)
        Royalty(royaltyReceiver, royaltyBasisPoints)
    {}

    function supportsInterface(bytes4 id) public view override(Capped721, Royalty) returns (bool) {
        return super.supportsInterface(id);
    }
}
