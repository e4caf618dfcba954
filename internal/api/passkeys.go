package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/passkey"
)

// Passkeys are the player's passkeys.
type Passkeys struct {
	Items []Passkey `json:"items" doc:"The passkeys, the oldest first." nullable:"false"`
}

// Passkey is one of the player's passkeys.
type Passkey struct {
	ID        string     `json:"id" doc:"The id of the credential, base64url."`
	Name      string     `json:"name" doc:"The name that the player gave it."`
	CreatedAt time.Time  `json:"createdAt" doc:"When it was added."`
	UsedAt    *time.Time `json:"usedAt,omitempty" doc:"When it was last used; absent until it is."`
	// ApprovesFrom is in the past for most.
	ApprovesFrom time.Time `json:"approvesFrom" doc:"From when it confirms: a new one signs in only."`
	Synced       bool      `json:"synced" doc:"Whether the vendor of the device keeps a copy, so that it outlives the device."`
}

// PasskeyOptions are the options of a call of the browser.
type PasskeyOptions struct {
	Options any `json:"options" doc:"What PublicKeyCredential.parseCreationOptionsFromJSON or parseRequestOptionsFromJSON takes (WebAuthn Level 3). The challenge is good for five minutes, once."`
}

// PasskeyCommitment says whose passkey is to be added.
type PasskeyCommitment struct {
	Commitment string `json:"commitment" doc:"SHA-256 of a random secret that the page keeps until addPasskey, base64url without padding. The approval is good for it alone." minLength:"43" maxLength:"43"`
}

// NewPasskey is what the browser has made.
type NewPasskey struct {
	Secret   string `json:"secret" doc:"The secret to which beginPasskey was given the commitment." minLength:"20" maxLength:"200"`
	Name     string `json:"name,omitempty" doc:"What the player calls it, at most 40 characters." maxLength:"400"`
	Response any    `json:"response" doc:"PublicKeyCredential.toJSON() of what navigator.credentials.create has returned."`
}

// PasskeyName is a passkey's new name.
type PasskeyName struct {
	Name string `json:"name" doc:"What the player calls it, at most 40 characters." maxLength:"400"`
}

// PasskeyAnswer is the answer of a passkey to a challenge.
type PasskeyAnswer struct {
	Response any `json:"response" doc:"PublicKeyCredential.toJSON() of what navigator.credentials.get has returned."`
}

// PasskeyPath names a passkey.
type PasskeyPath struct {
	ID string `path:"id" doc:"The passkey's id." maxLength:"1400"`
}

type renamePasskey struct {
	PasskeyPath
	Body PasskeyName
}

func (a *API) passkey(p passkey.Passkey) Passkey {
	out := Passkey{
		ID: p.ID, Name: p.Name, CreatedAt: p.CreatedAt.UTC(), ApprovesFrom: a.Passkeys.ApprovesFrom(p).UTC(), Synced: p.Synced,
	}
	if !p.UsedAt.IsZero() {
		at := p.UsedAt.UTC()
		out.UsedAt = &at
	}
	return out
}

// browserResponse returns what a browser's passkey has answered, as JSON; nil for none, fault.Invalid with the field if it is too long.
func browserResponse(location string, response any) ([]byte, error) {
	if response == nil {
		return nil, nil
	}
	b, err := json.Marshal(response)
	if err != nil || len(b) > passkey.MaxResponse {
		return nil, fault.InvalidFields("This is not a passkey's answer.", fault.Field{Location: location, Message: "It is too long."})
	}
	return b, nil
}

func passkeyOptions(options []byte, err error) (*Body[PasskeyOptions], error) {
	return body(PasskeyOptions{rawJSON(options)}), err
}

// rawJSON returns JSON as a value that is encoded as it is.
func rawJSON(text []byte) any { return json.RawMessage(text) }

