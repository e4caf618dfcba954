// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// @title A plain OpenZeppelin ERC-721 contract, without roles, royalties or ERC-4906
contract Engines is ERC721("Engines", "ENGINE") {
    using Strings for uint256;

    string private base;

    constructor(string memory base_) {
        base = base_;
    }

    function mint(address to, uint256 first, uint256 count) external {
        for (uint256 id = first; id < first + count; id++) _mint(to, id);
    }

    /// @dev ERC-7572.
    function contractURI() external pure returns (string memory) {
        return "data:application/json;utf8,{\"name\":\"Engines\",\"description\":\"Engines of the old lines, %231 to %232000.\"}";
    }

    /// @dev Tokens from 1001 on have on-chain metadata.
    function tokenURI(uint256 id) public view override returns (string memory) {
        _requireOwned(id);
        if (id <= 1000) return string.concat(base, id.toString());
        return string.concat(
            "data:application/json;base64,",
            Base64.encode(
                abi.encodePacked(
                    '{"name":"Engine No. ', id.toString(), '","attributes":[{"trait_type":"Class","value":"Freight"}],',
                    '"image":"data:image/svg+xml;utf8,<svg xmlns=\'http://www.w3.org/2000/svg\' viewBox=\'0 0 10 10\'>',
                    "<rect width='10' height='10' fill='darkred'/></svg>\"}"
                )
            )
        );
    }
}
