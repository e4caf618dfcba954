// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Collection1155} from "./Collection1155.sol";

/// @title Packs, each kind of which is drawn by one drop table for ever (ERC-1155)
/// @notice The admin fixes the SHA-256 hash of an id's drop table together with the id's cap, once and before the first
/// is minted: an id without a table cannot be minted.
contract Chests is Collection1155 {
    /// @notice The id has no table yet, or would get an empty one.
    error TableMissing(uint256 id);

    /// @notice The id has a table, which is never changed.
    error TableFixedAlready(uint256 id, bytes32 table);

    event TableFixed(uint256 indexed id, bytes32 table);

    /// @notice The hash of the drop table by which packs of an id are drawn; 0 if none is fixed yet.
    mapping(uint256 id => bytes32) public tableOf;

    constructor(
        string memory name_,
        string memory symbol_,
        string memory baseURI_,
        address admin,
        address[] memory minters,
        address royaltyReceiver,
        uint96 royaltyBasisPoints
    ) Collection1155(name_, symbol_, baseURI_, admin, minters, royaltyReceiver, royaltyBasisPoints) {}

    /// @notice Fixes the drop table of each id and how many of it can ever be minted, permanently and atomically.
    /// @dev Nothing of these ids was minted before, because _update refuses to mint an id without a table.
    function fixTables(uint256[] calldata ids, bytes32[] calldata tables, uint256[] calldata max)
        external
        onlyRole(DEFAULT_ADMIN_ROLE)
    {
        if (ids.length != tables.length) revert LengthMismatch();
        for (uint256 i = 0; i < ids.length; i++) {
            bytes32 table = tableOf[ids[i]];
            if (table != 0) revert TableFixedAlready(ids[i], table);
            if (tables[i] == 0) revert TableMissing(ids[i]);
            tableOf[ids[i]] = tables[i];
            emit TableFixed(ids[i], tables[i]);
        }
        setMaxSupply(ids, max);
    }

    /// @notice Caps are set by fixTables alone: an id without a table gets none, and one with a table has one already.
    function setMaxSupply(uint256[] calldata ids, uint256[] calldata max) public override {
        for (uint256 i = 0; i < ids.length; i++) {
            if (tableOf[ids[i]] == 0) revert TableMissing(ids[i]);
        }
        super.setMaxSupply(ids, max);
    }

    /// @dev Every mint calls this before the receiver is called.
    function _update(address from, address to, uint256[] memory ids, uint256[] memory values) internal override {
        super._update(from, to, ids, values);
        if (from != address(0)) return;
        for (uint256 i = 0; i < ids.length; i++) {
            if (tableOf[ids[i]] == 0) revert TableMissing(ids[i]);
        }
    }
}
