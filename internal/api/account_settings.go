package api

import (
	"context"
	"net/http"
	"time"

	"pantheon/internal/kit/emailcode"
	"pantheon/internal/portal/account"
)

// ForgottenPassword requests a password reset link.
type ForgottenPassword struct {
	Email string `json:"email" doc:"The account's email."`
}

// PasswordReset sets a new password using an emailed link.
type PasswordReset struct {
	Token    string `json:"token" doc:"The token of the mailed link."`
	Password string `json:"password" doc:"The new password, 8 to 100 characters, and not easy to guess."`
}

// ProfileChange changes the player's profile.
type ProfileChange struct {
	DisplayName string `json:"displayName" doc:"The new name, 3 to 20 characters."`
}

// PasswordChange sets a new password using the current one.
type PasswordChange struct {
	Current  string `json:"current" doc:"The present password."`
	Password string `json:"password" doc:"The new password, 8 to 100 characters, and not easy to guess."`
}

// PasswordChanged says how a password was changed.
type PasswordChanged struct {
	Success bool   `json:"success" doc:"Always true."`
	Changed bool   `json:"changed" doc:"Whether the new password is in force and other sessions are ended. False where the game's accounts take a new password only by a mailed link: it is on its way, and nothing else has changed."`
	Message string `json:"message" doc:"What happened, in words for the player."`
}

// EmailAddition requests a code that confirms an address.
type EmailAddition struct {
	Email string `json:"email,omitempty" doc:"The address; when left out, the player's own that is not confirmed yet."`
}

// EmailConfirmation contains the code that confirms an address.
type EmailConfirmation struct {
	Code string `json:"code" doc:"The code of 8 digits from the mail." maxLength:"64"`
}

// PlayerSession is one of a player's open sessions.
type PlayerSession struct {
	ID         string    `json:"id" doc:"The session's id."`
	Browser    string    `json:"browser" doc:"In words, such as Firefox on Linux; empty where it is not known."`
	CreatedAt  time.Time `json:"createdAt" doc:"When the player signed in."`
	LastUsedAt time.Time `json:"lastUsedAt" doc:"When it was last seen, to a few minutes."`
	ExpiresAt  time.Time `json:"expiresAt" doc:"When it ends by itself."`
	Current    bool      `json:"current" doc:"Whether it is the session of this request."`
}

// PlayerSessions are a player's open sessions.
type PlayerSessions struct {
	Items []PlayerSession `json:"items" doc:"The newest first." nullable:"false"`
}

// SessionsEnded says how many sessions were ended.
type SessionsEnded struct {
	Success bool `json:"success" doc:"Always true."`
	Ended   int  `json:"ended" doc:"How many."`
}

type sessionPath struct {
	ID string `path:"id" maxLength:"64" doc:"The session's id."`
}

