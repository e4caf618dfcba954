package main

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"pantheon/internal/app"
	"pantheon/internal/portal/operator"
)

type operatorCommands struct {
	Add    operatorAddCommand    `cmd:"" help:"Invite somebody to the console by a link that is good once."`
	List   operatorListCommand   `cmd:"" help:"Print the operators."`
	Invite operatorInviteCommand `cmd:"" help:"Invite an operator again, who has lost the passkeys: these and all sessions end."`
	Role   operatorRoleCommand   `cmd:"" help:"Change an operator's role."`
	Remove operatorRemoveCommand `cmd:"" help:"Remove an operator, whose sessions end at once."`
	Rights operatorRightsCommand `cmd:"" help:"Print what each role may do."`
	Log    operatorLogCommand    `cmd:"" help:"Print what operators changed, who and why, the newest first."`
}

type operatorAddCommand struct {
	Name string `arg:"" help:"The operator's name, by which the log has what they do."`
	Role string `required:"" enum:"support,economy,security,owner" help:"What they may do: support, economy, security or owner."`
	act
	printing
}

// Run invites somebody.
func (cmd operatorAddCommand) Run(ctx context.Context, con *console) error {
	return con.team(ctx, true, func(t *operator.Team) error {
		i, err := t.Add(ctx, cmd.Name, operator.Role(cmd.Role), cmd.by(con))
		if err != nil {
			return err
		}
		return cmd.printInvitation(con, i)
	})
}

// team runs a task on the operators.
func (c *console) team(ctx context.Context, change bool, do func(*operator.Team) error) error {
	settings, err := c.load()
	if err != nil {
		return err
	}
	return app.ManageTeam(ctx, settings, change, do)
}

// printInvitation prints an invitation, whose link is nowhere else.
func (p printing) printInvitation(con *console, i operator.Invitation) error {
	return p.print(con, i, func(out io.Writer) {
		printf(out, "%s opens this link once, until %s UTC, to make a passkey:\n\n  %s\n", i.Operator.Name, moment(i.ExpiresAt), i.URL)
	})
}

type operatorListCommand struct{ printing }

// Run prints the operators.
func (cmd operatorListCommand) Run(ctx context.Context, con *console) error {
	return con.team(ctx, false, func(t *operator.Team) error {
		list, err := t.List(ctx)
		if err != nil {
			return err
		}
		return cmd.print(con, list, func(out io.Writer) {
			table(out, func(line func(string, ...any)) {
				line("name\trole\tpasskeys\tsigned in\tinvited until (UTC)")
				for _, o := range list {
					line("%s\t%s\t%d\t%s\t%s", o.Name, o.Role, o.Passkeys, momentOrDash(o.SeenAt), momentOrDash(o.InvitedUntil))
				}
			})
		})
	})
}

func momentOrDash(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return moment(t)
}

// operatorArgument is the argument of commands about one operator.
type operatorArgument struct {
	Operator string `arg:"" help:"The operator's name."`
}

// onOperator runs a task on the operator that a command names.
func (c *console) onOperator(ctx context.Context, name string, do func(*operator.Team, string) error) error {
	return c.team(ctx, true, func(t *operator.Team) error {
		o, err := t.Find(ctx, name)
		if err != nil {
			return err
		}
		return do(t, o.ID)
	})
}

type operatorInviteCommand struct {
	operatorArgument
	act
	printing
}

// Run invites an operator again.
func (cmd operatorInviteCommand) Run(ctx context.Context, con *console) error {
	return con.onOperator(ctx, cmd.Operator, func(t *operator.Team, id string) error {
		i, err := t.Invite(ctx, id, cmd.by(con))
		if err != nil {
			return err
		}
		return cmd.printInvitation(con, i)
	})
}

type operatorRoleCommand struct {
	operatorArgument
	Role string `arg:"" enum:"support,economy,security,owner" help:"support, economy, security or owner."`
	act
	printing
}

// Run changes a role.
func (cmd operatorRoleCommand) Run(ctx context.Context, con *console) error {
	return con.onOperator(ctx, cmd.Operator, func(t *operator.Team, id string) error {
		o, err := t.SetRole(ctx, id, operator.Role(cmd.Role), cmd.by(con))
		if err != nil {
			return err
		}
		return cmd.print(con, o, func(out io.Writer) { printf(out, "%s has the role %s.\n", o.Name, o.Role) })
	})
}

type operatorRemoveCommand struct {
	operatorArgument
	act
	printing
}

// Run removes an operator.
func (cmd operatorRemoveCommand) Run(ctx context.Context, con *console) error {
	return con.onOperator(ctx, cmd.Operator, func(t *operator.Team, id string) error {
		o, err := t.Remove(ctx, id, cmd.by(con))
		if err != nil {
			return err
		}
		return cmd.print(con, o, func(out io.Writer) { printf(out, "%s is no operator any more.\n", o.Name) })
	})
}

type operatorRightsCommand struct{ printing }

// Run prints the table of rights.
func (cmd operatorRightsCommand) Run(_ context.Context, con *console) error {
	rights := map[string][]operator.Role{}
	for _, command := range operator.Commands() {
		rights[command] = slices.DeleteFunc(operator.Roles(), func(r operator.Role) bool { return !r.May(command) })
	}
	return cmd.print(con, rights, func(out io.Writer) {
		table(out, func(line func(string, ...any)) {
			line("command\troles")
			for _, command := range operator.Commands() {
				var names []string
				for _, r := range rights[command] {
					names = append(names, string(r))
				}
				line("%s\t%s", command, strings.Join(names, ", "))
			}
		})
	})
}

type operatorLogCommand struct {
	limit
	printing
}

// Run prints the operators' log.
func (cmd operatorLogCommand) Run(ctx context.Context, con *console) error {
	return con.lookup(ctx, func(s *operator.Service) error {
		entries, err := s.Log(ctx, cmd.Limit)
		if err != nil {
			return err
		}
		return cmd.print(con, entries, func(out io.Writer) {
			table(out, func(line func(string, ...any)) {
				line("time (UTC)\twho\tcommand\tsubject\tdetail\treason")
				for _, e := range entries {
					line("%s\t%s\t%s\t%s\t%s\t%s", moment(e.At), e.Who, e.Command, oneLine(e.Subject), oneLine(e.Detail), oneLine(e.Reason))
				}
			})
		})
	})
}
