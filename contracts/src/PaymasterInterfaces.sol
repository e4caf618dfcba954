// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice A user operation in the form of EntryPoint v0.7. https://eips.ethereum.org/EIPS/eip-4337
struct PackedUserOperation {
    address sender;
    uint256 nonce;
    bytes initCode;
    bytes callData;
    bytes32 accountGasLimits; // verificationGasLimit ‖ callGasLimit, 16 bytes each
    uint256 preVerificationGas;
    bytes32 gasFees; // maxPriorityFeePerGas ‖ maxFeePerGas, 16 bytes each
    bytes paymasterAndData; // paymaster (20) ‖ verification gas limit (16) ‖ post-op gas limit (16) ‖ paymasterData
    bytes signature;
}

/// @notice The functions that the EntryPoint calls. https://eips.ethereum.org/EIPS/eip-4337#extension-paymasters
interface IPaymaster {
    enum PostOpMode {
        opSucceeded,
        opReverted,
        postOpReverted
    }

    function validatePaymasterUserOp(PackedUserOperation calldata userOp, bytes32 userOpHash, uint256 maxCost)
        external
        returns (bytes memory context, uint256 validationData);

    function postOp(PostOpMode mode, bytes calldata context, uint256 actualGasCost, uint256 actualUserOpFeePerGas)
        external;
}

/// @notice The EntryPoint's functions for a paymaster: its deposit, from which gas is paid, and its stake.
interface IEntryPoint {
    function depositTo(address account) external payable;

    function withdrawTo(address payable to, uint256 amount) external;

    function addStake(uint32 unstakeDelaySec) external payable;

    function unlockStake() external;

    function withdrawStake(address payable to) external;
}
