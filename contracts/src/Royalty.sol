// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {ERC2981} from "@openzeppelin/contracts/token/common/ERC2981.sol";

/// @title The studio's share of sales (ERC-2981)
/// @notice One share for all tokens of a collection, in basis points of the price. The admin can lower it and change
/// its receiver, but never raise it: a seller receives at least what was expected when listing.
abstract contract Royalty is AccessControl, ERC2981 {
    /// @notice The maximum royalty of a new collection: 10 %.
    uint96 public constant MAX_ROYALTY = 1_000;

    /// @notice The royalty, in basis points, would exceed the maximum.
    error RoyaltyTooHigh(uint96 highest, uint96 wanted);

    event RoyaltySet(address indexed receiver, uint96 basisPoints);

    constructor(address receiver, uint96 basisPoints) {
        _setRoyalty(receiver, basisPoints, MAX_ROYALTY);
    }

    /// @notice The royalty in basis points.
    function royalty() public view returns (uint96) {
        (, uint256 share) = royaltyInfo(0, _feeDenominator());
        return uint96(share);
    }

    /// @notice Lowers the royalty or changes its receiver, which must not be zero, even for a royalty of 0.
    function setRoyalty(address receiver, uint96 basisPoints) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setRoyalty(receiver, basisPoints, royalty());
    }

    function supportsInterface(bytes4 id) public view virtual override(AccessControl, ERC2981) returns (bool) {
        return super.supportsInterface(id);
    }

    function _setRoyalty(address receiver, uint96 basisPoints, uint96 highest) private {
        if (basisPoints > highest) revert RoyaltyTooHigh(highest, basisPoints);
        _setDefaultRoyalty(receiver, basisPoints);
        emit RoyaltySet(receiver, basisPoints);
    }
}
