// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721Burnable} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721Burnable.sol";

import {Collection} from "./Collection.sol";

/// @title A collection of unique tokens (ERC-721)
/// @notice The minter chooses the token id, so that a grant that is sent twice reverts instead of minting twice.
contract Collection721 is ERC721Burnable, Collection {
    constructor(
        string memory name_,
        string memory symbol_,
        string memory baseURI_,
        address admin,
        address[] memory minters
    ) ERC721(name_, symbol_) Collection(baseURI_, admin, minters) {}

    /// @notice Mints one token; reverts when it exists.
    function mint(address to, uint256 tokenId) external onlyRole(MINTER_ROLE) {
        _safeMint(to, tokenId);
    }

    /// @notice Mints several tokens to one owner: all or none.
    function mintBatch(address to, uint256[] calldata tokenIds) external onlyRole(MINTER_ROLE) {
        for (uint256 i = 0; i < tokenIds.length; i++) {
            _safeMint(to, tokenIds[i]);
        }
    }

    function tokenURI(uint256 tokenId) public view override returns (string memory) {
        _requireOwned(tokenId);
        return _metadataURI(tokenId);
    }

    function supportsInterface(bytes4 id) public view virtual override(ERC721, AccessControl) returns (bool) {
        return super.supportsInterface(id);
    }
}
