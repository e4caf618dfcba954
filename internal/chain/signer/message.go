package signer

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
)

const (
	maxMessage = 4 << 10          // bytes; a sign-in message has a few hundred
	oldest     = time.Hour        // maximum age of a message
	clockSkew  = 2 * time.Minute  // how far the browser's clock may be ahead
	maxTyped   = 4*maxMessage + 1 // the same message as hex, with its types
)

// SignMessage signs a sign-in message (EIP-4361) of this site for the player's own wallet, whose address it must
// contain: the owner's address, for an ordinary signature, or the smart account's, for one that the account accepts
// (ERC-1271; wrap it as in ERC-6492 while the account is not deployed). Faults are those of SignUserOperation.
func (s *Signer) SignMessage(ctx context.Context, player, message string) (signature eth.Bytes, err error) {
	var m signIn
	defer func() { s.logRefusal(ctx, "message", player, m.Chain, err) }()
	if m, err = s.readSignIn(message); err != nil {
		return nil, err
	}
	_, w, err := s.admit(ctx, player, m.Chain)
	if err != nil {
		return nil, err
	}
	var hash eth.Hash
	switch m.Address {
	case w.Owner:
		hash = eth.MessageHash([]byte(message))
	case w.Smart:
		hash = accountHash(w.Smart, m.Chain, []byte(message))
	default:
		return nil, refuse("address", "This message is for another wallet than yours.")
	}
	if signature, err = s.sign(ctx, player, w, hash); err != nil {
		return nil, err
	}
	return recorded(signature, s.record.MessageSigned(ctx, player, m.Chain, m.Address))
}

// SignTypedData signs EIP-712 typed data (as JSON) of one kind: the account's own PersonalSign wrapping (ERC-7739) of a
// message that SignMessage would sign for the account. Faults are those of SignUserOperation.
func (s *Signer) SignTypedData(ctx context.Context, player string, data []byte) (signature eth.Bytes, err error) {
	var chain onchain.ChainID
	defer func() { s.logRefusal(ctx, "typed data", player, chain, err) }()
	w, err := s.open(ctx, player)
	if err != nil {
		return nil, err
	}
	message, chain, err := accountMessage(data, w.Smart)
	if err != nil {
		return nil, err
	}
	m, err := s.readSignIn(string(message))
	if err != nil {
		return nil, err
	}
	if m.Address != w.Smart || m.Chain != chain {
		return nil, refuse("address", "This message is for another wallet than yours.")
	}
	if _, w, err = s.admit(ctx, player, chain); err != nil {
		return nil, err
	}
	if signature, err = s.sign(ctx, player, w, accountHash(w.Smart, chain, message)); err != nil {
		return nil, err
	}
	return recorded(signature, s.record.MessageSigned(ctx, player, chain, w.Smart))
}

// signIn holds the fields of a sign-in message (EIP-4361) that the signer needs.
type signIn struct {
	Address eth.Address
	Chain   onchain.ChainID
}

func refuse(reason, format string, args ...any) error {
	return fault.New(fault.Forbidden, format, args...).WithReason(reason)
}

var errMessage = refuse("message", "Only sign-in messages of this site can be signed.")

var nonce = regexp.MustCompile(`^[a-zA-Z0-9]{8,}$`)

// readSignIn parses a sign-in message that the site itself could have created: with its domain and one of its URLs,
// issued recently, valid now, and without resources, which would be a delegation. It returns a Forbidden fault for
// any other text.
func (s *Signer) readSignIn(text string) (m signIn, err error) {
	if len(text) > maxMessage || !utf8.ValidString(text) ||
		strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) {
		return m, errMessage
	}
	lines := strings.Split(text, "\n")
	next := func() string {
		if len(lines) == 0 {
			return "\n" // matches no line
		}
		line := lines[0]
		lines = lines[1:]
		return line
	}
	origin, ok := strings.CutSuffix(next(), " wants you to sign in with your Ethereum account:")
	if !ok {
		return m, errMessage
	}
	if origin != s.site.Host && origin != s.site.Scheme+"://"+s.site.Host {
		return m, refuse("domain", "This message is for another site.")
	}
	if m.Address, err = eth.ParseAddress(next()); err != nil {
		return m, errMessage
	}
	// An empty line, the statement if there is one, and an empty line.
	blank, statement := next(), next()
	if blank != "" || (statement != "" && next() != "") {
		return m, errMessage
	}
	field := func(name string) (string, bool) {
		if len(lines) == 0 {
			return "", false
		}
		value, ok := strings.CutPrefix(lines[0], name+": ")
		if ok {
			lines = lines[1:]
		}
		return value, ok
	}
	uri, ok1 := field("URI")
	version, ok2 := field("Version")
	chain, ok3 := field("Chain ID")
	unique, ok4 := field("Nonce")
	issued, ok5 := field("Issued At")
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || version != "1" || !nonce.MatchString(unique) {
		return m, errMessage
	}
	if home := s.site.Scheme + "://" + s.site.Host; uri != home && !strings.HasPrefix(uri, home+"/") {
		return m, refuse("domain", "This message is for another site.")
	}
	id, err := strconv.ParseUint(chain, 10, 64)
	if err != nil {
		return m, errMessage
	}
	m.Chain = onchain.ChainID(id)
	now := s.clock.Now()
	if err := checkTime(issued, true, func(t time.Time) bool {
		return t.After(now.Add(-oldest)) &&
			t.Before(now.Add(clockSkew))
	}); err != nil {
		return m, err
	}
	expires, has := field("Expiration Time")
	if err := checkTime(expires, has, func(t time.Time) bool { return t.After(now) }); err != nil {
		return m, err
	}
	from, has := field("Not Before")
	if err := checkTime(from, has, func(t time.Time) bool { return t.Before(now.Add(clockSkew)) }); err != nil {
		return m, err
	}
	field("Request ID")
	if len(lines) > 0 {
		return m, errMessage
	}
	return m, nil
}

