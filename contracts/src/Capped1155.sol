// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC1155Burnable} from "@openzeppelin/contracts/token/ERC1155/extensions/ERC1155Burnable.sol";

import {Collection} from "./Collection.sol";

/// @title Token kinds with many copies each and an optional maximum supply (ERC-1155)
/// @notice `uri` returns a complete URI for each token id and uses no {id} placeholder. A kind has no cap until the
/// admin sets one, which can be done only once. The cap limits how many copies are ever minted: burning a copy does not
/// allow another to be minted.
abstract contract Capped1155 is ERC1155Burnable, Collection {
    /// @notice Minting so many copies would exceed the kind's cap.
    error MaxSupplyExceeded(uint256 id, uint256 max, uint256 wanted);

    /// @notice The kind's cap is already set.
    error MaxSupplyFixed(uint256 id, uint256 max);

    /// @notice A cap must be at least 1, at least the number already minted, and below 2^128.
    error MaxSupplyInvalid(uint256 id, uint256 max);

    error LengthMismatch();

    event MaxSupplySet(uint256 indexed id, uint256 max);

    struct Supply {
        uint128 minted;
        uint128 max; // 0: no cap
    }

    string public name;
    string public symbol;

    mapping(uint256 id => Supply) private _supply;

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

    /// @notice Sets how many copies of each kind can ever be minted, permanently and atomically.
    function setMaxSupply(uint256[] calldata ids, uint256[] calldata max) public virtual onlyRole(DEFAULT_ADMIN_ROLE) {
        if (ids.length != max.length) revert LengthMismatch();
        for (uint256 i = 0; i < ids.length; i++) {
            Supply storage s = _supply[ids[i]];
            if (s.max != 0) revert MaxSupplyFixed(ids[i], s.max);
            if (max[i] == 0 || max[i] < s.minted || max[i] > type(uint128).max) {
                revert MaxSupplyInvalid(ids[i], max[i]);
            }
            s.max = uint128(max[i]);
            emit MaxSupplySet(ids[i], max[i]);
        }
    }

    /// @notice How many copies of a kind can ever be minted; 0 if it has no cap.
    function maxSupply(uint256 id) external view returns (uint256) {
        return _supply[id].max;
    }

    /// @notice Whether the number of copies has a cap.
    function capped(uint256 id) external view returns (bool) {
        return _supply[id].max != 0;
    }

    /// @notice How many copies of a kind were ever minted, including burned ones.
    function minted(uint256 id) external view returns (uint256) {
        return _supply[id].minted;
    }

    /// @notice Mints `amount` copies of one token.
    function mint(address to, uint256 id, uint256 amount, bytes calldata data) external onlyRole(MINTER_ROLE) {
        _mint(to, id, amount, data);
    }

    /// @notice Mints copies of several tokens to one owner, atomically.
    function mintBatch(address to, uint256[] calldata ids, uint256[] calldata amounts, bytes calldata data)
        external
        onlyRole(MINTER_ROLE)
    {
        _mintBatch(to, ids, amounts, data);
    }

    function uri(uint256 id) public view override returns (string memory) {
        return _metadataURI(id);
    }

    function supportsInterface(bytes4 id) public view virtual override(ERC1155, AccessControl) returns (bool) {
        return super.supportsInterface(id);
    }

    /// @dev Every mint calls this before the receiver is called.
    function _update(address from, address to, uint256[] memory ids, uint256[] memory values)
        internal
        virtual
        override
    {
        super._update(from, to, ids, values);
        if (from != address(0)) return;
        for (uint256 i = 0; i < ids.length; i++) {
            Supply storage s = _supply[ids[i]];
            uint256 max = s.max != 0 ? s.max : type(uint128).max;
            if (values[i] > max - s.minted) revert MaxSupplyExceeded(ids[i], max, values[i]);
            s.minted += uint128(values[i]);
        }
    }
}
