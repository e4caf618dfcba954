// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Makes several calls in one transaction: its own creation
/// @notice For what must not be separated, such as a contract's creation and its initialisation, which anyone may do. If
/// one call fails, none is made. The contract that is left has no code.
contract Calls {
    constructor(address[] memory to, bytes[] memory data) {
        for (uint256 i = 0; i < to.length; i++) {
            (bool ok, bytes memory answer) = to[i].call(data[i]);
            assembly ("memory-safe") {
                if iszero(ok) { revert(add(answer, 32), mload(answer)) }
            }
        }
        assembly ("memory-safe") {
            return(0, 0)
        }
    }
}
