package api

import (
	"context"
	"net/http"
)

// NoticeLink names a notice.
type NoticeLink struct {
	Token string `json:"token" doc:"The token of the emailed link." maxLength:"200"`
}

// NotMe says what "This was not me" did.
type NotMe struct {
	Success       bool   `json:"success" doc:"Always true."`
	ByOperator    bool   `json:"byOperator" doc:"Whether only the operator lifts the freeze, and a new password does not."`
	EmailRestored bool   `json:"emailRestored" doc:"Whether the address to which the link was mailed is the account's again."`
	Message       string `json:"message" doc:"What happened and what comes next, in words for the player."`
}

func (a *API) registerNotices() {
	public(a, call{
		method: http.MethodPost, path: "/api/auth/not-me", id: "notMe", tag: tagAccount,
		summary: "Freeze an account by the link of a notice: sessions, withdrawals and approvals end", errors: []int{404, 503},
		limits: []limiter{{perMinute: a.Limits.LoginsPerMinute, key: byAddress}},
	}, func(ctx context.Context, in *Body[NoticeLink]) (*Body[NotMe], error) {
		done, err := a.Accounts.NotMe(ctx, in.Body.Token)
		out := NotMe{
			Success: true, ByOperator: !done.BySelf() || done.BySupport, EmailRestored: done.Restored,
			Message: "The account is frozen, and everybody is signed out. To use it again, choose a new password.",
		}
		switch {
		case !done.BySelf():
			out.Message = "Everybody is signed out. We have frozen the account before: please write to our support."
		case done.BySupport:
			out.Message = "The account is frozen, and everybody is signed out. To use it again, choose a new password, then write to our support."
		}
		return body(out), err
	})
}
