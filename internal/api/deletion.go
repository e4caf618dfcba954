package api

import (
	"context"
	"net/http"
	"time"

	"pantheon/internal/kit/emailcode"
	"pantheon/internal/portal/account"
)

// AccountDeletion confirms an account's deletion with the password or an emailed code. A player without an email
// sends neither, within approval.FreshSignIn of signing in.
type AccountDeletion struct {
	Password string `json:"password,omitempty" doc:"The password."`
	Code     string `json:"code,omitempty" doc:"The code of 8 digits from the mail."`
	GiveUp   string `json:"giveUp,omitempty" doc:"What the player typed to give up what is in the account: I give all this up. Then the account is deleted after seven days." maxLength:"100"`
}

// AccountDeleted says when the account is deleted.
type AccountDeleted struct {
	Success   bool       `json:"success" doc:"Always true."`
	Message   string     `json:"message" doc:"What happened, in words for the player."`
	DeletesAt *time.Time `json:"deletesAt,omitempty" doc:"When the account is deleted; absent where it is deleted now."`
}

// AccountBelonging is one line of what is in an account.
type AccountBelonging struct {
	Kind     account.BelongingKind `json:"kind" doc:"What it is." enum:"money,items,listings,withdrawals,orders,shop-orders,rewards"`
	Amount   string                `json:"amount" doc:"How much or how many, decimal."`
	Currency string                `json:"currency,omitempty" doc:"Of money: its symbol."`
}

// AccountBelongings is what is in an account.
type AccountBelongings struct {
	Items     []AccountBelonging `json:"items" doc:"What prevents that the account is deleted at once; none for an empty one." nullable:"false"`
	DeletesAt *time.Time         `json:"deletesAt,omitempty" doc:"When the account is deleted, where that was requested."`
}

// AccountKept is the request of keepAccountByLink.
type AccountKept struct {
	Token string `json:"token" doc:"The token of the emailed link." maxLength:"200"`
}

// orNil returns nil for the zero time.
func orNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

func (a *API) registerDeletion(limits []limiter) {
	player(a, call{
		method: http.MethodPost, path: "/api/auth/delete-account/code", id: "sendDeletionCode", tag: tagAccount,
		summary: "Ask for a mail with a code for deleting the account", errors: []int{409, 503}, limits: limits,
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[Success], error) {
		err := a.emails.send(ctx, c.PlayerID, func() error { return a.Accounts.SendDeletionCode(ctx, c) })
		return success("A code is on its way to your email. It is good for " + emailcode.Lifetime() + "."), err
	})
	player(a, call{
		method: http.MethodGet, path: "/api/auth/delete-account", id: "getDeletion", tag: tagAccount,
		summary: "What prevents that the account is deleted at once", errors: []int{503}, limits: limits,
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[AccountBelongings], error) {
		list, err := a.Accounts.Belongings(ctx, c.PlayerID)
		if err != nil {
			return nil, err
		}
		due, err := a.Accounts.DeletionDue(ctx, c.PlayerID)
		out := AccountBelongings{Items: make([]AccountBelonging, len(list)), DeletesAt: orNil(due)}
		for i, b := range list {
			out.Items[i] = AccountBelonging(b)
		}
		return body(out), err
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/delete-account", id: "deleteAccount", tag: tagAccount,
		summary: "Delete the account for good: an empty one at once, else after seven days", errors: []int{400, 403, 409, 503}, limits: limits,
	}, func(ctx context.Context, c account.Caller, in *Body[AccountDeletion]) (*Body[AccountDeleted], error) {
		out := AccountDeleted{Success: true, Message: "Your account is deleted. Farewell."}
		err := a.attempts.guard(ctx, c.PlayerID, func() error {
			due, err := a.Accounts.Delete(ctx, c, account.DeletionProof(in.Body))
			if out.DeletesAt = orNil(due); out.DeletesAt != nil {
				out.Message = "Your account will be deleted on " + due.UTC().Format("2 January 2006, 15:04 UTC") + ". Until then you can keep it."
			}
			return err
		})
		return body(out), err
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/delete-account/cancel", id: "keepAccount", tag: tagAccount,
		summary: "Keep the account that is about to be deleted", errors: []int{404}, limits: limits,
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[Success], error) {
		return success("You keep your account."), a.Accounts.Keep(ctx, c)
	})
	public(a, call{
		method: http.MethodPost, path: "/api/account/keep", id: "keepAccountByLink", tag: tagAccount,
		summary: "Keep an account that is about to be deleted, by the emailed link", errors: []int{404},
		limits: []limiter{{perMinute: a.Limits.LoginsPerMinute, key: byAddress}},
	}, func(ctx context.Context, in *Body[AccountKept]) (*Body[Success], error) {
		return success("You keep your account."), a.Accounts.KeepByToken(ctx, in.Body.Token)
	})
}