func (a *API) registerAccountSettings() {
	mails := limiter{perMinute: a.Limits.LoginsPerMinute, key: byAddress}
	public(a, call{
		method: http.MethodPost, path: "/api/auth/forgot-password", id: "forgotPassword", tag: tagAccount,
		summary: "Ask for a mail with a link for a new password; the answer is the same if nobody has the address", errors: []int{400, 503},
		limits: []limiter{mails},
	}, func(ctx context.Context, in *Body[ForgottenPassword]) (*Body[Success], error) {
		err := a.emails.send(ctx, account.EmailKey(in.Body.Email), func() error { return a.Accounts.ForgotPassword(ctx, in.Body.Email) })
		return success("If there is an account with this email, a link is on its way to it."), err
	})
	public(a, call{
		method: http.MethodPost, path: "/api/auth/reset-password", id: "resetPassword", tag: tagAccount,
		summary: "Set a new password by a mailed link; it ends all sessions", errors: []int{400, 503}, limits: []limiter{mails},
	}, func(ctx context.Context, in *Body[PasswordReset]) (*Body[Success], error) {
		return success("Your password is changed. Please sign in with it."), a.Accounts.ResetPassword(ctx, in.Body.Token, in.Body.Password)
	})
	changes := []limiter{{perMinute: a.Limits.LoginsPerMinute, key: byPlayer}}
	player(a, call{
		method: http.MethodPatch, path: "/api/auth/profile", id: "updateProfile", tag: tagAccount, summary: "Change the name that others see",
		errors: []int{400, 409, 503}, limits: changes,
	}, func(ctx context.Context, c account.Caller, in *Body[ProfileChange]) (*Body[Profile], error) {
		if err := a.Accounts.Rename(ctx, c, in.Body.DisplayName); err != nil {
			return nil, err
		}
		return a.profile(ctx, c, nil)
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/password", id: "changePassword", tag: tagAccount,
		summary: "Change the password; it ends the other sessions", errors: []int{400, 409, 503}, limits: changes,
	}, func(ctx context.Context, c account.Caller, in *Body[PasswordChange]) (out *Body[PasswordChanged], err error) {
		change := func() error {
			return a.attempts.guard(ctx, c.PlayerID, func() error {
				changed, err := a.Accounts.ChangePassword(ctx, c, in.Body.Current, in.Body.Password)
				out = body(PasswordChanged{Success: true, Changed: changed, Message: "Your password is changed."})
				if !changed {
					out.Body.Message = "We have mailed you a link. Choose your new password there."
				}
				return err
			})
		}
		if a.Accounts.MailsPasswords() {
			err = a.emails.send(ctx, c.PlayerID, change)
		} else {
			err = change()
		}
		return out, err
	})
	a.registerEmails(changes)
	a.registerDeletion(changes)
	player(a, call{
		method: http.MethodGet, path: "/api/auth/sessions", id: "listSessions", tag: tagAccount, summary: "Where the player is signed in",
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[PlayerSessions], error) {
		sessions, err := a.Accounts.ListSessions(ctx, c)
		out := PlayerSessions{Items: make([]PlayerSession, len(sessions))}
		for i, s := range sessions {
			out.Items[i] = PlayerSession{s.ID, s.Browser, s.CreatedAt, s.UsedAt, s.ExpiresAt, s.ID == c.SessionID}
		}
		return body(out), err
	})
	player(a, call{
		method: http.MethodDelete, path: "/api/auth/sessions/{id}", id: "endSession", tag: tagAccount,
		summary: "End one of the player's sessions", errors: []int{404},
	}, func(ctx context.Context, c account.Caller, in *sessionPath) (*Body[Success], error) {
		return success(""), a.Accounts.EndSession(ctx, c, in.ID)
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/sessions/end-others", id: "endOtherSessions", tag: tagAccount,
		summary: "End the player's other sessions",
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[SessionsEnded], error) {
		n, err := a.Accounts.EndOtherSessions(ctx, c)
		return body(SessionsEnded{Success: true, Ended: n}), err
	})
}

func (a *API) registerEmails(limits []limiter) {
	player(a, call{
		method: http.MethodPost, path: "/api/auth/email/add", id: "addEmail", tag: tagAccount,
		summary: "Ask for a mail with a code that confirms an address, another one once the player has approved it (approval-needed); " +
			"the answer is the same if somebody else has the address",
		errors: []int{400, 403, 409, 503}, limits: limits,
	}, func(ctx context.Context, c account.Caller, in *Body[EmailAddition]) (*Body[Success], error) {
		send := func() error {
			return a.emails.send(ctx, c.PlayerID, func() error { return a.Accounts.AddEmail(ctx, c, in.Body.Email) })
		}
		ask := send
		if key := account.EmailKey(in.Body.Email); key != "" { // also limited per recipient
			ask = func() error { return a.emails.send(ctx, key, send) }
		}
		return success("A mail is on its way to this address. Its code is good for " + emailcode.Lifetime() + "."), ask()
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/email/confirm", id: "confirmEmail", tag: tagAccount,
		summary: "Confirm an address by the mailed code", errors: []int{400, 409, 503}, limits: limits,
	}, func(ctx context.Context, c account.Caller, in *Body[EmailConfirmation]) (*Body[Success], error) {
		err := a.attempts.guard(ctx, c.PlayerID, func() error { return a.Accounts.ConfirmEmail(ctx, c, in.Body.Code) })
		return success("Your email is confirmed."), err
	})
}
