// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC4337} from "solady/src/accounts/ERC4337.sol";
import {ECDSA} from "solady/src/utils/ECDSA.sol";

/// @title A player's smart account (ERC-4337, EntryPoint v0.7)
/// @notice Solady's ERC4337 with one owner key, restricted to what the portal needs. Solady calls its contract a base
/// reference; this subclass has not been audited.
/// @dev Deployed by Solady's ERC4337Factory, whose salt contains the owner in its upper 160 bits.
contract PantheonAccount is ERC4337 {
    /// @notice The account never calls itself or the EntryPoint, and never delegates to other code: a signed batch
    /// must not be able to replace the owner or the implementation.
    error CallRefused(address target);

    function execute(address target, uint256 value, bytes calldata data)
        public
        payable
        override
        returns (bytes memory)
    {
        _requireMayCall(target);
        return super.execute(target, value, data);
    }

    function executeBatch(Call[] calldata calls) public payable override returns (bytes[] memory) {
        for (uint256 i = 0; i < calls.length; i++) {
            _requireMayCall(calls[i].target);
        }
        return super.executeBatch(calls);
    }

    function _requireMayCall(address target) private view {
        if (target == address(this) || target == entryPoint()) revert CallRefused(target);
    }

    function delegateExecute(address delegate, bytes calldata) public payable override returns (bytes memory) {
        revert CallRefused(delegate);
    }

    function storageStore(bytes32, bytes32) public payable override {
        revert CallRefused(address(this));
    }

    /// @notice ERC-165: token receivers (ERC-721, ERC-1155), ERC-1271 and ERC-165 itself.
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x150b7a02 || id == 0x4e2312e0 || id == 0x1626ba7e;
    }

    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("PantheonAccount", "1");
    }

    /// @dev The inherited check reads the owner's code size, which ERC-7562 (OP-041) forbids in validation.
    function _validateSignature(PackedUserOperation calldata userOp, bytes32 userOpHash)
        internal
        view
        override
        returns (uint256)
    {
        return _isOwnerSignature(ECDSA.toEthSignedMessageHash(userOpHash), userOp.signature) ? 0 : 1;
    }

    function _erc1271IsValidSignatureNowCalldata(bytes32 hash, bytes calldata signature)
        internal
        view
        override
        returns (bool)
    {
        return _isOwnerSignature(hash, signature);
    }

    function _isOwnerSignature(bytes32 hash, bytes calldata signature) private view returns (bool) {
        address signer = ECDSA.tryRecoverCalldata(hash, signature);
        return signer != address(0) && signer == owner();
    }

    /// @dev The inherited shortcut for off-chain calls burns 2.95 million gas on an invalid signature.
    function _erc1271IsValidSignatureViaRPC(bytes32, bytes calldata) internal pure override returns (bool) {
        return false;
    }

    /// @dev The inherited fallback decompresses unknown calls and burns 14 million gas on a plain unknown selector.
    function _useLibZipCdFallback() internal pure override returns (bool) {
        return false;
    }
}
