// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ECDSA} from "solady/src/utils/ECDSA.sol";

interface IERC1271 {
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4);
}

/// @title Verifies a signature of any kind of account, without being deployed
/// @notice For eth_call with creation code and (signer, hash, signature) as its argument. The result is the single
/// byte 0x01 if the signature is valid and 0x00 if it is not. The order is that of ERC-6492: a wrapped
/// signature first deploys its account (the node discards that afterwards), then ERC-1271 if there is code, else
/// ecrecover. https://eips.ethereum.org/EIPS/eip-6492
contract SignatureValidator {
    bytes32 private constant WRAPPED = 0x6492649264926492649264926492649264926492649264926492649264926492;

    constructor(address signer, bytes32 hash, bytes memory signature) {
        bool valid = _isValid(signer, hash, signature);
        assembly ("memory-safe") {
            mstore8(0x00, valid)
            return(0x00, 0x01)
        }
    }

    function _isValid(address signer, bytes32 hash, bytes memory signature) private returns (bool) {
        if (_isWrapped(signature)) {
            uint256 wrapped = signature.length - 32;
            assembly ("memory-safe") {
                mstore(signature, wrapped)
            }
            (address factory, bytes memory factoryData, bytes memory inner) =
                abi.decode(signature, (address, bytes, bytes));
            signature = inner;
            if (signer.code.length == 0) {
                (bool deployed,) = factory.call(factoryData);
                if (!deployed || signer.code.length == 0) return false;
            }
        }
        if (signer.code.length == 0) {
            return signer != address(0) && ECDSA.tryRecover(hash, signature) == signer;
        }
        (bool ok, bytes memory answer) =
            signer.staticcall(abi.encodeCall(IERC1271.isValidSignature, (hash, signature)));
        return ok && answer.length >= 32 && bytes32(answer) == bytes32(IERC1271.isValidSignature.selector);
    }

    function _isWrapped(bytes memory signature) private pure returns (bool wrapped) {
        if (signature.length < 32) return false;
        assembly ("memory-safe") {
            wrapped := eq(mload(add(signature, mload(signature))), WRAPPED)
        }
    }
}
