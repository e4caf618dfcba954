// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

import {Capped721} from "./Capped721.sol";

/// @notice ERC-5192, minimal soulbound tokens: https://eips.ethereum.org/EIPS/eip-5192
interface IERC5192 {
    event Locked(uint256 tokenId);
    event Unlocked(uint256 tokenId);

    function locked(uint256 tokenId) external view returns (bool);
}

/// @title Unique tokens that cannot leave the wallet they were minted to
/// @notice They can be burned but neither transferred nor approved, so a marketplace rejects listings of them.
contract Soulbound721 is Capped721, IERC5192 {
    error Soulbound();

    constructor(
        string memory name_,
        string memory symbol_,
        string memory baseURI_,
        address admin,
        address[] memory minters,
        uint256 maxSupply_
    ) Capped721(name_, symbol_, baseURI_, admin, minters, maxSupply_) {}

    /// @notice True for every existing token; reverts for others.
    function locked(uint256 tokenId) external view returns (bool) {
        _requireOwned(tokenId);
        return true;
    }

    function approve(address, uint256) public pure override {
        revert Soulbound();
    }

    function setApprovalForAll(address, bool) public pure override {
        revert Soulbound();
    }

    function supportsInterface(bytes4 id) public view override returns (bool) {
        return id == type(IERC5192).interfaceId || super.supportsInterface(id);
    }

    function _update(address to, uint256 tokenId, address auth) internal override returns (address from) {
        from = super._update(to, tokenId, auth);
        if (from != address(0) && to != address(0)) revert Soulbound();
        if (from == address(0)) emit Locked(tokenId);
    }
}
