// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

import {Minting} from "./Minting.sol";

/// @title Common base of all collections: minters and metadata URIs
/// @notice A token's metadata is at {base URI}{EIP-55 address of this contract}/{token id in decimal}.
/// The contract appends its own address, because the base URI is a constructor argument: it would otherwise
/// have to contain the CREATE2 address that depends on it.
abstract contract Collection is Minting {
    string public baseURI;

    constructor(string memory baseURI_, address admin, address[] memory minters) Minting(admin, minters) {
        baseURI = baseURI_;
    }

    /// @notice Changes the base URI of all tokens' metadata, which must end in a slash.
    function setBaseURI(string calldata baseURI_) external onlyRole(DEFAULT_ADMIN_ROLE) {
        baseURI = baseURI_;
    }

    function _metadataURI(uint256 tokenId) internal view returns (string memory) {
        return string.concat(baseURI, Strings.toChecksumHexString(address(this)), "/", Strings.toString(tokenId));
    }
}
