// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC1155Burnable} from "@openzeppelin/contracts/token/ERC1155/extensions/ERC1155Burnable.sol";

import {Collection} from "./Collection.sol";

/// @title A collection of token kinds with many copies each (ERC-1155)
/// @notice `uri` answers a finished address for each token id and uses no {id} placeholder.
contract Collection1155 is ERC1155Burnable, Collection {
    string public name;
    string public symbol;

    constructor(
        string memory name_,
        string memory symbol_,
        string memory baseURI_,
        address admin,
        address[] memory minters
    ) ERC1155("") Collection(baseURI_, admin, minters) {
        name = name_;
        symbol = symbol_;
    }

    /// @notice Mints `amount` copies of one token.
    function mint(address to, uint256 id, uint256 amount, bytes calldata data) external onlyRole(MINTER_ROLE) {
        _mint(to, id, amount, data);
    }

    /// @notice Mints copies of several tokens to one owner: all or none.
    function mintBatch(address to, uint256[] calldata ids, uint256[] calldata amounts, bytes calldata data)
        external
        onlyRole(MINTER_ROLE)
    {
        _mintBatch(to, ids, amounts, data);
    }

    function uri(uint256 id) public view override returns (string memory) {
        return _metadataURI(id);
    }

    function supportsInterface(bytes4 id) public view override(ERC1155, AccessControl) returns (bool) {
        return super.supportsInterface(id);
    }
}