func (a *API) registerPasskeys() {
	byOne := []limiter{{perMinute: a.Limits.LoginsPerMinute, key: byPlayer}}
	public(a, call{
		method: http.MethodGet, path: "/api/auth/login/passkey", id: "beginPasskeyLogin", tag: tagAccount,
		summary: "What to ask a browser for, to sign in by a passkey", errors: []int{409},
	}, func(context.Context, *Empty) (*Body[PasskeyOptions], error) {
		return passkeyOptions(a.Passkeys.BeginSignIn())
	})
	public(a, call{
		method: http.MethodPost, path: "/api/auth/login/passkey", id: "passkeyLogin", tag: tagAccount,
		summary: "Sign in by a passkey", errors: []int{400, 403, 409, 503},
		limits: []limiter{{perMinute: a.Limits.LoginsPerMinute, key: byAddress}},
	}, a.passkeyLogin)
	player(a, call{
		method: http.MethodGet, path: "/api/auth/passkeys", id: "listPasskeys", tag: tagAccount, summary: "The player's passkeys",
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[Passkeys], error) {
		list, err := a.Passkeys.List(ctx, c.PlayerID)
		out := Passkeys{Items: make([]Passkey, len(list))}
		for i, p := range list {
			out.Items[i] = a.passkey(p)
		}
		return body(out), err
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/passkeys/options", id: "beginPasskey", tag: tagAccount,
		summary: "What to make a passkey with, once the player has approved it", errors: []int{400, 403, 409, 503}, limits: byOne,
	}, func(ctx context.Context, c account.Caller, in *Body[PasskeyCommitment]) (*Body[PasskeyOptions], error) {
		return passkeyOptions(a.Passkeys.BeginAdd(ctx, passkey.Caller(c), in.Body.Commitment))
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/passkeys", id: "addPasskey", tag: tagAccount, status: http.StatusCreated,
		summary: "Add the passkey that the browser has made", errors: []int{400, 403, 409, 503}, limits: byOne,
	}, func(ctx context.Context, c account.Caller, in *Body[NewPasskey]) (*Body[Passkey], error) {
		response, err := browserResponse("body.response", in.Body.Response)
		if err != nil {
			return nil, err
		}
		p, err := a.Passkeys.FinishAdd(ctx, passkey.Caller(c), in.Body.Secret, in.Body.Name, response)
		return body(a.passkey(p)), err
	})
	player(a, call{
		method: http.MethodPatch, path: "/api/auth/passkeys/{id}", id: "renamePasskey", tag: tagAccount,
		summary: "Give a passkey another name", errors: []int{400, 404, 503}, limits: byOne,
	}, func(ctx context.Context, c account.Caller, in *renamePasskey) (*Body[Success], error) {
		return success("The passkey has its new name."), a.Passkeys.Rename(ctx, passkey.Caller(c), in.ID, in.Body.Name)
	})
	player(a, call{
		method: http.MethodDelete, path: "/api/auth/passkeys/{id}", id: "removePasskey", tag: tagAccount,
		summary: "Remove a passkey, once the player has approved it", errors: []int{403, 404, 409, 503}, limits: byOne,
	}, func(ctx context.Context, c account.Caller, in *PasskeyPath) (*Body[Success], error) {
		return success("The passkey is removed."), a.Passkeys.Remove(ctx, passkey.Caller(c), in.ID)
	})
	player(a, call{
		method: http.MethodGet, path: "/api/auth/passkeys/challenge", id: "beginPasskeyApproval", tag: tagAccount,
		summary: "What to ask a browser for, to approve something by a passkey in this session", errors: []int{409},
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[PasskeyOptions], error) {
		return passkeyOptions(a.Passkeys.BeginApproval(ctx, passkey.Caller(c)))
	})
}

func (a *API) passkeyLogin(ctx context.Context, in *Body[PasskeyAnswer]) (*SignedIn, error) {
	response, err := browserResponse("body.response", in.Body.Response)
	if err != nil {
		return nil, err
	}
	p, at, err := a.Passkeys.SignIn(ctx, response)
	if err != nil {
		return nil, err
	}
	c, err := a.Accounts.SignInAs(ctx, p.PlayerID, at)
	switch {
	case fault.Is(err, fault.Unauthorized): // all sessions were ended meanwhile
		err = passkey.ErrRefused.Because(err)
	case fault.Is(err, fault.NotFound):
		err = passkey.ErrUnknown.Because(err)
	}
	return a.credentials(ctx, c), err
}
