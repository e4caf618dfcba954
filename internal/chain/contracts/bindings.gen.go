// Code generated via abigen V2 - DO NOT EDIT.
// This file is a generated binding and any manual changes will be lost.

package contracts

import (
	"bytes"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// Reference imports to suppress errors if they are not otherwise used.
var (
	_ = bytes.Equal
	_ = errors.New
	_ = big.NewInt
	_ = common.Big1
	_ = types.BloomLookup
	_ = abi.ConvertType
)

// ERC4337Call is an auto generated low-level Go binding around an user-defined struct.
type ERC4337Call struct {
	Target common.Address
	Value  *big.Int
	Data   []byte
}

// EntryPointMemoryUserOp is an auto generated low-level Go binding around an user-defined struct.
type EntryPointMemoryUserOp struct {
	Sender                        common.Address
	Nonce                         *big.Int
	VerificationGasLimit          *big.Int
	CallGasLimit                  *big.Int
	PaymasterVerificationGasLimit *big.Int
	PaymasterPostOpGasLimit       *big.Int
	PreVerificationGas            *big.Int
	Paymaster                     common.Address
	MaxFeePerGas                  *big.Int
	MaxPriorityFeePerGas          *big.Int
}

// EntryPointUserOpInfo is an auto generated low-level Go binding around an user-defined struct.
type EntryPointUserOpInfo struct {
	MUserOp       EntryPointMemoryUserOp
	UserOpHash    [32]byte
	Prefund       *big.Int
	ContextOffset *big.Int
	PreOpGas      *big.Int
}

// IDirectListingsListing is an auto generated low-level Go binding around an user-defined struct.
type IDirectListingsListing struct {
	ListingId      *big.Int
	TokenId        *big.Int
	Quantity       *big.Int
	PricePerToken  *big.Int
	StartTimestamp *big.Int
	EndTimestamp   *big.Int
	ListingCreator common.Address
	AssetContract  common.Address
	Currency       common.Address
	TokenType      uint8
	Status         uint8
	Reserved       bool
}

// IDirectListingsListingParameters is an auto generated low-level Go binding around an user-defined struct.
type IDirectListingsListingParameters struct {
	AssetContract  common.Address
	TokenId        *big.Int
	Quantity       *big.Int
	Currency       common.Address
	PricePerToken  *big.Int
	StartTimestamp *big.Int
	EndTimestamp   *big.Int
	Reserved       bool
}

// IEntryPointUserOpsPerAggregator is an auto generated low-level Go binding around an user-defined struct.
type IEntryPointUserOpsPerAggregator struct {
	UserOps    []PackedUserOperation
	Aggregator common.Address
	Signature  []byte
}

// IExtensionExtension is an auto generated low-level Go binding around an user-defined struct.
type IExtensionExtension struct {
	Metadata  IExtensionExtensionMetadata
	Functions []IExtensionExtensionFunction
}

// IExtensionExtensionFunction is an auto generated low-level Go binding around an user-defined struct.
type IExtensionExtensionFunction struct {
	FunctionSelector  [4]byte
	FunctionSignature string
}

// IExtensionExtensionMetadata is an auto generated low-level Go binding around an user-defined struct.
type IExtensionExtensionMetadata struct {
	Name           string
	MetadataURI    string
	Implementation common.Address
}

// IStakeManagerDepositInfo is an auto generated low-level Go binding around an user-defined struct.
type IStakeManagerDepositInfo struct {
	Deposit         *big.Int
	Staked          bool
	Stake           *big.Int
	UnstakeDelaySec uint32
	WithdrawTime    *big.Int
}

// MarketplaceV3MarketplaceConstructorParams is an auto generated low-level Go binding around an user-defined struct.
type MarketplaceV3MarketplaceConstructorParams struct {
	Extensions           []IExtensionExtension
	RoyaltyEngineAddress common.Address
	NativeTokenWrapper   common.Address
}

// PackedUserOperation is an auto generated low-level Go binding around an user-defined struct.
type PackedUserOperation struct {
	Sender             common.Address
	Nonce              *big.Int
	InitCode           []byte
	CallData           []byte
	AccountGasLimits   [32]byte
	PreVerificationGas *big.Int
	GasFees            [32]byte
	PaymasterAndData   []byte
	Signature          []byte
}

// Collection1155MetaData contains all meta data concerning the Collection1155 contract.
var Collection1155MetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"string\",\"name\":\"name_\",\"type\":\"string\"},{\"internalType\":\"string\",\"name\":\"symbol_\",\"type\":\"string\"},{\"internalType\":\"string\",\"name\":\"baseURI_\",\"type\":\"string\"},{\"internalType\":\"address\",\"name\":\"admin\",\"type\":\"address\"},{\"internalType\":\"address[]\",\"name\":\"minters\",\"type\":\"address[]\"},{\"internalType\":\"address\",\"name\":\"royaltyReceiver\",\"type\":\"address\"},{\"internalType\":\"uint96\",\"name\":\"royaltyBasisPoints\",\"type\":\"uint96\"}],\"stateMutability\":\"nonpayable\",\"type\":\"constructor\"},{\"inputs\":[],\"name\":\"AccessControlBadConfirmation\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"internalType\":\"bytes32\",\"name\":\"neededRole\",\"type\":\"bytes32\"}],\"name\":\"AccessControlUnauthorizedAccount\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"balance\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"needed\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"}],\"name\":\"ERC1155InsufficientBalance\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"approver\",\"type\":\"address\"}],\"name\":\"ERC1155InvalidApprover\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"idsLength\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"valuesLength\",\"type\":\"uint256\"}],\"name\":\"ERC1155InvalidArrayLength\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"operator\",\"type\":\"address\"}],\"name\":\"ERC1155InvalidOperator\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"receiver\",\"type\":\"address\"}],\"name\":\"ERC1155InvalidReceiver\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"}],\"name\":\"ERC1155InvalidSender\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"operator\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"}],\"name\":\"ERC1155MissingApprovalForAll\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"numerator\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"denominator\",\"type\":\"uint256\"}],\"name\":\"ERC2981InvalidDefaultRoyalty\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"receiver\",\"type\":\"address\"}],\"name\":\"ERC2981InvalidDefaultRoyaltyReceiver\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"numerator\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"denominator\",\"type\":\"uint256\"}],\"name\":\"ERC2981InvalidTokenRoyalty\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"},{\"internalType\":\"address\",\"name\":\"receiver\",\"type\":\"address\"}],\"name\":\"ERC2981InvalidTokenRoyaltyReceiver\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"LengthMismatch\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"id\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"max\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"wanted\",\"type\":\"uint256\"}],\"name\":\"MaxSupplyExceeded\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"id\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"max\",\"type\":\"uint256\"}],\"name\":\"MaxSupplyFixed\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"id\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"max\",\"type\":\"uint256\"}],\"name\":\"MaxSupplyInvalid\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint96\",\"name\":\"highest\",\"type\":\"uint96\"},{\"internalType\":\"uint96\",\"name\":\"wanted\",\"type\":\"uint96\"}],\"name\":\"RoyaltyTooHigh\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"length\",\"type\":\"uint256\"}],\"name\":\"StringsInsufficientHexLength\",\"type\":\"error\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"operator\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"bool\",\"name\":\"approved\",\"type\":\"bool\"}],\"name\":\"ApprovalForAll\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"id\",\"type\":\"uint256\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"max\",\"type\":\"uint256\"}],\"name\":\"MaxSupplySet\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"previousAdminRole\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"newAdminRole\",\"type\":\"bytes32\"}],\"name\":\"RoleAdminChanged\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"}],\"name\":\"RoleGranted\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"}],\"name\":\"RoleRevoked\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"receiver\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint96\",\"name\":\"basisPoints\",\"type\":\"uint96\"}],\"name\":\"RoyaltySet\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"operator\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256[]\",\"name\":\"ids\",\"type\":\"uint256[]\"},{\"indexed\":false,\"internalType\":\"uint256[]\",\"name\":\"values\",\"type\":\"uint256[]\"}],\"name\":\"TransferBatch\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"operator\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"id\",\"type\":\"uint256\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"TransferSingle\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":false,\"internalType\":\"string\",\"name\":\"value\",\"type\":\"string\"},{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"id\",\"type\":\"uint256\"}],\"name\":\"URI\",\"type\":\"event\"},{\"inputs\":[],\"name\":\"DEFAULT_ADMIN_ROLE\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"MAX_ROYALTY\",\"outputs\":[{\"internalType\":\"uint96\",\"name\":\"\",\"type\":\"uint96\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"MINTER_ROLE\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"id\",\"type\":\"uint256\"}],\"name\":\"balanceOf\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address[]\",\"name\":\"accounts\",\"type\":\"address[]\"},{\"internalType\":\"uint256[]\",\"name\":\"ids\",\"type\":\"uint256[]\"}],\"name\":\"balanceOfBatch\",\"outputs\":[{\"internalType\":\"uint256[]\",\"name\":\"\",\"type\":\"uint256[]\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"baseURI\",\"outputs\":[{\"internalType\":\"string\",\"name\":\"\",\"type\":\"string\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"id\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"burn\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"internalType\":\"uint256[]\",\"name\":\"ids\",\"type\":\"uint256[]\"},{\"internalType\":\"uint256[]\",\"name\":\"values\",\"type\":\"uint256[]\"}],\"name\":\"burnBatch\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"id\",\"type\":\"uint256\"}],\"name\":\"capped\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"}],\"name\":\"getRoleAdmin\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"grantRole\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"hasRole\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"operator\",\"type\":\"address\"}],\"name\":\"isApprovedForAll\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"id\",\"type\":\"uint256\"}],\"name\":\"maxSupply\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"id\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"data\",\"type\":\"bytes\"}],\"name\":\"mint\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256[]\",\"name\":\"ids\",\"type\":\"uint256[]\"},{\"internalType\":\"uint256[]\",\"name\":\"amounts\",\"type\":\"uint256[]\"},{\"internalType\":\"bytes\",\"name\":\"data\",\"type\":\"bytes\"}],\"name\":\"mintBatch\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"id\",\"type\":\"uint256\"}],\"name\":\"minted\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"name\",\"outputs\":[{\"internalType\":\"string\",\"name\":\"\",\"type\":\"string\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"internalType\":\"address\",\"name\":\"callerConfirmation\",\"type\":\"address\"}],\"name\":\"renounceRole\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"revokeRole\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"royalty\",\"outputs\":[{\"internalType\":\"uint96\",\"name\":\"\",\"type\":\"uint96\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"salePrice\",\"type\":\"uint256\"}],\"name\":\"royaltyInfo\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"receiver\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256[]\",\"name\":\"ids\",\"type\":\"uint256[]\"},{\"internalType\":\"uint256[]\",\"name\":\"values\",\"type\":\"uint256[]\"},{\"internalType\":\"bytes\",\"name\":\"data\",\"type\":\"bytes\"}],\"name\":\"safeBatchTransferFrom\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"id\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"data\",\"type\":\"bytes\"}],\"name\":\"safeTransferFrom\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"operator\",\"type\":\"address\"},{\"internalType\":\"bool\",\"name\":\"approved\",\"type\":\"bool\"}],\"name\":\"setApprovalForAll\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"string\",\"name\":\"baseURI_\",\"type\":\"string\"}],\"name\":\"setBaseURI\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256[]\",\"name\":\"ids\",\"type\":\"uint256[]\"},{\"internalType\":\"uint256[]\",\"name\":\"max\",\"type\":\"uint256[]\"}],\"name\":\"setMaxSupply\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"receiver\",\"type\":\"address\"},{\"internalType\":\"uint96\",\"name\":\"basisPoints\",\"type\":\"uint96\"}],\"name\":\"setRoyalty\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes4\",\"name\":\"id\",\"type\":\"bytes4\"}],\"name\":\"supportsInterface\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"symbol\",\"outputs\":[{\"internalType\":\"string\",\"name\":\"\",\"type\":\"string\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"id\",\"type\":\"uint256\"}],\"name\":\"uri\",\"outputs\":[{\"internalType\":\"string\",\"name\":\"\",\"type\":\"string\"}],\"stateMutability\":\"view\",\"type\":\"function\"}]",
	ID:  "Collection1155",
}

// Collection1155 is an auto generated Go binding around an Ethereum contract.
type Collection1155 struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *Collection1155) GetABI() abi.ABI {
	return c.abi
}

// NewCollection1155 creates a new instance of Collection1155.
func NewCollection1155() *Collection1155 {
	parsed, err := Collection1155MetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &Collection1155{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *Collection1155) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackConstructor is the Go binding used to pack the parameters required for
// contract deployment.
//
// Solidity: constructor(string name_, string symbol_, string baseURI_, address admin, address[] minters, address royaltyReceiver, uint96 royaltyBasisPoints) returns()
func (collection1155 *Collection1155) PackConstructor(name_ string, symbol_ string, baseURI_ string, admin common.Address, minters []common.Address, royaltyReceiver common.Address, royaltyBasisPoints *big.Int) []byte {
	enc, err := collection1155.abi.Pack("", name_, symbol_, baseURI_, admin, minters, royaltyReceiver, royaltyBasisPoints)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackDEFAULTADMINROLE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa217fddf.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function DEFAULT_ADMIN_ROLE() view returns(bytes32)
func (collection1155 *Collection1155) PackDEFAULTADMINROLE() []byte {
	enc, err := collection1155.abi.Pack("DEFAULT_ADMIN_ROLE")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDEFAULTADMINROLE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa217fddf.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function DEFAULT_ADMIN_ROLE() view returns(bytes32)
func (collection1155 *Collection1155) TryPackDEFAULTADMINROLE() ([]byte, error) {
	return collection1155.abi.Pack("DEFAULT_ADMIN_ROLE")
}

// UnpackDEFAULTADMINROLE is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa217fddf.
//
// Solidity: function DEFAULT_ADMIN_ROLE() view returns(bytes32)
func (collection1155 *Collection1155) UnpackDEFAULTADMINROLE(data []byte) ([32]byte, error) {
	out, err := collection1155.abi.Unpack("DEFAULT_ADMIN_ROLE", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackMAXROYALTY is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd83e5f4d.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function MAX_ROYALTY() view returns(uint96)
func (collection1155 *Collection1155) PackMAXROYALTY() []byte {
	enc, err := collection1155.abi.Pack("MAX_ROYALTY")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMAXROYALTY is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd83e5f4d.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function MAX_ROYALTY() view returns(uint96)
func (collection1155 *Collection1155) TryPackMAXROYALTY() ([]byte, error) {
	return collection1155.abi.Pack("MAX_ROYALTY")
}

// UnpackMAXROYALTY is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xd83e5f4d.
//
// Solidity: function MAX_ROYALTY() view returns(uint96)
func (collection1155 *Collection1155) UnpackMAXROYALTY(data []byte) (*big.Int, error) {
	out, err := collection1155.abi.Unpack("MAX_ROYALTY", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackMINTERROLE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd5391393.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function MINTER_ROLE() view returns(bytes32)
func (collection1155 *Collection1155) PackMINTERROLE() []byte {
	enc, err := collection1155.abi.Pack("MINTER_ROLE")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMINTERROLE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd5391393.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function MINTER_ROLE() view returns(bytes32)
func (collection1155 *Collection1155) TryPackMINTERROLE() ([]byte, error) {
	return collection1155.abi.Pack("MINTER_ROLE")
}

// UnpackMINTERROLE is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xd5391393.
//
// Solidity: function MINTER_ROLE() view returns(bytes32)
func (collection1155 *Collection1155) UnpackMINTERROLE(data []byte) ([32]byte, error) {
	out, err := collection1155.abi.Unpack("MINTER_ROLE", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x00fdd58e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function balanceOf(address account, uint256 id) view returns(uint256)
func (collection1155 *Collection1155) PackBalanceOf(account common.Address, id *big.Int) []byte {
	enc, err := collection1155.abi.Pack("balanceOf", account, id)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x00fdd58e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function balanceOf(address account, uint256 id) view returns(uint256)
func (collection1155 *Collection1155) TryPackBalanceOf(account common.Address, id *big.Int) ([]byte, error) {
	return collection1155.abi.Pack("balanceOf", account, id)
}

// UnpackBalanceOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x00fdd58e.
//
// Solidity: function balanceOf(address account, uint256 id) view returns(uint256)
func (collection1155 *Collection1155) UnpackBalanceOf(data []byte) (*big.Int, error) {
	out, err := collection1155.abi.Unpack("balanceOf", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackBalanceOfBatch is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4e1273f4.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function balanceOfBatch(address[] accounts, uint256[] ids) view returns(uint256[])
func (collection1155 *Collection1155) PackBalanceOfBatch(accounts []common.Address, ids []*big.Int) []byte {
	enc, err := collection1155.abi.Pack("balanceOfBatch", accounts, ids)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBalanceOfBatch is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4e1273f4.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function balanceOfBatch(address[] accounts, uint256[] ids) view returns(uint256[])
func (collection1155 *Collection1155) TryPackBalanceOfBatch(accounts []common.Address, ids []*big.Int) ([]byte, error) {
	return collection1155.abi.Pack("balanceOfBatch", accounts, ids)
}

// UnpackBalanceOfBatch is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x4e1273f4.
//
// Solidity: function balanceOfBatch(address[] accounts, uint256[] ids) view returns(uint256[])
func (collection1155 *Collection1155) UnpackBalanceOfBatch(data []byte) ([]*big.Int, error) {
	out, err := collection1155.abi.Unpack("balanceOfBatch", data)
	if err != nil {
		return *new([]*big.Int), err
	}
	out0 := *abi.ConvertType(out[0], new([]*big.Int)).(*[]*big.Int)
	return out0, nil
}

// PackBaseURI is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6c0360eb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function baseURI() view returns(string)
func (collection1155 *Collection1155) PackBaseURI() []byte {
	enc, err := collection1155.abi.Pack("baseURI")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBaseURI is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6c0360eb.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function baseURI() view returns(string)
func (collection1155 *Collection1155) TryPackBaseURI() ([]byte, error) {
	return collection1155.abi.Pack("baseURI")
}

// UnpackBaseURI is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x6c0360eb.
//
// Solidity: function baseURI() view returns(string)
func (collection1155 *Collection1155) UnpackBaseURI(data []byte) (string, error) {
	out, err := collection1155.abi.Unpack("baseURI", data)
	if err != nil {
		return *new(string), err
	}
	out0 := *abi.ConvertType(out[0], new(string)).(*string)
	return out0, nil
}

// PackBurn is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf5298aca.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function burn(address account, uint256 id, uint256 value) returns()
func (collection1155 *Collection1155) PackBurn(account common.Address, id *big.Int, value *big.Int) []byte {
	enc, err := collection1155.abi.Pack("burn", account, id, value)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBurn is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf5298aca.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function burn(address account, uint256 id, uint256 value) returns()
func (collection1155 *Collection1155) TryPackBurn(account common.Address, id *big.Int, value *big.Int) ([]byte, error) {
	return collection1155.abi.Pack("burn", account, id, value)
}

// PackBurnBatch is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6b20c454.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function burnBatch(address account, uint256[] ids, uint256[] values) returns()
func (collection1155 *Collection1155) PackBurnBatch(account common.Address, ids []*big.Int, values []*big.Int) []byte {
	enc, err := collection1155.abi.Pack("burnBatch", account, ids, values)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBurnBatch is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6b20c454.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function burnBatch(address account, uint256[] ids, uint256[] values) returns()
func (collection1155 *Collection1155) TryPackBurnBatch(account common.Address, ids []*big.Int, values []*big.Int) ([]byte, error) {
	return collection1155.abi.Pack("burnBatch", account, ids, values)
}

// PackCapped is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x39ce57d1.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function capped(uint256 id) view returns(bool)
func (collection1155 *Collection1155) PackCapped(id *big.Int) []byte {
	enc, err := collection1155.abi.Pack("capped", id)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackCapped is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x39ce57d1.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function capped(uint256 id) view returns(bool)
func (collection1155 *Collection1155) TryPackCapped(id *big.Int) ([]byte, error) {
	return collection1155.abi.Pack("capped", id)
}

// UnpackCapped is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x39ce57d1.
//
// Solidity: function capped(uint256 id) view returns(bool)
func (collection1155 *Collection1155) UnpackCapped(data []byte) (bool, error) {
	out, err := collection1155.abi.Unpack("capped", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackGetRoleAdmin is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x248a9ca3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getRoleAdmin(bytes32 role) view returns(bytes32)
func (collection1155 *Collection1155) PackGetRoleAdmin(role [32]byte) []byte {
	enc, err := collection1155.abi.Pack("getRoleAdmin", role)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetRoleAdmin is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x248a9ca3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getRoleAdmin(bytes32 role) view returns(bytes32)
func (collection1155 *Collection1155) TryPackGetRoleAdmin(role [32]byte) ([]byte, error) {
	return collection1155.abi.Pack("getRoleAdmin", role)
}

// UnpackGetRoleAdmin is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x248a9ca3.
//
// Solidity: function getRoleAdmin(bytes32 role) view returns(bytes32)
func (collection1155 *Collection1155) UnpackGetRoleAdmin(data []byte) ([32]byte, error) {
	out, err := collection1155.abi.Unpack("getRoleAdmin", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackGrantRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2f2ff15d.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function grantRole(bytes32 role, address account) returns()
func (collection1155 *Collection1155) PackGrantRole(role [32]byte, account common.Address) []byte {
	enc, err := collection1155.abi.Pack("grantRole", role, account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGrantRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2f2ff15d.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function grantRole(bytes32 role, address account) returns()
func (collection1155 *Collection1155) TryPackGrantRole(role [32]byte, account common.Address) ([]byte, error) {
	return collection1155.abi.Pack("grantRole", role, account)
}

// PackHasRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x91d14854.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function hasRole(bytes32 role, address account) view returns(bool)
func (collection1155 *Collection1155) PackHasRole(role [32]byte, account common.Address) []byte {
	enc, err := collection1155.abi.Pack("hasRole", role, account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackHasRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x91d14854.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function hasRole(bytes32 role, address account) view returns(bool)
func (collection1155 *Collection1155) TryPackHasRole(role [32]byte, account common.Address) ([]byte, error) {
	return collection1155.abi.Pack("hasRole", role, account)
}

// UnpackHasRole is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x91d14854.
//
// Solidity: function hasRole(bytes32 role, address account) view returns(bool)
func (collection1155 *Collection1155) UnpackHasRole(data []byte) (bool, error) {
	out, err := collection1155.abi.Unpack("hasRole", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackIsApprovedForAll is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe985e9c5.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function isApprovedForAll(address account, address operator) view returns(bool)
func (collection1155 *Collection1155) PackIsApprovedForAll(account common.Address, operator common.Address) []byte {
	enc, err := collection1155.abi.Pack("isApprovedForAll", account, operator)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackIsApprovedForAll is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe985e9c5.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function isApprovedForAll(address account, address operator) view returns(bool)
func (collection1155 *Collection1155) TryPackIsApprovedForAll(account common.Address, operator common.Address) ([]byte, error) {
	return collection1155.abi.Pack("isApprovedForAll", account, operator)
}

// UnpackIsApprovedForAll is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xe985e9c5.
//
// Solidity: function isApprovedForAll(address account, address operator) view returns(bool)
func (collection1155 *Collection1155) UnpackIsApprovedForAll(data []byte) (bool, error) {
	out, err := collection1155.abi.Unpack("isApprovedForAll", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackMaxSupply is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x869f7594.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function maxSupply(uint256 id) view returns(uint256)
func (collection1155 *Collection1155) PackMaxSupply(id *big.Int) []byte {
	enc, err := collection1155.abi.Pack("maxSupply", id)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMaxSupply is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x869f7594.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function maxSupply(uint256 id) view returns(uint256)
func (collection1155 *Collection1155) TryPackMaxSupply(id *big.Int) ([]byte, error) {
	return collection1155.abi.Pack("maxSupply", id)
}

// UnpackMaxSupply is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x869f7594.
//
// Solidity: function maxSupply(uint256 id) view returns(uint256)
func (collection1155 *Collection1155) UnpackMaxSupply(data []byte) (*big.Int, error) {
	out, err := collection1155.abi.Unpack("maxSupply", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackMint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x731133e9.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function mint(address to, uint256 id, uint256 amount, bytes data) returns()
func (collection1155 *Collection1155) PackMint(to common.Address, id *big.Int, amount *big.Int, data []byte) []byte {
	enc, err := collection1155.abi.Pack("mint", to, id, amount, data)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x731133e9.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function mint(address to, uint256 id, uint256 amount, bytes data) returns()
func (collection1155 *Collection1155) TryPackMint(to common.Address, id *big.Int, amount *big.Int, data []byte) ([]byte, error) {
	return collection1155.abi.Pack("mint", to, id, amount, data)
}

// PackMintBatch is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1f7fdffa.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function mintBatch(address to, uint256[] ids, uint256[] amounts, bytes data) returns()
func (collection1155 *Collection1155) PackMintBatch(to common.Address, ids []*big.Int, amounts []*big.Int, data []byte) []byte {
	enc, err := collection1155.abi.Pack("mintBatch", to, ids, amounts, data)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMintBatch is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1f7fdffa.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function mintBatch(address to, uint256[] ids, uint256[] amounts, bytes data) returns()
func (collection1155 *Collection1155) TryPackMintBatch(to common.Address, ids []*big.Int, amounts []*big.Int, data []byte) ([]byte, error) {
	return collection1155.abi.Pack("mintBatch", to, ids, amounts, data)
}

// PackMinted is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x7dc0bf3f.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function minted(uint256 id) view returns(uint256)
func (collection1155 *Collection1155) PackMinted(id *big.Int) []byte {
	enc, err := collection1155.abi.Pack("minted", id)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMinted is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x7dc0bf3f.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function minted(uint256 id) view returns(uint256)
func (collection1155 *Collection1155) TryPackMinted(id *big.Int) ([]byte, error) {
	return collection1155.abi.Pack("minted", id)
}

// UnpackMinted is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x7dc0bf3f.
//
// Solidity: function minted(uint256 id) view returns(uint256)
func (collection1155 *Collection1155) UnpackMinted(data []byte) (*big.Int, error) {
	out, err := collection1155.abi.Unpack("minted", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackName is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x06fdde03.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function name() view returns(string)
func (collection1155 *Collection1155) PackName() []byte {
	enc, err := collection1155.abi.Pack("name")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackName is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x06fdde03.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function name() view returns(string)
func (collection1155 *Collection1155) TryPackName() ([]byte, error) {
	return collection1155.abi.Pack("name")
}

// UnpackName is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x06fdde03.
//
// Solidity: function name() view returns(string)
func (collection1155 *Collection1155) UnpackName(data []byte) (string, error) {
	out, err := collection1155.abi.Unpack("name", data)
	if err != nil {
		return *new(string), err
	}
	out0 := *abi.ConvertType(out[0], new(string)).(*string)
	return out0, nil
}

// PackRenounceRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x36568abe.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function renounceRole(bytes32 role, address callerConfirmation) returns()
func (collection1155 *Collection1155) PackRenounceRole(role [32]byte, callerConfirmation common.Address) []byte {
	enc, err := collection1155.abi.Pack("renounceRole", role, callerConfirmation)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRenounceRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x36568abe.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function renounceRole(bytes32 role, address callerConfirmation) returns()
func (collection1155 *Collection1155) TryPackRenounceRole(role [32]byte, callerConfirmation common.Address) ([]byte, error) {
	return collection1155.abi.Pack("renounceRole", role, callerConfirmation)
}

// PackRevokeRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd547741f.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function revokeRole(bytes32 role, address account) returns()
func (collection1155 *Collection1155) PackRevokeRole(role [32]byte, account common.Address) []byte {
	enc, err := collection1155.abi.Pack("revokeRole", role, account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRevokeRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd547741f.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function revokeRole(bytes32 role, address account) returns()
func (collection1155 *Collection1155) TryPackRevokeRole(role [32]byte, account common.Address) ([]byte, error) {
	return collection1155.abi.Pack("revokeRole", role, account)
}

// PackRoyalty is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x29ee566c.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function royalty() view returns(uint96)
func (collection1155 *Collection1155) PackRoyalty() []byte {
	enc, err := collection1155.abi.Pack("royalty")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRoyalty is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x29ee566c.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function royalty() view returns(uint96)
func (collection1155 *Collection1155) TryPackRoyalty() ([]byte, error) {
	return collection1155.abi.Pack("royalty")
}

// UnpackRoyalty is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x29ee566c.
//
// Solidity: function royalty() view returns(uint96)
func (collection1155 *Collection1155) UnpackRoyalty(data []byte) (*big.Int, error) {
	out, err := collection1155.abi.Unpack("royalty", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackRoyaltyInfo is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2a55205a.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function royaltyInfo(uint256 tokenId, uint256 salePrice) view returns(address receiver, uint256 amount)
func (collection1155 *Collection1155) PackRoyaltyInfo(tokenId *big.Int, salePrice *big.Int) []byte {
	enc, err := collection1155.abi.Pack("royaltyInfo", tokenId, salePrice)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRoyaltyInfo is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2a55205a.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function royaltyInfo(uint256 tokenId, uint256 salePrice) view returns(address receiver, uint256 amount)
func (collection1155 *Collection1155) TryPackRoyaltyInfo(tokenId *big.Int, salePrice *big.Int) ([]byte, error) {
	return collection1155.abi.Pack("royaltyInfo", tokenId, salePrice)
}

// RoyaltyInfoOutput serves as a container for the return parameters of contract
// method RoyaltyInfo.
type RoyaltyInfoOutput struct {
	Receiver common.Address
	Amount   *big.Int
}

// UnpackRoyaltyInfo is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x2a55205a.
//
// Solidity: function royaltyInfo(uint256 tokenId, uint256 salePrice) view returns(address receiver, uint256 amount)
func (collection1155 *Collection1155) UnpackRoyaltyInfo(data []byte) (RoyaltyInfoOutput, error) {
	out, err := collection1155.abi.Unpack("royaltyInfo", data)
	outstruct := new(RoyaltyInfoOutput)
	if err != nil {
		return *outstruct, err
	}
	outstruct.Receiver = *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	outstruct.Amount = abi.ConvertType(out[1], new(big.Int)).(*big.Int)
	return *outstruct, nil
}

// PackSafeBatchTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2eb2c2d6.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data) returns()
func (collection1155 *Collection1155) PackSafeBatchTransferFrom(from common.Address, to common.Address, ids []*big.Int, values []*big.Int, data []byte) []byte {
	enc, err := collection1155.abi.Pack("safeBatchTransferFrom", from, to, ids, values, data)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSafeBatchTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2eb2c2d6.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data) returns()
func (collection1155 *Collection1155) TryPackSafeBatchTransferFrom(from common.Address, to common.Address, ids []*big.Int, values []*big.Int, data []byte) ([]byte, error) {
	return collection1155.abi.Pack("safeBatchTransferFrom", from, to, ids, values, data)
}

// PackSafeTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf242432a.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data) returns()
func (collection1155 *Collection1155) PackSafeTransferFrom(from common.Address, to common.Address, id *big.Int, value *big.Int, data []byte) []byte {
	enc, err := collection1155.abi.Pack("safeTransferFrom", from, to, id, value, data)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSafeTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf242432a.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data) returns()
func (collection1155 *Collection1155) TryPackSafeTransferFrom(from common.Address, to common.Address, id *big.Int, value *big.Int, data []byte) ([]byte, error) {
	return collection1155.abi.Pack("safeTransferFrom", from, to, id, value, data)
}

// PackSetApprovalForAll is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa22cb465.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setApprovalForAll(address operator, bool approved) returns()
func (collection1155 *Collection1155) PackSetApprovalForAll(operator common.Address, approved bool) []byte {
	enc, err := collection1155.abi.Pack("setApprovalForAll", operator, approved)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetApprovalForAll is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa22cb465.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setApprovalForAll(address operator, bool approved) returns()
func (collection1155 *Collection1155) TryPackSetApprovalForAll(operator common.Address, approved bool) ([]byte, error) {
	return collection1155.abi.Pack("setApprovalForAll", operator, approved)
}

// PackSetBaseURI is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x55f804b3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setBaseURI(string baseURI_) returns()
func (collection1155 *Collection1155) PackSetBaseURI(baseURI string) []byte {
	enc, err := collection1155.abi.Pack("setBaseURI", baseURI)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetBaseURI is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x55f804b3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setBaseURI(string baseURI_) returns()
func (collection1155 *Collection1155) TryPackSetBaseURI(baseURI string) ([]byte, error) {
	return collection1155.abi.Pack("setBaseURI", baseURI)
}

// PackSetMaxSupply is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc2b936b6.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setMaxSupply(uint256[] ids, uint256[] max) returns()
func (collection1155 *Collection1155) PackSetMaxSupply(ids []*big.Int, max []*big.Int) []byte {
	enc, err := collection1155.abi.Pack("setMaxSupply", ids, max)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetMaxSupply is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc2b936b6.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setMaxSupply(uint256[] ids, uint256[] max) returns()
func (collection1155 *Collection1155) TryPackSetMaxSupply(ids []*big.Int, max []*big.Int) ([]byte, error) {
	return collection1155.abi.Pack("setMaxSupply", ids, max)
}

// PackSetRoyalty is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8f2fc60b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setRoyalty(address receiver, uint96 basisPoints) returns()
func (collection1155 *Collection1155) PackSetRoyalty(receiver common.Address, basisPoints *big.Int) []byte {
	enc, err := collection1155.abi.Pack("setRoyalty", receiver, basisPoints)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetRoyalty is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8f2fc60b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setRoyalty(address receiver, uint96 basisPoints) returns()
func (collection1155 *Collection1155) TryPackSetRoyalty(receiver common.Address, basisPoints *big.Int) ([]byte, error) {
	return collection1155.abi.Pack("setRoyalty", receiver, basisPoints)
}

// PackSupportsInterface is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x01ffc9a7.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function supportsInterface(bytes4 id) view returns(bool)
func (collection1155 *Collection1155) PackSupportsInterface(id [4]byte) []byte {
	enc, err := collection1155.abi.Pack("supportsInterface", id)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSupportsInterface is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x01ffc9a7.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function supportsInterface(bytes4 id) view returns(bool)
func (collection1155 *Collection1155) TryPackSupportsInterface(id [4]byte) ([]byte, error) {
	return collection1155.abi.Pack("supportsInterface", id)
}

// UnpackSupportsInterface is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x01ffc9a7.
//
// Solidity: function supportsInterface(bytes4 id) view returns(bool)
func (collection1155 *Collection1155) UnpackSupportsInterface(data []byte) (bool, error) {
	out, err := collection1155.abi.Unpack("supportsInterface", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackSymbol is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x95d89b41.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function symbol() view returns(string)
func (collection1155 *Collection1155) PackSymbol() []byte {
	enc, err := collection1155.abi.Pack("symbol")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSymbol is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x95d89b41.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function symbol() view returns(string)
func (collection1155 *Collection1155) TryPackSymbol() ([]byte, error) {
	return collection1155.abi.Pack("symbol")
}

// UnpackSymbol is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x95d89b41.
//
// Solidity: function symbol() view returns(string)
func (collection1155 *Collection1155) UnpackSymbol(data []byte) (string, error) {
	out, err := collection1155.abi.Unpack("symbol", data)
	if err != nil {
		return *new(string), err
	}
	out0 := *abi.ConvertType(out[0], new(string)).(*string)
	return out0, nil
}

// PackUri is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x0e89341c.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function uri(uint256 id) view returns(string)
func (collection1155 *Collection1155) PackUri(id *big.Int) []byte {
	enc, err := collection1155.abi.Pack("uri", id)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackUri is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x0e89341c.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function uri(uint256 id) view returns(string)
func (collection1155 *Collection1155) TryPackUri(id *big.Int) ([]byte, error) {
	return collection1155.abi.Pack("uri", id)
}

// UnpackUri is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x0e89341c.
//
// Solidity: function uri(uint256 id) view returns(string)
func (collection1155 *Collection1155) UnpackUri(data []byte) (string, error) {
	out, err := collection1155.abi.Unpack("uri", data)
	if err != nil {
		return *new(string), err
	}
	out0 := *abi.ConvertType(out[0], new(string)).(*string)
	return out0, nil
}

// Collection1155ApprovalForAll represents a ApprovalForAll event raised by the Collection1155 contract.
type Collection1155ApprovalForAll struct {
	Account  common.Address
	Operator common.Address
	Approved bool
	Raw      *types.Log // Blockchain specific contextual infos
}

const Collection1155ApprovalForAllEventName = "ApprovalForAll"

// ContractEventName returns the user-defined event name.
func (Collection1155ApprovalForAll) ContractEventName() string {
	return Collection1155ApprovalForAllEventName
}

// UnpackApprovalForAllEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event ApprovalForAll(address indexed account, address indexed operator, bool approved)
func (collection1155 *Collection1155) UnpackApprovalForAllEvent(log *types.Log) (*Collection1155ApprovalForAll, error) {
	event := "ApprovalForAll"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != collection1155.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(Collection1155ApprovalForAll)
	if len(log.Data) > 0 {
		if err := collection1155.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range collection1155.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// Collection1155MaxSupplySet represents a MaxSupplySet event raised by the Collection1155 contract.
type Collection1155MaxSupplySet struct {
	Id  *big.Int
	Max *big.Int
	Raw *types.Log // Blockchain specific contextual infos
}

const Collection1155MaxSupplySetEventName = "MaxSupplySet"

// ContractEventName returns the user-defined event name.
func (Collection1155MaxSupplySet) ContractEventName() string {
	return Collection1155MaxSupplySetEventName
}

// UnpackMaxSupplySetEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event MaxSupplySet(uint256 indexed id, uint256 max)
func (collection1155 *Collection1155) UnpackMaxSupplySetEvent(log *types.Log) (*Collection1155MaxSupplySet, error) {
	event := "MaxSupplySet"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != collection1155.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(Collection1155MaxSupplySet)
	if len(log.Data) > 0 {
		if err := collection1155.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range collection1155.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// Collection1155RoleAdminChanged represents a RoleAdminChanged event raised by the Collection1155 contract.
type Collection1155RoleAdminChanged struct {
	Role              [32]byte
	PreviousAdminRole [32]byte
	NewAdminRole      [32]byte
	Raw               *types.Log // Blockchain specific contextual infos
}

const Collection1155RoleAdminChangedEventName = "RoleAdminChanged"

// ContractEventName returns the user-defined event name.
func (Collection1155RoleAdminChanged) ContractEventName() string {
	return Collection1155RoleAdminChangedEventName
}

// UnpackRoleAdminChangedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event RoleAdminChanged(bytes32 indexed role, bytes32 indexed previousAdminRole, bytes32 indexed newAdminRole)
func (collection1155 *Collection1155) UnpackRoleAdminChangedEvent(log *types.Log) (*Collection1155RoleAdminChanged, error) {
	event := "RoleAdminChanged"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != collection1155.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(Collection1155RoleAdminChanged)
	if len(log.Data) > 0 {
		if err := collection1155.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range collection1155.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// Collection1155RoleGranted represents a RoleGranted event raised by the Collection1155 contract.
type Collection1155RoleGranted struct {
	Role    [32]byte
	Account common.Address
	Sender  common.Address
	Raw     *types.Log // Blockchain specific contextual infos
}

const Collection1155RoleGrantedEventName = "RoleGranted"

// ContractEventName returns the user-defined event name.
func (Collection1155RoleGranted) ContractEventName() string {
	return Collection1155RoleGrantedEventName
}

// UnpackRoleGrantedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)
func (collection1155 *Collection1155) UnpackRoleGrantedEvent(log *types.Log) (*Collection1155RoleGranted, error) {
	event := "RoleGranted"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != collection1155.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(Collection1155RoleGranted)
	if len(log.Data) > 0 {
		if err := collection1155.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range collection1155.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// Collection1155RoleRevoked represents a RoleRevoked event raised by the Collection1155 contract.
type Collection1155RoleRevoked struct {
	Role    [32]byte
	Account common.Address
	Sender  common.Address
	Raw     *types.Log // Blockchain specific contextual infos
}

const Collection1155RoleRevokedEventName = "RoleRevoked"

// ContractEventName returns the user-defined event name.
func (Collection1155RoleRevoked) ContractEventName() string {
	return Collection1155RoleRevokedEventName
}

// UnpackRoleRevokedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)
func (collection1155 *Collection1155) UnpackRoleRevokedEvent(log *types.Log) (*Collection1155RoleRevoked, error) {
	event := "RoleRevoked"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != collection1155.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(Collection1155RoleRevoked)
	if len(log.Data) > 0 {
		if err := collection1155.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range collection1155.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// Collection1155RoyaltySet represents a RoyaltySet event raised by the Collection1155 contract.
type Collection1155RoyaltySet struct {
	Receiver    common.Address
	BasisPoints *big.Int
	Raw         *types.Log // Blockchain specific contextual infos
}

const Collection1155RoyaltySetEventName = "RoyaltySet"

// ContractEventName returns the user-defined event name.
func (Collection1155RoyaltySet) ContractEventName() string {
	return Collection1155RoyaltySetEventName
}

// UnpackRoyaltySetEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event RoyaltySet(address indexed receiver, uint96 basisPoints)
func (collection1155 *Collection1155) UnpackRoyaltySetEvent(log *types.Log) (*Collection1155RoyaltySet, error) {
	event := "RoyaltySet"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != collection1155.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(Collection1155RoyaltySet)
	if len(log.Data) > 0 {
		if err := collection1155.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range collection1155.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// Collection1155TransferBatch represents a TransferBatch event raised by the Collection1155 contract.
type Collection1155TransferBatch struct {
	Operator common.Address
	From     common.Address
	To       common.Address
	Ids      []*big.Int
	Values   []*big.Int
	Raw      *types.Log // Blockchain specific contextual infos
}

const Collection1155TransferBatchEventName = "TransferBatch"

// ContractEventName returns the user-defined event name.
func (Collection1155TransferBatch) ContractEventName() string {
	return Collection1155TransferBatchEventName
}

// UnpackTransferBatchEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)
func (collection1155 *Collection1155) UnpackTransferBatchEvent(log *types.Log) (*Collection1155TransferBatch, error) {
	event := "TransferBatch"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != collection1155.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(Collection1155TransferBatch)
	if len(log.Data) > 0 {
		if err := collection1155.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range collection1155.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// Collection1155TransferSingle represents a TransferSingle event raised by the Collection1155 contract.
type Collection1155TransferSingle struct {
	Operator common.Address
	From     common.Address
	To       common.Address
	Id       *big.Int
	Value    *big.Int
	Raw      *types.Log // Blockchain specific contextual infos
}

const Collection1155TransferSingleEventName = "TransferSingle"

// ContractEventName returns the user-defined event name.
func (Collection1155TransferSingle) ContractEventName() string {
	return Collection1155TransferSingleEventName
}

// UnpackTransferSingleEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)
func (collection1155 *Collection1155) UnpackTransferSingleEvent(log *types.Log) (*Collection1155TransferSingle, error) {
	event := "TransferSingle"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != collection1155.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(Collection1155TransferSingle)
	if len(log.Data) > 0 {
		if err := collection1155.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range collection1155.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// Collection1155URI represents a URI event raised by the Collection1155 contract.
type Collection1155URI struct {
	Value string
	Id    *big.Int
	Raw   *types.Log // Blockchain specific contextual infos
}

const Collection1155URIEventName = "URI"

// ContractEventName returns the user-defined event name.
func (Collection1155URI) ContractEventName() string {
	return Collection1155URIEventName
}

// UnpackURIEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event URI(string value, uint256 indexed id)
func (collection1155 *Collection1155) UnpackURIEvent(log *types.Log) (*Collection1155URI, error) {
	event := "URI"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != collection1155.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(Collection1155URI)
	if len(log.Data) > 0 {
		if err := collection1155.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range collection1155.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// UnpackError attempts to decode the provided error data using user-defined
// error definitions.
func (collection1155 *Collection1155) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], collection1155.abi.Errors["AccessControlBadConfirmation"].ID.Bytes()[:4]) {
		return collection1155.UnpackAccessControlBadConfirmationError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection1155.abi.Errors["AccessControlUnauthorizedAccount"].ID.Bytes()[:4]) {
		return collection1155.UnpackAccessControlUnauthorizedAccountError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection1155.abi.Errors["ERC1155InsufficientBalance"].ID.Bytes()[:4]) {
		return collection1155.UnpackERC1155InsufficientBalanceError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection1155.abi.Errors["ERC1155InvalidApprover"].ID.Bytes()[:4]) {
		return collection1155.UnpackERC1155InvalidApproverError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection1155.abi.Errors["ERC1155InvalidArrayLength"].ID.Bytes()[:4]) {
		return collection1155.UnpackERC1155InvalidArrayLengthError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection1155.abi.Errors["ERC1155InvalidOperator"].ID.Bytes()[:4]) {
		return collection1155.UnpackERC1155InvalidOperatorError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection1155.abi.Errors["ERC1155InvalidReceiver"].ID.Bytes()[:4]) {
		return collection1155.UnpackERC1155InvalidReceiverError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection1155.abi.Errors["ERC1155InvalidSender"].ID.Bytes()[:4]) {
		return collection1155.UnpackERC1155InvalidSenderError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection1155.abi.Errors["ERC1155MissingApprovalForAll"].ID.Bytes()[:4]) {
		return collection1155.UnpackERC1155MissingApprovalForAllError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection1155.abi.Errors["ERC2981InvalidDefaultRoyalty"].ID.Bytes()[:4]) {
		return collection1155.UnpackERC2981InvalidDefaultRoyaltyError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection1155.abi.Errors["ERC2981InvalidDefaultRoyaltyReceiver"].ID.Bytes()[:4]) {
		return collection1155.UnpackERC2981InvalidDefaultRoyaltyReceiverError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection1155.abi.Errors["ERC2981InvalidTokenRoyalty"].ID.Bytes()[:4]) {
		return collection1155.UnpackERC2981InvalidTokenRoyaltyError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection1155.abi.Errors["ERC2981InvalidTokenRoyaltyReceiver"].ID.Bytes()[:4]) {
		return collection1155.UnpackERC2981InvalidTokenRoyaltyReceiverError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection1155.abi.Errors["LengthMismatch"].ID.Bytes()[:4]) {
		return collection1155.UnpackLengthMismatchError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection1155.abi.Errors["MaxSupplyExceeded"].ID.Bytes()[:4]) {
		return collection1155.UnpackMaxSupplyExceededError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection1155.abi.Errors["MaxSupplyFixed"].ID.Bytes()[:4]) {
		return collection1155.UnpackMaxSupplyFixedError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection1155.abi.Errors["MaxSupplyInvalid"].ID.Bytes()[:4]) {
		return collection1155.UnpackMaxSupplyInvalidError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection1155.abi.Errors["RoyaltyTooHigh"].ID.Bytes()[:4]) {
		return collection1155.UnpackRoyaltyTooHighError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection1155.abi.Errors["StringsInsufficientHexLength"].ID.Bytes()[:4]) {
		return collection1155.UnpackStringsInsufficientHexLengthError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// Collection1155AccessControlBadConfirmation represents a AccessControlBadConfirmation error raised by the Collection1155 contract.
type Collection1155AccessControlBadConfirmation struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error AccessControlBadConfirmation()
func Collection1155AccessControlBadConfirmationErrorID() common.Hash {
	return common.HexToHash("0x6697b23232a647058342c0724fe7c415cab25915b54e5dbc03f233173d37b41c")
}

// UnpackAccessControlBadConfirmationError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error AccessControlBadConfirmation()
func (collection1155 *Collection1155) UnpackAccessControlBadConfirmationError(raw []byte) (*Collection1155AccessControlBadConfirmation, error) {
	out := new(Collection1155AccessControlBadConfirmation)
	if err := collection1155.abi.UnpackIntoInterface(out, "AccessControlBadConfirmation", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection1155AccessControlUnauthorizedAccount represents a AccessControlUnauthorizedAccount error raised by the Collection1155 contract.
type Collection1155AccessControlUnauthorizedAccount struct {
	Account    common.Address
	NeededRole [32]byte
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)
func Collection1155AccessControlUnauthorizedAccountErrorID() common.Hash {
	return common.HexToHash("0xe2517d3fbfae6f8515ef5ff1ccedc3933ab0cbbda0b492c06eb54ad10ef03b3e")
}

// UnpackAccessControlUnauthorizedAccountError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)
func (collection1155 *Collection1155) UnpackAccessControlUnauthorizedAccountError(raw []byte) (*Collection1155AccessControlUnauthorizedAccount, error) {
	out := new(Collection1155AccessControlUnauthorizedAccount)
	if err := collection1155.abi.UnpackIntoInterface(out, "AccessControlUnauthorizedAccount", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection1155ERC1155InsufficientBalance represents a ERC1155InsufficientBalance error raised by the Collection1155 contract.
type Collection1155ERC1155InsufficientBalance struct {
	Sender  common.Address
	Balance *big.Int
	Needed  *big.Int
	TokenId *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)
func Collection1155ERC1155InsufficientBalanceErrorID() common.Hash {
	return common.HexToHash("0x03dee4c573c982787b5f3537d6323ffaca9d864448aa6bd828ada9e5d0837036")
}

// UnpackERC1155InsufficientBalanceError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)
func (collection1155 *Collection1155) UnpackERC1155InsufficientBalanceError(raw []byte) (*Collection1155ERC1155InsufficientBalance, error) {
	out := new(Collection1155ERC1155InsufficientBalance)
	if err := collection1155.abi.UnpackIntoInterface(out, "ERC1155InsufficientBalance", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection1155ERC1155InvalidApprover represents a ERC1155InvalidApprover error raised by the Collection1155 contract.
type Collection1155ERC1155InvalidApprover struct {
	Approver common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC1155InvalidApprover(address approver)
func Collection1155ERC1155InvalidApproverErrorID() common.Hash {
	return common.HexToHash("0x3e31884e33c33ce0039d1905e3c252950ae3b95240f36d4fff81f5ff6752ef99")
}

// UnpackERC1155InvalidApproverError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC1155InvalidApprover(address approver)
func (collection1155 *Collection1155) UnpackERC1155InvalidApproverError(raw []byte) (*Collection1155ERC1155InvalidApprover, error) {
	out := new(Collection1155ERC1155InvalidApprover)
	if err := collection1155.abi.UnpackIntoInterface(out, "ERC1155InvalidApprover", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection1155ERC1155InvalidArrayLength represents a ERC1155InvalidArrayLength error raised by the Collection1155 contract.
type Collection1155ERC1155InvalidArrayLength struct {
	IdsLength    *big.Int
	ValuesLength *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC1155InvalidArrayLength(uint256 idsLength, uint256 valuesLength)
func Collection1155ERC1155InvalidArrayLengthErrorID() common.Hash {
	return common.HexToHash("0x5b0599913619cfa5633692652638ed25cafcd079c9beae8c251b12c23dcc83f2")
}

// UnpackERC1155InvalidArrayLengthError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC1155InvalidArrayLength(uint256 idsLength, uint256 valuesLength)
func (collection1155 *Collection1155) UnpackERC1155InvalidArrayLengthError(raw []byte) (*Collection1155ERC1155InvalidArrayLength, error) {
	out := new(Collection1155ERC1155InvalidArrayLength)
	if err := collection1155.abi.UnpackIntoInterface(out, "ERC1155InvalidArrayLength", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection1155ERC1155InvalidOperator represents a ERC1155InvalidOperator error raised by the Collection1155 contract.
type Collection1155ERC1155InvalidOperator struct {
	Operator common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC1155InvalidOperator(address operator)
func Collection1155ERC1155InvalidOperatorErrorID() common.Hash {
	return common.HexToHash("0xced3e10010b9d2aa24827119d0db4a8feec73aea48b4b3e470d8a9f3ff723569")
}

// UnpackERC1155InvalidOperatorError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC1155InvalidOperator(address operator)
func (collection1155 *Collection1155) UnpackERC1155InvalidOperatorError(raw []byte) (*Collection1155ERC1155InvalidOperator, error) {
	out := new(Collection1155ERC1155InvalidOperator)
	if err := collection1155.abi.UnpackIntoInterface(out, "ERC1155InvalidOperator", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection1155ERC1155InvalidReceiver represents a ERC1155InvalidReceiver error raised by the Collection1155 contract.
type Collection1155ERC1155InvalidReceiver struct {
	Receiver common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC1155InvalidReceiver(address receiver)
func Collection1155ERC1155InvalidReceiverErrorID() common.Hash {
	return common.HexToHash("0x57f447ceed621d9e134e26de5772c88799abb7322ce2a87f95dce247d47105c6")
}

// UnpackERC1155InvalidReceiverError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC1155InvalidReceiver(address receiver)
func (collection1155 *Collection1155) UnpackERC1155InvalidReceiverError(raw []byte) (*Collection1155ERC1155InvalidReceiver, error) {
	out := new(Collection1155ERC1155InvalidReceiver)
	if err := collection1155.abi.UnpackIntoInterface(out, "ERC1155InvalidReceiver", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection1155ERC1155InvalidSender represents a ERC1155InvalidSender error raised by the Collection1155 contract.
type Collection1155ERC1155InvalidSender struct {
	Sender common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC1155InvalidSender(address sender)
func Collection1155ERC1155InvalidSenderErrorID() common.Hash {
	return common.HexToHash("0x01a83514e94b34009110b75cac6742ba33bd7c62f18a3616bafea52855d3b175")
}

// UnpackERC1155InvalidSenderError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC1155InvalidSender(address sender)
func (collection1155 *Collection1155) UnpackERC1155InvalidSenderError(raw []byte) (*Collection1155ERC1155InvalidSender, error) {
	out := new(Collection1155ERC1155InvalidSender)
	if err := collection1155.abi.UnpackIntoInterface(out, "ERC1155InvalidSender", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection1155ERC1155MissingApprovalForAll represents a ERC1155MissingApprovalForAll error raised by the Collection1155 contract.
type Collection1155ERC1155MissingApprovalForAll struct {
	Operator common.Address
	Owner    common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC1155MissingApprovalForAll(address operator, address owner)
func Collection1155ERC1155MissingApprovalForAllErrorID() common.Hash {
	return common.HexToHash("0xe237d922be9fac42efeaaaffb42cc6b57e0ff95d94a1b74daeff69adc7657754")
}

// UnpackERC1155MissingApprovalForAllError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC1155MissingApprovalForAll(address operator, address owner)
func (collection1155 *Collection1155) UnpackERC1155MissingApprovalForAllError(raw []byte) (*Collection1155ERC1155MissingApprovalForAll, error) {
	out := new(Collection1155ERC1155MissingApprovalForAll)
	if err := collection1155.abi.UnpackIntoInterface(out, "ERC1155MissingApprovalForAll", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection1155ERC2981InvalidDefaultRoyalty represents a ERC2981InvalidDefaultRoyalty error raised by the Collection1155 contract.
type Collection1155ERC2981InvalidDefaultRoyalty struct {
	Numerator   *big.Int
	Denominator *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC2981InvalidDefaultRoyalty(uint256 numerator, uint256 denominator)
func Collection1155ERC2981InvalidDefaultRoyaltyErrorID() common.Hash {
	return common.HexToHash("0x6f483d09b3a1c4c035367ae09146a8a08a718cb6617416cc12a2457ab3d65514")
}

// UnpackERC2981InvalidDefaultRoyaltyError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC2981InvalidDefaultRoyalty(uint256 numerator, uint256 denominator)
func (collection1155 *Collection1155) UnpackERC2981InvalidDefaultRoyaltyError(raw []byte) (*Collection1155ERC2981InvalidDefaultRoyalty, error) {
	out := new(Collection1155ERC2981InvalidDefaultRoyalty)
	if err := collection1155.abi.UnpackIntoInterface(out, "ERC2981InvalidDefaultRoyalty", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection1155ERC2981InvalidDefaultRoyaltyReceiver represents a ERC2981InvalidDefaultRoyaltyReceiver error raised by the Collection1155 contract.
type Collection1155ERC2981InvalidDefaultRoyaltyReceiver struct {
	Receiver common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC2981InvalidDefaultRoyaltyReceiver(address receiver)
func Collection1155ERC2981InvalidDefaultRoyaltyReceiverErrorID() common.Hash {
	return common.HexToHash("0xb6d9900a710828c2d05fe8061d6309d02a20eaa45cd00228c2c2dfbfa2b86fc3")
}

// UnpackERC2981InvalidDefaultRoyaltyReceiverError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC2981InvalidDefaultRoyaltyReceiver(address receiver)
func (collection1155 *Collection1155) UnpackERC2981InvalidDefaultRoyaltyReceiverError(raw []byte) (*Collection1155ERC2981InvalidDefaultRoyaltyReceiver, error) {
	out := new(Collection1155ERC2981InvalidDefaultRoyaltyReceiver)
	if err := collection1155.abi.UnpackIntoInterface(out, "ERC2981InvalidDefaultRoyaltyReceiver", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection1155ERC2981InvalidTokenRoyalty represents a ERC2981InvalidTokenRoyalty error raised by the Collection1155 contract.
type Collection1155ERC2981InvalidTokenRoyalty struct {
	TokenId     *big.Int
	Numerator   *big.Int
	Denominator *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC2981InvalidTokenRoyalty(uint256 tokenId, uint256 numerator, uint256 denominator)
func Collection1155ERC2981InvalidTokenRoyaltyErrorID() common.Hash {
	return common.HexToHash("0xdfd1fc1b5658265f0993b87b75dd02b2fdcb36b128879bccdcf260effa0856bf")
}

// UnpackERC2981InvalidTokenRoyaltyError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC2981InvalidTokenRoyalty(uint256 tokenId, uint256 numerator, uint256 denominator)
func (collection1155 *Collection1155) UnpackERC2981InvalidTokenRoyaltyError(raw []byte) (*Collection1155ERC2981InvalidTokenRoyalty, error) {
	out := new(Collection1155ERC2981InvalidTokenRoyalty)
	if err := collection1155.abi.UnpackIntoInterface(out, "ERC2981InvalidTokenRoyalty", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection1155ERC2981InvalidTokenRoyaltyReceiver represents a ERC2981InvalidTokenRoyaltyReceiver error raised by the Collection1155 contract.
type Collection1155ERC2981InvalidTokenRoyaltyReceiver struct {
	TokenId  *big.Int
	Receiver common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC2981InvalidTokenRoyaltyReceiver(uint256 tokenId, address receiver)
func Collection1155ERC2981InvalidTokenRoyaltyReceiverErrorID() common.Hash {
	return common.HexToHash("0x969f0852135afead3ca9a1ff1e4fe485d35593f81a91d5dbe3a5737302cdbda8")
}

// UnpackERC2981InvalidTokenRoyaltyReceiverError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC2981InvalidTokenRoyaltyReceiver(uint256 tokenId, address receiver)
func (collection1155 *Collection1155) UnpackERC2981InvalidTokenRoyaltyReceiverError(raw []byte) (*Collection1155ERC2981InvalidTokenRoyaltyReceiver, error) {
	out := new(Collection1155ERC2981InvalidTokenRoyaltyReceiver)
	if err := collection1155.abi.UnpackIntoInterface(out, "ERC2981InvalidTokenRoyaltyReceiver", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection1155LengthMismatch represents a LengthMismatch error raised by the Collection1155 contract.
type Collection1155LengthMismatch struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error LengthMismatch()
func Collection1155LengthMismatchErrorID() common.Hash {
	return common.HexToHash("0xff633a3803c58b9bc21e58efecee59f27e033cc0b1883fccb4969c76146fe60f")
}

// UnpackLengthMismatchError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error LengthMismatch()
func (collection1155 *Collection1155) UnpackLengthMismatchError(raw []byte) (*Collection1155LengthMismatch, error) {
	out := new(Collection1155LengthMismatch)
	if err := collection1155.abi.UnpackIntoInterface(out, "LengthMismatch", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection1155MaxSupplyExceeded represents a MaxSupplyExceeded error raised by the Collection1155 contract.
type Collection1155MaxSupplyExceeded struct {
	Id     *big.Int
	Max    *big.Int
	Wanted *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error MaxSupplyExceeded(uint256 id, uint256 max, uint256 wanted)
func Collection1155MaxSupplyExceededErrorID() common.Hash {
	return common.HexToHash("0xb14d3f5b7a1ad2e33626e1bcf7108d81c475d77b225e56e9863dfa73132bee95")
}

// UnpackMaxSupplyExceededError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error MaxSupplyExceeded(uint256 id, uint256 max, uint256 wanted)
func (collection1155 *Collection1155) UnpackMaxSupplyExceededError(raw []byte) (*Collection1155MaxSupplyExceeded, error) {
	out := new(Collection1155MaxSupplyExceeded)
	if err := collection1155.abi.UnpackIntoInterface(out, "MaxSupplyExceeded", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection1155MaxSupplyFixed represents a MaxSupplyFixed error raised by the Collection1155 contract.
type Collection1155MaxSupplyFixed struct {
	Id  *big.Int
	Max *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error MaxSupplyFixed(uint256 id, uint256 max)
func Collection1155MaxSupplyFixedErrorID() common.Hash {
	return common.HexToHash("0x63676a06e72cc27cf7a9e101f2fbf7b503f3da676da8e3144f7d7ecfd5193f5d")
}

// UnpackMaxSupplyFixedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error MaxSupplyFixed(uint256 id, uint256 max)
func (collection1155 *Collection1155) UnpackMaxSupplyFixedError(raw []byte) (*Collection1155MaxSupplyFixed, error) {
	out := new(Collection1155MaxSupplyFixed)
	if err := collection1155.abi.UnpackIntoInterface(out, "MaxSupplyFixed", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection1155MaxSupplyInvalid represents a MaxSupplyInvalid error raised by the Collection1155 contract.
type Collection1155MaxSupplyInvalid struct {
	Id  *big.Int
	Max *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error MaxSupplyInvalid(uint256 id, uint256 max)
func Collection1155MaxSupplyInvalidErrorID() common.Hash {
	return common.HexToHash("0x1729a7b435e0147bb334b8849d33c7b18ac333bc86c619ca2053ba0ec0a6541d")
}

// UnpackMaxSupplyInvalidError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error MaxSupplyInvalid(uint256 id, uint256 max)
func (collection1155 *Collection1155) UnpackMaxSupplyInvalidError(raw []byte) (*Collection1155MaxSupplyInvalid, error) {
	out := new(Collection1155MaxSupplyInvalid)
	if err := collection1155.abi.UnpackIntoInterface(out, "MaxSupplyInvalid", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection1155RoyaltyTooHigh represents a RoyaltyTooHigh error raised by the Collection1155 contract.
type Collection1155RoyaltyTooHigh struct {
	Highest *big.Int
	Wanted  *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error RoyaltyTooHigh(uint96 highest, uint96 wanted)
func Collection1155RoyaltyTooHighErrorID() common.Hash {
	return common.HexToHash("0xb9015a617ce62248deab4512e577ecabe616ed7f1223980d487b0a60d7b4ef81")
}

// UnpackRoyaltyTooHighError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error RoyaltyTooHigh(uint96 highest, uint96 wanted)
func (collection1155 *Collection1155) UnpackRoyaltyTooHighError(raw []byte) (*Collection1155RoyaltyTooHigh, error) {
	out := new(Collection1155RoyaltyTooHigh)
	if err := collection1155.abi.UnpackIntoInterface(out, "RoyaltyTooHigh", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection1155StringsInsufficientHexLength represents a StringsInsufficientHexLength error raised by the Collection1155 contract.
type Collection1155StringsInsufficientHexLength struct {
	Value  *big.Int
	Length *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error StringsInsufficientHexLength(uint256 value, uint256 length)
func Collection1155StringsInsufficientHexLengthErrorID() common.Hash {
	return common.HexToHash("0xe22e27eb9593f9947dc34771120a3349dd201c662753f0b60502fc1d8e422233")
}

// UnpackStringsInsufficientHexLengthError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error StringsInsufficientHexLength(uint256 value, uint256 length)
func (collection1155 *Collection1155) UnpackStringsInsufficientHexLengthError(raw []byte) (*Collection1155StringsInsufficientHexLength, error) {
	out := new(Collection1155StringsInsufficientHexLength)
	if err := collection1155.abi.UnpackIntoInterface(out, "StringsInsufficientHexLength", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection721MetaData contains all meta data concerning the Collection721 contract.
var Collection721MetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"string\",\"name\":\"name_\",\"type\":\"string\"},{\"internalType\":\"string\",\"name\":\"symbol_\",\"type\":\"string\"},{\"internalType\":\"string\",\"name\":\"baseURI_\",\"type\":\"string\"},{\"internalType\":\"address\",\"name\":\"admin\",\"type\":\"address\"},{\"internalType\":\"address[]\",\"name\":\"minters\",\"type\":\"address[]\"},{\"internalType\":\"uint256\",\"name\":\"maxSupply_\",\"type\":\"uint256\"},{\"internalType\":\"address\",\"name\":\"royaltyReceiver\",\"type\":\"address\"},{\"internalType\":\"uint96\",\"name\":\"royaltyBasisPoints\",\"type\":\"uint96\"}],\"stateMutability\":\"nonpayable\",\"type\":\"constructor\"},{\"inputs\":[],\"name\":\"AccessControlBadConfirmation\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"internalType\":\"bytes32\",\"name\":\"neededRole\",\"type\":\"bytes32\"}],\"name\":\"AccessControlUnauthorizedAccount\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"numerator\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"denominator\",\"type\":\"uint256\"}],\"name\":\"ERC2981InvalidDefaultRoyalty\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"receiver\",\"type\":\"address\"}],\"name\":\"ERC2981InvalidDefaultRoyaltyReceiver\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"numerator\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"denominator\",\"type\":\"uint256\"}],\"name\":\"ERC2981InvalidTokenRoyalty\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"},{\"internalType\":\"address\",\"name\":\"receiver\",\"type\":\"address\"}],\"name\":\"ERC2981InvalidTokenRoyaltyReceiver\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"},{\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"}],\"name\":\"ERC721IncorrectOwner\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"operator\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"}],\"name\":\"ERC721InsufficientApproval\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"approver\",\"type\":\"address\"}],\"name\":\"ERC721InvalidApprover\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"operator\",\"type\":\"address\"}],\"name\":\"ERC721InvalidOperator\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"}],\"name\":\"ERC721InvalidOwner\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"receiver\",\"type\":\"address\"}],\"name\":\"ERC721InvalidReceiver\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"}],\"name\":\"ERC721InvalidSender\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"}],\"name\":\"ERC721NonexistentToken\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"max\",\"type\":\"uint256\"}],\"name\":\"MaxSupplyExceeded\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint96\",\"name\":\"highest\",\"type\":\"uint96\"},{\"internalType\":\"uint96\",\"name\":\"wanted\",\"type\":\"uint96\"}],\"name\":\"RoyaltyTooHigh\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"length\",\"type\":\"uint256\"}],\"name\":\"StringsInsufficientHexLength\",\"type\":\"error\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"approved\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"}],\"name\":\"Approval\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"operator\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"bool\",\"name\":\"approved\",\"type\":\"bool\"}],\"name\":\"ApprovalForAll\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"max\",\"type\":\"uint256\"}],\"name\":\"MaxSupplySet\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"previousAdminRole\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"newAdminRole\",\"type\":\"bytes32\"}],\"name\":\"RoleAdminChanged\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"}],\"name\":\"RoleGranted\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"}],\"name\":\"RoleRevoked\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"receiver\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint96\",\"name\":\"basisPoints\",\"type\":\"uint96\"}],\"name\":\"RoyaltySet\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"}],\"name\":\"Transfer\",\"type\":\"event\"},{\"inputs\":[],\"name\":\"DEFAULT_ADMIN_ROLE\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"MAX_ROYALTY\",\"outputs\":[{\"internalType\":\"uint96\",\"name\":\"\",\"type\":\"uint96\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"MINTER_ROLE\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"}],\"name\":\"approve\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"}],\"name\":\"balanceOf\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"baseURI\",\"outputs\":[{\"internalType\":\"string\",\"name\":\"\",\"type\":\"string\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"}],\"name\":\"burn\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"capped\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"}],\"name\":\"getApproved\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"}],\"name\":\"getRoleAdmin\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"grantRole\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"hasRole\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"operator\",\"type\":\"address\"}],\"name\":\"isApprovedForAll\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"maxSupply\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"}],\"name\":\"mint\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256[]\",\"name\":\"tokenIds\",\"type\":\"uint256[]\"}],\"name\":\"mintBatch\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"minted\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"name\",\"outputs\":[{\"internalType\":\"string\",\"name\":\"\",\"type\":\"string\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"}],\"name\":\"ownerOf\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"internalType\":\"address\",\"name\":\"callerConfirmation\",\"type\":\"address\"}],\"name\":\"renounceRole\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"revokeRole\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"royalty\",\"outputs\":[{\"internalType\":\"uint96\",\"name\":\"\",\"type\":\"uint96\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"}],\"name\":\"safeTransferFrom\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"data\",\"type\":\"bytes\"}],\"name\":\"safeTransferFrom\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"operator\",\"type\":\"address\"},{\"internalType\":\"bool\",\"name\":\"approved\",\"type\":\"bool\"}],\"name\":\"setApprovalForAll\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"string\",\"name\":\"baseURI_\",\"type\":\"string\"}],\"name\":\"setBaseURI\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"receiver\",\"type\":\"address\"},{\"internalType\":\"uint96\",\"name\":\"basisPoints\",\"type\":\"uint96\"}],\"name\":\"setRoyalty\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes4\",\"name\":\"id\",\"type\":\"bytes4\"}],\"name\":\"supportsInterface\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"symbol\",\"outputs\":[{\"internalType\":\"string\",\"name\":\"\",\"type\":\"string\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"}],\"name\":\"tokenURI\",\"outputs\":[{\"internalType\":\"string\",\"name\":\"\",\"type\":\"string\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"tokenId\",\"type\":\"uint256\"}],\"name\":\"transferFrom\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"}]",
	ID:  "Collection721",
}

// Collection721 is an auto generated Go binding around an Ethereum contract.
type Collection721 struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *Collection721) GetABI() abi.ABI {
	return c.abi
}

// NewCollection721 creates a new instance of Collection721.
func NewCollection721() *Collection721 {
	parsed, err := Collection721MetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &Collection721{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *Collection721) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackConstructor is the Go binding used to pack the parameters required for
// contract deployment.
//
// Solidity: constructor(string name_, string symbol_, string baseURI_, address admin, address[] minters, uint256 maxSupply_, address royaltyReceiver, uint96 royaltyBasisPoints) returns()
func (collection721 *Collection721) PackConstructor(name_ string, symbol_ string, baseURI_ string, admin common.Address, minters []common.Address, maxSupply_ *big.Int, royaltyReceiver common.Address, royaltyBasisPoints *big.Int) []byte {
	enc, err := collection721.abi.Pack("", name_, symbol_, baseURI_, admin, minters, maxSupply_, royaltyReceiver, royaltyBasisPoints)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackDEFAULTADMINROLE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa217fddf.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function DEFAULT_ADMIN_ROLE() view returns(bytes32)
func (collection721 *Collection721) PackDEFAULTADMINROLE() []byte {
	enc, err := collection721.abi.Pack("DEFAULT_ADMIN_ROLE")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDEFAULTADMINROLE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa217fddf.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function DEFAULT_ADMIN_ROLE() view returns(bytes32)
func (collection721 *Collection721) TryPackDEFAULTADMINROLE() ([]byte, error) {
	return collection721.abi.Pack("DEFAULT_ADMIN_ROLE")
}

// UnpackDEFAULTADMINROLE is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa217fddf.
//
// Solidity: function DEFAULT_ADMIN_ROLE() view returns(bytes32)
func (collection721 *Collection721) UnpackDEFAULTADMINROLE(data []byte) ([32]byte, error) {
	out, err := collection721.abi.Unpack("DEFAULT_ADMIN_ROLE", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackMAXROYALTY is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd83e5f4d.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function MAX_ROYALTY() view returns(uint96)
func (collection721 *Collection721) PackMAXROYALTY() []byte {
	enc, err := collection721.abi.Pack("MAX_ROYALTY")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMAXROYALTY is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd83e5f4d.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function MAX_ROYALTY() view returns(uint96)
func (collection721 *Collection721) TryPackMAXROYALTY() ([]byte, error) {
	return collection721.abi.Pack("MAX_ROYALTY")
}

// UnpackMAXROYALTY is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xd83e5f4d.
//
// Solidity: function MAX_ROYALTY() view returns(uint96)
func (collection721 *Collection721) UnpackMAXROYALTY(data []byte) (*big.Int, error) {
	out, err := collection721.abi.Unpack("MAX_ROYALTY", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackMINTERROLE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd5391393.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function MINTER_ROLE() view returns(bytes32)
func (collection721 *Collection721) PackMINTERROLE() []byte {
	enc, err := collection721.abi.Pack("MINTER_ROLE")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMINTERROLE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd5391393.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function MINTER_ROLE() view returns(bytes32)
func (collection721 *Collection721) TryPackMINTERROLE() ([]byte, error) {
	return collection721.abi.Pack("MINTER_ROLE")
}

// UnpackMINTERROLE is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xd5391393.
//
// Solidity: function MINTER_ROLE() view returns(bytes32)
func (collection721 *Collection721) UnpackMINTERROLE(data []byte) ([32]byte, error) {
	out, err := collection721.abi.Unpack("MINTER_ROLE", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackApprove is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x095ea7b3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function approve(address to, uint256 tokenId) returns()
func (collection721 *Collection721) PackApprove(to common.Address, tokenId *big.Int) []byte {
	enc, err := collection721.abi.Pack("approve", to, tokenId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackApprove is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x095ea7b3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function approve(address to, uint256 tokenId) returns()
func (collection721 *Collection721) TryPackApprove(to common.Address, tokenId *big.Int) ([]byte, error) {
	return collection721.abi.Pack("approve", to, tokenId)
}

// PackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function balanceOf(address owner) view returns(uint256)
func (collection721 *Collection721) PackBalanceOf(owner common.Address) []byte {
	enc, err := collection721.abi.Pack("balanceOf", owner)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function balanceOf(address owner) view returns(uint256)
func (collection721 *Collection721) TryPackBalanceOf(owner common.Address) ([]byte, error) {
	return collection721.abi.Pack("balanceOf", owner)
}

// UnpackBalanceOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x70a08231.
//
// Solidity: function balanceOf(address owner) view returns(uint256)
func (collection721 *Collection721) UnpackBalanceOf(data []byte) (*big.Int, error) {
	out, err := collection721.abi.Unpack("balanceOf", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackBaseURI is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6c0360eb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function baseURI() view returns(string)
func (collection721 *Collection721) PackBaseURI() []byte {
	enc, err := collection721.abi.Pack("baseURI")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBaseURI is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6c0360eb.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function baseURI() view returns(string)
func (collection721 *Collection721) TryPackBaseURI() ([]byte, error) {
	return collection721.abi.Pack("baseURI")
}

// UnpackBaseURI is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x6c0360eb.
//
// Solidity: function baseURI() view returns(string)
func (collection721 *Collection721) UnpackBaseURI(data []byte) (string, error) {
	out, err := collection721.abi.Unpack("baseURI", data)
	if err != nil {
		return *new(string), err
	}
	out0 := *abi.ConvertType(out[0], new(string)).(*string)
	return out0, nil
}

// PackBurn is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x42966c68.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function burn(uint256 tokenId) returns()
func (collection721 *Collection721) PackBurn(tokenId *big.Int) []byte {
	enc, err := collection721.abi.Pack("burn", tokenId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBurn is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x42966c68.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function burn(uint256 tokenId) returns()
func (collection721 *Collection721) TryPackBurn(tokenId *big.Int) ([]byte, error) {
	return collection721.abi.Pack("burn", tokenId)
}

// PackCapped is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5eb101c3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function capped() view returns(bool)
func (collection721 *Collection721) PackCapped() []byte {
	enc, err := collection721.abi.Pack("capped")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackCapped is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5eb101c3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function capped() view returns(bool)
func (collection721 *Collection721) TryPackCapped() ([]byte, error) {
	return collection721.abi.Pack("capped")
}

// UnpackCapped is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x5eb101c3.
//
// Solidity: function capped() view returns(bool)
func (collection721 *Collection721) UnpackCapped(data []byte) (bool, error) {
	out, err := collection721.abi.Unpack("capped", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackGetApproved is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x081812fc.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getApproved(uint256 tokenId) view returns(address)
func (collection721 *Collection721) PackGetApproved(tokenId *big.Int) []byte {
	enc, err := collection721.abi.Pack("getApproved", tokenId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetApproved is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x081812fc.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getApproved(uint256 tokenId) view returns(address)
func (collection721 *Collection721) TryPackGetApproved(tokenId *big.Int) ([]byte, error) {
	return collection721.abi.Pack("getApproved", tokenId)
}

// UnpackGetApproved is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x081812fc.
//
// Solidity: function getApproved(uint256 tokenId) view returns(address)
func (collection721 *Collection721) UnpackGetApproved(data []byte) (common.Address, error) {
	out, err := collection721.abi.Unpack("getApproved", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackGetRoleAdmin is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x248a9ca3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getRoleAdmin(bytes32 role) view returns(bytes32)
func (collection721 *Collection721) PackGetRoleAdmin(role [32]byte) []byte {
	enc, err := collection721.abi.Pack("getRoleAdmin", role)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetRoleAdmin is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x248a9ca3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getRoleAdmin(bytes32 role) view returns(bytes32)
func (collection721 *Collection721) TryPackGetRoleAdmin(role [32]byte) ([]byte, error) {
	return collection721.abi.Pack("getRoleAdmin", role)
}

// UnpackGetRoleAdmin is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x248a9ca3.
//
// Solidity: function getRoleAdmin(bytes32 role) view returns(bytes32)
func (collection721 *Collection721) UnpackGetRoleAdmin(data []byte) ([32]byte, error) {
	out, err := collection721.abi.Unpack("getRoleAdmin", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackGrantRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2f2ff15d.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function grantRole(bytes32 role, address account) returns()
func (collection721 *Collection721) PackGrantRole(role [32]byte, account common.Address) []byte {
	enc, err := collection721.abi.Pack("grantRole", role, account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGrantRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2f2ff15d.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function grantRole(bytes32 role, address account) returns()
func (collection721 *Collection721) TryPackGrantRole(role [32]byte, account common.Address) ([]byte, error) {
	return collection721.abi.Pack("grantRole", role, account)
}

// PackHasRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x91d14854.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function hasRole(bytes32 role, address account) view returns(bool)
func (collection721 *Collection721) PackHasRole(role [32]byte, account common.Address) []byte {
	enc, err := collection721.abi.Pack("hasRole", role, account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackHasRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x91d14854.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function hasRole(bytes32 role, address account) view returns(bool)
func (collection721 *Collection721) TryPackHasRole(role [32]byte, account common.Address) ([]byte, error) {
	return collection721.abi.Pack("hasRole", role, account)
}

// UnpackHasRole is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x91d14854.
//
// Solidity: function hasRole(bytes32 role, address account) view returns(bool)
func (collection721 *Collection721) UnpackHasRole(data []byte) (bool, error) {
	out, err := collection721.abi.Unpack("hasRole", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackIsApprovedForAll is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe985e9c5.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function isApprovedForAll(address owner, address operator) view returns(bool)
func (collection721 *Collection721) PackIsApprovedForAll(owner common.Address, operator common.Address) []byte {
	enc, err := collection721.abi.Pack("isApprovedForAll", owner, operator)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackIsApprovedForAll is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe985e9c5.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function isApprovedForAll(address owner, address operator) view returns(bool)
func (collection721 *Collection721) TryPackIsApprovedForAll(owner common.Address, operator common.Address) ([]byte, error) {
	return collection721.abi.Pack("isApprovedForAll", owner, operator)
}

// UnpackIsApprovedForAll is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xe985e9c5.
//
// Solidity: function isApprovedForAll(address owner, address operator) view returns(bool)
func (collection721 *Collection721) UnpackIsApprovedForAll(data []byte) (bool, error) {
	out, err := collection721.abi.Unpack("isApprovedForAll", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackMaxSupply is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd5abeb01.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function maxSupply() view returns(uint256)
func (collection721 *Collection721) PackMaxSupply() []byte {
	enc, err := collection721.abi.Pack("maxSupply")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMaxSupply is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd5abeb01.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function maxSupply() view returns(uint256)
func (collection721 *Collection721) TryPackMaxSupply() ([]byte, error) {
	return collection721.abi.Pack("maxSupply")
}

// UnpackMaxSupply is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xd5abeb01.
//
// Solidity: function maxSupply() view returns(uint256)
func (collection721 *Collection721) UnpackMaxSupply(data []byte) (*big.Int, error) {
	out, err := collection721.abi.Unpack("maxSupply", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackMint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x40c10f19.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function mint(address to, uint256 tokenId) returns()
func (collection721 *Collection721) PackMint(to common.Address, tokenId *big.Int) []byte {
	enc, err := collection721.abi.Pack("mint", to, tokenId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x40c10f19.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function mint(address to, uint256 tokenId) returns()
func (collection721 *Collection721) TryPackMint(to common.Address, tokenId *big.Int) ([]byte, error) {
	return collection721.abi.Pack("mint", to, tokenId)
}

// PackMintBatch is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x75ceb341.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function mintBatch(address to, uint256[] tokenIds) returns()
func (collection721 *Collection721) PackMintBatch(to common.Address, tokenIds []*big.Int) []byte {
	enc, err := collection721.abi.Pack("mintBatch", to, tokenIds)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMintBatch is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x75ceb341.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function mintBatch(address to, uint256[] tokenIds) returns()
func (collection721 *Collection721) TryPackMintBatch(to common.Address, tokenIds []*big.Int) ([]byte, error) {
	return collection721.abi.Pack("mintBatch", to, tokenIds)
}

// PackMinted is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4f02c420.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function minted() view returns(uint256)
func (collection721 *Collection721) PackMinted() []byte {
	enc, err := collection721.abi.Pack("minted")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMinted is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4f02c420.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function minted() view returns(uint256)
func (collection721 *Collection721) TryPackMinted() ([]byte, error) {
	return collection721.abi.Pack("minted")
}

// UnpackMinted is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x4f02c420.
//
// Solidity: function minted() view returns(uint256)
func (collection721 *Collection721) UnpackMinted(data []byte) (*big.Int, error) {
	out, err := collection721.abi.Unpack("minted", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackName is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x06fdde03.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function name() view returns(string)
func (collection721 *Collection721) PackName() []byte {
	enc, err := collection721.abi.Pack("name")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackName is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x06fdde03.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function name() view returns(string)
func (collection721 *Collection721) TryPackName() ([]byte, error) {
	return collection721.abi.Pack("name")
}

// UnpackName is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x06fdde03.
//
// Solidity: function name() view returns(string)
func (collection721 *Collection721) UnpackName(data []byte) (string, error) {
	out, err := collection721.abi.Unpack("name", data)
	if err != nil {
		return *new(string), err
	}
	out0 := *abi.ConvertType(out[0], new(string)).(*string)
	return out0, nil
}

// PackOwnerOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6352211e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function ownerOf(uint256 tokenId) view returns(address)
func (collection721 *Collection721) PackOwnerOf(tokenId *big.Int) []byte {
	enc, err := collection721.abi.Pack("ownerOf", tokenId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackOwnerOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6352211e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function ownerOf(uint256 tokenId) view returns(address)
func (collection721 *Collection721) TryPackOwnerOf(tokenId *big.Int) ([]byte, error) {
	return collection721.abi.Pack("ownerOf", tokenId)
}

// UnpackOwnerOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x6352211e.
//
// Solidity: function ownerOf(uint256 tokenId) view returns(address)
func (collection721 *Collection721) UnpackOwnerOf(data []byte) (common.Address, error) {
	out, err := collection721.abi.Unpack("ownerOf", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackRenounceRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x36568abe.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function renounceRole(bytes32 role, address callerConfirmation) returns()
func (collection721 *Collection721) PackRenounceRole(role [32]byte, callerConfirmation common.Address) []byte {
	enc, err := collection721.abi.Pack("renounceRole", role, callerConfirmation)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRenounceRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x36568abe.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function renounceRole(bytes32 role, address callerConfirmation) returns()
func (collection721 *Collection721) TryPackRenounceRole(role [32]byte, callerConfirmation common.Address) ([]byte, error) {
	return collection721.abi.Pack("renounceRole", role, callerConfirmation)
}

// PackRevokeRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd547741f.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function revokeRole(bytes32 role, address account) returns()
func (collection721 *Collection721) PackRevokeRole(role [32]byte, account common.Address) []byte {
	enc, err := collection721.abi.Pack("revokeRole", role, account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRevokeRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd547741f.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function revokeRole(bytes32 role, address account) returns()
func (collection721 *Collection721) TryPackRevokeRole(role [32]byte, account common.Address) ([]byte, error) {
	return collection721.abi.Pack("revokeRole", role, account)
}

// PackRoyalty is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x29ee566c.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function royalty() view returns(uint96)
func (collection721 *Collection721) PackRoyalty() []byte {
	enc, err := collection721.abi.Pack("royalty")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRoyalty is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x29ee566c.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function royalty() view returns(uint96)
func (collection721 *Collection721) TryPackRoyalty() ([]byte, error) {
	return collection721.abi.Pack("royalty")
}

// UnpackRoyalty is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x29ee566c.
//
// Solidity: function royalty() view returns(uint96)
func (collection721 *Collection721) UnpackRoyalty(data []byte) (*big.Int, error) {
	out, err := collection721.abi.Unpack("royalty", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackSafeTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x42842e0e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function safeTransferFrom(address from, address to, uint256 tokenId) returns()
func (collection721 *Collection721) PackSafeTransferFrom(from common.Address, to common.Address, tokenId *big.Int) []byte {
	enc, err := collection721.abi.Pack("safeTransferFrom", from, to, tokenId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSafeTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x42842e0e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function safeTransferFrom(address from, address to, uint256 tokenId) returns()
func (collection721 *Collection721) TryPackSafeTransferFrom(from common.Address, to common.Address, tokenId *big.Int) ([]byte, error) {
	return collection721.abi.Pack("safeTransferFrom", from, to, tokenId)
}

// PackSafeTransferFrom0 is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb88d4fde.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function safeTransferFrom(address from, address to, uint256 tokenId, bytes data) returns()
func (collection721 *Collection721) PackSafeTransferFrom0(from common.Address, to common.Address, tokenId *big.Int, data []byte) []byte {
	enc, err := collection721.abi.Pack("safeTransferFrom0", from, to, tokenId, data)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSafeTransferFrom0 is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb88d4fde.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function safeTransferFrom(address from, address to, uint256 tokenId, bytes data) returns()
func (collection721 *Collection721) TryPackSafeTransferFrom0(from common.Address, to common.Address, tokenId *big.Int, data []byte) ([]byte, error) {
	return collection721.abi.Pack("safeTransferFrom0", from, to, tokenId, data)
}

// PackSetApprovalForAll is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa22cb465.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setApprovalForAll(address operator, bool approved) returns()
func (collection721 *Collection721) PackSetApprovalForAll(operator common.Address, approved bool) []byte {
	enc, err := collection721.abi.Pack("setApprovalForAll", operator, approved)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetApprovalForAll is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa22cb465.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setApprovalForAll(address operator, bool approved) returns()
func (collection721 *Collection721) TryPackSetApprovalForAll(operator common.Address, approved bool) ([]byte, error) {
	return collection721.abi.Pack("setApprovalForAll", operator, approved)
}

// PackSetBaseURI is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x55f804b3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setBaseURI(string baseURI_) returns()
func (collection721 *Collection721) PackSetBaseURI(baseURI string) []byte {
	enc, err := collection721.abi.Pack("setBaseURI", baseURI)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetBaseURI is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x55f804b3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setBaseURI(string baseURI_) returns()
func (collection721 *Collection721) TryPackSetBaseURI(baseURI string) ([]byte, error) {
	return collection721.abi.Pack("setBaseURI", baseURI)
}

// PackSetRoyalty is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8f2fc60b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setRoyalty(address receiver, uint96 basisPoints) returns()
func (collection721 *Collection721) PackSetRoyalty(receiver common.Address, basisPoints *big.Int) []byte {
	enc, err := collection721.abi.Pack("setRoyalty", receiver, basisPoints)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetRoyalty is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8f2fc60b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setRoyalty(address receiver, uint96 basisPoints) returns()
func (collection721 *Collection721) TryPackSetRoyalty(receiver common.Address, basisPoints *big.Int) ([]byte, error) {
	return collection721.abi.Pack("setRoyalty", receiver, basisPoints)
}

// PackSupportsInterface is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x01ffc9a7.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function supportsInterface(bytes4 id) view returns(bool)
func (collection721 *Collection721) PackSupportsInterface(id [4]byte) []byte {
	enc, err := collection721.abi.Pack("supportsInterface", id)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSupportsInterface is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x01ffc9a7.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function supportsInterface(bytes4 id) view returns(bool)
func (collection721 *Collection721) TryPackSupportsInterface(id [4]byte) ([]byte, error) {
	return collection721.abi.Pack("supportsInterface", id)
}

// UnpackSupportsInterface is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x01ffc9a7.
//
// Solidity: function supportsInterface(bytes4 id) view returns(bool)
func (collection721 *Collection721) UnpackSupportsInterface(data []byte) (bool, error) {
	out, err := collection721.abi.Unpack("supportsInterface", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackSymbol is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x95d89b41.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function symbol() view returns(string)
func (collection721 *Collection721) PackSymbol() []byte {
	enc, err := collection721.abi.Pack("symbol")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSymbol is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x95d89b41.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function symbol() view returns(string)
func (collection721 *Collection721) TryPackSymbol() ([]byte, error) {
	return collection721.abi.Pack("symbol")
}

// UnpackSymbol is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x95d89b41.
//
// Solidity: function symbol() view returns(string)
func (collection721 *Collection721) UnpackSymbol(data []byte) (string, error) {
	out, err := collection721.abi.Unpack("symbol", data)
	if err != nil {
		return *new(string), err
	}
	out0 := *abi.ConvertType(out[0], new(string)).(*string)
	return out0, nil
}

// PackTokenURI is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc87b56dd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function tokenURI(uint256 tokenId) view returns(string)
func (collection721 *Collection721) PackTokenURI(tokenId *big.Int) []byte {
	enc, err := collection721.abi.Pack("tokenURI", tokenId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTokenURI is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc87b56dd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function tokenURI(uint256 tokenId) view returns(string)
func (collection721 *Collection721) TryPackTokenURI(tokenId *big.Int) ([]byte, error) {
	return collection721.abi.Pack("tokenURI", tokenId)
}

// UnpackTokenURI is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xc87b56dd.
//
// Solidity: function tokenURI(uint256 tokenId) view returns(string)
func (collection721 *Collection721) UnpackTokenURI(data []byte) (string, error) {
	out, err := collection721.abi.Unpack("tokenURI", data)
	if err != nil {
		return *new(string), err
	}
	out0 := *abi.ConvertType(out[0], new(string)).(*string)
	return out0, nil
}

// PackTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x23b872dd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transferFrom(address from, address to, uint256 tokenId) returns()
func (collection721 *Collection721) PackTransferFrom(from common.Address, to common.Address, tokenId *big.Int) []byte {
	enc, err := collection721.abi.Pack("transferFrom", from, to, tokenId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x23b872dd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transferFrom(address from, address to, uint256 tokenId) returns()
func (collection721 *Collection721) TryPackTransferFrom(from common.Address, to common.Address, tokenId *big.Int) ([]byte, error) {
	return collection721.abi.Pack("transferFrom", from, to, tokenId)
}

// Collection721Approval represents a Approval event raised by the Collection721 contract.
type Collection721Approval struct {
	Owner    common.Address
	Approved common.Address
	TokenId  *big.Int
	Raw      *types.Log // Blockchain specific contextual infos
}

const Collection721ApprovalEventName = "Approval"

// ContractEventName returns the user-defined event name.
func (Collection721Approval) ContractEventName() string {
	return Collection721ApprovalEventName
}

// UnpackApprovalEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)
func (collection721 *Collection721) UnpackApprovalEvent(log *types.Log) (*Collection721Approval, error) {
	event := "Approval"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != collection721.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(Collection721Approval)
	if len(log.Data) > 0 {
		if err := collection721.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range collection721.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// Collection721ApprovalForAll represents a ApprovalForAll event raised by the Collection721 contract.
type Collection721ApprovalForAll struct {
	Owner    common.Address
	Operator common.Address
	Approved bool
	Raw      *types.Log // Blockchain specific contextual infos
}

const Collection721ApprovalForAllEventName = "ApprovalForAll"

// ContractEventName returns the user-defined event name.
func (Collection721ApprovalForAll) ContractEventName() string {
	return Collection721ApprovalForAllEventName
}

// UnpackApprovalForAllEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event ApprovalForAll(address indexed owner, address indexed operator, bool approved)
func (collection721 *Collection721) UnpackApprovalForAllEvent(log *types.Log) (*Collection721ApprovalForAll, error) {
	event := "ApprovalForAll"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != collection721.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(Collection721ApprovalForAll)
	if len(log.Data) > 0 {
		if err := collection721.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range collection721.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// Collection721MaxSupplySet represents a MaxSupplySet event raised by the Collection721 contract.
type Collection721MaxSupplySet struct {
	Max *big.Int
	Raw *types.Log // Blockchain specific contextual infos
}

const Collection721MaxSupplySetEventName = "MaxSupplySet"

// ContractEventName returns the user-defined event name.
func (Collection721MaxSupplySet) ContractEventName() string {
	return Collection721MaxSupplySetEventName
}

// UnpackMaxSupplySetEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event MaxSupplySet(uint256 max)
func (collection721 *Collection721) UnpackMaxSupplySetEvent(log *types.Log) (*Collection721MaxSupplySet, error) {
	event := "MaxSupplySet"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != collection721.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(Collection721MaxSupplySet)
	if len(log.Data) > 0 {
		if err := collection721.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range collection721.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// Collection721RoleAdminChanged represents a RoleAdminChanged event raised by the Collection721 contract.
type Collection721RoleAdminChanged struct {
	Role              [32]byte
	PreviousAdminRole [32]byte
	NewAdminRole      [32]byte
	Raw               *types.Log // Blockchain specific contextual infos
}

const Collection721RoleAdminChangedEventName = "RoleAdminChanged"

// ContractEventName returns the user-defined event name.
func (Collection721RoleAdminChanged) ContractEventName() string {
	return Collection721RoleAdminChangedEventName
}

// UnpackRoleAdminChangedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event RoleAdminChanged(bytes32 indexed role, bytes32 indexed previousAdminRole, bytes32 indexed newAdminRole)
func (collection721 *Collection721) UnpackRoleAdminChangedEvent(log *types.Log) (*Collection721RoleAdminChanged, error) {
	event := "RoleAdminChanged"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != collection721.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(Collection721RoleAdminChanged)
	if len(log.Data) > 0 {
		if err := collection721.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range collection721.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// Collection721RoleGranted represents a RoleGranted event raised by the Collection721 contract.
type Collection721RoleGranted struct {
	Role    [32]byte
	Account common.Address
	Sender  common.Address
	Raw     *types.Log // Blockchain specific contextual infos
}

const Collection721RoleGrantedEventName = "RoleGranted"

// ContractEventName returns the user-defined event name.
func (Collection721RoleGranted) ContractEventName() string {
	return Collection721RoleGrantedEventName
}

// UnpackRoleGrantedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)
func (collection721 *Collection721) UnpackRoleGrantedEvent(log *types.Log) (*Collection721RoleGranted, error) {
	event := "RoleGranted"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != collection721.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(Collection721RoleGranted)
	if len(log.Data) > 0 {
		if err := collection721.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range collection721.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// Collection721RoleRevoked represents a RoleRevoked event raised by the Collection721 contract.
type Collection721RoleRevoked struct {
	Role    [32]byte
	Account common.Address
	Sender  common.Address
	Raw     *types.Log // Blockchain specific contextual infos
}

const Collection721RoleRevokedEventName = "RoleRevoked"

// ContractEventName returns the user-defined event name.
func (Collection721RoleRevoked) ContractEventName() string {
	return Collection721RoleRevokedEventName
}

// UnpackRoleRevokedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)
func (collection721 *Collection721) UnpackRoleRevokedEvent(log *types.Log) (*Collection721RoleRevoked, error) {
	event := "RoleRevoked"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != collection721.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(Collection721RoleRevoked)
	if len(log.Data) > 0 {
		if err := collection721.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range collection721.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// Collection721RoyaltySet represents a RoyaltySet event raised by the Collection721 contract.
type Collection721RoyaltySet struct {
	Receiver    common.Address
	BasisPoints *big.Int
	Raw         *types.Log // Blockchain specific contextual infos
}

const Collection721RoyaltySetEventName = "RoyaltySet"

// ContractEventName returns the user-defined event name.
func (Collection721RoyaltySet) ContractEventName() string {
	return Collection721RoyaltySetEventName
}

// UnpackRoyaltySetEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event RoyaltySet(address indexed receiver, uint96 basisPoints)
func (collection721 *Collection721) UnpackRoyaltySetEvent(log *types.Log) (*Collection721RoyaltySet, error) {
	event := "RoyaltySet"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != collection721.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(Collection721RoyaltySet)
	if len(log.Data) > 0 {
		if err := collection721.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range collection721.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// Collection721Transfer represents a Transfer event raised by the Collection721 contract.
type Collection721Transfer struct {
	From    common.Address
	To      common.Address
	TokenId *big.Int
	Raw     *types.Log // Blockchain specific contextual infos
}

const Collection721TransferEventName = "Transfer"

// ContractEventName returns the user-defined event name.
func (Collection721Transfer) ContractEventName() string {
	return Collection721TransferEventName
}

// UnpackTransferEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)
func (collection721 *Collection721) UnpackTransferEvent(log *types.Log) (*Collection721Transfer, error) {
	event := "Transfer"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != collection721.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(Collection721Transfer)
	if len(log.Data) > 0 {
		if err := collection721.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range collection721.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// UnpackError attempts to decode the provided error data using user-defined
// error definitions.
func (collection721 *Collection721) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], collection721.abi.Errors["AccessControlBadConfirmation"].ID.Bytes()[:4]) {
		return collection721.UnpackAccessControlBadConfirmationError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection721.abi.Errors["AccessControlUnauthorizedAccount"].ID.Bytes()[:4]) {
		return collection721.UnpackAccessControlUnauthorizedAccountError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection721.abi.Errors["ERC2981InvalidDefaultRoyalty"].ID.Bytes()[:4]) {
		return collection721.UnpackERC2981InvalidDefaultRoyaltyError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection721.abi.Errors["ERC2981InvalidDefaultRoyaltyReceiver"].ID.Bytes()[:4]) {
		return collection721.UnpackERC2981InvalidDefaultRoyaltyReceiverError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection721.abi.Errors["ERC2981InvalidTokenRoyalty"].ID.Bytes()[:4]) {
		return collection721.UnpackERC2981InvalidTokenRoyaltyError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection721.abi.Errors["ERC2981InvalidTokenRoyaltyReceiver"].ID.Bytes()[:4]) {
		return collection721.UnpackERC2981InvalidTokenRoyaltyReceiverError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection721.abi.Errors["ERC721IncorrectOwner"].ID.Bytes()[:4]) {
		return collection721.UnpackERC721IncorrectOwnerError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection721.abi.Errors["ERC721InsufficientApproval"].ID.Bytes()[:4]) {
		return collection721.UnpackERC721InsufficientApprovalError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection721.abi.Errors["ERC721InvalidApprover"].ID.Bytes()[:4]) {
		return collection721.UnpackERC721InvalidApproverError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection721.abi.Errors["ERC721InvalidOperator"].ID.Bytes()[:4]) {
		return collection721.UnpackERC721InvalidOperatorError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection721.abi.Errors["ERC721InvalidOwner"].ID.Bytes()[:4]) {
		return collection721.UnpackERC721InvalidOwnerError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection721.abi.Errors["ERC721InvalidReceiver"].ID.Bytes()[:4]) {
		return collection721.UnpackERC721InvalidReceiverError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection721.abi.Errors["ERC721InvalidSender"].ID.Bytes()[:4]) {
		return collection721.UnpackERC721InvalidSenderError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection721.abi.Errors["ERC721NonexistentToken"].ID.Bytes()[:4]) {
		return collection721.UnpackERC721NonexistentTokenError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection721.abi.Errors["MaxSupplyExceeded"].ID.Bytes()[:4]) {
		return collection721.UnpackMaxSupplyExceededError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection721.abi.Errors["RoyaltyTooHigh"].ID.Bytes()[:4]) {
		return collection721.UnpackRoyaltyTooHighError(raw[4:])
	}
	if bytes.Equal(raw[:4], collection721.abi.Errors["StringsInsufficientHexLength"].ID.Bytes()[:4]) {
		return collection721.UnpackStringsInsufficientHexLengthError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// Collection721AccessControlBadConfirmation represents a AccessControlBadConfirmation error raised by the Collection721 contract.
type Collection721AccessControlBadConfirmation struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error AccessControlBadConfirmation()
func Collection721AccessControlBadConfirmationErrorID() common.Hash {
	return common.HexToHash("0x6697b23232a647058342c0724fe7c415cab25915b54e5dbc03f233173d37b41c")
}

// UnpackAccessControlBadConfirmationError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error AccessControlBadConfirmation()
func (collection721 *Collection721) UnpackAccessControlBadConfirmationError(raw []byte) (*Collection721AccessControlBadConfirmation, error) {
	out := new(Collection721AccessControlBadConfirmation)
	if err := collection721.abi.UnpackIntoInterface(out, "AccessControlBadConfirmation", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection721AccessControlUnauthorizedAccount represents a AccessControlUnauthorizedAccount error raised by the Collection721 contract.
type Collection721AccessControlUnauthorizedAccount struct {
	Account    common.Address
	NeededRole [32]byte
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)
func Collection721AccessControlUnauthorizedAccountErrorID() common.Hash {
	return common.HexToHash("0xe2517d3fbfae6f8515ef5ff1ccedc3933ab0cbbda0b492c06eb54ad10ef03b3e")
}

// UnpackAccessControlUnauthorizedAccountError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)
func (collection721 *Collection721) UnpackAccessControlUnauthorizedAccountError(raw []byte) (*Collection721AccessControlUnauthorizedAccount, error) {
	out := new(Collection721AccessControlUnauthorizedAccount)
	if err := collection721.abi.UnpackIntoInterface(out, "AccessControlUnauthorizedAccount", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection721ERC2981InvalidDefaultRoyalty represents a ERC2981InvalidDefaultRoyalty error raised by the Collection721 contract.
type Collection721ERC2981InvalidDefaultRoyalty struct {
	Numerator   *big.Int
	Denominator *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC2981InvalidDefaultRoyalty(uint256 numerator, uint256 denominator)
func Collection721ERC2981InvalidDefaultRoyaltyErrorID() common.Hash {
	return common.HexToHash("0x6f483d09b3a1c4c035367ae09146a8a08a718cb6617416cc12a2457ab3d65514")
}

// UnpackERC2981InvalidDefaultRoyaltyError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC2981InvalidDefaultRoyalty(uint256 numerator, uint256 denominator)
func (collection721 *Collection721) UnpackERC2981InvalidDefaultRoyaltyError(raw []byte) (*Collection721ERC2981InvalidDefaultRoyalty, error) {
	out := new(Collection721ERC2981InvalidDefaultRoyalty)
	if err := collection721.abi.UnpackIntoInterface(out, "ERC2981InvalidDefaultRoyalty", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection721ERC2981InvalidDefaultRoyaltyReceiver represents a ERC2981InvalidDefaultRoyaltyReceiver error raised by the Collection721 contract.
type Collection721ERC2981InvalidDefaultRoyaltyReceiver struct {
	Receiver common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC2981InvalidDefaultRoyaltyReceiver(address receiver)
func Collection721ERC2981InvalidDefaultRoyaltyReceiverErrorID() common.Hash {
	return common.HexToHash("0xb6d9900a710828c2d05fe8061d6309d02a20eaa45cd00228c2c2dfbfa2b86fc3")
}

// UnpackERC2981InvalidDefaultRoyaltyReceiverError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC2981InvalidDefaultRoyaltyReceiver(address receiver)
func (collection721 *Collection721) UnpackERC2981InvalidDefaultRoyaltyReceiverError(raw []byte) (*Collection721ERC2981InvalidDefaultRoyaltyReceiver, error) {
	out := new(Collection721ERC2981InvalidDefaultRoyaltyReceiver)
	if err := collection721.abi.UnpackIntoInterface(out, "ERC2981InvalidDefaultRoyaltyReceiver", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection721ERC2981InvalidTokenRoyalty represents a ERC2981InvalidTokenRoyalty error raised by the Collection721 contract.
type Collection721ERC2981InvalidTokenRoyalty struct {
	TokenId     *big.Int
	Numerator   *big.Int
	Denominator *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC2981InvalidTokenRoyalty(uint256 tokenId, uint256 numerator, uint256 denominator)
func Collection721ERC2981InvalidTokenRoyaltyErrorID() common.Hash {
	return common.HexToHash("0xdfd1fc1b5658265f0993b87b75dd02b2fdcb36b128879bccdcf260effa0856bf")
}

// UnpackERC2981InvalidTokenRoyaltyError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC2981InvalidTokenRoyalty(uint256 tokenId, uint256 numerator, uint256 denominator)
func (collection721 *Collection721) UnpackERC2981InvalidTokenRoyaltyError(raw []byte) (*Collection721ERC2981InvalidTokenRoyalty, error) {
	out := new(Collection721ERC2981InvalidTokenRoyalty)
	if err := collection721.abi.UnpackIntoInterface(out, "ERC2981InvalidTokenRoyalty", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection721ERC2981InvalidTokenRoyaltyReceiver represents a ERC2981InvalidTokenRoyaltyReceiver error raised by the Collection721 contract.
type Collection721ERC2981InvalidTokenRoyaltyReceiver struct {
	TokenId  *big.Int
	Receiver common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC2981InvalidTokenRoyaltyReceiver(uint256 tokenId, address receiver)
func Collection721ERC2981InvalidTokenRoyaltyReceiverErrorID() common.Hash {
	return common.HexToHash("0x969f0852135afead3ca9a1ff1e4fe485d35593f81a91d5dbe3a5737302cdbda8")
}

// UnpackERC2981InvalidTokenRoyaltyReceiverError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC2981InvalidTokenRoyaltyReceiver(uint256 tokenId, address receiver)
func (collection721 *Collection721) UnpackERC2981InvalidTokenRoyaltyReceiverError(raw []byte) (*Collection721ERC2981InvalidTokenRoyaltyReceiver, error) {
	out := new(Collection721ERC2981InvalidTokenRoyaltyReceiver)
	if err := collection721.abi.UnpackIntoInterface(out, "ERC2981InvalidTokenRoyaltyReceiver", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection721ERC721IncorrectOwner represents a ERC721IncorrectOwner error raised by the Collection721 contract.
type Collection721ERC721IncorrectOwner struct {
	Sender  common.Address
	TokenId *big.Int
	Owner   common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)
func Collection721ERC721IncorrectOwnerErrorID() common.Hash {
	return common.HexToHash("0x64283d7b313c8117c125f736876fa2b4e90ea3831a4716dfdb87d2f540e26289")
}

// UnpackERC721IncorrectOwnerError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)
func (collection721 *Collection721) UnpackERC721IncorrectOwnerError(raw []byte) (*Collection721ERC721IncorrectOwner, error) {
	out := new(Collection721ERC721IncorrectOwner)
	if err := collection721.abi.UnpackIntoInterface(out, "ERC721IncorrectOwner", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection721ERC721InsufficientApproval represents a ERC721InsufficientApproval error raised by the Collection721 contract.
type Collection721ERC721InsufficientApproval struct {
	Operator common.Address
	TokenId  *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC721InsufficientApproval(address operator, uint256 tokenId)
func Collection721ERC721InsufficientApprovalErrorID() common.Hash {
	return common.HexToHash("0x177e802f6f313bc89797ecace66d6d29ab4719cbaaacbb87367264048b1eb861")
}

// UnpackERC721InsufficientApprovalError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC721InsufficientApproval(address operator, uint256 tokenId)
func (collection721 *Collection721) UnpackERC721InsufficientApprovalError(raw []byte) (*Collection721ERC721InsufficientApproval, error) {
	out := new(Collection721ERC721InsufficientApproval)
	if err := collection721.abi.UnpackIntoInterface(out, "ERC721InsufficientApproval", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection721ERC721InvalidApprover represents a ERC721InvalidApprover error raised by the Collection721 contract.
type Collection721ERC721InvalidApprover struct {
	Approver common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC721InvalidApprover(address approver)
func Collection721ERC721InvalidApproverErrorID() common.Hash {
	return common.HexToHash("0xa9fbf51f86b8e03595d59dc726bb10c329bb24f62589be276d8dd193ca0b69ea")
}

// UnpackERC721InvalidApproverError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC721InvalidApprover(address approver)
func (collection721 *Collection721) UnpackERC721InvalidApproverError(raw []byte) (*Collection721ERC721InvalidApprover, error) {
	out := new(Collection721ERC721InvalidApprover)
	if err := collection721.abi.UnpackIntoInterface(out, "ERC721InvalidApprover", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection721ERC721InvalidOperator represents a ERC721InvalidOperator error raised by the Collection721 contract.
type Collection721ERC721InvalidOperator struct {
	Operator common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC721InvalidOperator(address operator)
func Collection721ERC721InvalidOperatorErrorID() common.Hash {
	return common.HexToHash("0x5b08ba185e8f577075361f3a3555a6580a227ce22734dcc979c1aeadf894658b")
}

// UnpackERC721InvalidOperatorError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC721InvalidOperator(address operator)
func (collection721 *Collection721) UnpackERC721InvalidOperatorError(raw []byte) (*Collection721ERC721InvalidOperator, error) {
	out := new(Collection721ERC721InvalidOperator)
	if err := collection721.abi.UnpackIntoInterface(out, "ERC721InvalidOperator", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection721ERC721InvalidOwner represents a ERC721InvalidOwner error raised by the Collection721 contract.
type Collection721ERC721InvalidOwner struct {
	Owner common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC721InvalidOwner(address owner)
func Collection721ERC721InvalidOwnerErrorID() common.Hash {
	return common.HexToHash("0x89c62b6479af2e623826dcc39c5133061d35b66d72de92833401dd2fd6567480")
}

// UnpackERC721InvalidOwnerError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC721InvalidOwner(address owner)
func (collection721 *Collection721) UnpackERC721InvalidOwnerError(raw []byte) (*Collection721ERC721InvalidOwner, error) {
	out := new(Collection721ERC721InvalidOwner)
	if err := collection721.abi.UnpackIntoInterface(out, "ERC721InvalidOwner", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection721ERC721InvalidReceiver represents a ERC721InvalidReceiver error raised by the Collection721 contract.
type Collection721ERC721InvalidReceiver struct {
	Receiver common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC721InvalidReceiver(address receiver)
func Collection721ERC721InvalidReceiverErrorID() common.Hash {
	return common.HexToHash("0x64a0ae9278f805eaf991dcd18ca78756d280b7508b764ef1b255c55845c11df9")
}

// UnpackERC721InvalidReceiverError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC721InvalidReceiver(address receiver)
func (collection721 *Collection721) UnpackERC721InvalidReceiverError(raw []byte) (*Collection721ERC721InvalidReceiver, error) {
	out := new(Collection721ERC721InvalidReceiver)
	if err := collection721.abi.UnpackIntoInterface(out, "ERC721InvalidReceiver", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection721ERC721InvalidSender represents a ERC721InvalidSender error raised by the Collection721 contract.
type Collection721ERC721InvalidSender struct {
	Sender common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC721InvalidSender(address sender)
func Collection721ERC721InvalidSenderErrorID() common.Hash {
	return common.HexToHash("0x73c6ac6e10798e95d99e1f130d923eb40193ecb8d094ec3dce93292564eb3b17")
}

// UnpackERC721InvalidSenderError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC721InvalidSender(address sender)
func (collection721 *Collection721) UnpackERC721InvalidSenderError(raw []byte) (*Collection721ERC721InvalidSender, error) {
	out := new(Collection721ERC721InvalidSender)
	if err := collection721.abi.UnpackIntoInterface(out, "ERC721InvalidSender", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection721ERC721NonexistentToken represents a ERC721NonexistentToken error raised by the Collection721 contract.
type Collection721ERC721NonexistentToken struct {
	TokenId *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC721NonexistentToken(uint256 tokenId)
func Collection721ERC721NonexistentTokenErrorID() common.Hash {
	return common.HexToHash("0x7e273289a3a9ef6670f06df7dca227856fc925e956db96980692764a8bc734d7")
}

// UnpackERC721NonexistentTokenError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC721NonexistentToken(uint256 tokenId)
func (collection721 *Collection721) UnpackERC721NonexistentTokenError(raw []byte) (*Collection721ERC721NonexistentToken, error) {
	out := new(Collection721ERC721NonexistentToken)
	if err := collection721.abi.UnpackIntoInterface(out, "ERC721NonexistentToken", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection721MaxSupplyExceeded represents a MaxSupplyExceeded error raised by the Collection721 contract.
type Collection721MaxSupplyExceeded struct {
	Max *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error MaxSupplyExceeded(uint256 max)
func Collection721MaxSupplyExceededErrorID() common.Hash {
	return common.HexToHash("0xcbbf111341c8a2f590b7d324c3bfa792326fba593b8aeb87d4bff778bf84f298")
}

// UnpackMaxSupplyExceededError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error MaxSupplyExceeded(uint256 max)
func (collection721 *Collection721) UnpackMaxSupplyExceededError(raw []byte) (*Collection721MaxSupplyExceeded, error) {
	out := new(Collection721MaxSupplyExceeded)
	if err := collection721.abi.UnpackIntoInterface(out, "MaxSupplyExceeded", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection721RoyaltyTooHigh represents a RoyaltyTooHigh error raised by the Collection721 contract.
type Collection721RoyaltyTooHigh struct {
	Highest *big.Int
	Wanted  *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error RoyaltyTooHigh(uint96 highest, uint96 wanted)
func Collection721RoyaltyTooHighErrorID() common.Hash {
	return common.HexToHash("0xb9015a617ce62248deab4512e577ecabe616ed7f1223980d487b0a60d7b4ef81")
}

// UnpackRoyaltyTooHighError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error RoyaltyTooHigh(uint96 highest, uint96 wanted)
func (collection721 *Collection721) UnpackRoyaltyTooHighError(raw []byte) (*Collection721RoyaltyTooHigh, error) {
	out := new(Collection721RoyaltyTooHigh)
	if err := collection721.abi.UnpackIntoInterface(out, "RoyaltyTooHigh", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// Collection721StringsInsufficientHexLength represents a StringsInsufficientHexLength error raised by the Collection721 contract.
type Collection721StringsInsufficientHexLength struct {
	Value  *big.Int
	Length *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error StringsInsufficientHexLength(uint256 value, uint256 length)
func Collection721StringsInsufficientHexLengthErrorID() common.Hash {
	return common.HexToHash("0xe22e27eb9593f9947dc34771120a3349dd201c662753f0b60502fc1d8e422233")
}

// UnpackStringsInsufficientHexLengthError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error StringsInsufficientHexLength(uint256 value, uint256 length)
func (collection721 *Collection721) UnpackStringsInsufficientHexLengthError(raw []byte) (*Collection721StringsInsufficientHexLength, error) {
	out := new(Collection721StringsInsufficientHexLength)
	if err := collection721.abi.UnpackIntoInterface(out, "StringsInsufficientHexLength", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// DirectListingsLogicMetaData contains all meta data concerning the DirectListingsLogic contract.
var DirectListingsLogicMetaData = bind.MetaData{
	ABI: "[{\"type\":\"constructor\",\"inputs\":[{\"name\":\"_nativeTokenWrapper\",\"type\":\"address\",\"internalType\":\"address\"}],\"stateMutability\":\"nonpayable\"},{\"type\":\"function\",\"name\":\"_msgData\",\"inputs\":[],\"outputs\":[{\"name\":\"\",\"type\":\"bytes\",\"internalType\":\"bytes\"}],\"stateMutability\":\"view\"},{\"type\":\"function\",\"name\":\"_msgSender\",\"inputs\":[],\"outputs\":[{\"name\":\"sender\",\"type\":\"address\",\"internalType\":\"address\"}],\"stateMutability\":\"view\"},{\"type\":\"function\",\"name\":\"approveBuyerForListing\",\"inputs\":[{\"name\":\"_listingId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"_buyer\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"_toApprove\",\"type\":\"bool\",\"internalType\":\"bool\"}],\"outputs\":[],\"stateMutability\":\"nonpayable\"},{\"type\":\"function\",\"name\":\"approveCurrencyForListing\",\"inputs\":[{\"name\":\"_listingId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"_currency\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"_pricePerTokenInCurrency\",\"type\":\"uint256\",\"internalType\":\"uint256\"}],\"outputs\":[],\"stateMutability\":\"nonpayable\"},{\"type\":\"function\",\"name\":\"buyFromListing\",\"inputs\":[{\"name\":\"_listingId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"_buyFor\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"_quantity\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"_currency\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"_expectedTotalPrice\",\"type\":\"uint256\",\"internalType\":\"uint256\"}],\"outputs\":[],\"stateMutability\":\"payable\"},{\"type\":\"function\",\"name\":\"cancelListing\",\"inputs\":[{\"name\":\"_listingId\",\"type\":\"uint256\",\"internalType\":\"uint256\"}],\"outputs\":[],\"stateMutability\":\"nonpayable\"},{\"type\":\"function\",\"name\":\"createListing\",\"inputs\":[{\"name\":\"_params\",\"type\":\"tuple\",\"internalType\":\"structIDirectListings.ListingParameters\",\"components\":[{\"name\":\"assetContract\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"tokenId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"quantity\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"currency\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"pricePerToken\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"startTimestamp\",\"type\":\"uint128\",\"internalType\":\"uint128\"},{\"name\":\"endTimestamp\",\"type\":\"uint128\",\"internalType\":\"uint128\"},{\"name\":\"reserved\",\"type\":\"bool\",\"internalType\":\"bool\"}]}],\"outputs\":[{\"name\":\"listingId\",\"type\":\"uint256\",\"internalType\":\"uint256\"}],\"stateMutability\":\"nonpayable\"},{\"type\":\"function\",\"name\":\"currencyPriceForListing\",\"inputs\":[{\"name\":\"_listingId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"_currency\",\"type\":\"address\",\"internalType\":\"address\"}],\"outputs\":[{\"name\":\"\",\"type\":\"uint256\",\"internalType\":\"uint256\"}],\"stateMutability\":\"view\"},{\"type\":\"function\",\"name\":\"getAllListings\",\"inputs\":[{\"name\":\"_startId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"_endId\",\"type\":\"uint256\",\"internalType\":\"uint256\"}],\"outputs\":[{\"name\":\"_allListings\",\"type\":\"tuple[]\",\"internalType\":\"structIDirectListings.Listing[]\",\"components\":[{\"name\":\"listingId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"tokenId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"quantity\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"pricePerToken\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"startTimestamp\",\"type\":\"uint128\",\"internalType\":\"uint128\"},{\"name\":\"endTimestamp\",\"type\":\"uint128\",\"internalType\":\"uint128\"},{\"name\":\"listingCreator\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"assetContract\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"currency\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"tokenType\",\"type\":\"uint8\",\"internalType\":\"enumIDirectListings.TokenType\"},{\"name\":\"status\",\"type\":\"uint8\",\"internalType\":\"enumIDirectListings.Status\"},{\"name\":\"reserved\",\"type\":\"bool\",\"internalType\":\"bool\"}]}],\"stateMutability\":\"view\"},{\"type\":\"function\",\"name\":\"getAllValidListings\",\"inputs\":[{\"name\":\"_startId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"_endId\",\"type\":\"uint256\",\"internalType\":\"uint256\"}],\"outputs\":[{\"name\":\"_validListings\",\"type\":\"tuple[]\",\"internalType\":\"structIDirectListings.Listing[]\",\"components\":[{\"name\":\"listingId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"tokenId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"quantity\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"pricePerToken\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"startTimestamp\",\"type\":\"uint128\",\"internalType\":\"uint128\"},{\"name\":\"endTimestamp\",\"type\":\"uint128\",\"internalType\":\"uint128\"},{\"name\":\"listingCreator\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"assetContract\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"currency\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"tokenType\",\"type\":\"uint8\",\"internalType\":\"enumIDirectListings.TokenType\"},{\"name\":\"status\",\"type\":\"uint8\",\"internalType\":\"enumIDirectListings.Status\"},{\"name\":\"reserved\",\"type\":\"bool\",\"internalType\":\"bool\"}]}],\"stateMutability\":\"view\"},{\"type\":\"function\",\"name\":\"getListing\",\"inputs\":[{\"name\":\"_listingId\",\"type\":\"uint256\",\"internalType\":\"uint256\"}],\"outputs\":[{\"name\":\"listing\",\"type\":\"tuple\",\"internalType\":\"structIDirectListings.Listing\",\"components\":[{\"name\":\"listingId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"tokenId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"quantity\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"pricePerToken\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"startTimestamp\",\"type\":\"uint128\",\"internalType\":\"uint128\"},{\"name\":\"endTimestamp\",\"type\":\"uint128\",\"internalType\":\"uint128\"},{\"name\":\"listingCreator\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"assetContract\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"currency\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"tokenType\",\"type\":\"uint8\",\"internalType\":\"enumIDirectListings.TokenType\"},{\"name\":\"status\",\"type\":\"uint8\",\"internalType\":\"enumIDirectListings.Status\"},{\"name\":\"reserved\",\"type\":\"bool\",\"internalType\":\"bool\"}]}],\"stateMutability\":\"view\"},{\"type\":\"function\",\"name\":\"isBuyerApprovedForListing\",\"inputs\":[{\"name\":\"_listingId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"_buyer\",\"type\":\"address\",\"internalType\":\"address\"}],\"outputs\":[{\"name\":\"\",\"type\":\"bool\",\"internalType\":\"bool\"}],\"stateMutability\":\"view\"},{\"type\":\"function\",\"name\":\"isCurrencyApprovedForListing\",\"inputs\":[{\"name\":\"_listingId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"_currency\",\"type\":\"address\",\"internalType\":\"address\"}],\"outputs\":[{\"name\":\"\",\"type\":\"bool\",\"internalType\":\"bool\"}],\"stateMutability\":\"view\"},{\"type\":\"function\",\"name\":\"totalListings\",\"inputs\":[],\"outputs\":[{\"name\":\"\",\"type\":\"uint256\",\"internalType\":\"uint256\"}],\"stateMutability\":\"view\"},{\"type\":\"function\",\"name\":\"updateListing\",\"inputs\":[{\"name\":\"_listingId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"_params\",\"type\":\"tuple\",\"internalType\":\"structIDirectListings.ListingParameters\",\"components\":[{\"name\":\"assetContract\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"tokenId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"quantity\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"currency\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"pricePerToken\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"startTimestamp\",\"type\":\"uint128\",\"internalType\":\"uint128\"},{\"name\":\"endTimestamp\",\"type\":\"uint128\",\"internalType\":\"uint128\"},{\"name\":\"reserved\",\"type\":\"bool\",\"internalType\":\"bool\"}]}],\"outputs\":[],\"stateMutability\":\"nonpayable\"},{\"type\":\"event\",\"name\":\"BuyerApprovedForListing\",\"inputs\":[{\"name\":\"listingId\",\"type\":\"uint256\",\"indexed\":true,\"internalType\":\"uint256\"},{\"name\":\"buyer\",\"type\":\"address\",\"indexed\":true,\"internalType\":\"address\"},{\"name\":\"approved\",\"type\":\"bool\",\"indexed\":false,\"internalType\":\"bool\"}],\"anonymous\":false},{\"type\":\"event\",\"name\":\"CancelledListing\",\"inputs\":[{\"name\":\"listingCreator\",\"type\":\"address\",\"indexed\":true,\"internalType\":\"address\"},{\"name\":\"listingId\",\"type\":\"uint256\",\"indexed\":true,\"internalType\":\"uint256\"}],\"anonymous\":false},{\"type\":\"event\",\"name\":\"CurrencyApprovedForListing\",\"inputs\":[{\"name\":\"listingId\",\"type\":\"uint256\",\"indexed\":true,\"internalType\":\"uint256\"},{\"name\":\"currency\",\"type\":\"address\",\"indexed\":true,\"internalType\":\"address\"},{\"name\":\"pricePerToken\",\"type\":\"uint256\",\"indexed\":false,\"internalType\":\"uint256\"}],\"anonymous\":false},{\"type\":\"event\",\"name\":\"NewListing\",\"inputs\":[{\"name\":\"listingCreator\",\"type\":\"address\",\"indexed\":true,\"internalType\":\"address\"},{\"name\":\"listingId\",\"type\":\"uint256\",\"indexed\":true,\"internalType\":\"uint256\"},{\"name\":\"assetContract\",\"type\":\"address\",\"indexed\":true,\"internalType\":\"address\"},{\"name\":\"listing\",\"type\":\"tuple\",\"indexed\":false,\"internalType\":\"structIDirectListings.Listing\",\"components\":[{\"name\":\"listingId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"tokenId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"quantity\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"pricePerToken\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"startTimestamp\",\"type\":\"uint128\",\"internalType\":\"uint128\"},{\"name\":\"endTimestamp\",\"type\":\"uint128\",\"internalType\":\"uint128\"},{\"name\":\"listingCreator\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"assetContract\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"currency\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"tokenType\",\"type\":\"uint8\",\"internalType\":\"enumIDirectListings.TokenType\"},{\"name\":\"status\",\"type\":\"uint8\",\"internalType\":\"enumIDirectListings.Status\"},{\"name\":\"reserved\",\"type\":\"bool\",\"internalType\":\"bool\"}]}],\"anonymous\":false},{\"type\":\"event\",\"name\":\"NewSale\",\"inputs\":[{\"name\":\"listingCreator\",\"type\":\"address\",\"indexed\":true,\"internalType\":\"address\"},{\"name\":\"listingId\",\"type\":\"uint256\",\"indexed\":true,\"internalType\":\"uint256\"},{\"name\":\"assetContract\",\"type\":\"address\",\"indexed\":true,\"internalType\":\"address\"},{\"name\":\"tokenId\",\"type\":\"uint256\",\"indexed\":false,\"internalType\":\"uint256\"},{\"name\":\"buyer\",\"type\":\"address\",\"indexed\":false,\"internalType\":\"address\"},{\"name\":\"quantityBought\",\"type\":\"uint256\",\"indexed\":false,\"internalType\":\"uint256\"},{\"name\":\"totalPricePaid\",\"type\":\"uint256\",\"indexed\":false,\"internalType\":\"uint256\"}],\"anonymous\":false},{\"type\":\"event\",\"name\":\"UpdatedListing\",\"inputs\":[{\"name\":\"listingCreator\",\"type\":\"address\",\"indexed\":true,\"internalType\":\"address\"},{\"name\":\"listingId\",\"type\":\"uint256\",\"indexed\":true,\"internalType\":\"uint256\"},{\"name\":\"assetContract\",\"type\":\"address\",\"indexed\":true,\"internalType\":\"address\"},{\"name\":\"listing\",\"type\":\"tuple\",\"indexed\":false,\"internalType\":\"structIDirectListings.Listing\",\"components\":[{\"name\":\"listingId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"tokenId\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"quantity\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"pricePerToken\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"startTimestamp\",\"type\":\"uint128\",\"internalType\":\"uint128\"},{\"name\":\"endTimestamp\",\"type\":\"uint128\",\"internalType\":\"uint128\"},{\"name\":\"listingCreator\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"assetContract\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"currency\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"tokenType\",\"type\":\"uint8\",\"internalType\":\"enumIDirectListings.TokenType\"},{\"name\":\"status\",\"type\":\"uint8\",\"internalType\":\"enumIDirectListings.Status\"},{\"name\":\"reserved\",\"type\":\"bool\",\"internalType\":\"bool\"}]}],\"anonymous\":false},{\"type\":\"error\",\"name\":\"CurrencyTransferLibMismatchedValue\",\"inputs\":[{\"name\":\"expected\",\"type\":\"uint256\",\"internalType\":\"uint256\"},{\"name\":\"actual\",\"type\":\"uint256\",\"internalType\":\"uint256\"}]}]",
	ID:  "DirectListingsLogic",
}

// DirectListingsLogic is an auto generated Go binding around an Ethereum contract.
type DirectListingsLogic struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *DirectListingsLogic) GetABI() abi.ABI {
	return c.abi
}

// NewDirectListingsLogic creates a new instance of DirectListingsLogic.
func NewDirectListingsLogic() *DirectListingsLogic {
	parsed, err := DirectListingsLogicMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &DirectListingsLogic{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *DirectListingsLogic) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackConstructor is the Go binding used to pack the parameters required for
// contract deployment.
//
// Solidity: constructor(address _nativeTokenWrapper) returns()
func (directListingsLogic *DirectListingsLogic) PackConstructor(_nativeTokenWrapper common.Address) []byte {
	enc, err := directListingsLogic.abi.Pack("", _nativeTokenWrapper)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackMsgData is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8b49d47e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function _msgData() view returns(bytes)
func (directListingsLogic *DirectListingsLogic) PackMsgData() []byte {
	enc, err := directListingsLogic.abi.Pack("_msgData")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMsgData is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8b49d47e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function _msgData() view returns(bytes)
func (directListingsLogic *DirectListingsLogic) TryPackMsgData() ([]byte, error) {
	return directListingsLogic.abi.Pack("_msgData")
}

// UnpackMsgData is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x8b49d47e.
//
// Solidity: function _msgData() view returns(bytes)
func (directListingsLogic *DirectListingsLogic) UnpackMsgData(data []byte) ([]byte, error) {
	out, err := directListingsLogic.abi.Unpack("_msgData", data)
	if err != nil {
		return *new([]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([]byte)).(*[]byte)
	return out0, nil
}

// PackMsgSender is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x119df25f.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function _msgSender() view returns(address sender)
func (directListingsLogic *DirectListingsLogic) PackMsgSender() []byte {
	enc, err := directListingsLogic.abi.Pack("_msgSender")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMsgSender is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x119df25f.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function _msgSender() view returns(address sender)
func (directListingsLogic *DirectListingsLogic) TryPackMsgSender() ([]byte, error) {
	return directListingsLogic.abi.Pack("_msgSender")
}

// UnpackMsgSender is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x119df25f.
//
// Solidity: function _msgSender() view returns(address sender)
func (directListingsLogic *DirectListingsLogic) UnpackMsgSender(data []byte) (common.Address, error) {
	out, err := directListingsLogic.abi.Unpack("_msgSender", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackApproveBuyerForListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x48dd77df.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function approveBuyerForListing(uint256 _listingId, address _buyer, bool _toApprove) returns()
func (directListingsLogic *DirectListingsLogic) PackApproveBuyerForListing(listingId *big.Int, buyer common.Address, toApprove bool) []byte {
	enc, err := directListingsLogic.abi.Pack("approveBuyerForListing", listingId, buyer, toApprove)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackApproveBuyerForListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x48dd77df.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function approveBuyerForListing(uint256 _listingId, address _buyer, bool _toApprove) returns()
func (directListingsLogic *DirectListingsLogic) TryPackApproveBuyerForListing(listingId *big.Int, buyer common.Address, toApprove bool) ([]byte, error) {
	return directListingsLogic.abi.Pack("approveBuyerForListing", listingId, buyer, toApprove)
}

// PackApproveCurrencyForListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xea8f9a3c.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function approveCurrencyForListing(uint256 _listingId, address _currency, uint256 _pricePerTokenInCurrency) returns()
func (directListingsLogic *DirectListingsLogic) PackApproveCurrencyForListing(listingId *big.Int, currency common.Address, pricePerTokenInCurrency *big.Int) []byte {
	enc, err := directListingsLogic.abi.Pack("approveCurrencyForListing", listingId, currency, pricePerTokenInCurrency)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackApproveCurrencyForListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xea8f9a3c.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function approveCurrencyForListing(uint256 _listingId, address _currency, uint256 _pricePerTokenInCurrency) returns()
func (directListingsLogic *DirectListingsLogic) TryPackApproveCurrencyForListing(listingId *big.Int, currency common.Address, pricePerTokenInCurrency *big.Int) ([]byte, error) {
	return directListingsLogic.abi.Pack("approveCurrencyForListing", listingId, currency, pricePerTokenInCurrency)
}

// PackBuyFromListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x704232dc.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function buyFromListing(uint256 _listingId, address _buyFor, uint256 _quantity, address _currency, uint256 _expectedTotalPrice) payable returns()
func (directListingsLogic *DirectListingsLogic) PackBuyFromListing(listingId *big.Int, buyFor common.Address, quantity *big.Int, currency common.Address, expectedTotalPrice *big.Int) []byte {
	enc, err := directListingsLogic.abi.Pack("buyFromListing", listingId, buyFor, quantity, currency, expectedTotalPrice)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBuyFromListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x704232dc.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function buyFromListing(uint256 _listingId, address _buyFor, uint256 _quantity, address _currency, uint256 _expectedTotalPrice) payable returns()
func (directListingsLogic *DirectListingsLogic) TryPackBuyFromListing(listingId *big.Int, buyFor common.Address, quantity *big.Int, currency common.Address, expectedTotalPrice *big.Int) ([]byte, error) {
	return directListingsLogic.abi.Pack("buyFromListing", listingId, buyFor, quantity, currency, expectedTotalPrice)
}

// PackCancelListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x305a67a8.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function cancelListing(uint256 _listingId) returns()
func (directListingsLogic *DirectListingsLogic) PackCancelListing(listingId *big.Int) []byte {
	enc, err := directListingsLogic.abi.Pack("cancelListing", listingId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackCancelListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x305a67a8.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function cancelListing(uint256 _listingId) returns()
func (directListingsLogic *DirectListingsLogic) TryPackCancelListing(listingId *big.Int) ([]byte, error) {
	return directListingsLogic.abi.Pack("cancelListing", listingId)
}

// PackCreateListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x746415b5.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function createListing((address,uint256,uint256,address,uint256,uint128,uint128,bool) _params) returns(uint256 listingId)
func (directListingsLogic *DirectListingsLogic) PackCreateListing(params IDirectListingsListingParameters) []byte {
	enc, err := directListingsLogic.abi.Pack("createListing", params)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackCreateListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x746415b5.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function createListing((address,uint256,uint256,address,uint256,uint128,uint128,bool) _params) returns(uint256 listingId)
func (directListingsLogic *DirectListingsLogic) TryPackCreateListing(params IDirectListingsListingParameters) ([]byte, error) {
	return directListingsLogic.abi.Pack("createListing", params)
}

// UnpackCreateListing is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x746415b5.
//
// Solidity: function createListing((address,uint256,uint256,address,uint256,uint128,uint128,bool) _params) returns(uint256 listingId)
func (directListingsLogic *DirectListingsLogic) UnpackCreateListing(data []byte) (*big.Int, error) {
	out, err := directListingsLogic.abi.Unpack("createListing", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackCurrencyPriceForListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xfb14079d.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function currencyPriceForListing(uint256 _listingId, address _currency) view returns(uint256)
func (directListingsLogic *DirectListingsLogic) PackCurrencyPriceForListing(listingId *big.Int, currency common.Address) []byte {
	enc, err := directListingsLogic.abi.Pack("currencyPriceForListing", listingId, currency)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackCurrencyPriceForListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xfb14079d.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function currencyPriceForListing(uint256 _listingId, address _currency) view returns(uint256)
func (directListingsLogic *DirectListingsLogic) TryPackCurrencyPriceForListing(listingId *big.Int, currency common.Address) ([]byte, error) {
	return directListingsLogic.abi.Pack("currencyPriceForListing", listingId, currency)
}

// UnpackCurrencyPriceForListing is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xfb14079d.
//
// Solidity: function currencyPriceForListing(uint256 _listingId, address _currency) view returns(uint256)
func (directListingsLogic *DirectListingsLogic) UnpackCurrencyPriceForListing(data []byte) (*big.Int, error) {
	out, err := directListingsLogic.abi.Unpack("currencyPriceForListing", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackGetAllListings is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc5275fb0.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getAllListings(uint256 _startId, uint256 _endId) view returns((uint256,uint256,uint256,uint256,uint128,uint128,address,address,address,uint8,uint8,bool)[] _allListings)
func (directListingsLogic *DirectListingsLogic) PackGetAllListings(startId *big.Int, endId *big.Int) []byte {
	enc, err := directListingsLogic.abi.Pack("getAllListings", startId, endId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetAllListings is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc5275fb0.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getAllListings(uint256 _startId, uint256 _endId) view returns((uint256,uint256,uint256,uint256,uint128,uint128,address,address,address,uint8,uint8,bool)[] _allListings)
func (directListingsLogic *DirectListingsLogic) TryPackGetAllListings(startId *big.Int, endId *big.Int) ([]byte, error) {
	return directListingsLogic.abi.Pack("getAllListings", startId, endId)
}

// UnpackGetAllListings is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xc5275fb0.
//
// Solidity: function getAllListings(uint256 _startId, uint256 _endId) view returns((uint256,uint256,uint256,uint256,uint128,uint128,address,address,address,uint8,uint8,bool)[] _allListings)
func (directListingsLogic *DirectListingsLogic) UnpackGetAllListings(data []byte) ([]IDirectListingsListing, error) {
	out, err := directListingsLogic.abi.Unpack("getAllListings", data)
	if err != nil {
		return *new([]IDirectListingsListing), err
	}
	out0 := *abi.ConvertType(out[0], new([]IDirectListingsListing)).(*[]IDirectListingsListing)
	return out0, nil
}

// PackGetAllValidListings is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x31654b4d.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getAllValidListings(uint256 _startId, uint256 _endId) view returns((uint256,uint256,uint256,uint256,uint128,uint128,address,address,address,uint8,uint8,bool)[] _validListings)
func (directListingsLogic *DirectListingsLogic) PackGetAllValidListings(startId *big.Int, endId *big.Int) []byte {
	enc, err := directListingsLogic.abi.Pack("getAllValidListings", startId, endId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetAllValidListings is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x31654b4d.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getAllValidListings(uint256 _startId, uint256 _endId) view returns((uint256,uint256,uint256,uint256,uint128,uint128,address,address,address,uint8,uint8,bool)[] _validListings)
func (directListingsLogic *DirectListingsLogic) TryPackGetAllValidListings(startId *big.Int, endId *big.Int) ([]byte, error) {
	return directListingsLogic.abi.Pack("getAllValidListings", startId, endId)
}

// UnpackGetAllValidListings is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x31654b4d.
//
// Solidity: function getAllValidListings(uint256 _startId, uint256 _endId) view returns((uint256,uint256,uint256,uint256,uint128,uint128,address,address,address,uint8,uint8,bool)[] _validListings)
func (directListingsLogic *DirectListingsLogic) UnpackGetAllValidListings(data []byte) ([]IDirectListingsListing, error) {
	out, err := directListingsLogic.abi.Unpack("getAllValidListings", data)
	if err != nil {
		return *new([]IDirectListingsListing), err
	}
	out0 := *abi.ConvertType(out[0], new([]IDirectListingsListing)).(*[]IDirectListingsListing)
	return out0, nil
}

// PackGetListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x107a274a.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getListing(uint256 _listingId) view returns((uint256,uint256,uint256,uint256,uint128,uint128,address,address,address,uint8,uint8,bool) listing)
func (directListingsLogic *DirectListingsLogic) PackGetListing(listingId *big.Int) []byte {
	enc, err := directListingsLogic.abi.Pack("getListing", listingId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x107a274a.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getListing(uint256 _listingId) view returns((uint256,uint256,uint256,uint256,uint128,uint128,address,address,address,uint8,uint8,bool) listing)
func (directListingsLogic *DirectListingsLogic) TryPackGetListing(listingId *big.Int) ([]byte, error) {
	return directListingsLogic.abi.Pack("getListing", listingId)
}

// UnpackGetListing is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x107a274a.
//
// Solidity: function getListing(uint256 _listingId) view returns((uint256,uint256,uint256,uint256,uint128,uint128,address,address,address,uint8,uint8,bool) listing)
func (directListingsLogic *DirectListingsLogic) UnpackGetListing(data []byte) (IDirectListingsListing, error) {
	out, err := directListingsLogic.abi.Unpack("getListing", data)
	if err != nil {
		return *new(IDirectListingsListing), err
	}
	out0 := *abi.ConvertType(out[0], new(IDirectListingsListing)).(*IDirectListingsListing)
	return out0, nil
}

// PackIsBuyerApprovedForListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x9cfbe2a6.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function isBuyerApprovedForListing(uint256 _listingId, address _buyer) view returns(bool)
func (directListingsLogic *DirectListingsLogic) PackIsBuyerApprovedForListing(listingId *big.Int, buyer common.Address) []byte {
	enc, err := directListingsLogic.abi.Pack("isBuyerApprovedForListing", listingId, buyer)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackIsBuyerApprovedForListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x9cfbe2a6.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function isBuyerApprovedForListing(uint256 _listingId, address _buyer) view returns(bool)
func (directListingsLogic *DirectListingsLogic) TryPackIsBuyerApprovedForListing(listingId *big.Int, buyer common.Address) ([]byte, error) {
	return directListingsLogic.abi.Pack("isBuyerApprovedForListing", listingId, buyer)
}

// UnpackIsBuyerApprovedForListing is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x9cfbe2a6.
//
// Solidity: function isBuyerApprovedForListing(uint256 _listingId, address _buyer) view returns(bool)
func (directListingsLogic *DirectListingsLogic) UnpackIsBuyerApprovedForListing(data []byte) (bool, error) {
	out, err := directListingsLogic.abi.Unpack("isBuyerApprovedForListing", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackIsCurrencyApprovedForListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa8519047.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function isCurrencyApprovedForListing(uint256 _listingId, address _currency) view returns(bool)
func (directListingsLogic *DirectListingsLogic) PackIsCurrencyApprovedForListing(listingId *big.Int, currency common.Address) []byte {
	enc, err := directListingsLogic.abi.Pack("isCurrencyApprovedForListing", listingId, currency)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackIsCurrencyApprovedForListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa8519047.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function isCurrencyApprovedForListing(uint256 _listingId, address _currency) view returns(bool)
func (directListingsLogic *DirectListingsLogic) TryPackIsCurrencyApprovedForListing(listingId *big.Int, currency common.Address) ([]byte, error) {
	return directListingsLogic.abi.Pack("isCurrencyApprovedForListing", listingId, currency)
}

// UnpackIsCurrencyApprovedForListing is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa8519047.
//
// Solidity: function isCurrencyApprovedForListing(uint256 _listingId, address _currency) view returns(bool)
func (directListingsLogic *DirectListingsLogic) UnpackIsCurrencyApprovedForListing(data []byte) (bool, error) {
	out, err := directListingsLogic.abi.Unpack("isCurrencyApprovedForListing", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackTotalListings is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc78b616c.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function totalListings() view returns(uint256)
func (directListingsLogic *DirectListingsLogic) PackTotalListings() []byte {
	enc, err := directListingsLogic.abi.Pack("totalListings")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTotalListings is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc78b616c.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function totalListings() view returns(uint256)
func (directListingsLogic *DirectListingsLogic) TryPackTotalListings() ([]byte, error) {
	return directListingsLogic.abi.Pack("totalListings")
}

// UnpackTotalListings is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xc78b616c.
//
// Solidity: function totalListings() view returns(uint256)
func (directListingsLogic *DirectListingsLogic) UnpackTotalListings(data []byte) (*big.Int, error) {
	out, err := directListingsLogic.abi.Unpack("totalListings", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackUpdateListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x07b67758.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function updateListing(uint256 _listingId, (address,uint256,uint256,address,uint256,uint128,uint128,bool) _params) returns()
func (directListingsLogic *DirectListingsLogic) PackUpdateListing(listingId *big.Int, params IDirectListingsListingParameters) []byte {
	enc, err := directListingsLogic.abi.Pack("updateListing", listingId, params)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackUpdateListing is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x07b67758.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function updateListing(uint256 _listingId, (address,uint256,uint256,address,uint256,uint128,uint128,bool) _params) returns()
func (directListingsLogic *DirectListingsLogic) TryPackUpdateListing(listingId *big.Int, params IDirectListingsListingParameters) ([]byte, error) {
	return directListingsLogic.abi.Pack("updateListing", listingId, params)
}

// DirectListingsLogicBuyerApprovedForListing represents a BuyerApprovedForListing event raised by the DirectListingsLogic contract.
type DirectListingsLogicBuyerApprovedForListing struct {
	ListingId *big.Int
	Buyer     common.Address
	Approved  bool
	Raw       *types.Log // Blockchain specific contextual infos
}

const DirectListingsLogicBuyerApprovedForListingEventName = "BuyerApprovedForListing"

// ContractEventName returns the user-defined event name.
func (DirectListingsLogicBuyerApprovedForListing) ContractEventName() string {
	return DirectListingsLogicBuyerApprovedForListingEventName
}

// UnpackBuyerApprovedForListingEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event BuyerApprovedForListing(uint256 indexed listingId, address indexed buyer, bool approved)
func (directListingsLogic *DirectListingsLogic) UnpackBuyerApprovedForListingEvent(log *types.Log) (*DirectListingsLogicBuyerApprovedForListing, error) {
	event := "BuyerApprovedForListing"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != directListingsLogic.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(DirectListingsLogicBuyerApprovedForListing)
	if len(log.Data) > 0 {
		if err := directListingsLogic.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range directListingsLogic.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// DirectListingsLogicCancelledListing represents a CancelledListing event raised by the DirectListingsLogic contract.
type DirectListingsLogicCancelledListing struct {
	ListingCreator common.Address
	ListingId      *big.Int
	Raw            *types.Log // Blockchain specific contextual infos
}

const DirectListingsLogicCancelledListingEventName = "CancelledListing"

// ContractEventName returns the user-defined event name.
func (DirectListingsLogicCancelledListing) ContractEventName() string {
	return DirectListingsLogicCancelledListingEventName
}

// UnpackCancelledListingEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event CancelledListing(address indexed listingCreator, uint256 indexed listingId)
func (directListingsLogic *DirectListingsLogic) UnpackCancelledListingEvent(log *types.Log) (*DirectListingsLogicCancelledListing, error) {
	event := "CancelledListing"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != directListingsLogic.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(DirectListingsLogicCancelledListing)
	if len(log.Data) > 0 {
		if err := directListingsLogic.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range directListingsLogic.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// DirectListingsLogicCurrencyApprovedForListing represents a CurrencyApprovedForListing event raised by the DirectListingsLogic contract.
type DirectListingsLogicCurrencyApprovedForListing struct {
	ListingId     *big.Int
	Currency      common.Address
	PricePerToken *big.Int
	Raw           *types.Log // Blockchain specific contextual infos
}

const DirectListingsLogicCurrencyApprovedForListingEventName = "CurrencyApprovedForListing"

// ContractEventName returns the user-defined event name.
func (DirectListingsLogicCurrencyApprovedForListing) ContractEventName() string {
	return DirectListingsLogicCurrencyApprovedForListingEventName
}

// UnpackCurrencyApprovedForListingEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event CurrencyApprovedForListing(uint256 indexed listingId, address indexed currency, uint256 pricePerToken)
func (directListingsLogic *DirectListingsLogic) UnpackCurrencyApprovedForListingEvent(log *types.Log) (*DirectListingsLogicCurrencyApprovedForListing, error) {
	event := "CurrencyApprovedForListing"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != directListingsLogic.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(DirectListingsLogicCurrencyApprovedForListing)
	if len(log.Data) > 0 {
		if err := directListingsLogic.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range directListingsLogic.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// DirectListingsLogicNewListing represents a NewListing event raised by the DirectListingsLogic contract.
type DirectListingsLogicNewListing struct {
	ListingCreator common.Address
	ListingId      *big.Int
	AssetContract  common.Address
	Listing        IDirectListingsListing
	Raw            *types.Log // Blockchain specific contextual infos
}

const DirectListingsLogicNewListingEventName = "NewListing"

// ContractEventName returns the user-defined event name.
func (DirectListingsLogicNewListing) ContractEventName() string {
	return DirectListingsLogicNewListingEventName
}

// UnpackNewListingEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event NewListing(address indexed listingCreator, uint256 indexed listingId, address indexed assetContract, (uint256,uint256,uint256,uint256,uint128,uint128,address,address,address,uint8,uint8,bool) listing)
func (directListingsLogic *DirectListingsLogic) UnpackNewListingEvent(log *types.Log) (*DirectListingsLogicNewListing, error) {
	event := "NewListing"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != directListingsLogic.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(DirectListingsLogicNewListing)
	if len(log.Data) > 0 {
		if err := directListingsLogic.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range directListingsLogic.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// DirectListingsLogicNewSale represents a NewSale event raised by the DirectListingsLogic contract.
type DirectListingsLogicNewSale struct {
	ListingCreator common.Address
	ListingId      *big.Int
	AssetContract  common.Address
	TokenId        *big.Int
	Buyer          common.Address
	QuantityBought *big.Int
	TotalPricePaid *big.Int
	Raw            *types.Log // Blockchain specific contextual infos
}

const DirectListingsLogicNewSaleEventName = "NewSale"

// ContractEventName returns the user-defined event name.
func (DirectListingsLogicNewSale) ContractEventName() string {
	return DirectListingsLogicNewSaleEventName
}

// UnpackNewSaleEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event NewSale(address indexed listingCreator, uint256 indexed listingId, address indexed assetContract, uint256 tokenId, address buyer, uint256 quantityBought, uint256 totalPricePaid)
func (directListingsLogic *DirectListingsLogic) UnpackNewSaleEvent(log *types.Log) (*DirectListingsLogicNewSale, error) {
	event := "NewSale"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != directListingsLogic.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(DirectListingsLogicNewSale)
	if len(log.Data) > 0 {
		if err := directListingsLogic.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range directListingsLogic.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// DirectListingsLogicUpdatedListing represents a UpdatedListing event raised by the DirectListingsLogic contract.
type DirectListingsLogicUpdatedListing struct {
	ListingCreator common.Address
	ListingId      *big.Int
	AssetContract  common.Address
	Listing        IDirectListingsListing
	Raw            *types.Log // Blockchain specific contextual infos
}

const DirectListingsLogicUpdatedListingEventName = "UpdatedListing"

// ContractEventName returns the user-defined event name.
func (DirectListingsLogicUpdatedListing) ContractEventName() string {
	return DirectListingsLogicUpdatedListingEventName
}

// UnpackUpdatedListingEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event UpdatedListing(address indexed listingCreator, uint256 indexed listingId, address indexed assetContract, (uint256,uint256,uint256,uint256,uint128,uint128,address,address,address,uint8,uint8,bool) listing)
func (directListingsLogic *DirectListingsLogic) UnpackUpdatedListingEvent(log *types.Log) (*DirectListingsLogicUpdatedListing, error) {
	event := "UpdatedListing"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != directListingsLogic.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(DirectListingsLogicUpdatedListing)
	if len(log.Data) > 0 {
		if err := directListingsLogic.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range directListingsLogic.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// UnpackError attempts to decode the provided error data using user-defined
// error definitions.
func (directListingsLogic *DirectListingsLogic) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], directListingsLogic.abi.Errors["CurrencyTransferLibMismatchedValue"].ID.Bytes()[:4]) {
		return directListingsLogic.UnpackCurrencyTransferLibMismatchedValueError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// DirectListingsLogicCurrencyTransferLibMismatchedValue represents a CurrencyTransferLibMismatchedValue error raised by the DirectListingsLogic contract.
type DirectListingsLogicCurrencyTransferLibMismatchedValue struct {
	Expected *big.Int
	Actual   *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error CurrencyTransferLibMismatchedValue(uint256 expected, uint256 actual)
func DirectListingsLogicCurrencyTransferLibMismatchedValueErrorID() common.Hash {
	return common.HexToHash("0x03e085f94b6ed9261c46c81f64a59f3bc482b9a103d32399a767e0611ebf3afd")
}

// UnpackCurrencyTransferLibMismatchedValueError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error CurrencyTransferLibMismatchedValue(uint256 expected, uint256 actual)
func (directListingsLogic *DirectListingsLogic) UnpackCurrencyTransferLibMismatchedValueError(raw []byte) (*DirectListingsLogicCurrencyTransferLibMismatchedValue, error) {
	out := new(DirectListingsLogicCurrencyTransferLibMismatchedValue)
	if err := directListingsLogic.abi.UnpackIntoInterface(out, "CurrencyTransferLibMismatchedValue", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// ERC4337FactoryMetaData contains all meta data concerning the ERC4337Factory contract.
var ERC4337FactoryMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"address\",\"name\":\"erc4337\",\"type\":\"address\"}],\"stateMutability\":\"payable\",\"type\":\"constructor\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"ownSalt\",\"type\":\"bytes32\"}],\"name\":\"createAccount\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"payable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"ownSalt\",\"type\":\"bytes32\"}],\"name\":\"getAddress\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"implementation\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"initCodeHash\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"}]",
	ID:  "ERC4337Factory",
}

// ERC4337Factory is an auto generated Go binding around an Ethereum contract.
type ERC4337Factory struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *ERC4337Factory) GetABI() abi.ABI {
	return c.abi
}

// NewERC4337Factory creates a new instance of ERC4337Factory.
func NewERC4337Factory() *ERC4337Factory {
	parsed, err := ERC4337FactoryMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &ERC4337Factory{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *ERC4337Factory) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackConstructor is the Go binding used to pack the parameters required for
// contract deployment.
//
// Solidity: constructor(address erc4337) payable returns()
func (eRC4337Factory *ERC4337Factory) PackConstructor(erc4337 common.Address) []byte {
	enc, err := eRC4337Factory.abi.Pack("", erc4337)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackCreateAccount is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xfe8ca4af.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function createAccount(bytes32 ownSalt) payable returns(address)
func (eRC4337Factory *ERC4337Factory) PackCreateAccount(ownSalt [32]byte) []byte {
	enc, err := eRC4337Factory.abi.Pack("createAccount", ownSalt)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackCreateAccount is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xfe8ca4af.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function createAccount(bytes32 ownSalt) payable returns(address)
func (eRC4337Factory *ERC4337Factory) TryPackCreateAccount(ownSalt [32]byte) ([]byte, error) {
	return eRC4337Factory.abi.Pack("createAccount", ownSalt)
}

// UnpackCreateAccount is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xfe8ca4af.
//
// Solidity: function createAccount(bytes32 ownSalt) payable returns(address)
func (eRC4337Factory *ERC4337Factory) UnpackCreateAccount(data []byte) (common.Address, error) {
	out, err := eRC4337Factory.abi.Unpack("createAccount", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackGetAddress is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x21f8a721.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getAddress(bytes32 ownSalt) view returns(address)
func (eRC4337Factory *ERC4337Factory) PackGetAddress(ownSalt [32]byte) []byte {
	enc, err := eRC4337Factory.abi.Pack("getAddress", ownSalt)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetAddress is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x21f8a721.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getAddress(bytes32 ownSalt) view returns(address)
func (eRC4337Factory *ERC4337Factory) TryPackGetAddress(ownSalt [32]byte) ([]byte, error) {
	return eRC4337Factory.abi.Pack("getAddress", ownSalt)
}

// UnpackGetAddress is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x21f8a721.
//
// Solidity: function getAddress(bytes32 ownSalt) view returns(address)
func (eRC4337Factory *ERC4337Factory) UnpackGetAddress(data []byte) (common.Address, error) {
	out, err := eRC4337Factory.abi.Unpack("getAddress", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackImplementation is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5c60da1b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function implementation() view returns(address)
func (eRC4337Factory *ERC4337Factory) PackImplementation() []byte {
	enc, err := eRC4337Factory.abi.Pack("implementation")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackImplementation is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5c60da1b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function implementation() view returns(address)
func (eRC4337Factory *ERC4337Factory) TryPackImplementation() ([]byte, error) {
	return eRC4337Factory.abi.Pack("implementation")
}

// UnpackImplementation is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x5c60da1b.
//
// Solidity: function implementation() view returns(address)
func (eRC4337Factory *ERC4337Factory) UnpackImplementation(data []byte) (common.Address, error) {
	out, err := eRC4337Factory.abi.Unpack("implementation", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackInitCodeHash is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdb4c545e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function initCodeHash() view returns(bytes32)
func (eRC4337Factory *ERC4337Factory) PackInitCodeHash() []byte {
	enc, err := eRC4337Factory.abi.Pack("initCodeHash")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackInitCodeHash is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdb4c545e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function initCodeHash() view returns(bytes32)
func (eRC4337Factory *ERC4337Factory) TryPackInitCodeHash() ([]byte, error) {
	return eRC4337Factory.abi.Pack("initCodeHash")
}

// UnpackInitCodeHash is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xdb4c545e.
//
// Solidity: function initCodeHash() view returns(bytes32)
func (eRC4337Factory *ERC4337Factory) UnpackInitCodeHash(data []byte) ([32]byte, error) {
	out, err := eRC4337Factory.abi.Unpack("initCodeHash", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// EntryPointMetaData contains all meta data concerning the EntryPoint contract.
var EntryPointMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"bool\",\"name\":\"success\",\"type\":\"bool\"},{\"internalType\":\"bytes\",\"name\":\"ret\",\"type\":\"bytes\"}],\"name\":\"DelegateAndRevert\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"opIndex\",\"type\":\"uint256\"},{\"internalType\":\"string\",\"name\":\"reason\",\"type\":\"string\"}],\"name\":\"FailedOp\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"opIndex\",\"type\":\"uint256\"},{\"internalType\":\"string\",\"name\":\"reason\",\"type\":\"string\"},{\"internalType\":\"bytes\",\"name\":\"inner\",\"type\":\"bytes\"}],\"name\":\"FailedOpWithRevert\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"bytes\",\"name\":\"returnData\",\"type\":\"bytes\"}],\"name\":\"PostOpReverted\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"ReentrancyGuardReentrantCall\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"}],\"name\":\"SenderAddressResult\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"aggregator\",\"type\":\"address\"}],\"name\":\"SignatureValidationFailed\",\"type\":\"error\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"userOpHash\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"address\",\"name\":\"factory\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"address\",\"name\":\"paymaster\",\"type\":\"address\"}],\"name\":\"AccountDeployed\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[],\"name\":\"BeforeExecution\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"totalDeposit\",\"type\":\"uint256\"}],\"name\":\"Deposited\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"userOpHash\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"nonce\",\"type\":\"uint256\"},{\"indexed\":false,\"internalType\":\"bytes\",\"name\":\"revertReason\",\"type\":\"bytes\"}],\"name\":\"PostOpRevertReason\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"aggregator\",\"type\":\"address\"}],\"name\":\"SignatureAggregatorChanged\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"totalStaked\",\"type\":\"uint256\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"unstakeDelaySec\",\"type\":\"uint256\"}],\"name\":\"StakeLocked\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"withdrawTime\",\"type\":\"uint256\"}],\"name\":\"StakeUnlocked\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"address\",\"name\":\"withdrawAddress\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"StakeWithdrawn\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"userOpHash\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"paymaster\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"nonce\",\"type\":\"uint256\"},{\"indexed\":false,\"internalType\":\"bool\",\"name\":\"success\",\"type\":\"bool\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"actualGasCost\",\"type\":\"uint256\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"actualGasUsed\",\"type\":\"uint256\"}],\"name\":\"UserOperationEvent\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"userOpHash\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"nonce\",\"type\":\"uint256\"}],\"name\":\"UserOperationPrefundTooLow\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"userOpHash\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"nonce\",\"type\":\"uint256\"},{\"indexed\":false,\"internalType\":\"bytes\",\"name\":\"revertReason\",\"type\":\"bytes\"}],\"name\":\"UserOperationRevertReason\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"address\",\"name\":\"withdrawAddress\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"Withdrawn\",\"type\":\"event\"},{\"inputs\":[{\"internalType\":\"uint32\",\"name\":\"unstakeDelaySec\",\"type\":\"uint32\"}],\"name\":\"addStake\",\"outputs\":[],\"stateMutability\":\"payable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"balanceOf\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"target\",\"type\":\"address\"},{\"internalType\":\"bytes\",\"name\":\"data\",\"type\":\"bytes\"}],\"name\":\"delegateAndRevert\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"depositTo\",\"outputs\":[],\"stateMutability\":\"payable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"name\":\"deposits\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"deposit\",\"type\":\"uint256\"},{\"internalType\":\"bool\",\"name\":\"staked\",\"type\":\"bool\"},{\"internalType\":\"uint112\",\"name\":\"stake\",\"type\":\"uint112\"},{\"internalType\":\"uint32\",\"name\":\"unstakeDelaySec\",\"type\":\"uint32\"},{\"internalType\":\"uint48\",\"name\":\"withdrawTime\",\"type\":\"uint48\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"getDepositInfo\",\"outputs\":[{\"components\":[{\"internalType\":\"uint256\",\"name\":\"deposit\",\"type\":\"uint256\"},{\"internalType\":\"bool\",\"name\":\"staked\",\"type\":\"bool\"},{\"internalType\":\"uint112\",\"name\":\"stake\",\"type\":\"uint112\"},{\"internalType\":\"uint32\",\"name\":\"unstakeDelaySec\",\"type\":\"uint32\"},{\"internalType\":\"uint48\",\"name\":\"withdrawTime\",\"type\":\"uint48\"}],\"internalType\":\"structIStakeManager.DepositInfo\",\"name\":\"info\",\"type\":\"tuple\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"internalType\":\"uint192\",\"name\":\"key\",\"type\":\"uint192\"}],\"name\":\"getNonce\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"nonce\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes\",\"name\":\"initCode\",\"type\":\"bytes\"}],\"name\":\"getSenderAddress\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"components\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"nonce\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"initCode\",\"type\":\"bytes\"},{\"internalType\":\"bytes\",\"name\":\"callData\",\"type\":\"bytes\"},{\"internalType\":\"bytes32\",\"name\":\"accountGasLimits\",\"type\":\"bytes32\"},{\"internalType\":\"uint256\",\"name\":\"preVerificationGas\",\"type\":\"uint256\"},{\"internalType\":\"bytes32\",\"name\":\"gasFees\",\"type\":\"bytes32\"},{\"internalType\":\"bytes\",\"name\":\"paymasterAndData\",\"type\":\"bytes\"},{\"internalType\":\"bytes\",\"name\":\"signature\",\"type\":\"bytes\"}],\"internalType\":\"structPackedUserOperation\",\"name\":\"userOp\",\"type\":\"tuple\"}],\"name\":\"getUserOpHash\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"components\":[{\"components\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"nonce\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"initCode\",\"type\":\"bytes\"},{\"internalType\":\"bytes\",\"name\":\"callData\",\"type\":\"bytes\"},{\"internalType\":\"bytes32\",\"name\":\"accountGasLimits\",\"type\":\"bytes32\"},{\"internalType\":\"uint256\",\"name\":\"preVerificationGas\",\"type\":\"uint256\"},{\"internalType\":\"bytes32\",\"name\":\"gasFees\",\"type\":\"bytes32\"},{\"internalType\":\"bytes\",\"name\":\"paymasterAndData\",\"type\":\"bytes\"},{\"internalType\":\"bytes\",\"name\":\"signature\",\"type\":\"bytes\"}],\"internalType\":\"structPackedUserOperation[]\",\"name\":\"userOps\",\"type\":\"tuple[]\"},{\"internalType\":\"contractIAggregator\",\"name\":\"aggregator\",\"type\":\"address\"},{\"internalType\":\"bytes\",\"name\":\"signature\",\"type\":\"bytes\"}],\"internalType\":\"structIEntryPoint.UserOpsPerAggregator[]\",\"name\":\"opsPerAggregator\",\"type\":\"tuple[]\"},{\"internalType\":\"addresspayable\",\"name\":\"beneficiary\",\"type\":\"address\"}],\"name\":\"handleAggregatedOps\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"components\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"nonce\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"initCode\",\"type\":\"bytes\"},{\"internalType\":\"bytes\",\"name\":\"callData\",\"type\":\"bytes\"},{\"internalType\":\"bytes32\",\"name\":\"accountGasLimits\",\"type\":\"bytes32\"},{\"internalType\":\"uint256\",\"name\":\"preVerificationGas\",\"type\":\"uint256\"},{\"internalType\":\"bytes32\",\"name\":\"gasFees\",\"type\":\"bytes32\"},{\"internalType\":\"bytes\",\"name\":\"paymasterAndData\",\"type\":\"bytes\"},{\"internalType\":\"bytes\",\"name\":\"signature\",\"type\":\"bytes\"}],\"internalType\":\"structPackedUserOperation[]\",\"name\":\"ops\",\"type\":\"tuple[]\"},{\"internalType\":\"addresspayable\",\"name\":\"beneficiary\",\"type\":\"address\"}],\"name\":\"handleOps\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint192\",\"name\":\"key\",\"type\":\"uint192\"}],\"name\":\"incrementNonce\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes\",\"name\":\"callData\",\"type\":\"bytes\"},{\"components\":[{\"components\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"nonce\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"verificationGasLimit\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"callGasLimit\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"paymasterVerificationGasLimit\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"paymasterPostOpGasLimit\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"preVerificationGas\",\"type\":\"uint256\"},{\"internalType\":\"address\",\"name\":\"paymaster\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"maxFeePerGas\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"maxPriorityFeePerGas\",\"type\":\"uint256\"}],\"internalType\":\"structEntryPoint.MemoryUserOp\",\"name\":\"mUserOp\",\"type\":\"tuple\"},{\"internalType\":\"bytes32\",\"name\":\"userOpHash\",\"type\":\"bytes32\"},{\"internalType\":\"uint256\",\"name\":\"prefund\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"contextOffset\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"preOpGas\",\"type\":\"uint256\"}],\"internalType\":\"structEntryPoint.UserOpInfo\",\"name\":\"opInfo\",\"type\":\"tuple\"},{\"internalType\":\"bytes\",\"name\":\"context\",\"type\":\"bytes\"}],\"name\":\"innerHandleOp\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"actualGasCost\",\"type\":\"uint256\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"},{\"internalType\":\"uint192\",\"name\":\"\",\"type\":\"uint192\"}],\"name\":\"nonceSequenceNumber\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes4\",\"name\":\"interfaceId\",\"type\":\"bytes4\"}],\"name\":\"supportsInterface\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"unlockStake\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"addresspayable\",\"name\":\"withdrawAddress\",\"type\":\"address\"}],\"name\":\"withdrawStake\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"addresspayable\",\"name\":\"withdrawAddress\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"withdrawAmount\",\"type\":\"uint256\"}],\"name\":\"withdrawTo\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"stateMutability\":\"payable\",\"type\":\"receive\"}]",
	ID:  "EntryPoint",
}

// EntryPoint is an auto generated Go binding around an Ethereum contract.
type EntryPoint struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *EntryPoint) GetABI() abi.ABI {
	return c.abi
}

// NewEntryPoint creates a new instance of EntryPoint.
func NewEntryPoint() *EntryPoint {
	parsed, err := EntryPointMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &EntryPoint{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *EntryPoint) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackAddStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x0396cb60.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function addStake(uint32 unstakeDelaySec) payable returns()
func (entryPoint *EntryPoint) PackAddStake(unstakeDelaySec uint32) []byte {
	enc, err := entryPoint.abi.Pack("addStake", unstakeDelaySec)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAddStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x0396cb60.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function addStake(uint32 unstakeDelaySec) payable returns()
func (entryPoint *EntryPoint) TryPackAddStake(unstakeDelaySec uint32) ([]byte, error) {
	return entryPoint.abi.Pack("addStake", unstakeDelaySec)
}

// PackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (entryPoint *EntryPoint) PackBalanceOf(account common.Address) []byte {
	enc, err := entryPoint.abi.Pack("balanceOf", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (entryPoint *EntryPoint) TryPackBalanceOf(account common.Address) ([]byte, error) {
	return entryPoint.abi.Pack("balanceOf", account)
}

// UnpackBalanceOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x70a08231.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (entryPoint *EntryPoint) UnpackBalanceOf(data []byte) (*big.Int, error) {
	out, err := entryPoint.abi.Unpack("balanceOf", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackDelegateAndRevert is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x850aaf62.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function delegateAndRevert(address target, bytes data) returns()
func (entryPoint *EntryPoint) PackDelegateAndRevert(target common.Address, data []byte) []byte {
	enc, err := entryPoint.abi.Pack("delegateAndRevert", target, data)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDelegateAndRevert is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x850aaf62.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function delegateAndRevert(address target, bytes data) returns()
func (entryPoint *EntryPoint) TryPackDelegateAndRevert(target common.Address, data []byte) ([]byte, error) {
	return entryPoint.abi.Pack("delegateAndRevert", target, data)
}

// PackDepositTo is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb760faf9.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function depositTo(address account) payable returns()
func (entryPoint *EntryPoint) PackDepositTo(account common.Address) []byte {
	enc, err := entryPoint.abi.Pack("depositTo", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDepositTo is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb760faf9.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function depositTo(address account) payable returns()
func (entryPoint *EntryPoint) TryPackDepositTo(account common.Address) ([]byte, error) {
	return entryPoint.abi.Pack("depositTo", account)
}

// PackDeposits is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xfc7e286d.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function deposits(address ) view returns(uint256 deposit, bool staked, uint112 stake, uint32 unstakeDelaySec, uint48 withdrawTime)
func (entryPoint *EntryPoint) PackDeposits(arg0 common.Address) []byte {
	enc, err := entryPoint.abi.Pack("deposits", arg0)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDeposits is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xfc7e286d.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function deposits(address ) view returns(uint256 deposit, bool staked, uint112 stake, uint32 unstakeDelaySec, uint48 withdrawTime)
func (entryPoint *EntryPoint) TryPackDeposits(arg0 common.Address) ([]byte, error) {
	return entryPoint.abi.Pack("deposits", arg0)
}

// DepositsOutput serves as a container for the return parameters of contract
// method Deposits.
type DepositsOutput struct {
	Deposit         *big.Int
	Staked          bool
	Stake           *big.Int
	UnstakeDelaySec uint32
	WithdrawTime    *big.Int
}

// UnpackDeposits is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xfc7e286d.
//
// Solidity: function deposits(address ) view returns(uint256 deposit, bool staked, uint112 stake, uint32 unstakeDelaySec, uint48 withdrawTime)
func (entryPoint *EntryPoint) UnpackDeposits(data []byte) (DepositsOutput, error) {
	out, err := entryPoint.abi.Unpack("deposits", data)
	outstruct := new(DepositsOutput)
	if err != nil {
		return *outstruct, err
	}
	outstruct.Deposit = abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	outstruct.Staked = *abi.ConvertType(out[1], new(bool)).(*bool)
	outstruct.Stake = abi.ConvertType(out[2], new(big.Int)).(*big.Int)
	outstruct.UnstakeDelaySec = *abi.ConvertType(out[3], new(uint32)).(*uint32)
	outstruct.WithdrawTime = abi.ConvertType(out[4], new(big.Int)).(*big.Int)
	return *outstruct, nil
}

// PackGetDepositInfo is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5287ce12.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getDepositInfo(address account) view returns((uint256,bool,uint112,uint32,uint48) info)
func (entryPoint *EntryPoint) PackGetDepositInfo(account common.Address) []byte {
	enc, err := entryPoint.abi.Pack("getDepositInfo", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetDepositInfo is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5287ce12.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getDepositInfo(address account) view returns((uint256,bool,uint112,uint32,uint48) info)
func (entryPoint *EntryPoint) TryPackGetDepositInfo(account common.Address) ([]byte, error) {
	return entryPoint.abi.Pack("getDepositInfo", account)
}

// UnpackGetDepositInfo is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x5287ce12.
//
// Solidity: function getDepositInfo(address account) view returns((uint256,bool,uint112,uint32,uint48) info)
func (entryPoint *EntryPoint) UnpackGetDepositInfo(data []byte) (IStakeManagerDepositInfo, error) {
	out, err := entryPoint.abi.Unpack("getDepositInfo", data)
	if err != nil {
		return *new(IStakeManagerDepositInfo), err
	}
	out0 := *abi.ConvertType(out[0], new(IStakeManagerDepositInfo)).(*IStakeManagerDepositInfo)
	return out0, nil
}

// PackGetNonce is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x35567e1a.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getNonce(address sender, uint192 key) view returns(uint256 nonce)
func (entryPoint *EntryPoint) PackGetNonce(sender common.Address, key *big.Int) []byte {
	enc, err := entryPoint.abi.Pack("getNonce", sender, key)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetNonce is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x35567e1a.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getNonce(address sender, uint192 key) view returns(uint256 nonce)
func (entryPoint *EntryPoint) TryPackGetNonce(sender common.Address, key *big.Int) ([]byte, error) {
	return entryPoint.abi.Pack("getNonce", sender, key)
}

// UnpackGetNonce is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x35567e1a.
//
// Solidity: function getNonce(address sender, uint192 key) view returns(uint256 nonce)
func (entryPoint *EntryPoint) UnpackGetNonce(data []byte) (*big.Int, error) {
	out, err := entryPoint.abi.Unpack("getNonce", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackGetSenderAddress is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x9b249f69.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getSenderAddress(bytes initCode) returns()
func (entryPoint *EntryPoint) PackGetSenderAddress(initCode []byte) []byte {
	enc, err := entryPoint.abi.Pack("getSenderAddress", initCode)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetSenderAddress is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x9b249f69.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getSenderAddress(bytes initCode) returns()
func (entryPoint *EntryPoint) TryPackGetSenderAddress(initCode []byte) ([]byte, error) {
	return entryPoint.abi.Pack("getSenderAddress", initCode)
}

// PackGetUserOpHash is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x22cdde4c.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getUserOpHash((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes) userOp) view returns(bytes32)
func (entryPoint *EntryPoint) PackGetUserOpHash(userOp PackedUserOperation) []byte {
	enc, err := entryPoint.abi.Pack("getUserOpHash", userOp)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetUserOpHash is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x22cdde4c.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getUserOpHash((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes) userOp) view returns(bytes32)
func (entryPoint *EntryPoint) TryPackGetUserOpHash(userOp PackedUserOperation) ([]byte, error) {
	return entryPoint.abi.Pack("getUserOpHash", userOp)
}

// UnpackGetUserOpHash is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x22cdde4c.
//
// Solidity: function getUserOpHash((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes) userOp) view returns(bytes32)
func (entryPoint *EntryPoint) UnpackGetUserOpHash(data []byte) ([32]byte, error) {
	out, err := entryPoint.abi.Unpack("getUserOpHash", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackHandleAggregatedOps is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdbed18e0.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function handleAggregatedOps(((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address,bytes)[] opsPerAggregator, address beneficiary) returns()
func (entryPoint *EntryPoint) PackHandleAggregatedOps(opsPerAggregator []IEntryPointUserOpsPerAggregator, beneficiary common.Address) []byte {
	enc, err := entryPoint.abi.Pack("handleAggregatedOps", opsPerAggregator, beneficiary)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackHandleAggregatedOps is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdbed18e0.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function handleAggregatedOps(((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address,bytes)[] opsPerAggregator, address beneficiary) returns()
func (entryPoint *EntryPoint) TryPackHandleAggregatedOps(opsPerAggregator []IEntryPointUserOpsPerAggregator, beneficiary common.Address) ([]byte, error) {
	return entryPoint.abi.Pack("handleAggregatedOps", opsPerAggregator, beneficiary)
}

// PackHandleOps is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x765e827f.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[] ops, address beneficiary) returns()
func (entryPoint *EntryPoint) PackHandleOps(ops []PackedUserOperation, beneficiary common.Address) []byte {
	enc, err := entryPoint.abi.Pack("handleOps", ops, beneficiary)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackHandleOps is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x765e827f.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[] ops, address beneficiary) returns()
func (entryPoint *EntryPoint) TryPackHandleOps(ops []PackedUserOperation, beneficiary common.Address) ([]byte, error) {
	return entryPoint.abi.Pack("handleOps", ops, beneficiary)
}

// PackIncrementNonce is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x0bd28e3b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function incrementNonce(uint192 key) returns()
func (entryPoint *EntryPoint) PackIncrementNonce(key *big.Int) []byte {
	enc, err := entryPoint.abi.Pack("incrementNonce", key)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackIncrementNonce is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x0bd28e3b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function incrementNonce(uint192 key) returns()
func (entryPoint *EntryPoint) TryPackIncrementNonce(key *big.Int) ([]byte, error) {
	return entryPoint.abi.Pack("incrementNonce", key)
}

// PackInnerHandleOp is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x0042dc53.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function innerHandleOp(bytes callData, ((address,uint256,uint256,uint256,uint256,uint256,uint256,address,uint256,uint256),bytes32,uint256,uint256,uint256) opInfo, bytes context) returns(uint256 actualGasCost)
func (entryPoint *EntryPoint) PackInnerHandleOp(callData []byte, opInfo EntryPointUserOpInfo, context []byte) []byte {
	enc, err := entryPoint.abi.Pack("innerHandleOp", callData, opInfo, context)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackInnerHandleOp is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x0042dc53.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function innerHandleOp(bytes callData, ((address,uint256,uint256,uint256,uint256,uint256,uint256,address,uint256,uint256),bytes32,uint256,uint256,uint256) opInfo, bytes context) returns(uint256 actualGasCost)
func (entryPoint *EntryPoint) TryPackInnerHandleOp(callData []byte, opInfo EntryPointUserOpInfo, context []byte) ([]byte, error) {
	return entryPoint.abi.Pack("innerHandleOp", callData, opInfo, context)
}

// UnpackInnerHandleOp is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x0042dc53.
//
// Solidity: function innerHandleOp(bytes callData, ((address,uint256,uint256,uint256,uint256,uint256,uint256,address,uint256,uint256),bytes32,uint256,uint256,uint256) opInfo, bytes context) returns(uint256 actualGasCost)
func (entryPoint *EntryPoint) UnpackInnerHandleOp(data []byte) (*big.Int, error) {
	out, err := entryPoint.abi.Unpack("innerHandleOp", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackNonceSequenceNumber is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1b2e01b8.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function nonceSequenceNumber(address , uint192 ) view returns(uint256)
func (entryPoint *EntryPoint) PackNonceSequenceNumber(arg0 common.Address, arg1 *big.Int) []byte {
	enc, err := entryPoint.abi.Pack("nonceSequenceNumber", arg0, arg1)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackNonceSequenceNumber is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1b2e01b8.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function nonceSequenceNumber(address , uint192 ) view returns(uint256)
func (entryPoint *EntryPoint) TryPackNonceSequenceNumber(arg0 common.Address, arg1 *big.Int) ([]byte, error) {
	return entryPoint.abi.Pack("nonceSequenceNumber", arg0, arg1)
}

// UnpackNonceSequenceNumber is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x1b2e01b8.
//
// Solidity: function nonceSequenceNumber(address , uint192 ) view returns(uint256)
func (entryPoint *EntryPoint) UnpackNonceSequenceNumber(data []byte) (*big.Int, error) {
	out, err := entryPoint.abi.Unpack("nonceSequenceNumber", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackSupportsInterface is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x01ffc9a7.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function supportsInterface(bytes4 interfaceId) view returns(bool)
func (entryPoint *EntryPoint) PackSupportsInterface(interfaceId [4]byte) []byte {
	enc, err := entryPoint.abi.Pack("supportsInterface", interfaceId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSupportsInterface is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x01ffc9a7.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function supportsInterface(bytes4 interfaceId) view returns(bool)
func (entryPoint *EntryPoint) TryPackSupportsInterface(interfaceId [4]byte) ([]byte, error) {
	return entryPoint.abi.Pack("supportsInterface", interfaceId)
}

// UnpackSupportsInterface is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x01ffc9a7.
//
// Solidity: function supportsInterface(bytes4 interfaceId) view returns(bool)
func (entryPoint *EntryPoint) UnpackSupportsInterface(data []byte) (bool, error) {
	out, err := entryPoint.abi.Unpack("supportsInterface", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackUnlockStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xbb9fe6bf.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function unlockStake() returns()
func (entryPoint *EntryPoint) PackUnlockStake() []byte {
	enc, err := entryPoint.abi.Pack("unlockStake")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackUnlockStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xbb9fe6bf.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function unlockStake() returns()
func (entryPoint *EntryPoint) TryPackUnlockStake() ([]byte, error) {
	return entryPoint.abi.Pack("unlockStake")
}

// PackWithdrawStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc23a5cea.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function withdrawStake(address withdrawAddress) returns()
func (entryPoint *EntryPoint) PackWithdrawStake(withdrawAddress common.Address) []byte {
	enc, err := entryPoint.abi.Pack("withdrawStake", withdrawAddress)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackWithdrawStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc23a5cea.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function withdrawStake(address withdrawAddress) returns()
func (entryPoint *EntryPoint) TryPackWithdrawStake(withdrawAddress common.Address) ([]byte, error) {
	return entryPoint.abi.Pack("withdrawStake", withdrawAddress)
}

// PackWithdrawTo is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x205c2878.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function withdrawTo(address withdrawAddress, uint256 withdrawAmount) returns()
func (entryPoint *EntryPoint) PackWithdrawTo(withdrawAddress common.Address, withdrawAmount *big.Int) []byte {
	enc, err := entryPoint.abi.Pack("withdrawTo", withdrawAddress, withdrawAmount)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackWithdrawTo is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x205c2878.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function withdrawTo(address withdrawAddress, uint256 withdrawAmount) returns()
func (entryPoint *EntryPoint) TryPackWithdrawTo(withdrawAddress common.Address, withdrawAmount *big.Int) ([]byte, error) {
	return entryPoint.abi.Pack("withdrawTo", withdrawAddress, withdrawAmount)
}

// EntryPointAccountDeployed represents a AccountDeployed event raised by the EntryPoint contract.
type EntryPointAccountDeployed struct {
	UserOpHash [32]byte
	Sender     common.Address
	Factory    common.Address
	Paymaster  common.Address
	Raw        *types.Log // Blockchain specific contextual infos
}

const EntryPointAccountDeployedEventName = "AccountDeployed"

// ContractEventName returns the user-defined event name.
func (EntryPointAccountDeployed) ContractEventName() string {
	return EntryPointAccountDeployedEventName
}

// UnpackAccountDeployedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event AccountDeployed(bytes32 indexed userOpHash, address indexed sender, address factory, address paymaster)
func (entryPoint *EntryPoint) UnpackAccountDeployedEvent(log *types.Log) (*EntryPointAccountDeployed, error) {
	event := "AccountDeployed"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != entryPoint.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EntryPointAccountDeployed)
	if len(log.Data) > 0 {
		if err := entryPoint.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range entryPoint.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EntryPointBeforeExecution represents a BeforeExecution event raised by the EntryPoint contract.
type EntryPointBeforeExecution struct {
	Raw *types.Log // Blockchain specific contextual infos
}

const EntryPointBeforeExecutionEventName = "BeforeExecution"

// ContractEventName returns the user-defined event name.
func (EntryPointBeforeExecution) ContractEventName() string {
	return EntryPointBeforeExecutionEventName
}

// UnpackBeforeExecutionEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event BeforeExecution()
func (entryPoint *EntryPoint) UnpackBeforeExecutionEvent(log *types.Log) (*EntryPointBeforeExecution, error) {
	event := "BeforeExecution"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != entryPoint.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EntryPointBeforeExecution)
	if len(log.Data) > 0 {
		if err := entryPoint.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range entryPoint.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EntryPointDeposited represents a Deposited event raised by the EntryPoint contract.
type EntryPointDeposited struct {
	Account      common.Address
	TotalDeposit *big.Int
	Raw          *types.Log // Blockchain specific contextual infos
}

const EntryPointDepositedEventName = "Deposited"

// ContractEventName returns the user-defined event name.
func (EntryPointDeposited) ContractEventName() string {
	return EntryPointDepositedEventName
}

// UnpackDepositedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Deposited(address indexed account, uint256 totalDeposit)
func (entryPoint *EntryPoint) UnpackDepositedEvent(log *types.Log) (*EntryPointDeposited, error) {
	event := "Deposited"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != entryPoint.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EntryPointDeposited)
	if len(log.Data) > 0 {
		if err := entryPoint.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range entryPoint.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EntryPointPostOpRevertReason represents a PostOpRevertReason event raised by the EntryPoint contract.
type EntryPointPostOpRevertReason struct {
	UserOpHash   [32]byte
	Sender       common.Address
	Nonce        *big.Int
	RevertReason []byte
	Raw          *types.Log // Blockchain specific contextual infos
}

const EntryPointPostOpRevertReasonEventName = "PostOpRevertReason"

// ContractEventName returns the user-defined event name.
func (EntryPointPostOpRevertReason) ContractEventName() string {
	return EntryPointPostOpRevertReasonEventName
}

// UnpackPostOpRevertReasonEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event PostOpRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)
func (entryPoint *EntryPoint) UnpackPostOpRevertReasonEvent(log *types.Log) (*EntryPointPostOpRevertReason, error) {
	event := "PostOpRevertReason"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != entryPoint.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EntryPointPostOpRevertReason)
	if len(log.Data) > 0 {
		if err := entryPoint.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range entryPoint.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EntryPointSignatureAggregatorChanged represents a SignatureAggregatorChanged event raised by the EntryPoint contract.
type EntryPointSignatureAggregatorChanged struct {
	Aggregator common.Address
	Raw        *types.Log // Blockchain specific contextual infos
}

const EntryPointSignatureAggregatorChangedEventName = "SignatureAggregatorChanged"

// ContractEventName returns the user-defined event name.
func (EntryPointSignatureAggregatorChanged) ContractEventName() string {
	return EntryPointSignatureAggregatorChangedEventName
}

// UnpackSignatureAggregatorChangedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event SignatureAggregatorChanged(address indexed aggregator)
func (entryPoint *EntryPoint) UnpackSignatureAggregatorChangedEvent(log *types.Log) (*EntryPointSignatureAggregatorChanged, error) {
	event := "SignatureAggregatorChanged"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != entryPoint.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EntryPointSignatureAggregatorChanged)
	if len(log.Data) > 0 {
		if err := entryPoint.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range entryPoint.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EntryPointStakeLocked represents a StakeLocked event raised by the EntryPoint contract.
type EntryPointStakeLocked struct {
	Account         common.Address
	TotalStaked     *big.Int
	UnstakeDelaySec *big.Int
	Raw             *types.Log // Blockchain specific contextual infos
}

const EntryPointStakeLockedEventName = "StakeLocked"

// ContractEventName returns the user-defined event name.
func (EntryPointStakeLocked) ContractEventName() string {
	return EntryPointStakeLockedEventName
}

// UnpackStakeLockedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event StakeLocked(address indexed account, uint256 totalStaked, uint256 unstakeDelaySec)
func (entryPoint *EntryPoint) UnpackStakeLockedEvent(log *types.Log) (*EntryPointStakeLocked, error) {
	event := "StakeLocked"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != entryPoint.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EntryPointStakeLocked)
	if len(log.Data) > 0 {
		if err := entryPoint.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range entryPoint.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EntryPointStakeUnlocked represents a StakeUnlocked event raised by the EntryPoint contract.
type EntryPointStakeUnlocked struct {
	Account      common.Address
	WithdrawTime *big.Int
	Raw          *types.Log // Blockchain specific contextual infos
}

const EntryPointStakeUnlockedEventName = "StakeUnlocked"

// ContractEventName returns the user-defined event name.
func (EntryPointStakeUnlocked) ContractEventName() string {
	return EntryPointStakeUnlockedEventName
}

// UnpackStakeUnlockedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event StakeUnlocked(address indexed account, uint256 withdrawTime)
func (entryPoint *EntryPoint) UnpackStakeUnlockedEvent(log *types.Log) (*EntryPointStakeUnlocked, error) {
	event := "StakeUnlocked"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != entryPoint.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EntryPointStakeUnlocked)
	if len(log.Data) > 0 {
		if err := entryPoint.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range entryPoint.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EntryPointStakeWithdrawn represents a StakeWithdrawn event raised by the EntryPoint contract.
type EntryPointStakeWithdrawn struct {
	Account         common.Address
	WithdrawAddress common.Address
	Amount          *big.Int
	Raw             *types.Log // Blockchain specific contextual infos
}

const EntryPointStakeWithdrawnEventName = "StakeWithdrawn"

// ContractEventName returns the user-defined event name.
func (EntryPointStakeWithdrawn) ContractEventName() string {
	return EntryPointStakeWithdrawnEventName
}

// UnpackStakeWithdrawnEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event StakeWithdrawn(address indexed account, address withdrawAddress, uint256 amount)
func (entryPoint *EntryPoint) UnpackStakeWithdrawnEvent(log *types.Log) (*EntryPointStakeWithdrawn, error) {
	event := "StakeWithdrawn"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != entryPoint.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EntryPointStakeWithdrawn)
	if len(log.Data) > 0 {
		if err := entryPoint.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range entryPoint.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EntryPointUserOperationEvent represents a UserOperationEvent event raised by the EntryPoint contract.
type EntryPointUserOperationEvent struct {
	UserOpHash    [32]byte
	Sender        common.Address
	Paymaster     common.Address
	Nonce         *big.Int
	Success       bool
	ActualGasCost *big.Int
	ActualGasUsed *big.Int
	Raw           *types.Log // Blockchain specific contextual infos
}

const EntryPointUserOperationEventEventName = "UserOperationEvent"

// ContractEventName returns the user-defined event name.
func (EntryPointUserOperationEvent) ContractEventName() string {
	return EntryPointUserOperationEventEventName
}

// UnpackUserOperationEventEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)
func (entryPoint *EntryPoint) UnpackUserOperationEventEvent(log *types.Log) (*EntryPointUserOperationEvent, error) {
	event := "UserOperationEvent"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != entryPoint.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EntryPointUserOperationEvent)
	if len(log.Data) > 0 {
		if err := entryPoint.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range entryPoint.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EntryPointUserOperationPrefundTooLow represents a UserOperationPrefundTooLow event raised by the EntryPoint contract.
type EntryPointUserOperationPrefundTooLow struct {
	UserOpHash [32]byte
	Sender     common.Address
	Nonce      *big.Int
	Raw        *types.Log // Blockchain specific contextual infos
}

const EntryPointUserOperationPrefundTooLowEventName = "UserOperationPrefundTooLow"

// ContractEventName returns the user-defined event name.
func (EntryPointUserOperationPrefundTooLow) ContractEventName() string {
	return EntryPointUserOperationPrefundTooLowEventName
}

// UnpackUserOperationPrefundTooLowEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event UserOperationPrefundTooLow(bytes32 indexed userOpHash, address indexed sender, uint256 nonce)
func (entryPoint *EntryPoint) UnpackUserOperationPrefundTooLowEvent(log *types.Log) (*EntryPointUserOperationPrefundTooLow, error) {
	event := "UserOperationPrefundTooLow"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != entryPoint.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EntryPointUserOperationPrefundTooLow)
	if len(log.Data) > 0 {
		if err := entryPoint.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range entryPoint.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EntryPointUserOperationRevertReason represents a UserOperationRevertReason event raised by the EntryPoint contract.
type EntryPointUserOperationRevertReason struct {
	UserOpHash   [32]byte
	Sender       common.Address
	Nonce        *big.Int
	RevertReason []byte
	Raw          *types.Log // Blockchain specific contextual infos
}

const EntryPointUserOperationRevertReasonEventName = "UserOperationRevertReason"

// ContractEventName returns the user-defined event name.
func (EntryPointUserOperationRevertReason) ContractEventName() string {
	return EntryPointUserOperationRevertReasonEventName
}

// UnpackUserOperationRevertReasonEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event UserOperationRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)
func (entryPoint *EntryPoint) UnpackUserOperationRevertReasonEvent(log *types.Log) (*EntryPointUserOperationRevertReason, error) {
	event := "UserOperationRevertReason"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != entryPoint.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EntryPointUserOperationRevertReason)
	if len(log.Data) > 0 {
		if err := entryPoint.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range entryPoint.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EntryPointWithdrawn represents a Withdrawn event raised by the EntryPoint contract.
type EntryPointWithdrawn struct {
	Account         common.Address
	WithdrawAddress common.Address
	Amount          *big.Int
	Raw             *types.Log // Blockchain specific contextual infos
}

const EntryPointWithdrawnEventName = "Withdrawn"

// ContractEventName returns the user-defined event name.
func (EntryPointWithdrawn) ContractEventName() string {
	return EntryPointWithdrawnEventName
}

// UnpackWithdrawnEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Withdrawn(address indexed account, address withdrawAddress, uint256 amount)
func (entryPoint *EntryPoint) UnpackWithdrawnEvent(log *types.Log) (*EntryPointWithdrawn, error) {
	event := "Withdrawn"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != entryPoint.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EntryPointWithdrawn)
	if len(log.Data) > 0 {
		if err := entryPoint.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range entryPoint.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// UnpackError attempts to decode the provided error data using user-defined
// error definitions.
func (entryPoint *EntryPoint) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], entryPoint.abi.Errors["DelegateAndRevert"].ID.Bytes()[:4]) {
		return entryPoint.UnpackDelegateAndRevertError(raw[4:])
	}
	if bytes.Equal(raw[:4], entryPoint.abi.Errors["FailedOp"].ID.Bytes()[:4]) {
		return entryPoint.UnpackFailedOpError(raw[4:])
	}
	if bytes.Equal(raw[:4], entryPoint.abi.Errors["FailedOpWithRevert"].ID.Bytes()[:4]) {
		return entryPoint.UnpackFailedOpWithRevertError(raw[4:])
	}
	if bytes.Equal(raw[:4], entryPoint.abi.Errors["PostOpReverted"].ID.Bytes()[:4]) {
		return entryPoint.UnpackPostOpRevertedError(raw[4:])
	}
	if bytes.Equal(raw[:4], entryPoint.abi.Errors["ReentrancyGuardReentrantCall"].ID.Bytes()[:4]) {
		return entryPoint.UnpackReentrancyGuardReentrantCallError(raw[4:])
	}
	if bytes.Equal(raw[:4], entryPoint.abi.Errors["SenderAddressResult"].ID.Bytes()[:4]) {
		return entryPoint.UnpackSenderAddressResultError(raw[4:])
	}
	if bytes.Equal(raw[:4], entryPoint.abi.Errors["SignatureValidationFailed"].ID.Bytes()[:4]) {
		return entryPoint.UnpackSignatureValidationFailedError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// EntryPointDelegateAndRevert represents a DelegateAndRevert error raised by the EntryPoint contract.
type EntryPointDelegateAndRevert struct {
	Success bool
	Ret     []byte
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error DelegateAndRevert(bool success, bytes ret)
func EntryPointDelegateAndRevertErrorID() common.Hash {
	return common.HexToHash("0x9941055444a6b8379a4c66beac4880d5e96ca9c2fff188903cb0bc945a4dae05")
}

// UnpackDelegateAndRevertError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error DelegateAndRevert(bool success, bytes ret)
func (entryPoint *EntryPoint) UnpackDelegateAndRevertError(raw []byte) (*EntryPointDelegateAndRevert, error) {
	out := new(EntryPointDelegateAndRevert)
	if err := entryPoint.abi.UnpackIntoInterface(out, "DelegateAndRevert", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EntryPointFailedOp represents a FailedOp error raised by the EntryPoint contract.
type EntryPointFailedOp struct {
	OpIndex *big.Int
	Reason  string
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error FailedOp(uint256 opIndex, string reason)
func EntryPointFailedOpErrorID() common.Hash {
	return common.HexToHash("0x220266b6eadfd2488e398d00abc1c765e1f119da6226c1b55ec9cc0186560475")
}

// UnpackFailedOpError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error FailedOp(uint256 opIndex, string reason)
func (entryPoint *EntryPoint) UnpackFailedOpError(raw []byte) (*EntryPointFailedOp, error) {
	out := new(EntryPointFailedOp)
	if err := entryPoint.abi.UnpackIntoInterface(out, "FailedOp", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EntryPointFailedOpWithRevert represents a FailedOpWithRevert error raised by the EntryPoint contract.
type EntryPointFailedOpWithRevert struct {
	OpIndex *big.Int
	Reason  string
	Inner   []byte
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)
func EntryPointFailedOpWithRevertErrorID() common.Hash {
	return common.HexToHash("0x65c8fd4dd32f2bb83f7d57728e1afa231e9956aaf4bdeea76c78b967426acb8c")
}

// UnpackFailedOpWithRevertError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)
func (entryPoint *EntryPoint) UnpackFailedOpWithRevertError(raw []byte) (*EntryPointFailedOpWithRevert, error) {
	out := new(EntryPointFailedOpWithRevert)
	if err := entryPoint.abi.UnpackIntoInterface(out, "FailedOpWithRevert", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EntryPointPostOpReverted represents a PostOpReverted error raised by the EntryPoint contract.
type EntryPointPostOpReverted struct {
	ReturnData []byte
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error PostOpReverted(bytes returnData)
func EntryPointPostOpRevertedErrorID() common.Hash {
	return common.HexToHash("0xad7954bcae0d69c56f2323097b645bc6b6033c9f3777375271d77a608fc206ae")
}

// UnpackPostOpRevertedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error PostOpReverted(bytes returnData)
func (entryPoint *EntryPoint) UnpackPostOpRevertedError(raw []byte) (*EntryPointPostOpReverted, error) {
	out := new(EntryPointPostOpReverted)
	if err := entryPoint.abi.UnpackIntoInterface(out, "PostOpReverted", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EntryPointReentrancyGuardReentrantCall represents a ReentrancyGuardReentrantCall error raised by the EntryPoint contract.
type EntryPointReentrancyGuardReentrantCall struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ReentrancyGuardReentrantCall()
func EntryPointReentrancyGuardReentrantCallErrorID() common.Hash {
	return common.HexToHash("0x3ee5aeb571de7fc460830b4d0017439a1ca56fb0bc39062227ade4fe4a24c1ca")
}

// UnpackReentrancyGuardReentrantCallError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ReentrancyGuardReentrantCall()
func (entryPoint *EntryPoint) UnpackReentrancyGuardReentrantCallError(raw []byte) (*EntryPointReentrancyGuardReentrantCall, error) {
	out := new(EntryPointReentrancyGuardReentrantCall)
	if err := entryPoint.abi.UnpackIntoInterface(out, "ReentrancyGuardReentrantCall", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EntryPointSenderAddressResult represents a SenderAddressResult error raised by the EntryPoint contract.
type EntryPointSenderAddressResult struct {
	Sender common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error SenderAddressResult(address sender)
func EntryPointSenderAddressResultErrorID() common.Hash {
	return common.HexToHash("0x6ca7b806055bb56d141e3a30604d4c6540fe6f010574d1b40dfd951da77b956d")
}

// UnpackSenderAddressResultError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error SenderAddressResult(address sender)
func (entryPoint *EntryPoint) UnpackSenderAddressResultError(raw []byte) (*EntryPointSenderAddressResult, error) {
	out := new(EntryPointSenderAddressResult)
	if err := entryPoint.abi.UnpackIntoInterface(out, "SenderAddressResult", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EntryPointSignatureValidationFailed represents a SignatureValidationFailed error raised by the EntryPoint contract.
type EntryPointSignatureValidationFailed struct {
	Aggregator common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error SignatureValidationFailed(address aggregator)
func EntryPointSignatureValidationFailedErrorID() common.Hash {
	return common.HexToHash("0x86a9f750e187f100e9e8a18befbbf44e6f512d6f78cfe16a061541aaaad52523")
}

// UnpackSignatureValidationFailedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error SignatureValidationFailed(address aggregator)
func (entryPoint *EntryPoint) UnpackSignatureValidationFailedError(raw []byte) (*EntryPointSignatureValidationFailed, error) {
	out := new(EntryPointSignatureValidationFailed)
	if err := entryPoint.abi.UnpackIntoInterface(out, "SignatureValidationFailed", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// GodTokenMetaData contains all meta data concerning the GodToken contract.
var GodTokenMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"cap_\",\"type\":\"uint256\"},{\"internalType\":\"address\",\"name\":\"admin\",\"type\":\"address\"},{\"internalType\":\"address[]\",\"name\":\"minters\",\"type\":\"address[]\"}],\"stateMutability\":\"nonpayable\",\"type\":\"constructor\"},{\"inputs\":[],\"name\":\"AccessControlBadConfirmation\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"internalType\":\"bytes32\",\"name\":\"neededRole\",\"type\":\"bytes32\"}],\"name\":\"AccessControlUnauthorizedAccount\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"increasedSupply\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"cap\",\"type\":\"uint256\"}],\"name\":\"ERC20ExceededCap\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"allowance\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"needed\",\"type\":\"uint256\"}],\"name\":\"ERC20InsufficientAllowance\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"balance\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"needed\",\"type\":\"uint256\"}],\"name\":\"ERC20InsufficientBalance\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"approver\",\"type\":\"address\"}],\"name\":\"ERC20InvalidApprover\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"cap\",\"type\":\"uint256\"}],\"name\":\"ERC20InvalidCap\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"receiver\",\"type\":\"address\"}],\"name\":\"ERC20InvalidReceiver\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"}],\"name\":\"ERC20InvalidSender\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"}],\"name\":\"ERC20InvalidSpender\",\"type\":\"error\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"Approval\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"previousAdminRole\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"newAdminRole\",\"type\":\"bytes32\"}],\"name\":\"RoleAdminChanged\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"}],\"name\":\"RoleGranted\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"}],\"name\":\"RoleRevoked\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"Transfer\",\"type\":\"event\"},{\"inputs\":[],\"name\":\"DEFAULT_ADMIN_ROLE\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"MINTER_ROLE\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"}],\"name\":\"allowance\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"approve\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"balanceOf\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"cap\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"decimals\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"}],\"name\":\"getRoleAdmin\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"grantRole\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"hasRole\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"mint\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"name\",\"outputs\":[{\"internalType\":\"string\",\"name\":\"\",\"type\":\"string\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"internalType\":\"address\",\"name\":\"callerConfirmation\",\"type\":\"address\"}],\"name\":\"renounceRole\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"revokeRole\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes4\",\"name\":\"interfaceId\",\"type\":\"bytes4\"}],\"name\":\"supportsInterface\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"symbol\",\"outputs\":[{\"internalType\":\"string\",\"name\":\"\",\"type\":\"string\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"totalSupply\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"transfer\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"transferFrom\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"}]",
	ID:  "GodToken",
}

// GodToken is an auto generated Go binding around an Ethereum contract.
type GodToken struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *GodToken) GetABI() abi.ABI {
	return c.abi
}

// NewGodToken creates a new instance of GodToken.
func NewGodToken() *GodToken {
	parsed, err := GodTokenMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &GodToken{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *GodToken) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackConstructor is the Go binding used to pack the parameters required for
// contract deployment.
//
// Solidity: constructor(uint256 cap_, address admin, address[] minters) returns()
func (godToken *GodToken) PackConstructor(cap_ *big.Int, admin common.Address, minters []common.Address) []byte {
	enc, err := godToken.abi.Pack("", cap_, admin, minters)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackDEFAULTADMINROLE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa217fddf.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function DEFAULT_ADMIN_ROLE() view returns(bytes32)
func (godToken *GodToken) PackDEFAULTADMINROLE() []byte {
	enc, err := godToken.abi.Pack("DEFAULT_ADMIN_ROLE")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDEFAULTADMINROLE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa217fddf.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function DEFAULT_ADMIN_ROLE() view returns(bytes32)
func (godToken *GodToken) TryPackDEFAULTADMINROLE() ([]byte, error) {
	return godToken.abi.Pack("DEFAULT_ADMIN_ROLE")
}

// UnpackDEFAULTADMINROLE is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa217fddf.
//
// Solidity: function DEFAULT_ADMIN_ROLE() view returns(bytes32)
func (godToken *GodToken) UnpackDEFAULTADMINROLE(data []byte) ([32]byte, error) {
	out, err := godToken.abi.Unpack("DEFAULT_ADMIN_ROLE", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackMINTERROLE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd5391393.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function MINTER_ROLE() view returns(bytes32)
func (godToken *GodToken) PackMINTERROLE() []byte {
	enc, err := godToken.abi.Pack("MINTER_ROLE")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMINTERROLE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd5391393.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function MINTER_ROLE() view returns(bytes32)
func (godToken *GodToken) TryPackMINTERROLE() ([]byte, error) {
	return godToken.abi.Pack("MINTER_ROLE")
}

// UnpackMINTERROLE is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xd5391393.
//
// Solidity: function MINTER_ROLE() view returns(bytes32)
func (godToken *GodToken) UnpackMINTERROLE(data []byte) ([32]byte, error) {
	out, err := godToken.abi.Unpack("MINTER_ROLE", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackAllowance is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdd62ed3e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (godToken *GodToken) PackAllowance(owner common.Address, spender common.Address) []byte {
	enc, err := godToken.abi.Pack("allowance", owner, spender)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAllowance is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdd62ed3e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (godToken *GodToken) TryPackAllowance(owner common.Address, spender common.Address) ([]byte, error) {
	return godToken.abi.Pack("allowance", owner, spender)
}

// UnpackAllowance is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xdd62ed3e.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (godToken *GodToken) UnpackAllowance(data []byte) (*big.Int, error) {
	out, err := godToken.abi.Unpack("allowance", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackApprove is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x095ea7b3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function approve(address spender, uint256 value) returns(bool)
func (godToken *GodToken) PackApprove(spender common.Address, value *big.Int) []byte {
	enc, err := godToken.abi.Pack("approve", spender, value)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackApprove is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x095ea7b3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function approve(address spender, uint256 value) returns(bool)
func (godToken *GodToken) TryPackApprove(spender common.Address, value *big.Int) ([]byte, error) {
	return godToken.abi.Pack("approve", spender, value)
}

// UnpackApprove is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x095ea7b3.
//
// Solidity: function approve(address spender, uint256 value) returns(bool)
func (godToken *GodToken) UnpackApprove(data []byte) (bool, error) {
	out, err := godToken.abi.Unpack("approve", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (godToken *GodToken) PackBalanceOf(account common.Address) []byte {
	enc, err := godToken.abi.Pack("balanceOf", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (godToken *GodToken) TryPackBalanceOf(account common.Address) ([]byte, error) {
	return godToken.abi.Pack("balanceOf", account)
}

// UnpackBalanceOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x70a08231.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (godToken *GodToken) UnpackBalanceOf(data []byte) (*big.Int, error) {
	out, err := godToken.abi.Unpack("balanceOf", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackCap is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x355274ea.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function cap() view returns(uint256)
func (godToken *GodToken) PackCap() []byte {
	enc, err := godToken.abi.Pack("cap")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackCap is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x355274ea.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function cap() view returns(uint256)
func (godToken *GodToken) TryPackCap() ([]byte, error) {
	return godToken.abi.Pack("cap")
}

// UnpackCap is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x355274ea.
//
// Solidity: function cap() view returns(uint256)
func (godToken *GodToken) UnpackCap(data []byte) (*big.Int, error) {
	out, err := godToken.abi.Unpack("cap", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackDecimals is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x313ce567.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function decimals() view returns(uint8)
func (godToken *GodToken) PackDecimals() []byte {
	enc, err := godToken.abi.Pack("decimals")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDecimals is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x313ce567.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function decimals() view returns(uint8)
func (godToken *GodToken) TryPackDecimals() ([]byte, error) {
	return godToken.abi.Pack("decimals")
}

// UnpackDecimals is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x313ce567.
//
// Solidity: function decimals() view returns(uint8)
func (godToken *GodToken) UnpackDecimals(data []byte) (uint8, error) {
	out, err := godToken.abi.Unpack("decimals", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackGetRoleAdmin is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x248a9ca3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getRoleAdmin(bytes32 role) view returns(bytes32)
func (godToken *GodToken) PackGetRoleAdmin(role [32]byte) []byte {
	enc, err := godToken.abi.Pack("getRoleAdmin", role)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetRoleAdmin is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x248a9ca3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getRoleAdmin(bytes32 role) view returns(bytes32)
func (godToken *GodToken) TryPackGetRoleAdmin(role [32]byte) ([]byte, error) {
	return godToken.abi.Pack("getRoleAdmin", role)
}

// UnpackGetRoleAdmin is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x248a9ca3.
//
// Solidity: function getRoleAdmin(bytes32 role) view returns(bytes32)
func (godToken *GodToken) UnpackGetRoleAdmin(data []byte) ([32]byte, error) {
	out, err := godToken.abi.Unpack("getRoleAdmin", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackGrantRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2f2ff15d.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function grantRole(bytes32 role, address account) returns()
func (godToken *GodToken) PackGrantRole(role [32]byte, account common.Address) []byte {
	enc, err := godToken.abi.Pack("grantRole", role, account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGrantRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2f2ff15d.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function grantRole(bytes32 role, address account) returns()
func (godToken *GodToken) TryPackGrantRole(role [32]byte, account common.Address) ([]byte, error) {
	return godToken.abi.Pack("grantRole", role, account)
}

// PackHasRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x91d14854.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function hasRole(bytes32 role, address account) view returns(bool)
func (godToken *GodToken) PackHasRole(role [32]byte, account common.Address) []byte {
	enc, err := godToken.abi.Pack("hasRole", role, account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackHasRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x91d14854.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function hasRole(bytes32 role, address account) view returns(bool)
func (godToken *GodToken) TryPackHasRole(role [32]byte, account common.Address) ([]byte, error) {
	return godToken.abi.Pack("hasRole", role, account)
}

// UnpackHasRole is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x91d14854.
//
// Solidity: function hasRole(bytes32 role, address account) view returns(bool)
func (godToken *GodToken) UnpackHasRole(data []byte) (bool, error) {
	out, err := godToken.abi.Unpack("hasRole", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackMint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x40c10f19.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function mint(address to, uint256 amount) returns()
func (godToken *GodToken) PackMint(to common.Address, amount *big.Int) []byte {
	enc, err := godToken.abi.Pack("mint", to, amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x40c10f19.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function mint(address to, uint256 amount) returns()
func (godToken *GodToken) TryPackMint(to common.Address, amount *big.Int) ([]byte, error) {
	return godToken.abi.Pack("mint", to, amount)
}

// PackName is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x06fdde03.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function name() view returns(string)
func (godToken *GodToken) PackName() []byte {
	enc, err := godToken.abi.Pack("name")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackName is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x06fdde03.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function name() view returns(string)
func (godToken *GodToken) TryPackName() ([]byte, error) {
	return godToken.abi.Pack("name")
}

// UnpackName is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x06fdde03.
//
// Solidity: function name() view returns(string)
func (godToken *GodToken) UnpackName(data []byte) (string, error) {
	out, err := godToken.abi.Unpack("name", data)
	if err != nil {
		return *new(string), err
	}
	out0 := *abi.ConvertType(out[0], new(string)).(*string)
	return out0, nil
}

// PackRenounceRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x36568abe.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function renounceRole(bytes32 role, address callerConfirmation) returns()
func (godToken *GodToken) PackRenounceRole(role [32]byte, callerConfirmation common.Address) []byte {
	enc, err := godToken.abi.Pack("renounceRole", role, callerConfirmation)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRenounceRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x36568abe.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function renounceRole(bytes32 role, address callerConfirmation) returns()
func (godToken *GodToken) TryPackRenounceRole(role [32]byte, callerConfirmation common.Address) ([]byte, error) {
	return godToken.abi.Pack("renounceRole", role, callerConfirmation)
}

// PackRevokeRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd547741f.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function revokeRole(bytes32 role, address account) returns()
func (godToken *GodToken) PackRevokeRole(role [32]byte, account common.Address) []byte {
	enc, err := godToken.abi.Pack("revokeRole", role, account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRevokeRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd547741f.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function revokeRole(bytes32 role, address account) returns()
func (godToken *GodToken) TryPackRevokeRole(role [32]byte, account common.Address) ([]byte, error) {
	return godToken.abi.Pack("revokeRole", role, account)
}

// PackSupportsInterface is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x01ffc9a7.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function supportsInterface(bytes4 interfaceId) view returns(bool)
func (godToken *GodToken) PackSupportsInterface(interfaceId [4]byte) []byte {
	enc, err := godToken.abi.Pack("supportsInterface", interfaceId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSupportsInterface is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x01ffc9a7.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function supportsInterface(bytes4 interfaceId) view returns(bool)
func (godToken *GodToken) TryPackSupportsInterface(interfaceId [4]byte) ([]byte, error) {
	return godToken.abi.Pack("supportsInterface", interfaceId)
}

// UnpackSupportsInterface is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x01ffc9a7.
//
// Solidity: function supportsInterface(bytes4 interfaceId) view returns(bool)
func (godToken *GodToken) UnpackSupportsInterface(data []byte) (bool, error) {
	out, err := godToken.abi.Unpack("supportsInterface", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackSymbol is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x95d89b41.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function symbol() view returns(string)
func (godToken *GodToken) PackSymbol() []byte {
	enc, err := godToken.abi.Pack("symbol")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSymbol is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x95d89b41.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function symbol() view returns(string)
func (godToken *GodToken) TryPackSymbol() ([]byte, error) {
	return godToken.abi.Pack("symbol")
}

// UnpackSymbol is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x95d89b41.
//
// Solidity: function symbol() view returns(string)
func (godToken *GodToken) UnpackSymbol(data []byte) (string, error) {
	out, err := godToken.abi.Unpack("symbol", data)
	if err != nil {
		return *new(string), err
	}
	out0 := *abi.ConvertType(out[0], new(string)).(*string)
	return out0, nil
}

// PackTotalSupply is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x18160ddd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function totalSupply() view returns(uint256)
func (godToken *GodToken) PackTotalSupply() []byte {
	enc, err := godToken.abi.Pack("totalSupply")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTotalSupply is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x18160ddd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function totalSupply() view returns(uint256)
func (godToken *GodToken) TryPackTotalSupply() ([]byte, error) {
	return godToken.abi.Pack("totalSupply")
}

// UnpackTotalSupply is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x18160ddd.
//
// Solidity: function totalSupply() view returns(uint256)
func (godToken *GodToken) UnpackTotalSupply(data []byte) (*big.Int, error) {
	out, err := godToken.abi.Unpack("totalSupply", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackTransfer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa9059cbb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transfer(address to, uint256 value) returns(bool)
func (godToken *GodToken) PackTransfer(to common.Address, value *big.Int) []byte {
	enc, err := godToken.abi.Pack("transfer", to, value)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransfer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa9059cbb.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transfer(address to, uint256 value) returns(bool)
func (godToken *GodToken) TryPackTransfer(to common.Address, value *big.Int) ([]byte, error) {
	return godToken.abi.Pack("transfer", to, value)
}

// UnpackTransfer is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa9059cbb.
//
// Solidity: function transfer(address to, uint256 value) returns(bool)
func (godToken *GodToken) UnpackTransfer(data []byte) (bool, error) {
	out, err := godToken.abi.Unpack("transfer", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x23b872dd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transferFrom(address from, address to, uint256 value) returns(bool)
func (godToken *GodToken) PackTransferFrom(from common.Address, to common.Address, value *big.Int) []byte {
	enc, err := godToken.abi.Pack("transferFrom", from, to, value)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x23b872dd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transferFrom(address from, address to, uint256 value) returns(bool)
func (godToken *GodToken) TryPackTransferFrom(from common.Address, to common.Address, value *big.Int) ([]byte, error) {
	return godToken.abi.Pack("transferFrom", from, to, value)
}

// UnpackTransferFrom is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x23b872dd.
//
// Solidity: function transferFrom(address from, address to, uint256 value) returns(bool)
func (godToken *GodToken) UnpackTransferFrom(data []byte) (bool, error) {
	out, err := godToken.abi.Unpack("transferFrom", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// GodTokenApproval represents a Approval event raised by the GodToken contract.
type GodTokenApproval struct {
	Owner   common.Address
	Spender common.Address
	Value   *big.Int
	Raw     *types.Log // Blockchain specific contextual infos
}

const GodTokenApprovalEventName = "Approval"

// ContractEventName returns the user-defined event name.
func (GodTokenApproval) ContractEventName() string {
	return GodTokenApprovalEventName
}

// UnpackApprovalEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Approval(address indexed owner, address indexed spender, uint256 value)
func (godToken *GodToken) UnpackApprovalEvent(log *types.Log) (*GodTokenApproval, error) {
	event := "Approval"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != godToken.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(GodTokenApproval)
	if len(log.Data) > 0 {
		if err := godToken.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range godToken.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// GodTokenRoleAdminChanged represents a RoleAdminChanged event raised by the GodToken contract.
type GodTokenRoleAdminChanged struct {
	Role              [32]byte
	PreviousAdminRole [32]byte
	NewAdminRole      [32]byte
	Raw               *types.Log // Blockchain specific contextual infos
}

const GodTokenRoleAdminChangedEventName = "RoleAdminChanged"

// ContractEventName returns the user-defined event name.
func (GodTokenRoleAdminChanged) ContractEventName() string {
	return GodTokenRoleAdminChangedEventName
}

// UnpackRoleAdminChangedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event RoleAdminChanged(bytes32 indexed role, bytes32 indexed previousAdminRole, bytes32 indexed newAdminRole)
func (godToken *GodToken) UnpackRoleAdminChangedEvent(log *types.Log) (*GodTokenRoleAdminChanged, error) {
	event := "RoleAdminChanged"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != godToken.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(GodTokenRoleAdminChanged)
	if len(log.Data) > 0 {
		if err := godToken.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range godToken.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// GodTokenRoleGranted represents a RoleGranted event raised by the GodToken contract.
type GodTokenRoleGranted struct {
	Role    [32]byte
	Account common.Address
	Sender  common.Address
	Raw     *types.Log // Blockchain specific contextual infos
}

const GodTokenRoleGrantedEventName = "RoleGranted"

// ContractEventName returns the user-defined event name.
func (GodTokenRoleGranted) ContractEventName() string {
	return GodTokenRoleGrantedEventName
}

// UnpackRoleGrantedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)
func (godToken *GodToken) UnpackRoleGrantedEvent(log *types.Log) (*GodTokenRoleGranted, error) {
	event := "RoleGranted"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != godToken.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(GodTokenRoleGranted)
	if len(log.Data) > 0 {
		if err := godToken.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range godToken.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// GodTokenRoleRevoked represents a RoleRevoked event raised by the GodToken contract.
type GodTokenRoleRevoked struct {
	Role    [32]byte
	Account common.Address
	Sender  common.Address
	Raw     *types.Log // Blockchain specific contextual infos
}

const GodTokenRoleRevokedEventName = "RoleRevoked"

// ContractEventName returns the user-defined event name.
func (GodTokenRoleRevoked) ContractEventName() string {
	return GodTokenRoleRevokedEventName
}

// UnpackRoleRevokedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)
func (godToken *GodToken) UnpackRoleRevokedEvent(log *types.Log) (*GodTokenRoleRevoked, error) {
	event := "RoleRevoked"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != godToken.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(GodTokenRoleRevoked)
	if len(log.Data) > 0 {
		if err := godToken.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range godToken.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// GodTokenTransfer represents a Transfer event raised by the GodToken contract.
type GodTokenTransfer struct {
	From  common.Address
	To    common.Address
	Value *big.Int
	Raw   *types.Log // Blockchain specific contextual infos
}

const GodTokenTransferEventName = "Transfer"

// ContractEventName returns the user-defined event name.
func (GodTokenTransfer) ContractEventName() string {
	return GodTokenTransferEventName
}

// UnpackTransferEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Transfer(address indexed from, address indexed to, uint256 value)
func (godToken *GodToken) UnpackTransferEvent(log *types.Log) (*GodTokenTransfer, error) {
	event := "Transfer"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != godToken.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(GodTokenTransfer)
	if len(log.Data) > 0 {
		if err := godToken.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range godToken.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// UnpackError attempts to decode the provided error data using user-defined
// error definitions.
func (godToken *GodToken) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], godToken.abi.Errors["AccessControlBadConfirmation"].ID.Bytes()[:4]) {
		return godToken.UnpackAccessControlBadConfirmationError(raw[4:])
	}
	if bytes.Equal(raw[:4], godToken.abi.Errors["AccessControlUnauthorizedAccount"].ID.Bytes()[:4]) {
		return godToken.UnpackAccessControlUnauthorizedAccountError(raw[4:])
	}
	if bytes.Equal(raw[:4], godToken.abi.Errors["ERC20ExceededCap"].ID.Bytes()[:4]) {
		return godToken.UnpackERC20ExceededCapError(raw[4:])
	}
	if bytes.Equal(raw[:4], godToken.abi.Errors["ERC20InsufficientAllowance"].ID.Bytes()[:4]) {
		return godToken.UnpackERC20InsufficientAllowanceError(raw[4:])
	}
	if bytes.Equal(raw[:4], godToken.abi.Errors["ERC20InsufficientBalance"].ID.Bytes()[:4]) {
		return godToken.UnpackERC20InsufficientBalanceError(raw[4:])
	}
	if bytes.Equal(raw[:4], godToken.abi.Errors["ERC20InvalidApprover"].ID.Bytes()[:4]) {
		return godToken.UnpackERC20InvalidApproverError(raw[4:])
	}
	if bytes.Equal(raw[:4], godToken.abi.Errors["ERC20InvalidCap"].ID.Bytes()[:4]) {
		return godToken.UnpackERC20InvalidCapError(raw[4:])
	}
	if bytes.Equal(raw[:4], godToken.abi.Errors["ERC20InvalidReceiver"].ID.Bytes()[:4]) {
		return godToken.UnpackERC20InvalidReceiverError(raw[4:])
	}
	if bytes.Equal(raw[:4], godToken.abi.Errors["ERC20InvalidSender"].ID.Bytes()[:4]) {
		return godToken.UnpackERC20InvalidSenderError(raw[4:])
	}
	if bytes.Equal(raw[:4], godToken.abi.Errors["ERC20InvalidSpender"].ID.Bytes()[:4]) {
		return godToken.UnpackERC20InvalidSpenderError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// GodTokenAccessControlBadConfirmation represents a AccessControlBadConfirmation error raised by the GodToken contract.
type GodTokenAccessControlBadConfirmation struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error AccessControlBadConfirmation()
func GodTokenAccessControlBadConfirmationErrorID() common.Hash {
	return common.HexToHash("0x6697b23232a647058342c0724fe7c415cab25915b54e5dbc03f233173d37b41c")
}

// UnpackAccessControlBadConfirmationError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error AccessControlBadConfirmation()
func (godToken *GodToken) UnpackAccessControlBadConfirmationError(raw []byte) (*GodTokenAccessControlBadConfirmation, error) {
	out := new(GodTokenAccessControlBadConfirmation)
	if err := godToken.abi.UnpackIntoInterface(out, "AccessControlBadConfirmation", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// GodTokenAccessControlUnauthorizedAccount represents a AccessControlUnauthorizedAccount error raised by the GodToken contract.
type GodTokenAccessControlUnauthorizedAccount struct {
	Account    common.Address
	NeededRole [32]byte
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)
func GodTokenAccessControlUnauthorizedAccountErrorID() common.Hash {
	return common.HexToHash("0xe2517d3fbfae6f8515ef5ff1ccedc3933ab0cbbda0b492c06eb54ad10ef03b3e")
}

// UnpackAccessControlUnauthorizedAccountError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)
func (godToken *GodToken) UnpackAccessControlUnauthorizedAccountError(raw []byte) (*GodTokenAccessControlUnauthorizedAccount, error) {
	out := new(GodTokenAccessControlUnauthorizedAccount)
	if err := godToken.abi.UnpackIntoInterface(out, "AccessControlUnauthorizedAccount", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// GodTokenERC20ExceededCap represents a ERC20ExceededCap error raised by the GodToken contract.
type GodTokenERC20ExceededCap struct {
	IncreasedSupply *big.Int
	Cap             *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20ExceededCap(uint256 increasedSupply, uint256 cap)
func GodTokenERC20ExceededCapErrorID() common.Hash {
	return common.HexToHash("0x9e79f854e7e443a7e81774a004f97452fde67fc40f1ae7a0ecb8c360c4f564ac")
}

// UnpackERC20ExceededCapError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20ExceededCap(uint256 increasedSupply, uint256 cap)
func (godToken *GodToken) UnpackERC20ExceededCapError(raw []byte) (*GodTokenERC20ExceededCap, error) {
	out := new(GodTokenERC20ExceededCap)
	if err := godToken.abi.UnpackIntoInterface(out, "ERC20ExceededCap", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// GodTokenERC20InsufficientAllowance represents a ERC20InsufficientAllowance error raised by the GodToken contract.
type GodTokenERC20InsufficientAllowance struct {
	Spender   common.Address
	Allowance *big.Int
	Needed    *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)
func GodTokenERC20InsufficientAllowanceErrorID() common.Hash {
	return common.HexToHash("0xfb8f41b23e99d2101d86da76cdfa87dd51c82ed07d3cb62cbc473e469dbc75c3")
}

// UnpackERC20InsufficientAllowanceError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)
func (godToken *GodToken) UnpackERC20InsufficientAllowanceError(raw []byte) (*GodTokenERC20InsufficientAllowance, error) {
	out := new(GodTokenERC20InsufficientAllowance)
	if err := godToken.abi.UnpackIntoInterface(out, "ERC20InsufficientAllowance", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// GodTokenERC20InsufficientBalance represents a ERC20InsufficientBalance error raised by the GodToken contract.
type GodTokenERC20InsufficientBalance struct {
	Sender  common.Address
	Balance *big.Int
	Needed  *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)
func GodTokenERC20InsufficientBalanceErrorID() common.Hash {
	return common.HexToHash("0xe450d38cd8d9f7d95077d567d60ed49c7254716e6ad08fc9872816c97e0ffec6")
}

// UnpackERC20InsufficientBalanceError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)
func (godToken *GodToken) UnpackERC20InsufficientBalanceError(raw []byte) (*GodTokenERC20InsufficientBalance, error) {
	out := new(GodTokenERC20InsufficientBalance)
	if err := godToken.abi.UnpackIntoInterface(out, "ERC20InsufficientBalance", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// GodTokenERC20InvalidApprover represents a ERC20InvalidApprover error raised by the GodToken contract.
type GodTokenERC20InvalidApprover struct {
	Approver common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidApprover(address approver)
func GodTokenERC20InvalidApproverErrorID() common.Hash {
	return common.HexToHash("0xe602df05cc75712490294c6c104ab7c17f4030363910a7a2626411c6d3118847")
}

// UnpackERC20InvalidApproverError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidApprover(address approver)
func (godToken *GodToken) UnpackERC20InvalidApproverError(raw []byte) (*GodTokenERC20InvalidApprover, error) {
	out := new(GodTokenERC20InvalidApprover)
	if err := godToken.abi.UnpackIntoInterface(out, "ERC20InvalidApprover", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// GodTokenERC20InvalidCap represents a ERC20InvalidCap error raised by the GodToken contract.
type GodTokenERC20InvalidCap struct {
	Cap *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidCap(uint256 cap)
func GodTokenERC20InvalidCapErrorID() common.Hash {
	return common.HexToHash("0x392e1e27cbe1cbe0653ae0435ec8f503f6a25b76c3c7164a5cacb005b0b68677")
}

// UnpackERC20InvalidCapError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidCap(uint256 cap)
func (godToken *GodToken) UnpackERC20InvalidCapError(raw []byte) (*GodTokenERC20InvalidCap, error) {
	out := new(GodTokenERC20InvalidCap)
	if err := godToken.abi.UnpackIntoInterface(out, "ERC20InvalidCap", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// GodTokenERC20InvalidReceiver represents a ERC20InvalidReceiver error raised by the GodToken contract.
type GodTokenERC20InvalidReceiver struct {
	Receiver common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidReceiver(address receiver)
func GodTokenERC20InvalidReceiverErrorID() common.Hash {
	return common.HexToHash("0xec442f055133b72f3b2f9f0bb351c406b178527de2040a7d1feb4e058771f613")
}

// UnpackERC20InvalidReceiverError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidReceiver(address receiver)
func (godToken *GodToken) UnpackERC20InvalidReceiverError(raw []byte) (*GodTokenERC20InvalidReceiver, error) {
	out := new(GodTokenERC20InvalidReceiver)
	if err := godToken.abi.UnpackIntoInterface(out, "ERC20InvalidReceiver", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// GodTokenERC20InvalidSender represents a ERC20InvalidSender error raised by the GodToken contract.
type GodTokenERC20InvalidSender struct {
	Sender common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidSender(address sender)
func GodTokenERC20InvalidSenderErrorID() common.Hash {
	return common.HexToHash("0x96c6fd1edd0cd6ef7ff0ecc0facdf53148dc0048b57fe58af65755250a7a96bd")
}

// UnpackERC20InvalidSenderError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidSender(address sender)
func (godToken *GodToken) UnpackERC20InvalidSenderError(raw []byte) (*GodTokenERC20InvalidSender, error) {
	out := new(GodTokenERC20InvalidSender)
	if err := godToken.abi.UnpackIntoInterface(out, "ERC20InvalidSender", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// GodTokenERC20InvalidSpender represents a ERC20InvalidSpender error raised by the GodToken contract.
type GodTokenERC20InvalidSpender struct {
	Spender common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidSpender(address spender)
func GodTokenERC20InvalidSpenderErrorID() common.Hash {
	return common.HexToHash("0x94280d62c347d8d9f4d59a76ea321452406db88df38e0c9da304f58b57b373a2")
}

// UnpackERC20InvalidSpenderError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidSpender(address spender)
func (godToken *GodToken) UnpackERC20InvalidSpenderError(raw []byte) (*GodTokenERC20InvalidSpender, error) {
	out := new(GodTokenERC20InvalidSpender)
	if err := godToken.abi.UnpackIntoInterface(out, "ERC20InvalidSpender", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// MarketplaceV3MetaData contains all meta data concerning the MarketplaceV3 contract.
var MarketplaceV3MetaData = bind.MetaData{
	ABI: "[{\"type\":\"constructor\",\"inputs\":[{\"name\":\"_marketplaceV3Params\",\"type\":\"tuple\",\"internalType\":\"structMarketplaceV3.MarketplaceConstructorParams\",\"components\":[{\"name\":\"extensions\",\"type\":\"tuple[]\",\"internalType\":\"structIExtension.Extension[]\",\"components\":[{\"name\":\"metadata\",\"type\":\"tuple\",\"internalType\":\"structIExtension.ExtensionMetadata\",\"components\":[{\"name\":\"name\",\"type\":\"string\",\"internalType\":\"string\"},{\"name\":\"metadataURI\",\"type\":\"string\",\"internalType\":\"string\"},{\"name\":\"implementation\",\"type\":\"address\",\"internalType\":\"address\"}]},{\"name\":\"functions\",\"type\":\"tuple[]\",\"internalType\":\"structIExtension.ExtensionFunction[]\",\"components\":[{\"name\":\"functionSelector\",\"type\":\"bytes4\",\"internalType\":\"bytes4\"},{\"name\":\"functionSignature\",\"type\":\"string\",\"internalType\":\"string\"}]}]},{\"name\":\"royaltyEngineAddress\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"nativeTokenWrapper\",\"type\":\"address\",\"internalType\":\"address\"}]}],\"stateMutability\":\"nonpayable\"},{\"type\":\"function\",\"name\":\"DEFAULT_ADMIN_ROLE\",\"inputs\":[],\"outputs\":[{\"name\":\"\",\"type\":\"bytes32\",\"internalType\":\"bytes32\"}],\"stateMutability\":\"view\"},{\"type\":\"function\",\"name\":\"hasRole\",\"inputs\":[{\"name\":\"role\",\"type\":\"bytes32\",\"internalType\":\"bytes32\"},{\"name\":\"account\",\"type\":\"address\",\"internalType\":\"address\"}],\"outputs\":[{\"name\":\"\",\"type\":\"bool\",\"internalType\":\"bool\"}],\"stateMutability\":\"view\"},{\"type\":\"function\",\"name\":\"initialize\",\"inputs\":[{\"name\":\"_defaultAdmin\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"_contractURI\",\"type\":\"string\",\"internalType\":\"string\"},{\"name\":\"_trustedForwarders\",\"type\":\"address[]\",\"internalType\":\"address[]\"},{\"name\":\"_platformFeeRecipient\",\"type\":\"address\",\"internalType\":\"address\"},{\"name\":\"_platformFeeBps\",\"type\":\"uint16\",\"internalType\":\"uint16\"}],\"outputs\":[],\"stateMutability\":\"nonpayable\"},{\"type\":\"function\",\"name\":\"multicall\",\"inputs\":[{\"name\":\"data\",\"type\":\"bytes[]\",\"internalType\":\"bytes[]\"}],\"outputs\":[{\"name\":\"results\",\"type\":\"bytes[]\",\"internalType\":\"bytes[]\"}],\"stateMutability\":\"nonpayable\"}]",
	ID:  "MarketplaceV3",
}

// MarketplaceV3 is an auto generated Go binding around an Ethereum contract.
type MarketplaceV3 struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *MarketplaceV3) GetABI() abi.ABI {
	return c.abi
}

// NewMarketplaceV3 creates a new instance of MarketplaceV3.
func NewMarketplaceV3() *MarketplaceV3 {
	parsed, err := MarketplaceV3MetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &MarketplaceV3{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *MarketplaceV3) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackConstructor is the Go binding used to pack the parameters required for
// contract deployment.
//
// Solidity: constructor((((string,string,address),(bytes4,string)[])[],address,address) _marketplaceV3Params) returns()
func (marketplaceV3 *MarketplaceV3) PackConstructor(_marketplaceV3Params MarketplaceV3MarketplaceConstructorParams) []byte {
	enc, err := marketplaceV3.abi.Pack("", _marketplaceV3Params)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackDEFAULTADMINROLE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa217fddf.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function DEFAULT_ADMIN_ROLE() view returns(bytes32)
func (marketplaceV3 *MarketplaceV3) PackDEFAULTADMINROLE() []byte {
	enc, err := marketplaceV3.abi.Pack("DEFAULT_ADMIN_ROLE")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDEFAULTADMINROLE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa217fddf.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function DEFAULT_ADMIN_ROLE() view returns(bytes32)
func (marketplaceV3 *MarketplaceV3) TryPackDEFAULTADMINROLE() ([]byte, error) {
	return marketplaceV3.abi.Pack("DEFAULT_ADMIN_ROLE")
}

// UnpackDEFAULTADMINROLE is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa217fddf.
//
// Solidity: function DEFAULT_ADMIN_ROLE() view returns(bytes32)
func (marketplaceV3 *MarketplaceV3) UnpackDEFAULTADMINROLE(data []byte) ([32]byte, error) {
	out, err := marketplaceV3.abi.Unpack("DEFAULT_ADMIN_ROLE", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackHasRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x91d14854.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function hasRole(bytes32 role, address account) view returns(bool)
func (marketplaceV3 *MarketplaceV3) PackHasRole(role [32]byte, account common.Address) []byte {
	enc, err := marketplaceV3.abi.Pack("hasRole", role, account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackHasRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x91d14854.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function hasRole(bytes32 role, address account) view returns(bool)
func (marketplaceV3 *MarketplaceV3) TryPackHasRole(role [32]byte, account common.Address) ([]byte, error) {
	return marketplaceV3.abi.Pack("hasRole", role, account)
}

// UnpackHasRole is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x91d14854.
//
// Solidity: function hasRole(bytes32 role, address account) view returns(bool)
func (marketplaceV3 *MarketplaceV3) UnpackHasRole(data []byte) (bool, error) {
	out, err := marketplaceV3.abi.Unpack("hasRole", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackInitialize is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xaaae5633.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function initialize(address _defaultAdmin, string _contractURI, address[] _trustedForwarders, address _platformFeeRecipient, uint16 _platformFeeBps) returns()
func (marketplaceV3 *MarketplaceV3) PackInitialize(defaultAdmin common.Address, contractURI string, trustedForwarders []common.Address, platformFeeRecipient common.Address, platformFeeBps uint16) []byte {
	enc, err := marketplaceV3.abi.Pack("initialize", defaultAdmin, contractURI, trustedForwarders, platformFeeRecipient, platformFeeBps)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackInitialize is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xaaae5633.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function initialize(address _defaultAdmin, string _contractURI, address[] _trustedForwarders, address _platformFeeRecipient, uint16 _platformFeeBps) returns()
func (marketplaceV3 *MarketplaceV3) TryPackInitialize(defaultAdmin common.Address, contractURI string, trustedForwarders []common.Address, platformFeeRecipient common.Address, platformFeeBps uint16) ([]byte, error) {
	return marketplaceV3.abi.Pack("initialize", defaultAdmin, contractURI, trustedForwarders, platformFeeRecipient, platformFeeBps)
}

// PackMulticall is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xac9650d8.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function multicall(bytes[] data) returns(bytes[] results)
func (marketplaceV3 *MarketplaceV3) PackMulticall(data [][]byte) []byte {
	enc, err := marketplaceV3.abi.Pack("multicall", data)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMulticall is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xac9650d8.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function multicall(bytes[] data) returns(bytes[] results)
func (marketplaceV3 *MarketplaceV3) TryPackMulticall(data [][]byte) ([]byte, error) {
	return marketplaceV3.abi.Pack("multicall", data)
}

// UnpackMulticall is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xac9650d8.
//
// Solidity: function multicall(bytes[] data) returns(bytes[] results)
func (marketplaceV3 *MarketplaceV3) UnpackMulticall(data []byte) ([][]byte, error) {
	out, err := marketplaceV3.abi.Unpack("multicall", data)
	if err != nil {
		return *new([][]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([][]byte)).(*[][]byte)
	return out0, nil
}

// PantheonAccountMetaData contains all meta data concerning the PantheonAccount contract.
var PantheonAccountMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[],\"name\":\"AlreadyInitialized\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"target\",\"type\":\"address\"}],\"name\":\"CallRefused\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"FnSelectorNotRecognized\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"NewOwnerIsZeroAddress\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"NoHandoverRequest\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"Unauthorized\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"UnauthorizedCallContext\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"UpgradeFailed\",\"type\":\"error\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"oldOwner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"OwnershipTransferred\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"implementation\",\"type\":\"address\"}],\"name\":\"Upgraded\",\"type\":\"event\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"delegate\",\"type\":\"address\"},{\"internalType\":\"bytes\",\"name\":\"\",\"type\":\"bytes\"}],\"name\":\"delegateExecute\",\"outputs\":[{\"internalType\":\"bytes\",\"name\":\"\",\"type\":\"bytes\"}],\"stateMutability\":\"payable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"eip712Domain\",\"outputs\":[{\"internalType\":\"bytes1\",\"name\":\"fields\",\"type\":\"bytes1\"},{\"internalType\":\"string\",\"name\":\"name\",\"type\":\"string\"},{\"internalType\":\"string\",\"name\":\"version\",\"type\":\"string\"},{\"internalType\":\"uint256\",\"name\":\"chainId\",\"type\":\"uint256\"},{\"internalType\":\"address\",\"name\":\"verifyingContract\",\"type\":\"address\"},{\"internalType\":\"bytes32\",\"name\":\"salt\",\"type\":\"bytes32\"},{\"internalType\":\"uint256[]\",\"name\":\"extensions\",\"type\":\"uint256[]\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"entryPoint\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"target\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"data\",\"type\":\"bytes\"}],\"name\":\"execute\",\"outputs\":[{\"internalType\":\"bytes\",\"name\":\"\",\"type\":\"bytes\"}],\"stateMutability\":\"payable\",\"type\":\"function\"},{\"inputs\":[{\"components\":[{\"internalType\":\"address\",\"name\":\"target\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"data\",\"type\":\"bytes\"}],\"internalType\":\"structERC4337.Call[]\",\"name\":\"calls\",\"type\":\"tuple[]\"}],\"name\":\"executeBatch\",\"outputs\":[{\"internalType\":\"bytes[]\",\"name\":\"\",\"type\":\"bytes[]\"}],\"stateMutability\":\"payable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"initialize\",\"outputs\":[],\"stateMutability\":\"payable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"hash\",\"type\":\"bytes32\"},{\"internalType\":\"bytes\",\"name\":\"signature\",\"type\":\"bytes\"}],\"name\":\"isValidSignature\",\"outputs\":[{\"internalType\":\"bytes4\",\"name\":\"result\",\"type\":\"bytes4\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"owner\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"result\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"},{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"name\":\"storageStore\",\"outputs\":[],\"stateMutability\":\"payable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes4\",\"name\":\"id\",\"type\":\"bytes4\"}],\"name\":\"supportsInterface\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"pure\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"transferOwnership\",\"outputs\":[],\"stateMutability\":\"payable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"newImplementation\",\"type\":\"address\"},{\"internalType\":\"bytes\",\"name\":\"data\",\"type\":\"bytes\"}],\"name\":\"upgradeToAndCall\",\"outputs\":[],\"stateMutability\":\"payable\",\"type\":\"function\"}]",
	ID:  "PantheonAccount",
}

// PantheonAccount is an auto generated Go binding around an Ethereum contract.
type PantheonAccount struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *PantheonAccount) GetABI() abi.ABI {
	return c.abi
}

// NewPantheonAccount creates a new instance of PantheonAccount.
func NewPantheonAccount() *PantheonAccount {
	parsed, err := PantheonAccountMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &PantheonAccount{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *PantheonAccount) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackDelegateExecute is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb10cc728.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function delegateExecute(address delegate, bytes ) payable returns(bytes)
func (pantheonAccount *PantheonAccount) PackDelegateExecute(delegate common.Address, arg1 []byte) []byte {
	enc, err := pantheonAccount.abi.Pack("delegateExecute", delegate, arg1)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDelegateExecute is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb10cc728.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function delegateExecute(address delegate, bytes ) payable returns(bytes)
func (pantheonAccount *PantheonAccount) TryPackDelegateExecute(delegate common.Address, arg1 []byte) ([]byte, error) {
	return pantheonAccount.abi.Pack("delegateExecute", delegate, arg1)
}

// UnpackDelegateExecute is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xb10cc728.
//
// Solidity: function delegateExecute(address delegate, bytes ) payable returns(bytes)
func (pantheonAccount *PantheonAccount) UnpackDelegateExecute(data []byte) ([]byte, error) {
	out, err := pantheonAccount.abi.Unpack("delegateExecute", data)
	if err != nil {
		return *new([]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([]byte)).(*[]byte)
	return out0, nil
}

// PackEip712Domain is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x84b0196e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function eip712Domain() view returns(bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)
func (pantheonAccount *PantheonAccount) PackEip712Domain() []byte {
	enc, err := pantheonAccount.abi.Pack("eip712Domain")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackEip712Domain is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x84b0196e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function eip712Domain() view returns(bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)
func (pantheonAccount *PantheonAccount) TryPackEip712Domain() ([]byte, error) {
	return pantheonAccount.abi.Pack("eip712Domain")
}

// Eip712DomainOutput serves as a container for the return parameters of contract
// method Eip712Domain.
type Eip712DomainOutput struct {
	Fields            [1]byte
	Name              string
	Version           string
	ChainId           *big.Int
	VerifyingContract common.Address
	Salt              [32]byte
	Extensions        []*big.Int
}

// UnpackEip712Domain is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x84b0196e.
//
// Solidity: function eip712Domain() view returns(bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)
func (pantheonAccount *PantheonAccount) UnpackEip712Domain(data []byte) (Eip712DomainOutput, error) {
	out, err := pantheonAccount.abi.Unpack("eip712Domain", data)
	outstruct := new(Eip712DomainOutput)
	if err != nil {
		return *outstruct, err
	}
	outstruct.Fields = *abi.ConvertType(out[0], new([1]byte)).(*[1]byte)
	outstruct.Name = *abi.ConvertType(out[1], new(string)).(*string)
	outstruct.Version = *abi.ConvertType(out[2], new(string)).(*string)
	outstruct.ChainId = abi.ConvertType(out[3], new(big.Int)).(*big.Int)
	outstruct.VerifyingContract = *abi.ConvertType(out[4], new(common.Address)).(*common.Address)
	outstruct.Salt = *abi.ConvertType(out[5], new([32]byte)).(*[32]byte)
	outstruct.Extensions = *abi.ConvertType(out[6], new([]*big.Int)).(*[]*big.Int)
	return *outstruct, nil
}

// PackEntryPoint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb0d691fe.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function entryPoint() view returns(address)
func (pantheonAccount *PantheonAccount) PackEntryPoint() []byte {
	enc, err := pantheonAccount.abi.Pack("entryPoint")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackEntryPoint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb0d691fe.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function entryPoint() view returns(address)
func (pantheonAccount *PantheonAccount) TryPackEntryPoint() ([]byte, error) {
	return pantheonAccount.abi.Pack("entryPoint")
}

// UnpackEntryPoint is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xb0d691fe.
//
// Solidity: function entryPoint() view returns(address)
func (pantheonAccount *PantheonAccount) UnpackEntryPoint(data []byte) (common.Address, error) {
	out, err := pantheonAccount.abi.Unpack("entryPoint", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackExecute is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb61d27f6.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function execute(address target, uint256 value, bytes data) payable returns(bytes)
func (pantheonAccount *PantheonAccount) PackExecute(target common.Address, value *big.Int, data []byte) []byte {
	enc, err := pantheonAccount.abi.Pack("execute", target, value, data)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackExecute is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb61d27f6.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function execute(address target, uint256 value, bytes data) payable returns(bytes)
func (pantheonAccount *PantheonAccount) TryPackExecute(target common.Address, value *big.Int, data []byte) ([]byte, error) {
	return pantheonAccount.abi.Pack("execute", target, value, data)
}

// UnpackExecute is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xb61d27f6.
//
// Solidity: function execute(address target, uint256 value, bytes data) payable returns(bytes)
func (pantheonAccount *PantheonAccount) UnpackExecute(data []byte) ([]byte, error) {
	out, err := pantheonAccount.abi.Unpack("execute", data)
	if err != nil {
		return *new([]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([]byte)).(*[]byte)
	return out0, nil
}

// PackExecuteBatch is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x34fcd5be.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function executeBatch((address,uint256,bytes)[] calls) payable returns(bytes[])
func (pantheonAccount *PantheonAccount) PackExecuteBatch(calls []ERC4337Call) []byte {
	enc, err := pantheonAccount.abi.Pack("executeBatch", calls)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackExecuteBatch is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x34fcd5be.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function executeBatch((address,uint256,bytes)[] calls) payable returns(bytes[])
func (pantheonAccount *PantheonAccount) TryPackExecuteBatch(calls []ERC4337Call) ([]byte, error) {
	return pantheonAccount.abi.Pack("executeBatch", calls)
}

// UnpackExecuteBatch is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x34fcd5be.
//
// Solidity: function executeBatch((address,uint256,bytes)[] calls) payable returns(bytes[])
func (pantheonAccount *PantheonAccount) UnpackExecuteBatch(data []byte) ([][]byte, error) {
	out, err := pantheonAccount.abi.Unpack("executeBatch", data)
	if err != nil {
		return *new([][]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([][]byte)).(*[][]byte)
	return out0, nil
}

// PackInitialize is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc4d66de8.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function initialize(address newOwner) payable returns()
func (pantheonAccount *PantheonAccount) PackInitialize(newOwner common.Address) []byte {
	enc, err := pantheonAccount.abi.Pack("initialize", newOwner)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackInitialize is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc4d66de8.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function initialize(address newOwner) payable returns()
func (pantheonAccount *PantheonAccount) TryPackInitialize(newOwner common.Address) ([]byte, error) {
	return pantheonAccount.abi.Pack("initialize", newOwner)
}

// PackIsValidSignature is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1626ba7e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function isValidSignature(bytes32 hash, bytes signature) view returns(bytes4 result)
func (pantheonAccount *PantheonAccount) PackIsValidSignature(hash [32]byte, signature []byte) []byte {
	enc, err := pantheonAccount.abi.Pack("isValidSignature", hash, signature)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackIsValidSignature is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1626ba7e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function isValidSignature(bytes32 hash, bytes signature) view returns(bytes4 result)
func (pantheonAccount *PantheonAccount) TryPackIsValidSignature(hash [32]byte, signature []byte) ([]byte, error) {
	return pantheonAccount.abi.Pack("isValidSignature", hash, signature)
}

// UnpackIsValidSignature is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x1626ba7e.
//
// Solidity: function isValidSignature(bytes32 hash, bytes signature) view returns(bytes4 result)
func (pantheonAccount *PantheonAccount) UnpackIsValidSignature(data []byte) ([4]byte, error) {
	out, err := pantheonAccount.abi.Unpack("isValidSignature", data)
	if err != nil {
		return *new([4]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([4]byte)).(*[4]byte)
	return out0, nil
}

// PackOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8da5cb5b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function owner() view returns(address result)
func (pantheonAccount *PantheonAccount) PackOwner() []byte {
	enc, err := pantheonAccount.abi.Pack("owner")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8da5cb5b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function owner() view returns(address result)
func (pantheonAccount *PantheonAccount) TryPackOwner() ([]byte, error) {
	return pantheonAccount.abi.Pack("owner")
}

// UnpackOwner is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x8da5cb5b.
//
// Solidity: function owner() view returns(address result)
func (pantheonAccount *PantheonAccount) UnpackOwner(data []byte) (common.Address, error) {
	out, err := pantheonAccount.abi.Unpack("owner", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackStorageStore is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x125b14e5.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function storageStore(bytes32 , bytes32 ) payable returns()
func (pantheonAccount *PantheonAccount) PackStorageStore(arg0 [32]byte, arg1 [32]byte) []byte {
	enc, err := pantheonAccount.abi.Pack("storageStore", arg0, arg1)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackStorageStore is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x125b14e5.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function storageStore(bytes32 , bytes32 ) payable returns()
func (pantheonAccount *PantheonAccount) TryPackStorageStore(arg0 [32]byte, arg1 [32]byte) ([]byte, error) {
	return pantheonAccount.abi.Pack("storageStore", arg0, arg1)
}

// PackSupportsInterface is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x01ffc9a7.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function supportsInterface(bytes4 id) pure returns(bool)
func (pantheonAccount *PantheonAccount) PackSupportsInterface(id [4]byte) []byte {
	enc, err := pantheonAccount.abi.Pack("supportsInterface", id)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSupportsInterface is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x01ffc9a7.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function supportsInterface(bytes4 id) pure returns(bool)
func (pantheonAccount *PantheonAccount) TryPackSupportsInterface(id [4]byte) ([]byte, error) {
	return pantheonAccount.abi.Pack("supportsInterface", id)
}

// UnpackSupportsInterface is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x01ffc9a7.
//
// Solidity: function supportsInterface(bytes4 id) pure returns(bool)
func (pantheonAccount *PantheonAccount) UnpackSupportsInterface(data []byte) (bool, error) {
	out, err := pantheonAccount.abi.Unpack("supportsInterface", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackTransferOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf2fde38b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transferOwnership(address newOwner) payable returns()
func (pantheonAccount *PantheonAccount) PackTransferOwnership(newOwner common.Address) []byte {
	enc, err := pantheonAccount.abi.Pack("transferOwnership", newOwner)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransferOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf2fde38b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transferOwnership(address newOwner) payable returns()
func (pantheonAccount *PantheonAccount) TryPackTransferOwnership(newOwner common.Address) ([]byte, error) {
	return pantheonAccount.abi.Pack("transferOwnership", newOwner)
}

// PackUpgradeToAndCall is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4f1ef286.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function upgradeToAndCall(address newImplementation, bytes data) payable returns()
func (pantheonAccount *PantheonAccount) PackUpgradeToAndCall(newImplementation common.Address, data []byte) []byte {
	enc, err := pantheonAccount.abi.Pack("upgradeToAndCall", newImplementation, data)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackUpgradeToAndCall is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4f1ef286.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function upgradeToAndCall(address newImplementation, bytes data) payable returns()
func (pantheonAccount *PantheonAccount) TryPackUpgradeToAndCall(newImplementation common.Address, data []byte) ([]byte, error) {
	return pantheonAccount.abi.Pack("upgradeToAndCall", newImplementation, data)
}

// PantheonAccountOwnershipTransferred represents a OwnershipTransferred event raised by the PantheonAccount contract.
type PantheonAccountOwnershipTransferred struct {
	OldOwner common.Address
	NewOwner common.Address
	Raw      *types.Log // Blockchain specific contextual infos
}

const PantheonAccountOwnershipTransferredEventName = "OwnershipTransferred"

// ContractEventName returns the user-defined event name.
func (PantheonAccountOwnershipTransferred) ContractEventName() string {
	return PantheonAccountOwnershipTransferredEventName
}

// UnpackOwnershipTransferredEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event OwnershipTransferred(address indexed oldOwner, address indexed newOwner)
func (pantheonAccount *PantheonAccount) UnpackOwnershipTransferredEvent(log *types.Log) (*PantheonAccountOwnershipTransferred, error) {
	event := "OwnershipTransferred"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != pantheonAccount.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(PantheonAccountOwnershipTransferred)
	if len(log.Data) > 0 {
		if err := pantheonAccount.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range pantheonAccount.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// PantheonAccountUpgraded represents a Upgraded event raised by the PantheonAccount contract.
type PantheonAccountUpgraded struct {
	Implementation common.Address
	Raw            *types.Log // Blockchain specific contextual infos
}

const PantheonAccountUpgradedEventName = "Upgraded"

// ContractEventName returns the user-defined event name.
func (PantheonAccountUpgraded) ContractEventName() string {
	return PantheonAccountUpgradedEventName
}

// UnpackUpgradedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Upgraded(address indexed implementation)
func (pantheonAccount *PantheonAccount) UnpackUpgradedEvent(log *types.Log) (*PantheonAccountUpgraded, error) {
	event := "Upgraded"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != pantheonAccount.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(PantheonAccountUpgraded)
	if len(log.Data) > 0 {
		if err := pantheonAccount.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range pantheonAccount.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// UnpackError attempts to decode the provided error data using user-defined
// error definitions.
func (pantheonAccount *PantheonAccount) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], pantheonAccount.abi.Errors["AlreadyInitialized"].ID.Bytes()[:4]) {
		return pantheonAccount.UnpackAlreadyInitializedError(raw[4:])
	}
	if bytes.Equal(raw[:4], pantheonAccount.abi.Errors["CallRefused"].ID.Bytes()[:4]) {
		return pantheonAccount.UnpackCallRefusedError(raw[4:])
	}
	if bytes.Equal(raw[:4], pantheonAccount.abi.Errors["FnSelectorNotRecognized"].ID.Bytes()[:4]) {
		return pantheonAccount.UnpackFnSelectorNotRecognizedError(raw[4:])
	}
	if bytes.Equal(raw[:4], pantheonAccount.abi.Errors["NewOwnerIsZeroAddress"].ID.Bytes()[:4]) {
		return pantheonAccount.UnpackNewOwnerIsZeroAddressError(raw[4:])
	}
	if bytes.Equal(raw[:4], pantheonAccount.abi.Errors["NoHandoverRequest"].ID.Bytes()[:4]) {
		return pantheonAccount.UnpackNoHandoverRequestError(raw[4:])
	}
	if bytes.Equal(raw[:4], pantheonAccount.abi.Errors["Unauthorized"].ID.Bytes()[:4]) {
		return pantheonAccount.UnpackUnauthorizedError(raw[4:])
	}
	if bytes.Equal(raw[:4], pantheonAccount.abi.Errors["UnauthorizedCallContext"].ID.Bytes()[:4]) {
		return pantheonAccount.UnpackUnauthorizedCallContextError(raw[4:])
	}
	if bytes.Equal(raw[:4], pantheonAccount.abi.Errors["UpgradeFailed"].ID.Bytes()[:4]) {
		return pantheonAccount.UnpackUpgradeFailedError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// PantheonAccountAlreadyInitialized represents a AlreadyInitialized error raised by the PantheonAccount contract.
type PantheonAccountAlreadyInitialized struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error AlreadyInitialized()
func PantheonAccountAlreadyInitializedErrorID() common.Hash {
	return common.HexToHash("0x0dc149f07762891dbcea3fe72770f3d63a1863fc54b2f084e8c59ec476996927")
}

// UnpackAlreadyInitializedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error AlreadyInitialized()
func (pantheonAccount *PantheonAccount) UnpackAlreadyInitializedError(raw []byte) (*PantheonAccountAlreadyInitialized, error) {
	out := new(PantheonAccountAlreadyInitialized)
	if err := pantheonAccount.abi.UnpackIntoInterface(out, "AlreadyInitialized", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// PantheonAccountCallRefused represents a CallRefused error raised by the PantheonAccount contract.
type PantheonAccountCallRefused struct {
	Target common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error CallRefused(address target)
func PantheonAccountCallRefusedErrorID() common.Hash {
	return common.HexToHash("0xfaa16ade3ed556a770f114d30eec99fa5aea3f9deb45019ef3ffef7181f68e9b")
}

// UnpackCallRefusedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error CallRefused(address target)
func (pantheonAccount *PantheonAccount) UnpackCallRefusedError(raw []byte) (*PantheonAccountCallRefused, error) {
	out := new(PantheonAccountCallRefused)
	if err := pantheonAccount.abi.UnpackIntoInterface(out, "CallRefused", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// PantheonAccountFnSelectorNotRecognized represents a FnSelectorNotRecognized error raised by the PantheonAccount contract.
type PantheonAccountFnSelectorNotRecognized struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error FnSelectorNotRecognized()
func PantheonAccountFnSelectorNotRecognizedErrorID() common.Hash {
	return common.HexToHash("0x3c10b94ed38db24b2ddb45fabdb3c8e1b43dea2d2a216cc06ec344a46ef9d4cc")
}

// UnpackFnSelectorNotRecognizedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error FnSelectorNotRecognized()
func (pantheonAccount *PantheonAccount) UnpackFnSelectorNotRecognizedError(raw []byte) (*PantheonAccountFnSelectorNotRecognized, error) {
	out := new(PantheonAccountFnSelectorNotRecognized)
	if err := pantheonAccount.abi.UnpackIntoInterface(out, "FnSelectorNotRecognized", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// PantheonAccountNewOwnerIsZeroAddress represents a NewOwnerIsZeroAddress error raised by the PantheonAccount contract.
type PantheonAccountNewOwnerIsZeroAddress struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NewOwnerIsZeroAddress()
func PantheonAccountNewOwnerIsZeroAddressErrorID() common.Hash {
	return common.HexToHash("0x7448fbae245b5163a637f61fac94c5376c3e155928452ce47ee52d8c1b99587a")
}

// UnpackNewOwnerIsZeroAddressError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NewOwnerIsZeroAddress()
func (pantheonAccount *PantheonAccount) UnpackNewOwnerIsZeroAddressError(raw []byte) (*PantheonAccountNewOwnerIsZeroAddress, error) {
	out := new(PantheonAccountNewOwnerIsZeroAddress)
	if err := pantheonAccount.abi.UnpackIntoInterface(out, "NewOwnerIsZeroAddress", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// PantheonAccountNoHandoverRequest represents a NoHandoverRequest error raised by the PantheonAccount contract.
type PantheonAccountNoHandoverRequest struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NoHandoverRequest()
func PantheonAccountNoHandoverRequestErrorID() common.Hash {
	return common.HexToHash("0x6f5e8818469c73d5be4a0d17c371cde64695907022629c1d064c895f98d466a6")
}

// UnpackNoHandoverRequestError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NoHandoverRequest()
func (pantheonAccount *PantheonAccount) UnpackNoHandoverRequestError(raw []byte) (*PantheonAccountNoHandoverRequest, error) {
	out := new(PantheonAccountNoHandoverRequest)
	if err := pantheonAccount.abi.UnpackIntoInterface(out, "NoHandoverRequest", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// PantheonAccountUnauthorized represents a Unauthorized error raised by the PantheonAccount contract.
type PantheonAccountUnauthorized struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error Unauthorized()
func PantheonAccountUnauthorizedErrorID() common.Hash {
	return common.HexToHash("0x82b4290015f7ec7256ca2a6247d3c2a89c4865c0e791456df195f40ad0a81367")
}

// UnpackUnauthorizedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error Unauthorized()
func (pantheonAccount *PantheonAccount) UnpackUnauthorizedError(raw []byte) (*PantheonAccountUnauthorized, error) {
	out := new(PantheonAccountUnauthorized)
	if err := pantheonAccount.abi.UnpackIntoInterface(out, "Unauthorized", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// PantheonAccountUnauthorizedCallContext represents a UnauthorizedCallContext error raised by the PantheonAccount contract.
type PantheonAccountUnauthorizedCallContext struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error UnauthorizedCallContext()
func PantheonAccountUnauthorizedCallContextErrorID() common.Hash {
	return common.HexToHash("0x9f03a026210d6e1d73a6bb286502827a91a864e6fb88b45d0431438ccf6f87f1")
}

// UnpackUnauthorizedCallContextError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error UnauthorizedCallContext()
func (pantheonAccount *PantheonAccount) UnpackUnauthorizedCallContextError(raw []byte) (*PantheonAccountUnauthorizedCallContext, error) {
	out := new(PantheonAccountUnauthorizedCallContext)
	if err := pantheonAccount.abi.UnpackIntoInterface(out, "UnauthorizedCallContext", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// PantheonAccountUpgradeFailed represents a UpgradeFailed error raised by the PantheonAccount contract.
type PantheonAccountUpgradeFailed struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error UpgradeFailed()
func PantheonAccountUpgradeFailedErrorID() common.Hash {
	return common.HexToHash("0x55299b49652ca9ce92a8bd64b03e77919c7a18398e35089bb02c00e739b87f18")
}

// UnpackUpgradeFailedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error UpgradeFailed()
func (pantheonAccount *PantheonAccount) UnpackUpgradeFailedError(raw []byte) (*PantheonAccountUpgradeFailed, error) {
	out := new(PantheonAccountUpgradeFailed)
	if err := pantheonAccount.abi.UnpackIntoInterface(out, "UpgradeFailed", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// PantheonPaymasterMetaData contains all meta data concerning the PantheonPaymaster contract.
var PantheonPaymasterMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"contractIEntryPoint\",\"name\":\"entryPoint_\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"owner_\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"signer_\",\"type\":\"address\"},{\"internalType\":\"address[]\",\"name\":\"relayers\",\"type\":\"address[]\"}],\"stateMutability\":\"nonpayable\",\"type\":\"constructor\"},{\"inputs\":[],\"name\":\"MalformedData\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"OnlyEntryPoint\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"}],\"name\":\"OwnableInvalidOwner\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"OwnableUnauthorizedAccount\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"OwnerRequired\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"origin\",\"type\":\"address\"}],\"name\":\"RelayerRefused\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"ZeroAddress\",\"type\":\"error\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"previousOwner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"OwnershipTransferStarted\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"previousOwner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"OwnershipTransferred\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"relayer\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"bool\",\"name\":\"allowed\",\"type\":\"bool\"}],\"name\":\"RelayerChanged\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"signer\",\"type\":\"address\"}],\"name\":\"SignerChanged\",\"type\":\"event\"},{\"inputs\":[],\"name\":\"acceptOwnership\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint32\",\"name\":\"unstakeDelaySec\",\"type\":\"uint32\"}],\"name\":\"addStake\",\"outputs\":[],\"stateMutability\":\"payable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"deposit\",\"outputs\":[],\"stateMutability\":\"payable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"entryPoint\",\"outputs\":[{\"internalType\":\"contractIEntryPoint\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"components\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"nonce\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"initCode\",\"type\":\"bytes\"},{\"internalType\":\"bytes\",\"name\":\"callData\",\"type\":\"bytes\"},{\"internalType\":\"bytes32\",\"name\":\"accountGasLimits\",\"type\":\"bytes32\"},{\"internalType\":\"uint256\",\"name\":\"preVerificationGas\",\"type\":\"uint256\"},{\"internalType\":\"bytes32\",\"name\":\"gasFees\",\"type\":\"bytes32\"},{\"internalType\":\"bytes\",\"name\":\"paymasterAndData\",\"type\":\"bytes\"},{\"internalType\":\"bytes\",\"name\":\"signature\",\"type\":\"bytes\"}],\"internalType\":\"structPackedUserOperation\",\"name\":\"userOp\",\"type\":\"tuple\"},{\"internalType\":\"uint48\",\"name\":\"validUntil\",\"type\":\"uint48\"},{\"internalType\":\"uint48\",\"name\":\"validAfter\",\"type\":\"uint48\"}],\"name\":\"getHash\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"isRelayer\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"owner\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"pendingOwner\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"enumIPaymaster.PostOpMode\",\"name\":\"\",\"type\":\"uint8\"},{\"internalType\":\"bytes\",\"name\":\"\",\"type\":\"bytes\"},{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"name\":\"postOp\",\"outputs\":[],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"relayerCount\",\"outputs\":[{\"internalType\":\"uint96\",\"name\":\"\",\"type\":\"uint96\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"renounceOwnership\",\"outputs\":[],\"stateMutability\":\"pure\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"relayer\",\"type\":\"address\"},{\"internalType\":\"bool\",\"name\":\"allowed\",\"type\":\"bool\"}],\"name\":\"setRelayer\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"signer_\",\"type\":\"address\"}],\"name\":\"setSigner\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"signer\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"transferOwnership\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"unlockStake\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"components\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"nonce\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"initCode\",\"type\":\"bytes\"},{\"internalType\":\"bytes\",\"name\":\"callData\",\"type\":\"bytes\"},{\"internalType\":\"bytes32\",\"name\":\"accountGasLimits\",\"type\":\"bytes32\"},{\"internalType\":\"uint256\",\"name\":\"preVerificationGas\",\"type\":\"uint256\"},{\"internalType\":\"bytes32\",\"name\":\"gasFees\",\"type\":\"bytes32\"},{\"internalType\":\"bytes\",\"name\":\"paymasterAndData\",\"type\":\"bytes\"},{\"internalType\":\"bytes\",\"name\":\"signature\",\"type\":\"bytes\"}],\"internalType\":\"structPackedUserOperation\",\"name\":\"userOp\",\"type\":\"tuple\"},{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"},{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"name\":\"validatePaymasterUserOp\",\"outputs\":[{\"internalType\":\"bytes\",\"name\":\"context\",\"type\":\"bytes\"},{\"internalType\":\"uint256\",\"name\":\"validationData\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"addresspayable\",\"name\":\"to\",\"type\":\"address\"}],\"name\":\"withdrawStake\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"addresspayable\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"withdrawTo\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"}]",
	ID:  "PantheonPaymaster",
}

// PantheonPaymaster is an auto generated Go binding around an Ethereum contract.
type PantheonPaymaster struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *PantheonPaymaster) GetABI() abi.ABI {
	return c.abi
}

// NewPantheonPaymaster creates a new instance of PantheonPaymaster.
func NewPantheonPaymaster() *PantheonPaymaster {
	parsed, err := PantheonPaymasterMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &PantheonPaymaster{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *PantheonPaymaster) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackConstructor is the Go binding used to pack the parameters required for
// contract deployment.
//
// Solidity: constructor(address entryPoint_, address owner_, address signer_, address[] relayers) returns()
func (pantheonPaymaster *PantheonPaymaster) PackConstructor(entryPoint_ common.Address, owner_ common.Address, signer_ common.Address, relayers []common.Address) []byte {
	enc, err := pantheonPaymaster.abi.Pack("", entryPoint_, owner_, signer_, relayers)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackAcceptOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x79ba5097.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function acceptOwnership() returns()
func (pantheonPaymaster *PantheonPaymaster) PackAcceptOwnership() []byte {
	enc, err := pantheonPaymaster.abi.Pack("acceptOwnership")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAcceptOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x79ba5097.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function acceptOwnership() returns()
func (pantheonPaymaster *PantheonPaymaster) TryPackAcceptOwnership() ([]byte, error) {
	return pantheonPaymaster.abi.Pack("acceptOwnership")
}

// PackAddStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x0396cb60.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function addStake(uint32 unstakeDelaySec) payable returns()
func (pantheonPaymaster *PantheonPaymaster) PackAddStake(unstakeDelaySec uint32) []byte {
	enc, err := pantheonPaymaster.abi.Pack("addStake", unstakeDelaySec)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAddStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x0396cb60.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function addStake(uint32 unstakeDelaySec) payable returns()
func (pantheonPaymaster *PantheonPaymaster) TryPackAddStake(unstakeDelaySec uint32) ([]byte, error) {
	return pantheonPaymaster.abi.Pack("addStake", unstakeDelaySec)
}

// PackDeposit is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd0e30db0.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function deposit() payable returns()
func (pantheonPaymaster *PantheonPaymaster) PackDeposit() []byte {
	enc, err := pantheonPaymaster.abi.Pack("deposit")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDeposit is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd0e30db0.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function deposit() payable returns()
func (pantheonPaymaster *PantheonPaymaster) TryPackDeposit() ([]byte, error) {
	return pantheonPaymaster.abi.Pack("deposit")
}

// PackEntryPoint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb0d691fe.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function entryPoint() view returns(address)
func (pantheonPaymaster *PantheonPaymaster) PackEntryPoint() []byte {
	enc, err := pantheonPaymaster.abi.Pack("entryPoint")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackEntryPoint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb0d691fe.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function entryPoint() view returns(address)
func (pantheonPaymaster *PantheonPaymaster) TryPackEntryPoint() ([]byte, error) {
	return pantheonPaymaster.abi.Pack("entryPoint")
}

// UnpackEntryPoint is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xb0d691fe.
//
// Solidity: function entryPoint() view returns(address)
func (pantheonPaymaster *PantheonPaymaster) UnpackEntryPoint(data []byte) (common.Address, error) {
	out, err := pantheonPaymaster.abi.Unpack("entryPoint", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackGetHash is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5829c5f5.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getHash((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes) userOp, uint48 validUntil, uint48 validAfter) view returns(bytes32)
func (pantheonPaymaster *PantheonPaymaster) PackGetHash(userOp PackedUserOperation, validUntil *big.Int, validAfter *big.Int) []byte {
	enc, err := pantheonPaymaster.abi.Pack("getHash", userOp, validUntil, validAfter)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetHash is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5829c5f5.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getHash((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes) userOp, uint48 validUntil, uint48 validAfter) view returns(bytes32)
func (pantheonPaymaster *PantheonPaymaster) TryPackGetHash(userOp PackedUserOperation, validUntil *big.Int, validAfter *big.Int) ([]byte, error) {
	return pantheonPaymaster.abi.Pack("getHash", userOp, validUntil, validAfter)
}

// UnpackGetHash is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x5829c5f5.
//
// Solidity: function getHash((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes) userOp, uint48 validUntil, uint48 validAfter) view returns(bytes32)
func (pantheonPaymaster *PantheonPaymaster) UnpackGetHash(data []byte) ([32]byte, error) {
	out, err := pantheonPaymaster.abi.Unpack("getHash", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackIsRelayer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x541d5548.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function isRelayer(address account) view returns(bool)
func (pantheonPaymaster *PantheonPaymaster) PackIsRelayer(account common.Address) []byte {
	enc, err := pantheonPaymaster.abi.Pack("isRelayer", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackIsRelayer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x541d5548.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function isRelayer(address account) view returns(bool)
func (pantheonPaymaster *PantheonPaymaster) TryPackIsRelayer(account common.Address) ([]byte, error) {
	return pantheonPaymaster.abi.Pack("isRelayer", account)
}

// UnpackIsRelayer is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x541d5548.
//
// Solidity: function isRelayer(address account) view returns(bool)
func (pantheonPaymaster *PantheonPaymaster) UnpackIsRelayer(data []byte) (bool, error) {
	out, err := pantheonPaymaster.abi.Unpack("isRelayer", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8da5cb5b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function owner() view returns(address)
func (pantheonPaymaster *PantheonPaymaster) PackOwner() []byte {
	enc, err := pantheonPaymaster.abi.Pack("owner")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8da5cb5b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function owner() view returns(address)
func (pantheonPaymaster *PantheonPaymaster) TryPackOwner() ([]byte, error) {
	return pantheonPaymaster.abi.Pack("owner")
}

// UnpackOwner is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x8da5cb5b.
//
// Solidity: function owner() view returns(address)
func (pantheonPaymaster *PantheonPaymaster) UnpackOwner(data []byte) (common.Address, error) {
	out, err := pantheonPaymaster.abi.Unpack("owner", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackPendingOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe30c3978.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function pendingOwner() view returns(address)
func (pantheonPaymaster *PantheonPaymaster) PackPendingOwner() []byte {
	enc, err := pantheonPaymaster.abi.Pack("pendingOwner")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPendingOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe30c3978.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function pendingOwner() view returns(address)
func (pantheonPaymaster *PantheonPaymaster) TryPackPendingOwner() ([]byte, error) {
	return pantheonPaymaster.abi.Pack("pendingOwner")
}

// UnpackPendingOwner is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xe30c3978.
//
// Solidity: function pendingOwner() view returns(address)
func (pantheonPaymaster *PantheonPaymaster) UnpackPendingOwner(data []byte) (common.Address, error) {
	out, err := pantheonPaymaster.abi.Unpack("pendingOwner", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackPostOp is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x7c627b21.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function postOp(uint8 , bytes , uint256 , uint256 ) view returns()
func (pantheonPaymaster *PantheonPaymaster) PackPostOp(arg0 uint8, arg1 []byte, arg2 *big.Int, arg3 *big.Int) []byte {
	enc, err := pantheonPaymaster.abi.Pack("postOp", arg0, arg1, arg2, arg3)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPostOp is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x7c627b21.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function postOp(uint8 , bytes , uint256 , uint256 ) view returns()
func (pantheonPaymaster *PantheonPaymaster) TryPackPostOp(arg0 uint8, arg1 []byte, arg2 *big.Int, arg3 *big.Int) ([]byte, error) {
	return pantheonPaymaster.abi.Pack("postOp", arg0, arg1, arg2, arg3)
}

// PackRelayerCount is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xcf1a7a21.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function relayerCount() view returns(uint96)
func (pantheonPaymaster *PantheonPaymaster) PackRelayerCount() []byte {
	enc, err := pantheonPaymaster.abi.Pack("relayerCount")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRelayerCount is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xcf1a7a21.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function relayerCount() view returns(uint96)
func (pantheonPaymaster *PantheonPaymaster) TryPackRelayerCount() ([]byte, error) {
	return pantheonPaymaster.abi.Pack("relayerCount")
}

// UnpackRelayerCount is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xcf1a7a21.
//
// Solidity: function relayerCount() view returns(uint96)
func (pantheonPaymaster *PantheonPaymaster) UnpackRelayerCount(data []byte) (*big.Int, error) {
	out, err := pantheonPaymaster.abi.Unpack("relayerCount", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackRenounceOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x715018a6.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function renounceOwnership() pure returns()
func (pantheonPaymaster *PantheonPaymaster) PackRenounceOwnership() []byte {
	enc, err := pantheonPaymaster.abi.Pack("renounceOwnership")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRenounceOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x715018a6.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function renounceOwnership() pure returns()
func (pantheonPaymaster *PantheonPaymaster) TryPackRenounceOwnership() ([]byte, error) {
	return pantheonPaymaster.abi.Pack("renounceOwnership")
}

// PackSetRelayer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xecd8dc3a.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setRelayer(address relayer, bool allowed) returns()
func (pantheonPaymaster *PantheonPaymaster) PackSetRelayer(relayer common.Address, allowed bool) []byte {
	enc, err := pantheonPaymaster.abi.Pack("setRelayer", relayer, allowed)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetRelayer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xecd8dc3a.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setRelayer(address relayer, bool allowed) returns()
func (pantheonPaymaster *PantheonPaymaster) TryPackSetRelayer(relayer common.Address, allowed bool) ([]byte, error) {
	return pantheonPaymaster.abi.Pack("setRelayer", relayer, allowed)
}

// PackSetSigner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6c19e783.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setSigner(address signer_) returns()
func (pantheonPaymaster *PantheonPaymaster) PackSetSigner(signer common.Address) []byte {
	enc, err := pantheonPaymaster.abi.Pack("setSigner", signer)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetSigner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6c19e783.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setSigner(address signer_) returns()
func (pantheonPaymaster *PantheonPaymaster) TryPackSetSigner(signer common.Address) ([]byte, error) {
	return pantheonPaymaster.abi.Pack("setSigner", signer)
}

// PackSigner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x238ac933.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function signer() view returns(address)
func (pantheonPaymaster *PantheonPaymaster) PackSigner() []byte {
	enc, err := pantheonPaymaster.abi.Pack("signer")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSigner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x238ac933.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function signer() view returns(address)
func (pantheonPaymaster *PantheonPaymaster) TryPackSigner() ([]byte, error) {
	return pantheonPaymaster.abi.Pack("signer")
}

// UnpackSigner is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x238ac933.
//
// Solidity: function signer() view returns(address)
func (pantheonPaymaster *PantheonPaymaster) UnpackSigner(data []byte) (common.Address, error) {
	out, err := pantheonPaymaster.abi.Unpack("signer", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackTransferOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf2fde38b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transferOwnership(address newOwner) returns()
func (pantheonPaymaster *PantheonPaymaster) PackTransferOwnership(newOwner common.Address) []byte {
	enc, err := pantheonPaymaster.abi.Pack("transferOwnership", newOwner)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransferOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf2fde38b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transferOwnership(address newOwner) returns()
func (pantheonPaymaster *PantheonPaymaster) TryPackTransferOwnership(newOwner common.Address) ([]byte, error) {
	return pantheonPaymaster.abi.Pack("transferOwnership", newOwner)
}

// PackUnlockStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xbb9fe6bf.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function unlockStake() returns()
func (pantheonPaymaster *PantheonPaymaster) PackUnlockStake() []byte {
	enc, err := pantheonPaymaster.abi.Pack("unlockStake")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackUnlockStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xbb9fe6bf.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function unlockStake() returns()
func (pantheonPaymaster *PantheonPaymaster) TryPackUnlockStake() ([]byte, error) {
	return pantheonPaymaster.abi.Pack("unlockStake")
}

// PackValidatePaymasterUserOp is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x52b7512c.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function validatePaymasterUserOp((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes) userOp, bytes32 , uint256 ) view returns(bytes context, uint256 validationData)
func (pantheonPaymaster *PantheonPaymaster) PackValidatePaymasterUserOp(userOp PackedUserOperation, arg1 [32]byte, arg2 *big.Int) []byte {
	enc, err := pantheonPaymaster.abi.Pack("validatePaymasterUserOp", userOp, arg1, arg2)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackValidatePaymasterUserOp is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x52b7512c.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function validatePaymasterUserOp((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes) userOp, bytes32 , uint256 ) view returns(bytes context, uint256 validationData)
func (pantheonPaymaster *PantheonPaymaster) TryPackValidatePaymasterUserOp(userOp PackedUserOperation, arg1 [32]byte, arg2 *big.Int) ([]byte, error) {
	return pantheonPaymaster.abi.Pack("validatePaymasterUserOp", userOp, arg1, arg2)
}

// ValidatePaymasterUserOpOutput serves as a container for the return parameters of contract
// method ValidatePaymasterUserOp.
type ValidatePaymasterUserOpOutput struct {
	Context        []byte
	ValidationData *big.Int
}

// UnpackValidatePaymasterUserOp is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x52b7512c.
//
// Solidity: function validatePaymasterUserOp((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes) userOp, bytes32 , uint256 ) view returns(bytes context, uint256 validationData)
func (pantheonPaymaster *PantheonPaymaster) UnpackValidatePaymasterUserOp(data []byte) (ValidatePaymasterUserOpOutput, error) {
	out, err := pantheonPaymaster.abi.Unpack("validatePaymasterUserOp", data)
	outstruct := new(ValidatePaymasterUserOpOutput)
	if err != nil {
		return *outstruct, err
	}
	outstruct.Context = *abi.ConvertType(out[0], new([]byte)).(*[]byte)
	outstruct.ValidationData = abi.ConvertType(out[1], new(big.Int)).(*big.Int)
	return *outstruct, nil
}

// PackWithdrawStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc23a5cea.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function withdrawStake(address to) returns()
func (pantheonPaymaster *PantheonPaymaster) PackWithdrawStake(to common.Address) []byte {
	enc, err := pantheonPaymaster.abi.Pack("withdrawStake", to)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackWithdrawStake is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc23a5cea.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function withdrawStake(address to) returns()
func (pantheonPaymaster *PantheonPaymaster) TryPackWithdrawStake(to common.Address) ([]byte, error) {
	return pantheonPaymaster.abi.Pack("withdrawStake", to)
}

// PackWithdrawTo is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x205c2878.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function withdrawTo(address to, uint256 amount) returns()
func (pantheonPaymaster *PantheonPaymaster) PackWithdrawTo(to common.Address, amount *big.Int) []byte {
	enc, err := pantheonPaymaster.abi.Pack("withdrawTo", to, amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackWithdrawTo is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x205c2878.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function withdrawTo(address to, uint256 amount) returns()
func (pantheonPaymaster *PantheonPaymaster) TryPackWithdrawTo(to common.Address, amount *big.Int) ([]byte, error) {
	return pantheonPaymaster.abi.Pack("withdrawTo", to, amount)
}

// PantheonPaymasterOwnershipTransferStarted represents a OwnershipTransferStarted event raised by the PantheonPaymaster contract.
type PantheonPaymasterOwnershipTransferStarted struct {
	PreviousOwner common.Address
	NewOwner      common.Address
	Raw           *types.Log // Blockchain specific contextual infos
}

const PantheonPaymasterOwnershipTransferStartedEventName = "OwnershipTransferStarted"

// ContractEventName returns the user-defined event name.
func (PantheonPaymasterOwnershipTransferStarted) ContractEventName() string {
	return PantheonPaymasterOwnershipTransferStartedEventName
}

// UnpackOwnershipTransferStartedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner)
func (pantheonPaymaster *PantheonPaymaster) UnpackOwnershipTransferStartedEvent(log *types.Log) (*PantheonPaymasterOwnershipTransferStarted, error) {
	event := "OwnershipTransferStarted"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != pantheonPaymaster.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(PantheonPaymasterOwnershipTransferStarted)
	if len(log.Data) > 0 {
		if err := pantheonPaymaster.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range pantheonPaymaster.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// PantheonPaymasterOwnershipTransferred represents a OwnershipTransferred event raised by the PantheonPaymaster contract.
type PantheonPaymasterOwnershipTransferred struct {
	PreviousOwner common.Address
	NewOwner      common.Address
	Raw           *types.Log // Blockchain specific contextual infos
}

const PantheonPaymasterOwnershipTransferredEventName = "OwnershipTransferred"

// ContractEventName returns the user-defined event name.
func (PantheonPaymasterOwnershipTransferred) ContractEventName() string {
	return PantheonPaymasterOwnershipTransferredEventName
}

// UnpackOwnershipTransferredEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)
func (pantheonPaymaster *PantheonPaymaster) UnpackOwnershipTransferredEvent(log *types.Log) (*PantheonPaymasterOwnershipTransferred, error) {
	event := "OwnershipTransferred"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != pantheonPaymaster.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(PantheonPaymasterOwnershipTransferred)
	if len(log.Data) > 0 {
		if err := pantheonPaymaster.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range pantheonPaymaster.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// PantheonPaymasterRelayerChanged represents a RelayerChanged event raised by the PantheonPaymaster contract.
type PantheonPaymasterRelayerChanged struct {
	Relayer common.Address
	Allowed bool
	Raw     *types.Log // Blockchain specific contextual infos
}

const PantheonPaymasterRelayerChangedEventName = "RelayerChanged"

// ContractEventName returns the user-defined event name.
func (PantheonPaymasterRelayerChanged) ContractEventName() string {
	return PantheonPaymasterRelayerChangedEventName
}

// UnpackRelayerChangedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event RelayerChanged(address indexed relayer, bool allowed)
func (pantheonPaymaster *PantheonPaymaster) UnpackRelayerChangedEvent(log *types.Log) (*PantheonPaymasterRelayerChanged, error) {
	event := "RelayerChanged"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != pantheonPaymaster.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(PantheonPaymasterRelayerChanged)
	if len(log.Data) > 0 {
		if err := pantheonPaymaster.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range pantheonPaymaster.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// PantheonPaymasterSignerChanged represents a SignerChanged event raised by the PantheonPaymaster contract.
type PantheonPaymasterSignerChanged struct {
	Signer common.Address
	Raw    *types.Log // Blockchain specific contextual infos
}

const PantheonPaymasterSignerChangedEventName = "SignerChanged"

// ContractEventName returns the user-defined event name.
func (PantheonPaymasterSignerChanged) ContractEventName() string {
	return PantheonPaymasterSignerChangedEventName
}

// UnpackSignerChangedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event SignerChanged(address indexed signer)
func (pantheonPaymaster *PantheonPaymaster) UnpackSignerChangedEvent(log *types.Log) (*PantheonPaymasterSignerChanged, error) {
	event := "SignerChanged"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != pantheonPaymaster.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(PantheonPaymasterSignerChanged)
	if len(log.Data) > 0 {
		if err := pantheonPaymaster.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range pantheonPaymaster.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// UnpackError attempts to decode the provided error data using user-defined
// error definitions.
func (pantheonPaymaster *PantheonPaymaster) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], pantheonPaymaster.abi.Errors["MalformedData"].ID.Bytes()[:4]) {
		return pantheonPaymaster.UnpackMalformedDataError(raw[4:])
	}
	if bytes.Equal(raw[:4], pantheonPaymaster.abi.Errors["OnlyEntryPoint"].ID.Bytes()[:4]) {
		return pantheonPaymaster.UnpackOnlyEntryPointError(raw[4:])
	}
	if bytes.Equal(raw[:4], pantheonPaymaster.abi.Errors["OwnableInvalidOwner"].ID.Bytes()[:4]) {
		return pantheonPaymaster.UnpackOwnableInvalidOwnerError(raw[4:])
	}
	if bytes.Equal(raw[:4], pantheonPaymaster.abi.Errors["OwnableUnauthorizedAccount"].ID.Bytes()[:4]) {
		return pantheonPaymaster.UnpackOwnableUnauthorizedAccountError(raw[4:])
	}
	if bytes.Equal(raw[:4], pantheonPaymaster.abi.Errors["OwnerRequired"].ID.Bytes()[:4]) {
		return pantheonPaymaster.UnpackOwnerRequiredError(raw[4:])
	}
	if bytes.Equal(raw[:4], pantheonPaymaster.abi.Errors["RelayerRefused"].ID.Bytes()[:4]) {
		return pantheonPaymaster.UnpackRelayerRefusedError(raw[4:])
	}
	if bytes.Equal(raw[:4], pantheonPaymaster.abi.Errors["ZeroAddress"].ID.Bytes()[:4]) {
		return pantheonPaymaster.UnpackZeroAddressError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// PantheonPaymasterMalformedData represents a MalformedData error raised by the PantheonPaymaster contract.
type PantheonPaymasterMalformedData struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error MalformedData()
func PantheonPaymasterMalformedDataErrorID() common.Hash {
	return common.HexToHash("0x8e5714bca5722ef26fba60398a83b5704f565cb77120976a144201aae1e72d01")
}

// UnpackMalformedDataError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error MalformedData()
func (pantheonPaymaster *PantheonPaymaster) UnpackMalformedDataError(raw []byte) (*PantheonPaymasterMalformedData, error) {
	out := new(PantheonPaymasterMalformedData)
	if err := pantheonPaymaster.abi.UnpackIntoInterface(out, "MalformedData", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// PantheonPaymasterOnlyEntryPoint represents a OnlyEntryPoint error raised by the PantheonPaymaster contract.
type PantheonPaymasterOnlyEntryPoint struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OnlyEntryPoint()
func PantheonPaymasterOnlyEntryPointErrorID() common.Hash {
	return common.HexToHash("0xbd07c55136c9318d358622c7ffa5e9dcf21c5e48a95e77a7b0e7a47528e8ea02")
}

// UnpackOnlyEntryPointError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OnlyEntryPoint()
func (pantheonPaymaster *PantheonPaymaster) UnpackOnlyEntryPointError(raw []byte) (*PantheonPaymasterOnlyEntryPoint, error) {
	out := new(PantheonPaymasterOnlyEntryPoint)
	if err := pantheonPaymaster.abi.UnpackIntoInterface(out, "OnlyEntryPoint", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// PantheonPaymasterOwnableInvalidOwner represents a OwnableInvalidOwner error raised by the PantheonPaymaster contract.
type PantheonPaymasterOwnableInvalidOwner struct {
	Owner common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OwnableInvalidOwner(address owner)
func PantheonPaymasterOwnableInvalidOwnerErrorID() common.Hash {
	return common.HexToHash("0x1e4fbdf7f3ef8bcaa855599e3abf48b232380f183f08f6f813d9ffa5bd585188")
}

// UnpackOwnableInvalidOwnerError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OwnableInvalidOwner(address owner)
func (pantheonPaymaster *PantheonPaymaster) UnpackOwnableInvalidOwnerError(raw []byte) (*PantheonPaymasterOwnableInvalidOwner, error) {
	out := new(PantheonPaymasterOwnableInvalidOwner)
	if err := pantheonPaymaster.abi.UnpackIntoInterface(out, "OwnableInvalidOwner", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// PantheonPaymasterOwnableUnauthorizedAccount represents a OwnableUnauthorizedAccount error raised by the PantheonPaymaster contract.
type PantheonPaymasterOwnableUnauthorizedAccount struct {
	Account common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OwnableUnauthorizedAccount(address account)
func PantheonPaymasterOwnableUnauthorizedAccountErrorID() common.Hash {
	return common.HexToHash("0x118cdaa7a341953d1887a2245fd6665d741c67c8c50581daa59e1d03373fa188")
}

// UnpackOwnableUnauthorizedAccountError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OwnableUnauthorizedAccount(address account)
func (pantheonPaymaster *PantheonPaymaster) UnpackOwnableUnauthorizedAccountError(raw []byte) (*PantheonPaymasterOwnableUnauthorizedAccount, error) {
	out := new(PantheonPaymasterOwnableUnauthorizedAccount)
	if err := pantheonPaymaster.abi.UnpackIntoInterface(out, "OwnableUnauthorizedAccount", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// PantheonPaymasterOwnerRequired represents a OwnerRequired error raised by the PantheonPaymaster contract.
type PantheonPaymasterOwnerRequired struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OwnerRequired()
func PantheonPaymasterOwnerRequiredErrorID() common.Hash {
	return common.HexToHash("0x3c776be1520fa3f8e5a76e9b79a85d3ab5216bfba56a29566e6a0a5c410b22da")
}

// UnpackOwnerRequiredError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OwnerRequired()
func (pantheonPaymaster *PantheonPaymaster) UnpackOwnerRequiredError(raw []byte) (*PantheonPaymasterOwnerRequired, error) {
	out := new(PantheonPaymasterOwnerRequired)
	if err := pantheonPaymaster.abi.UnpackIntoInterface(out, "OwnerRequired", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// PantheonPaymasterRelayerRefused represents a RelayerRefused error raised by the PantheonPaymaster contract.
type PantheonPaymasterRelayerRefused struct {
	Origin common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error RelayerRefused(address origin)
func PantheonPaymasterRelayerRefusedErrorID() common.Hash {
	return common.HexToHash("0xaf59ad75c9d338bc9d399ba33e760b50269213315dfeefc908ef7ea9c4981a28")
}

// UnpackRelayerRefusedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error RelayerRefused(address origin)
func (pantheonPaymaster *PantheonPaymaster) UnpackRelayerRefusedError(raw []byte) (*PantheonPaymasterRelayerRefused, error) {
	out := new(PantheonPaymasterRelayerRefused)
	if err := pantheonPaymaster.abi.UnpackIntoInterface(out, "RelayerRefused", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// PantheonPaymasterZeroAddress represents a ZeroAddress error raised by the PantheonPaymaster contract.
type PantheonPaymasterZeroAddress struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ZeroAddress()
func PantheonPaymasterZeroAddressErrorID() common.Hash {
	return common.HexToHash("0xd92e233df2717d4a40030e20904abd27b68fcbeede117eaaccbbdac9618c8c73")
}

// UnpackZeroAddressError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ZeroAddress()
func (pantheonPaymaster *PantheonPaymaster) UnpackZeroAddressError(raw []byte) (*PantheonPaymasterZeroAddress, error) {
	out := new(PantheonPaymasterZeroAddress)
	if err := pantheonPaymaster.abi.UnpackIntoInterface(out, "ZeroAddress", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// TestTokenMetaData contains all meta data concerning the TestToken contract.
var TestTokenMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"string\",\"name\":\"name_\",\"type\":\"string\"},{\"internalType\":\"string\",\"name\":\"symbol_\",\"type\":\"string\"},{\"internalType\":\"uint8\",\"name\":\"decimals_\",\"type\":\"uint8\"},{\"internalType\":\"address\",\"name\":\"admin\",\"type\":\"address\"},{\"internalType\":\"address[]\",\"name\":\"minters\",\"type\":\"address[]\"}],\"stateMutability\":\"nonpayable\",\"type\":\"constructor\"},{\"inputs\":[],\"name\":\"AccessControlBadConfirmation\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"internalType\":\"bytes32\",\"name\":\"neededRole\",\"type\":\"bytes32\"}],\"name\":\"AccessControlUnauthorizedAccount\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"allowance\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"needed\",\"type\":\"uint256\"}],\"name\":\"ERC20InsufficientAllowance\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"balance\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"needed\",\"type\":\"uint256\"}],\"name\":\"ERC20InsufficientBalance\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"approver\",\"type\":\"address\"}],\"name\":\"ERC20InvalidApprover\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"receiver\",\"type\":\"address\"}],\"name\":\"ERC20InvalidReceiver\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"}],\"name\":\"ERC20InvalidSender\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"}],\"name\":\"ERC20InvalidSpender\",\"type\":\"error\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"Approval\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"previousAdminRole\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"newAdminRole\",\"type\":\"bytes32\"}],\"name\":\"RoleAdminChanged\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"}],\"name\":\"RoleGranted\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"}],\"name\":\"RoleRevoked\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"Transfer\",\"type\":\"event\"},{\"inputs\":[],\"name\":\"DEFAULT_ADMIN_ROLE\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"MINTER_ROLE\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"}],\"name\":\"allowance\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"approve\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"balanceOf\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"decimals\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"}],\"name\":\"getRoleAdmin\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"grantRole\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"hasRole\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"mint\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"name\",\"outputs\":[{\"internalType\":\"string\",\"name\":\"\",\"type\":\"string\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"internalType\":\"address\",\"name\":\"callerConfirmation\",\"type\":\"address\"}],\"name\":\"renounceRole\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"role\",\"type\":\"bytes32\"},{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"revokeRole\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes4\",\"name\":\"interfaceId\",\"type\":\"bytes4\"}],\"name\":\"supportsInterface\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"symbol\",\"outputs\":[{\"internalType\":\"string\",\"name\":\"\",\"type\":\"string\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"totalSupply\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"transfer\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"transferFrom\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"}]",
	ID:  "TestToken",
}

// TestToken is an auto generated Go binding around an Ethereum contract.
type TestToken struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *TestToken) GetABI() abi.ABI {
	return c.abi
}

// NewTestToken creates a new instance of TestToken.
func NewTestToken() *TestToken {
	parsed, err := TestTokenMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &TestToken{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *TestToken) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackConstructor is the Go binding used to pack the parameters required for
// contract deployment.
//
// Solidity: constructor(string name_, string symbol_, uint8 decimals_, address admin, address[] minters) returns()
func (testToken *TestToken) PackConstructor(name_ string, symbol_ string, decimals_ uint8, admin common.Address, minters []common.Address) []byte {
	enc, err := testToken.abi.Pack("", name_, symbol_, decimals_, admin, minters)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackDEFAULTADMINROLE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa217fddf.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function DEFAULT_ADMIN_ROLE() view returns(bytes32)
func (testToken *TestToken) PackDEFAULTADMINROLE() []byte {
	enc, err := testToken.abi.Pack("DEFAULT_ADMIN_ROLE")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDEFAULTADMINROLE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa217fddf.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function DEFAULT_ADMIN_ROLE() view returns(bytes32)
func (testToken *TestToken) TryPackDEFAULTADMINROLE() ([]byte, error) {
	return testToken.abi.Pack("DEFAULT_ADMIN_ROLE")
}

// UnpackDEFAULTADMINROLE is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa217fddf.
//
// Solidity: function DEFAULT_ADMIN_ROLE() view returns(bytes32)
func (testToken *TestToken) UnpackDEFAULTADMINROLE(data []byte) ([32]byte, error) {
	out, err := testToken.abi.Unpack("DEFAULT_ADMIN_ROLE", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackMINTERROLE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd5391393.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function MINTER_ROLE() view returns(bytes32)
func (testToken *TestToken) PackMINTERROLE() []byte {
	enc, err := testToken.abi.Pack("MINTER_ROLE")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMINTERROLE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd5391393.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function MINTER_ROLE() view returns(bytes32)
func (testToken *TestToken) TryPackMINTERROLE() ([]byte, error) {
	return testToken.abi.Pack("MINTER_ROLE")
}

// UnpackMINTERROLE is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xd5391393.
//
// Solidity: function MINTER_ROLE() view returns(bytes32)
func (testToken *TestToken) UnpackMINTERROLE(data []byte) ([32]byte, error) {
	out, err := testToken.abi.Unpack("MINTER_ROLE", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackAllowance is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdd62ed3e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (testToken *TestToken) PackAllowance(owner common.Address, spender common.Address) []byte {
	enc, err := testToken.abi.Pack("allowance", owner, spender)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAllowance is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdd62ed3e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (testToken *TestToken) TryPackAllowance(owner common.Address, spender common.Address) ([]byte, error) {
	return testToken.abi.Pack("allowance", owner, spender)
}

// UnpackAllowance is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xdd62ed3e.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (testToken *TestToken) UnpackAllowance(data []byte) (*big.Int, error) {
	out, err := testToken.abi.Unpack("allowance", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackApprove is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x095ea7b3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function approve(address spender, uint256 value) returns(bool)
func (testToken *TestToken) PackApprove(spender common.Address, value *big.Int) []byte {
	enc, err := testToken.abi.Pack("approve", spender, value)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackApprove is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x095ea7b3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function approve(address spender, uint256 value) returns(bool)
func (testToken *TestToken) TryPackApprove(spender common.Address, value *big.Int) ([]byte, error) {
	return testToken.abi.Pack("approve", spender, value)
}

// UnpackApprove is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x095ea7b3.
//
// Solidity: function approve(address spender, uint256 value) returns(bool)
func (testToken *TestToken) UnpackApprove(data []byte) (bool, error) {
	out, err := testToken.abi.Unpack("approve", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (testToken *TestToken) PackBalanceOf(account common.Address) []byte {
	enc, err := testToken.abi.Pack("balanceOf", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (testToken *TestToken) TryPackBalanceOf(account common.Address) ([]byte, error) {
	return testToken.abi.Pack("balanceOf", account)
}

// UnpackBalanceOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x70a08231.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (testToken *TestToken) UnpackBalanceOf(data []byte) (*big.Int, error) {
	out, err := testToken.abi.Unpack("balanceOf", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackDecimals is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x313ce567.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function decimals() view returns(uint8)
func (testToken *TestToken) PackDecimals() []byte {
	enc, err := testToken.abi.Pack("decimals")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDecimals is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x313ce567.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function decimals() view returns(uint8)
func (testToken *TestToken) TryPackDecimals() ([]byte, error) {
	return testToken.abi.Pack("decimals")
}

// UnpackDecimals is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x313ce567.
//
// Solidity: function decimals() view returns(uint8)
func (testToken *TestToken) UnpackDecimals(data []byte) (uint8, error) {
	out, err := testToken.abi.Unpack("decimals", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackGetRoleAdmin is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x248a9ca3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getRoleAdmin(bytes32 role) view returns(bytes32)
func (testToken *TestToken) PackGetRoleAdmin(role [32]byte) []byte {
	enc, err := testToken.abi.Pack("getRoleAdmin", role)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetRoleAdmin is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x248a9ca3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getRoleAdmin(bytes32 role) view returns(bytes32)
func (testToken *TestToken) TryPackGetRoleAdmin(role [32]byte) ([]byte, error) {
	return testToken.abi.Pack("getRoleAdmin", role)
}

// UnpackGetRoleAdmin is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x248a9ca3.
//
// Solidity: function getRoleAdmin(bytes32 role) view returns(bytes32)
func (testToken *TestToken) UnpackGetRoleAdmin(data []byte) ([32]byte, error) {
	out, err := testToken.abi.Unpack("getRoleAdmin", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackGrantRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2f2ff15d.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function grantRole(bytes32 role, address account) returns()
func (testToken *TestToken) PackGrantRole(role [32]byte, account common.Address) []byte {
	enc, err := testToken.abi.Pack("grantRole", role, account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGrantRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2f2ff15d.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function grantRole(bytes32 role, address account) returns()
func (testToken *TestToken) TryPackGrantRole(role [32]byte, account common.Address) ([]byte, error) {
	return testToken.abi.Pack("grantRole", role, account)
}

// PackHasRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x91d14854.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function hasRole(bytes32 role, address account) view returns(bool)
func (testToken *TestToken) PackHasRole(role [32]byte, account common.Address) []byte {
	enc, err := testToken.abi.Pack("hasRole", role, account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackHasRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x91d14854.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function hasRole(bytes32 role, address account) view returns(bool)
func (testToken *TestToken) TryPackHasRole(role [32]byte, account common.Address) ([]byte, error) {
	return testToken.abi.Pack("hasRole", role, account)
}

// UnpackHasRole is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x91d14854.
//
// Solidity: function hasRole(bytes32 role, address account) view returns(bool)
func (testToken *TestToken) UnpackHasRole(data []byte) (bool, error) {
	out, err := testToken.abi.Unpack("hasRole", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackMint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x40c10f19.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function mint(address to, uint256 amount) returns()
func (testToken *TestToken) PackMint(to common.Address, amount *big.Int) []byte {
	enc, err := testToken.abi.Pack("mint", to, amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x40c10f19.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function mint(address to, uint256 amount) returns()
func (testToken *TestToken) TryPackMint(to common.Address, amount *big.Int) ([]byte, error) {
	return testToken.abi.Pack("mint", to, amount)
}

// PackName is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x06fdde03.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function name() view returns(string)
func (testToken *TestToken) PackName() []byte {
	enc, err := testToken.abi.Pack("name")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackName is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x06fdde03.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function name() view returns(string)
func (testToken *TestToken) TryPackName() ([]byte, error) {
	return testToken.abi.Pack("name")
}

// UnpackName is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x06fdde03.
//
// Solidity: function name() view returns(string)
func (testToken *TestToken) UnpackName(data []byte) (string, error) {
	out, err := testToken.abi.Unpack("name", data)
	if err != nil {
		return *new(string), err
	}
	out0 := *abi.ConvertType(out[0], new(string)).(*string)
	return out0, nil
}

// PackRenounceRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x36568abe.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function renounceRole(bytes32 role, address callerConfirmation) returns()
func (testToken *TestToken) PackRenounceRole(role [32]byte, callerConfirmation common.Address) []byte {
	enc, err := testToken.abi.Pack("renounceRole", role, callerConfirmation)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRenounceRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x36568abe.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function renounceRole(bytes32 role, address callerConfirmation) returns()
func (testToken *TestToken) TryPackRenounceRole(role [32]byte, callerConfirmation common.Address) ([]byte, error) {
	return testToken.abi.Pack("renounceRole", role, callerConfirmation)
}

// PackRevokeRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd547741f.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function revokeRole(bytes32 role, address account) returns()
func (testToken *TestToken) PackRevokeRole(role [32]byte, account common.Address) []byte {
	enc, err := testToken.abi.Pack("revokeRole", role, account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRevokeRole is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd547741f.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function revokeRole(bytes32 role, address account) returns()
func (testToken *TestToken) TryPackRevokeRole(role [32]byte, account common.Address) ([]byte, error) {
	return testToken.abi.Pack("revokeRole", role, account)
}

// PackSupportsInterface is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x01ffc9a7.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function supportsInterface(bytes4 interfaceId) view returns(bool)
func (testToken *TestToken) PackSupportsInterface(interfaceId [4]byte) []byte {
	enc, err := testToken.abi.Pack("supportsInterface", interfaceId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSupportsInterface is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x01ffc9a7.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function supportsInterface(bytes4 interfaceId) view returns(bool)
func (testToken *TestToken) TryPackSupportsInterface(interfaceId [4]byte) ([]byte, error) {
	return testToken.abi.Pack("supportsInterface", interfaceId)
}

// UnpackSupportsInterface is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x01ffc9a7.
//
// Solidity: function supportsInterface(bytes4 interfaceId) view returns(bool)
func (testToken *TestToken) UnpackSupportsInterface(data []byte) (bool, error) {
	out, err := testToken.abi.Unpack("supportsInterface", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackSymbol is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x95d89b41.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function symbol() view returns(string)
func (testToken *TestToken) PackSymbol() []byte {
	enc, err := testToken.abi.Pack("symbol")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSymbol is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x95d89b41.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function symbol() view returns(string)
func (testToken *TestToken) TryPackSymbol() ([]byte, error) {
	return testToken.abi.Pack("symbol")
}

// UnpackSymbol is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x95d89b41.
//
// Solidity: function symbol() view returns(string)
func (testToken *TestToken) UnpackSymbol(data []byte) (string, error) {
	out, err := testToken.abi.Unpack("symbol", data)
	if err != nil {
		return *new(string), err
	}
	out0 := *abi.ConvertType(out[0], new(string)).(*string)
	return out0, nil
}

// PackTotalSupply is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x18160ddd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function totalSupply() view returns(uint256)
func (testToken *TestToken) PackTotalSupply() []byte {
	enc, err := testToken.abi.Pack("totalSupply")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTotalSupply is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x18160ddd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function totalSupply() view returns(uint256)
func (testToken *TestToken) TryPackTotalSupply() ([]byte, error) {
	return testToken.abi.Pack("totalSupply")
}

// UnpackTotalSupply is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x18160ddd.
//
// Solidity: function totalSupply() view returns(uint256)
func (testToken *TestToken) UnpackTotalSupply(data []byte) (*big.Int, error) {
	out, err := testToken.abi.Unpack("totalSupply", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackTransfer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa9059cbb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transfer(address to, uint256 value) returns(bool)
func (testToken *TestToken) PackTransfer(to common.Address, value *big.Int) []byte {
	enc, err := testToken.abi.Pack("transfer", to, value)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransfer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa9059cbb.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transfer(address to, uint256 value) returns(bool)
func (testToken *TestToken) TryPackTransfer(to common.Address, value *big.Int) ([]byte, error) {
	return testToken.abi.Pack("transfer", to, value)
}

// UnpackTransfer is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa9059cbb.
//
// Solidity: function transfer(address to, uint256 value) returns(bool)
func (testToken *TestToken) UnpackTransfer(data []byte) (bool, error) {
	out, err := testToken.abi.Unpack("transfer", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x23b872dd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transferFrom(address from, address to, uint256 value) returns(bool)
func (testToken *TestToken) PackTransferFrom(from common.Address, to common.Address, value *big.Int) []byte {
	enc, err := testToken.abi.Pack("transferFrom", from, to, value)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x23b872dd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transferFrom(address from, address to, uint256 value) returns(bool)
func (testToken *TestToken) TryPackTransferFrom(from common.Address, to common.Address, value *big.Int) ([]byte, error) {
	return testToken.abi.Pack("transferFrom", from, to, value)
}

// UnpackTransferFrom is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x23b872dd.
//
// Solidity: function transferFrom(address from, address to, uint256 value) returns(bool)
func (testToken *TestToken) UnpackTransferFrom(data []byte) (bool, error) {
	out, err := testToken.abi.Unpack("transferFrom", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// TestTokenApproval represents a Approval event raised by the TestToken contract.
type TestTokenApproval struct {
	Owner   common.Address
	Spender common.Address
	Value   *big.Int
	Raw     *types.Log // Blockchain specific contextual infos
}

const TestTokenApprovalEventName = "Approval"

// ContractEventName returns the user-defined event name.
func (TestTokenApproval) ContractEventName() string {
	return TestTokenApprovalEventName
}

// UnpackApprovalEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Approval(address indexed owner, address indexed spender, uint256 value)
func (testToken *TestToken) UnpackApprovalEvent(log *types.Log) (*TestTokenApproval, error) {
	event := "Approval"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != testToken.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(TestTokenApproval)
	if len(log.Data) > 0 {
		if err := testToken.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range testToken.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// TestTokenRoleAdminChanged represents a RoleAdminChanged event raised by the TestToken contract.
type TestTokenRoleAdminChanged struct {
	Role              [32]byte
	PreviousAdminRole [32]byte
	NewAdminRole      [32]byte
	Raw               *types.Log // Blockchain specific contextual infos
}

const TestTokenRoleAdminChangedEventName = "RoleAdminChanged"

// ContractEventName returns the user-defined event name.
func (TestTokenRoleAdminChanged) ContractEventName() string {
	return TestTokenRoleAdminChangedEventName
}

// UnpackRoleAdminChangedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event RoleAdminChanged(bytes32 indexed role, bytes32 indexed previousAdminRole, bytes32 indexed newAdminRole)
func (testToken *TestToken) UnpackRoleAdminChangedEvent(log *types.Log) (*TestTokenRoleAdminChanged, error) {
	event := "RoleAdminChanged"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != testToken.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(TestTokenRoleAdminChanged)
	if len(log.Data) > 0 {
		if err := testToken.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range testToken.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// TestTokenRoleGranted represents a RoleGranted event raised by the TestToken contract.
type TestTokenRoleGranted struct {
	Role    [32]byte
	Account common.Address
	Sender  common.Address
	Raw     *types.Log // Blockchain specific contextual infos
}

const TestTokenRoleGrantedEventName = "RoleGranted"

// ContractEventName returns the user-defined event name.
func (TestTokenRoleGranted) ContractEventName() string {
	return TestTokenRoleGrantedEventName
}

// UnpackRoleGrantedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)
func (testToken *TestToken) UnpackRoleGrantedEvent(log *types.Log) (*TestTokenRoleGranted, error) {
	event := "RoleGranted"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != testToken.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(TestTokenRoleGranted)
	if len(log.Data) > 0 {
		if err := testToken.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range testToken.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// TestTokenRoleRevoked represents a RoleRevoked event raised by the TestToken contract.
type TestTokenRoleRevoked struct {
	Role    [32]byte
	Account common.Address
	Sender  common.Address
	Raw     *types.Log // Blockchain specific contextual infos
}

const TestTokenRoleRevokedEventName = "RoleRevoked"

// ContractEventName returns the user-defined event name.
func (TestTokenRoleRevoked) ContractEventName() string {
	return TestTokenRoleRevokedEventName
}

// UnpackRoleRevokedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)
func (testToken *TestToken) UnpackRoleRevokedEvent(log *types.Log) (*TestTokenRoleRevoked, error) {
	event := "RoleRevoked"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != testToken.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(TestTokenRoleRevoked)
	if len(log.Data) > 0 {
		if err := testToken.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range testToken.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// TestTokenTransfer represents a Transfer event raised by the TestToken contract.
type TestTokenTransfer struct {
	From  common.Address
	To    common.Address
	Value *big.Int
	Raw   *types.Log // Blockchain specific contextual infos
}

const TestTokenTransferEventName = "Transfer"

// ContractEventName returns the user-defined event name.
func (TestTokenTransfer) ContractEventName() string {
	return TestTokenTransferEventName
}

// UnpackTransferEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Transfer(address indexed from, address indexed to, uint256 value)
func (testToken *TestToken) UnpackTransferEvent(log *types.Log) (*TestTokenTransfer, error) {
	event := "Transfer"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != testToken.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(TestTokenTransfer)
	if len(log.Data) > 0 {
		if err := testToken.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range testToken.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// UnpackError attempts to decode the provided error data using user-defined
// error definitions.
func (testToken *TestToken) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], testToken.abi.Errors["AccessControlBadConfirmation"].ID.Bytes()[:4]) {
		return testToken.UnpackAccessControlBadConfirmationError(raw[4:])
	}
	if bytes.Equal(raw[:4], testToken.abi.Errors["AccessControlUnauthorizedAccount"].ID.Bytes()[:4]) {
		return testToken.UnpackAccessControlUnauthorizedAccountError(raw[4:])
	}
	if bytes.Equal(raw[:4], testToken.abi.Errors["ERC20InsufficientAllowance"].ID.Bytes()[:4]) {
		return testToken.UnpackERC20InsufficientAllowanceError(raw[4:])
	}
	if bytes.Equal(raw[:4], testToken.abi.Errors["ERC20InsufficientBalance"].ID.Bytes()[:4]) {
		return testToken.UnpackERC20InsufficientBalanceError(raw[4:])
	}
	if bytes.Equal(raw[:4], testToken.abi.Errors["ERC20InvalidApprover"].ID.Bytes()[:4]) {
		return testToken.UnpackERC20InvalidApproverError(raw[4:])
	}
	if bytes.Equal(raw[:4], testToken.abi.Errors["ERC20InvalidReceiver"].ID.Bytes()[:4]) {
		return testToken.UnpackERC20InvalidReceiverError(raw[4:])
	}
	if bytes.Equal(raw[:4], testToken.abi.Errors["ERC20InvalidSender"].ID.Bytes()[:4]) {
		return testToken.UnpackERC20InvalidSenderError(raw[4:])
	}
	if bytes.Equal(raw[:4], testToken.abi.Errors["ERC20InvalidSpender"].ID.Bytes()[:4]) {
		return testToken.UnpackERC20InvalidSpenderError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// TestTokenAccessControlBadConfirmation represents a AccessControlBadConfirmation error raised by the TestToken contract.
type TestTokenAccessControlBadConfirmation struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error AccessControlBadConfirmation()
func TestTokenAccessControlBadConfirmationErrorID() common.Hash {
	return common.HexToHash("0x6697b23232a647058342c0724fe7c415cab25915b54e5dbc03f233173d37b41c")
}

// UnpackAccessControlBadConfirmationError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error AccessControlBadConfirmation()
func (testToken *TestToken) UnpackAccessControlBadConfirmationError(raw []byte) (*TestTokenAccessControlBadConfirmation, error) {
	out := new(TestTokenAccessControlBadConfirmation)
	if err := testToken.abi.UnpackIntoInterface(out, "AccessControlBadConfirmation", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// TestTokenAccessControlUnauthorizedAccount represents a AccessControlUnauthorizedAccount error raised by the TestToken contract.
type TestTokenAccessControlUnauthorizedAccount struct {
	Account    common.Address
	NeededRole [32]byte
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)
func TestTokenAccessControlUnauthorizedAccountErrorID() common.Hash {
	return common.HexToHash("0xe2517d3fbfae6f8515ef5ff1ccedc3933ab0cbbda0b492c06eb54ad10ef03b3e")
}

// UnpackAccessControlUnauthorizedAccountError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)
func (testToken *TestToken) UnpackAccessControlUnauthorizedAccountError(raw []byte) (*TestTokenAccessControlUnauthorizedAccount, error) {
	out := new(TestTokenAccessControlUnauthorizedAccount)
	if err := testToken.abi.UnpackIntoInterface(out, "AccessControlUnauthorizedAccount", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// TestTokenERC20InsufficientAllowance represents a ERC20InsufficientAllowance error raised by the TestToken contract.
type TestTokenERC20InsufficientAllowance struct {
	Spender   common.Address
	Allowance *big.Int
	Needed    *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)
func TestTokenERC20InsufficientAllowanceErrorID() common.Hash {
	return common.HexToHash("0xfb8f41b23e99d2101d86da76cdfa87dd51c82ed07d3cb62cbc473e469dbc75c3")
}

// UnpackERC20InsufficientAllowanceError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)
func (testToken *TestToken) UnpackERC20InsufficientAllowanceError(raw []byte) (*TestTokenERC20InsufficientAllowance, error) {
	out := new(TestTokenERC20InsufficientAllowance)
	if err := testToken.abi.UnpackIntoInterface(out, "ERC20InsufficientAllowance", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// TestTokenERC20InsufficientBalance represents a ERC20InsufficientBalance error raised by the TestToken contract.
type TestTokenERC20InsufficientBalance struct {
	Sender  common.Address
	Balance *big.Int
	Needed  *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)
func TestTokenERC20InsufficientBalanceErrorID() common.Hash {
	return common.HexToHash("0xe450d38cd8d9f7d95077d567d60ed49c7254716e6ad08fc9872816c97e0ffec6")
}

// UnpackERC20InsufficientBalanceError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)
func (testToken *TestToken) UnpackERC20InsufficientBalanceError(raw []byte) (*TestTokenERC20InsufficientBalance, error) {
	out := new(TestTokenERC20InsufficientBalance)
	if err := testToken.abi.UnpackIntoInterface(out, "ERC20InsufficientBalance", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// TestTokenERC20InvalidApprover represents a ERC20InvalidApprover error raised by the TestToken contract.
type TestTokenERC20InvalidApprover struct {
	Approver common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidApprover(address approver)
func TestTokenERC20InvalidApproverErrorID() common.Hash {
	return common.HexToHash("0xe602df05cc75712490294c6c104ab7c17f4030363910a7a2626411c6d3118847")
}

// UnpackERC20InvalidApproverError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidApprover(address approver)
func (testToken *TestToken) UnpackERC20InvalidApproverError(raw []byte) (*TestTokenERC20InvalidApprover, error) {
	out := new(TestTokenERC20InvalidApprover)
	if err := testToken.abi.UnpackIntoInterface(out, "ERC20InvalidApprover", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// TestTokenERC20InvalidReceiver represents a ERC20InvalidReceiver error raised by the TestToken contract.
type TestTokenERC20InvalidReceiver struct {
	Receiver common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidReceiver(address receiver)
func TestTokenERC20InvalidReceiverErrorID() common.Hash {
	return common.HexToHash("0xec442f055133b72f3b2f9f0bb351c406b178527de2040a7d1feb4e058771f613")
}

// UnpackERC20InvalidReceiverError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidReceiver(address receiver)
func (testToken *TestToken) UnpackERC20InvalidReceiverError(raw []byte) (*TestTokenERC20InvalidReceiver, error) {
	out := new(TestTokenERC20InvalidReceiver)
	if err := testToken.abi.UnpackIntoInterface(out, "ERC20InvalidReceiver", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// TestTokenERC20InvalidSender represents a ERC20InvalidSender error raised by the TestToken contract.
type TestTokenERC20InvalidSender struct {
	Sender common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidSender(address sender)
func TestTokenERC20InvalidSenderErrorID() common.Hash {
	return common.HexToHash("0x96c6fd1edd0cd6ef7ff0ecc0facdf53148dc0048b57fe58af65755250a7a96bd")
}

// UnpackERC20InvalidSenderError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidSender(address sender)
func (testToken *TestToken) UnpackERC20InvalidSenderError(raw []byte) (*TestTokenERC20InvalidSender, error) {
	out := new(TestTokenERC20InvalidSender)
	if err := testToken.abi.UnpackIntoInterface(out, "ERC20InvalidSender", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// TestTokenERC20InvalidSpender represents a ERC20InvalidSpender error raised by the TestToken contract.
type TestTokenERC20InvalidSpender struct {
	Spender common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidSpender(address spender)
func TestTokenERC20InvalidSpenderErrorID() common.Hash {
	return common.HexToHash("0x94280d62c347d8d9f4d59a76ea321452406db88df38e0c9da304f58b57b373a2")
}

// UnpackERC20InvalidSpenderError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidSpender(address spender)
func (testToken *TestToken) UnpackERC20InvalidSpenderError(raw []byte) (*TestTokenERC20InvalidSpender, error) {
	out := new(TestTokenERC20InvalidSpender)
	if err := testToken.abi.UnpackIntoInterface(out, "ERC20InvalidSpender", raw); err != nil {
		return nil, err
	}
	return out, nil
}
