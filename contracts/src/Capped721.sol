// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721Burnable} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721Burnable.sol";

import {Collection} from "./Collection.sol";

/// @title Unique tokens with an optional maximum supply (ERC-721)
/// @notice The minter chooses the token id, so that a grant that is sent twice reverts instead of minting twice. The
/// cap is set in the constructor. It limits how many tokens are ever minted: burning does not allow another mint.
abstract contract Capped721 is ERC721Burnable, Collection {
    /// @notice The maximum number of tokens has been minted.
    error MaxSupplyExceeded(uint256 max);

    event MaxSupplySet(uint256 max);

    /// @notice How many tokens can ever be minted; 0 if there is no cap.
    uint256 public immutable maxSupply;

    /// @notice How many tokens were ever minted, including burned ones.
    uint256 public minted;

    constructor(
        string memory name_,
        string memory symbol_,
        string memory baseURI_,
        address admin,
        address[] memory minters,
        uint256 maxSupply_
    ) ERC721(name_, symbol_) Collection(baseURI_, admin, minters) {
        maxSupply = maxSupply_;
        if (maxSupply_ != 0) emit MaxSupplySet(maxSupply_);
    }

    /// @notice Whether the number of tokens has a cap.
    function capped() external view returns (bool) {
        return maxSupply != 0;
    }

    /// @notice Mints one token; reverts if it exists.
    function mint(address to, uint256 tokenId) external onlyRole(MINTER_ROLE) {
        _safeMint(to, tokenId);
    }

    /// @notice Mints several tokens to one owner, atomically.
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

    /// @dev Every mint calls this before the receiver is called.
    function _update(address to, uint256 tokenId, address auth) internal virtual override returns (address from) {
        from = super._update(to, tokenId, auth);
        if (from != address(0)) return from;
        minted++;
        if (maxSupply != 0 && minted > maxSupply) revert MaxSupplyExceeded(maxSupply);
    }
}