func checkTime(text string, present bool, good func(time.Time) bool) error {
	if !present {
		return nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return errMessage
	}
	if !good(t) {
		return refuse("time", "This message is not valid now. Please try again.")
	}
	return nil
}

// accountHash is the hash that the owner signs for the smart account to accept a message: PersonalSign under the
// account's domain (ERC-7739), which binds the signature to this account and chain.
func accountHash(account eth.Address, chain onchain.ChainID, message []byte) eth.Hash {
	domain := eth.Keccak256([]byte("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"))
	name, version := eth.Keccak256([]byte(contracts.AccountDomainName)), eth.Keccak256([]byte(contracts.AccountDomainVersion))
	id, contract := eth.NewQuantity(uint64(chain)), eth.AddressWord(account)
	separator := eth.Keccak256(domain[:], name[:], version[:], id[:], contract[:])

	personalSign, content := eth.Keccak256([]byte("PersonalSign(bytes prefixed)")), eth.MessageHash(message)
	structHash := eth.Keccak256(personalSign[:], content[:])
	return eth.Keccak256([]byte("\x19\x01"), separator[:], structHash[:])
}

// typedData is EIP-712 typed data of the one kind that is signed.
type typedData struct {
	Types       map[string][]typedField `json:"types"`
	PrimaryType string                  `json:"primaryType"`
	Domain      struct {
		Name              string      `json:"name"`
		Version           string      `json:"version"`
		ChainID           chainNumber `json:"chainId"`
		VerifyingContract eth.Address `json:"verifyingContract"`
	} `json:"domain"`
	Message struct {
		Prefixed eth.Bytes `json:"prefixed"`
	} `json:"message"`
}

type typedField struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// chainNumber is a chain id as libraries encode it: a number, or a string of decimal or 0x-hexadecimal digits.
type chainNumber uint64

func (n *chainNumber) UnmarshalJSON(b []byte) error {
	v, err := strconv.ParseUint(strings.Trim(string(b), `"`), 0, 64)
	*n = chainNumber(v)
	return err
}

var errTyped = refuse("typed-data", "Only your own account's sign-in messages can be signed as typed data.")

// accountMessage returns the message and the chain of typed data that is the account's own PersonalSign wrapping;
// a Forbidden fault for all other typed data. The signed hash is recomputed from the message, so
// nothing else in the data has an effect.
func accountMessage(data []byte, account eth.Address) (message []byte, chain onchain.ChainID, err error) {
	if len(data) > maxTyped {
		return nil, 0, errTyped
	}
	var td typedData
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if d.Decode(&td) != nil || d.More() || td.PrimaryType != "PersonalSign" {
		return nil, 0, errTyped
	}
	fields := td.Types["PersonalSign"]
	delete(td.Types, "EIP712Domain") // libraries add or omit it; the domain's own fields are checked above
	if len(td.Types) != 1 || len(fields) != 1 || fields[0] != (typedField{"prefixed", "bytes"}) {
		return nil, 0, errTyped
	}
	if td.Domain.Name != contracts.AccountDomainName || td.Domain.Version != contracts.AccountDomainVersion ||
		td.Domain.VerifyingContract != account {
		return nil, 0, errTyped
	}
	_, rest, _ := bytes.Cut(td.Message.Prefixed, []byte("\n"))
	// The length comes first, in at most five digits, without a separator, and the message may begin with a digit.
	for range min(5, len(rest)) {
		if rest = rest[1:]; bytes.Equal(eth.Personal(rest), td.Message.Prefixed) {
			return rest, onchain.ChainID(td.Domain.ChainID), nil
		}
	}
	return nil, 0, errTyped
}
