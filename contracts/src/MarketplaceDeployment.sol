// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface IMarketplaceInitializer {
    function initialize(
        address defaultAdmin,
        string calldata contractURI,
        address[] calldata trustedForwarders,
        address platformFeeRecipient,
        uint16 platformFeeBps
    ) external;
}

/// @title Creates a MarketplaceV3 that is initialised from its first moment
/// @notice Anyone may initialise a clone that was only created, name forwarders that speak for every player, and take a
/// fee. The address of this marketplace depends on its owner: it is the first contract that this one creates, without
/// forwarders and without a fee.
contract MarketplaceDeployment {
    address public immutable marketplace;

    error CreationFailed();

    /// @notice A clone of a router that does not exist yet would accept its initialisation without effect, and could be
    /// initialised by anyone later.
    error RouterMissing(address router);

    constructor(address router, address owner) {
        if (router.code.length == 0) revert RouterMissing(router);
        // A minimal proxy (EIP-1167).
        bytes memory code =
            abi.encodePacked(hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", router, hex"5af43d82803e903d91602b57fd5bf3");
        address clone;
        assembly ("memory-safe") {
            clone := create(0, add(code, 32), mload(code))
        }
        if (clone == address(0)) revert CreationFailed();
        IMarketplaceInitializer(clone).initialize(owner, "", new address[](0), owner, 0);
        marketplace = clone;
    }
}
