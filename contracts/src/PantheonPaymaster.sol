// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ECDSA} from "solady/src/utils/ECDSA.sol";

import {IEntryPoint, IPaymaster, PackedUserOperation} from "./PaymasterInterfaces.sol";

/// @title Pays the gas of user operations that the portal sponsors (ERC-4337, EntryPoint v0.7)
/// @notice An operation is paid for if a signer has signed it and one of the owner's relayers sends it. A
/// sponsorship is therefore useless to anyone else: the holder of a signed operation can neither run it nor collect its
/// gas refund. While there are no relayers, anyone may send. This contract has not been audited.
/// @dev paymasterData is validUntil (6 bytes) ‖ validAfter (6 bytes) ‖ signature (65 bytes). The signature is over
/// getHash as a personal message (EIP-191). Times are Unix seconds; validUntil 0 means no end.
contract PantheonPaymaster is IPaymaster, Ownable2Step {
    /// @notice Only the EntryPoint may request validation.
    error OnlyEntryPoint();

    /// @notice The account that sent the transaction is not one of the relayers.
    error RelayerRefused(address origin);

    /// @notice The paymasterData does not have the length of two times and a signature.
    error MalformedData();

    error ZeroAddress();

    /// @notice Without an owner the deposit could never be withdrawn.
    error OwnerRequired();

    event SignerChanged(address indexed signer, bool allowed);
    event RelayerChanged(address indexed relayer, bool allowed);

    uint256 private constant SIG_VALIDATION_FAILED = 1;

    // Offsets in paymasterAndData.
    uint256 private constant GAS_LIMITS = 20;
    uint256 private constant VALID_UNTIL = 52;
    uint256 private constant VALID_AFTER = 58;
    uint256 private constant SIGNATURE = 64;
    uint256 private constant END = 129;

    IEntryPoint public immutable entryPoint;

    /// @notice The accounts whose signatures sponsor: one, or two while one replaces the other.
    mapping(address account => bool) public isSigner;

    /// @notice The number of signers; while it is 0, nothing is paid for.
    uint128 public signerCount;

    /// @notice The number of relayers; while it is 0, anyone may send.
    uint128 public relayerCount;

    mapping(address account => bool) public isRelayer;

    constructor(IEntryPoint entryPoint_, address owner_, address signer_, address[] memory relayers) Ownable(owner_) {
        entryPoint = entryPoint_;
        _setSigner(signer_, true);
        for (uint256 i = 0; i < relayers.length; i++) {
            _setRelayer(relayers[i], true);
        }
    }

    /// @inheritdoc IPaymaster
    /// @dev ERC-7562 forbids operations of public bundlers to use ORIGIN during validation, so it is not even executed
    /// while there are no relayers. Bundlers also require a stake (addStake), because signers are read from storage.
    function validatePaymasterUserOp(PackedUserOperation calldata userOp, bytes32, uint256)
        external
        view
        returns (bytes memory context, uint256 validationData)
    {
        if (msg.sender != address(entryPoint)) revert OnlyEntryPoint();
        if (relayerCount != 0 && !isRelayer[tx.origin]) revert RelayerRefused(tx.origin);
        bytes calldata data = userOp.paymasterAndData;
        if (data.length != END) revert MalformedData();
        uint48 validUntil = uint48(bytes6(data[VALID_UNTIL:VALID_AFTER]));
        uint48 validAfter = uint48(bytes6(data[VALID_AFTER:SIGNATURE]));
        bytes32 hash = ECDSA.toEthSignedMessageHash(getHash(userOp, validUntil, validAfter));
        // tryRecoverCalldata returns the zero address for an invalid signature, which is never a signer.
        bool valid = isSigner[ECDSA.tryRecoverCalldata(hash, data[SIGNATURE:END])];
        validationData =
            (valid ? 0 : SIG_VALIDATION_FAILED) | (uint256(validUntil) << 160) | (uint256(validAfter) << 208);
        return ("", validationData);
    }

    /// @inheritdoc IPaymaster
    /// @dev Never called, because validation returns no context.
    function postOp(PostOpMode, bytes calldata, uint256, uint256) external view {
        if (msg.sender != address(entryPoint)) revert OnlyEntryPoint();
    }

    /// @notice The hash that a signer signs: every field of the operation but the two signatures, for this paymaster
    /// on this chain, and the period of validity.
    function getHash(PackedUserOperation calldata userOp, uint48 validUntil, uint48 validAfter)
        public
        view
        returns (bytes32)
    {
        bytes32 operation = keccak256(
            abi.encode(
                userOp.sender,
                userOp.nonce,
                keccak256(userOp.initCode),
                keccak256(userOp.callData),
                userOp.accountGasLimits,
                userOp.preVerificationGas,
                userOp.gasFees,
                bytes32(userOp.paymasterAndData[GAS_LIMITS:VALID_UNTIL])
            )
        );
        return keccak256(abi.encode(block.chainid, address(this), validUntil, validAfter, operation));
    }

    /// @notice Adds or removes a signer. Sponsorships signed by a removed one become invalid at once.
    function setSigner(address signer, bool allowed) external onlyOwner {
        _setSigner(signer, allowed);
    }

    /// @notice Adds or removes a relayer. To replace the only relayer, add the new one
    /// first: after the removal of the last one anyone may send.
    function setRelayer(address relayer, bool allowed) external onlyOwner {
        _setRelayer(relayer, allowed);
    }

    /// @notice Adds to the deposit from which gas is paid. Anyone may call it.
    function deposit() external payable {
        entryPoint.depositTo{value: msg.value}(address(this));
    }

    /// @notice Withdraws `amount` wei from the deposit.
    function withdrawTo(address payable to, uint256 amount) external onlyOwner {
        entryPoint.withdrawTo(to, amount);
    }

    /// @notice Stakes ether with the EntryPoint, as public bundlers require.
    function addStake(uint32 unstakeDelaySec) external payable onlyOwner {
        entryPoint.addStake{value: msg.value}(unstakeDelaySec);
    }

    /// @notice Starts the delay after which the stake can be withdrawn.
    function unlockStake() external onlyOwner {
        entryPoint.unlockStake();
    }

    function withdrawStake(address payable to) external onlyOwner {
        entryPoint.withdrawStake(to);
    }

    function renounceOwnership() public pure override {
        revert OwnerRequired();
    }

    /// @dev Setting the current value again has no effect.
    function _setSigner(address signer, bool allowed) private {
        if (signer == address(0)) revert ZeroAddress();
        if (isSigner[signer] == allowed) return;
        isSigner[signer] = allowed;
        if (allowed) signerCount++;
        else signerCount--;
        emit SignerChanged(signer, allowed);
    }

    /// @dev Setting the current value again has no effect.
    function _setRelayer(address relayer, bool allowed) private {
        if (relayer == address(0)) revert ZeroAddress();
        if (isRelayer[relayer] == allowed) return;
        isRelayer[relayer] = allowed;
        if (allowed) relayerCount++;
        else relayerCount--;
        emit RelayerChanged(relayer, allowed);
    }
}
