package api

import (
	"context"
	"net/http"
	"time"

	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/passkey"
	"pantheon/internal/portal/securitylog"
)

// Reason is why an operator does something.
type Reason struct {
	Reason string `json:"reason" doc:"Why, in one line of 1 to 200 characters. The log has it." maxLength:"1000"`
}

// OperatorPasskeys are the operator's own passkeys.
type OperatorPasskeys struct {
	Items []OperatorPasskey `json:"items" doc:"The passkeys, the oldest first." nullable:"false"`
}

// OperatorPasskey is one of them.
type OperatorPasskey struct {
	ID        string     `json:"id" doc:"The id of the credential, base64url."`
	Name      string     `json:"name" doc:"What the operator calls it."`
	CreatedAt time.Time  `json:"createdAt" doc:"When it was added."`
	UsedAt    *time.Time `json:"usedAt,omitempty" doc:"When it was last used; absent until it is."`
	Synced    bool       `json:"synced" doc:"Whether the vendor of the device keeps a copy."`
}

// NewOperatorPasskey is what the browser has made.
type NewOperatorPasskey struct {
	Name     string `json:"name,omitempty" doc:"What the operator calls it, at most 40 characters." maxLength:"400"`
	Response any    `json:"response" doc:"PublicKeyCredential.toJSON() of what navigator.credentials.create has returned."`
}

// Operators are those who operate the portal.
type Operators struct {
	Items []operator.Operator `json:"items" doc:"The operators, by name." nullable:"false"`
}

// NewOperator is somebody to invite.
type NewOperator struct {
	Reason
	OperatorAnswer
	Name string        `json:"name" doc:"1 to 40 characters; never given to another." maxLength:"200"`
	Role operator.Role `json:"role" doc:"support, economy, security or owner."`
}

// OperatorPath names an operator.
type OperatorPath struct {
	ID string `path:"id" doc:"The operator's id." maxLength:"100"`
}

type removeOperatorPasskey struct {
	PasskeyPath
	Body OperatorAnswer
}

type actOnOperator struct {
	OperatorPath
	Body Reason
}

type inviteOperator struct {
	OperatorPath
	Body struct {
		Reason
		OperatorAnswer
	}
}

type changeRole struct {
	OperatorPath
	Body struct {
		Reason
		OperatorAnswer
		Role operator.Role `json:"role" doc:"support, economy, security or owner."`
	}
}

// ConsoleLog is a page of the security log.
type ConsoleLog struct {
	Items      []securitylog.Entry `json:"items" doc:"The entries, the newest first." nullable:"false"`
	NextCursor string              `json:"nextCursor,omitempty" doc:"Ask for the next page with it; absent on the last."`
}

type logQuery struct {
	Player string `query:"player" doc:"Only what concerns a player, by the id." maxLength:"100"`
	Event  string `query:"event" doc:"Only one event, such as session.opened, or a command, such as player freeze." maxLength:"100"`
	Kind   string `query:"kind" doc:"Only what was done by: player, visitor, operator or portal; not together with player or event." maxLength:"20"`
	Cursor string `query:"cursor" doc:"nextCursor of the page before." maxLength:"200"`
	Limit  int    `query:"limit" doc:"How many." minimum:"1" maximum:"200" default:"50"`
}

func operatorPasskey(p passkey.Passkey) OperatorPasskey {
	out := OperatorPasskey{ID: p.ID, Name: p.Name, CreatedAt: p.CreatedAt.UTC(), Synced: p.Synced}
	if !p.UsedAt.IsZero() {
		at := p.UsedAt.UTC()
		out.UsedAt = &at
	}
	return out
}

func passkeyCaller(s operator.Session) passkey.Caller {
	return passkey.Caller{PlayerID: s.Operator.ID, SessionID: s.ID}
}

