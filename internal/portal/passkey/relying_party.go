package passkey

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
)

// relyingParty speaks WebAuthn; it stores nothing.
type relyingParty struct{ *webauthn.WebAuthn }

func newRelyingParty(o Options) (*relyingParty, error) {
	timeout := webauthn.TimeoutConfig{Timeout: ChallengeTTL, TimeoutUVD: ChallengeTTL}
	w, err := webauthn.New(&webauthn.Config{
		RPID: o.Domain, RPDisplayName: o.Brand, RPOrigins: []string{o.Site},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			// Found without the player's name, and unlocked by the player: it stands for a password and a second factor.
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{Login: timeout, Registration: timeout},
		// Some managers of passwords return outputs that nobody asked for. None is read.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
	if err != nil {
		return nil, fmt.Errorf("passkeys of the domain %s: %w", o.Domain, err)
	}
	return &relyingParty{w}, nil
}

// user is a player as the library sees one. The user handle is the player's id: it says nothing of the person.
type user struct {
	id, name string
	passkeys []Passkey
}

func (u user) WebAuthnID() []byte          { return []byte(u.id) }
func (u user) WebAuthnName() string        { return u.name }
func (u user) WebAuthnDisplayName() string { return u.name }

// WebAuthnCredentials returns those that can be read: one odd row must not keep the others from being used.
func (u user) WebAuthnCredentials() []webauthn.Credential {
	var out []webauthn.Credential
	for _, p := range u.passkeys {
		var c webauthn.Credential
		if json.Unmarshal(p.Credential, &c) == nil {
			c.Authenticator.SignCount = p.Signatures
			out = append(out, c)
		}
	}
	return out
}

// creation returns the options of a new passkey with a challenge, as JSON. The player's other passkeys are excluded.
func (rp *relyingParty) creation(u user, challenge []byte) ([]byte, error) {
	options, _, err := rp.BeginRegistration(u, webauthn.WithExclusions(webauthn.Credentials(u.WebAuthnCredentials()).CredentialDescriptors()))
	if err != nil {
		return nil, err
	}
	options.Response.Challenge = challenge
	return json.Marshal(options.Response)
}

// create verifies the response of a browser that has made a passkey; check accepts its challenge.
func (rp *relyingParty) create(u user, response []byte, check func(challenge string) error) (p Passkey, err error) {
	parsed, err := protocol.ParseCredentialCreationResponseBytes(response)
	if err != nil {
		return p, refused(err)
	}
	challenge := parsed.Response.CollectedClientData.Challenge
	if err := check(challenge); err != nil {
		return p, err
	}
	_, session, err := rp.BeginRegistration(u)
	if err != nil {
		return p, err
	}
	session.Challenge = challenge
	credential, err := rp.CreateCredential(u, *session, parsed)
	if err != nil {
		return p, refused(err)
	}
	return p, p.set(*credential)
}

// request returns the options of an answer by one of the passkeys, or by any if there are none, as JSON.
func (rp *relyingParty) request(list []Passkey, challenge []byte) ([]byte, error) {
	allowed := webauthn.Credentials(user{passkeys: list}.WebAuthnCredentials()).CredentialDescriptors()
	options, _, err := rp.BeginDiscoverableLogin(webauthn.WithChallenge(challenge), webauthn.WithAllowedCredentials(allowed))
	if err != nil {
		return nil, err
	}
	return json.Marshal(options.Response)
}

// assertion is a browser's answer to a challenge.
type assertion struct {
	id        string // of the passkey
	challenge string
	named     bool // whether it names the user
	parsed    *protocol.ParsedCredentialAssertionData
}

func parseAssertion(response []byte) (a assertion, err error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(response)
	if err != nil {
		return a, refused(err)
	}
	return assertion{
		id:        base64.RawURLEncoding.EncodeToString(parsed.RawID),
		challenge: parsed.Response.CollectedClientData.Challenge,
		named:     len(parsed.Response.UserHandle) > 0,
		parsed:    parsed,
	}, nil
}

// verify verifies an answer whose challenge was accepted, and updates the passkey. It returns ErrRefused, and ErrCopied if the counter
// of signatures did not advance.
func (rp *relyingParty) verify(p *Passkey, a assertion) error {
	u := user{id: p.PlayerID, passkeys: []Passkey{*p}}
	credential, err := rp.ValidateLogin(u, webauthn.SessionData{
		Challenge: a.challenge, UserID: u.WebAuthnID(), UserVerification: protocol.VerificationRequired, Expires: time.Time{},
	}, a.parsed)
	if err != nil {
		return refused(err)
	}
	if credential.Authenticator.CloneWarning {
		return ErrCopied
	}
	return p.set(*credential)
}

// set stores what the library knows of a passkey. The attestation is not kept: none is asked for.
func (p *Passkey) set(c webauthn.Credential) (err error) {
	c.Attestation = webauthn.CredentialAttestation{}
	p.ID = base64.RawURLEncoding.EncodeToString(c.ID)
	p.Synced, p.Signatures = c.Flags.BackupState, c.Authenticator.SignCount
	p.Credential, err = json.Marshal(c)
	return err
}

// refused returns ErrRefused because of an error of the library, whose details are for the log.
func refused(err error) error {
	var detail *protocol.Error
	if errors.As(err, &detail) && detail.DevInfo != "" {
		err = fmt.Errorf("%w: %s", err, detail.DevInfo)
	}
	return ErrRefused.Because(err)
}
