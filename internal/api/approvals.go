package api

import (
	"context"
	"net/http"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/humanize"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/approval"
)

// Approval is an act that waits for the player's confirmation.
type Approval struct {
	ApprovalID string        `json:"approvalId" doc:"Its id."`
	Kind       approval.Kind `json:"kind" doc:"What is approved." enum:"trade,withdrawal,wallet-connect,wallet-disconnect,email-change,deletion,passkey-add,passkey-remove"`
	Way        approval.Way  `json:"way" doc:"How the player confirms it: passkey (over a challenge of beginPasskeyApproval), code (emailed), password, signature (of the verified wallet, over a message of challengeWallet), or sign-in (confirmed already)." enum:"passkey,code,password,signature,sign-in"`
	SentTo     string        `json:"sentTo,omitempty" doc:"Where the code was emailed, shortened: z•••@olympus.example."`
	ExpiresAt  time.Time     `json:"expiresAt" doc:"When it expires."`
}

func approvalOf(a approval.Approval) Approval {
	return Approval{a.ID, a.Kind, a.Way, a.SentTo, a.ExpiresAt.UTC()}
}

// ApprovalConfirmation is the player's proof; only the one of the approval's way is read.
type ApprovalConfirmation struct {
	Passkey   any    `json:"passkey,omitempty" doc:"PublicKeyCredential.toJSON() of what navigator.credentials.get has returned."`
	Code      string `json:"code,omitempty" doc:"The emailed code of 8 digits." maxLength:"40"`
	Password  string `json:"password,omitempty" doc:"The player's password." maxLength:"400"`
	Message   string `json:"message,omitempty" doc:"The message of challengeWallet." maxLength:"2048"`
	Signature string `json:"signature,omitempty" doc:"The wallet's signature of it, hex."`
}

// ApprovalPath names an approval.
type ApprovalPath struct {
	ID string `path:"id" doc:"The approval's id." maxLength:"64"`
}

type confirmApproval struct {
	ApprovalPath
	Body ApprovalConfirmation
}

func (a *API) registerApprovals() {
	limits := []limiter{{perMinute: a.Limits.LoginsPerMinute, key: byPlayer}}
	player(a, call{
		method: http.MethodPost, path: "/api/auth/approvals/{id}/confirm", id: "confirmApproval", tag: tagAccount,
		summary: "Approve an act of this session; it is good once, for " + humanize.InWords(approval.UseTTL),
		errors:  []int{400, 403, 404, 409, 503}, limits: limits,
	}, func(ctx context.Context, c account.Caller, in *confirmApproval) (*Body[Success], error) {
		proof, err := in.Body.confirmation()
		if err == nil {
			err = a.attempts.guard(ctx, c.PlayerID, func() error { return a.Approvals.Confirm(ctx, approval.Caller(c), in.ID, proof) })
		}
		return success("Thank you. You have approved it."), err
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/approvals/{id}/code", id: "sendApprovalCode", tag: tagAccount,
		summary: "Mail the code of an approval once more, or instead of the passkey; the answer may be another approval",
		errors:  []int{404, 409, 503}, limits: limits,
	}, func(ctx context.Context, c account.Caller, in *ApprovalPath) (*Body[Approval], error) {
		sent, err := a.Approvals.SendCode(ctx, approval.Caller(c), in.ID)
		return body(approvalOf(sent)), err
	})
}

// confirmation returns fault.Invalid, with the field, for a malformed signature or answer of a passkey.
func (c ApprovalConfirmation) confirmation() (out approval.Confirmation, err error) {
	out = approval.Confirmation{Code: c.Code, Password: c.Password, Message: c.Message}
	if out.Passkey, err = browserResponse("body.passkey", c.Passkey); err != nil || c.Signature == "" {
		return out, err
	}
	var signature eth.Bytes
	if err := signature.UnmarshalText([]byte(c.Signature)); err != nil {
		return out, fault.InvalidFields("This is not a signature.", fault.Field{Location: "body.signature", Message: err.Error()})
	}
	out.Signature = signature
	return out, nil
}