func (c *console) registerTeam() {
	ownCall(c, call{
		method: http.MethodGet, path: ConsolePath + "passkeys", id: "consoleListPasskeys", tag: tagSession,
		summary: "The operator's own passkeys",
	}, func(ctx context.Context, s operator.Session, _ *Empty) (*Body[OperatorPasskeys], error) {
		list, err := c.Passkeys.List(ctx, s.Operator.ID)
		out := OperatorPasskeys{Items: make([]OperatorPasskey, len(list))}
		for i, p := range list {
			out.Items[i] = operatorPasskey(p)
		}
		return body(out), err
	})
	ownAct(c, call{
		method: http.MethodPost, path: ConsolePath + "passkeys/options", id: "consoleBeginPasskey", tag: tagSession,
		summary: "What to make a passkey with, for an answer of a passkey to the challenge of consoleBeginConfirm",
	}, func(ctx context.Context, s operator.Session, in *Body[OperatorAnswer]) (*Body[PasskeyOptions], error) {
		if err := c.answered(ctx, s, in.Body); err != nil {
			return nil, err
		}
		return passkeyOptions(c.Passkeys.BeginAdd(ctx, passkeyCaller(s), passkey.Commitment("")))
	})
	ownAct(c, call{
		method: http.MethodPost, path: ConsolePath + "passkeys", id: "consoleAddPasskey", tag: tagSession, status: http.StatusCreated,
		summary: "Add the passkey that the browser has made",
	}, func(ctx context.Context, s operator.Session, in *Body[NewOperatorPasskey]) (*Body[OperatorPasskey], error) {
		response, err := browserResponse("body.response", in.Body.Response)
		if err != nil {
			return nil, err
		}
		p, err := c.Passkeys.FinishAdd(ctx, passkeyCaller(s), "", in.Body.Name, response)
		return body(operatorPasskey(p)), err
	})
	ownAct(c, call{
		method: http.MethodPost, path: ConsolePath + "passkeys/{id}/remove", id: "consoleRemovePasskey", tag: tagSession,
		summary: "Remove a passkey, unless it is the only one, for an answer to the challenge of consoleBeginConfirm. All sessions end",
	}, func(ctx context.Context, s operator.Session, in *removeOperatorPasskey) (*Body[Success], error) {
		if err := c.answered(ctx, s, in.Body); err != nil {
			return nil, err
		}
		return success("The passkey is removed."), c.Passkeys.Remove(ctx, passkeyCaller(s), in.ID)
	})
	view(c, "operator list", call{
		method: http.MethodGet, path: ConsolePath + "operators", id: "consoleListOperators", tag: tagTeam,
		summary: "Who operates the portal",
	}, func(ctx context.Context, _ operator.Session, _ *Empty) (*Body[Operators], error) {
		list, err := c.Team.List(ctx)
		return body(Operators{list}), err
	})
	// What gives access needs an answer of a passkey in the call.
	act(c, "operator add", call{
		method: http.MethodPost, path: ConsolePath + "operators", id: "consoleAddOperator", tag: tagTeam, status: http.StatusCreated,
		summary: "Invite somebody by a link that is good once",
	}, func(ctx context.Context, s operator.Session, in *Body[NewOperator]) (*Body[operator.Invitation], error) {
		if err := c.answered(ctx, s, in.Body.OperatorAnswer); err != nil {
			return nil, err
		}
		i, err := c.Team.Add(ctx, in.Body.Name, in.Body.Role, by(ctx, in.Body.Reason.Reason))
		return body(i), err
	})
	act(c, "operator invite", call{
		method: http.MethodPost, path: ConsolePath + "operators/{id}/invitation", id: "consoleInviteOperator", tag: tagTeam,
		summary: "Invite an operator again, who has lost the passkeys: these and all sessions end",
	}, func(ctx context.Context, s operator.Session, in *inviteOperator) (*Body[operator.Invitation], error) {
		if err := c.answered(ctx, s, in.Body.OperatorAnswer); err != nil {
			return nil, err
		}
		i, err := c.Team.Invite(ctx, in.ID, by(ctx, in.Body.Reason.Reason))
		return body(i), err
	})
	act(c, "operator role", call{
		method: http.MethodPatch, path: ConsolePath + "operators/{id}", id: "consoleSetOperatorRole", tag: tagTeam,
		summary: "Change an operator's role",
	}, func(ctx context.Context, s operator.Session, in *changeRole) (*Body[operator.Operator], error) {
		if err := c.answered(ctx, s, in.Body.OperatorAnswer); err != nil {
			return nil, err
		}
		o, err := c.Team.SetRole(ctx, in.ID, in.Body.Role, by(ctx, in.Body.Reason.Reason))
		return body(o), err
	})
	act(c, "operator remove", call{
		method: http.MethodPost, path: ConsolePath + "operators/{id}/remove", id: "consoleRemoveOperator", tag: tagTeam,
		summary: "Remove an operator, whose sessions end at once",
	}, func(ctx context.Context, _ operator.Session, in *actOnOperator) (*Body[Success], error) {
		o, err := c.Team.Remove(ctx, in.ID, by(ctx, in.Body.Reason))
		return success(o.Name + " is no operator any more."), err
	})
	view(c, "audit list", call{
		method: http.MethodGet, path: ConsolePath + "log", id: "consoleGetLog", tag: tagPortal,
		summary: "The security log", errors: []int{400},
	}, func(ctx context.Context, _ operator.Session, in *logQuery) (*Body[ConsoleLog], error) {
		f := securitylog.Filter{Subject: in.Player, Event: securitylog.Event(in.Event), Kind: securitylog.Kind(in.Kind)}
		entries, next, err := securitylog.Page(ctx, c.SecurityLog, f, in.Cursor, in.Limit)
		return body(ConsoleLog{entries, next}), err
	})
}

// answered checks that a passkey of the operator has answered for this very call. A confirmation of a few minutes ago will not do: whoever
// copied the session could add a passkey of their own.
func (c *console) answered(ctx context.Context, s operator.Session, a OperatorAnswer) error {
	response, err := browserResponse("body.response", a.Response)
	if err != nil {
		return err
	}
	return c.Team.Answered(ctx, s, response)
}

// ownAct registers a call that changes something of the operator's own.
func ownAct[I, O any](c *console, k call, handle func(context.Context, operator.Session, *I) (*O, error)) {
	k.limits = []limiter{{perMinute: c.Limits.LoginsPerMinute, key: byPlayer}}
	k.errors = append(k.errors, http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusConflict)
	register(c.API, c.operation(k, consoleScheme, c.crossOrigin, c.identifyOperator), bySession(handle))
}
