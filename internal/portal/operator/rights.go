package operator

import (
	"maps"
	"slices"

	"pantheon/internal/kit/fault"
)

// Role says what an operator may do.
type Role string

// The roles. An Owner may do everything.
const (
	Support  Role = "support"  // helps players
	Economy  Role = "economy"  // gives what players are owed, and keeps the budgets
	Security Role = "security" // stops accounts, and reads the security log
	Owner    Role = "owner"
)

// Roles returns the roles, the one with the most rights last.
func Roles() []Role { return []Role{Support, Economy, Security, Owner} }

// rights returns the roles besides Owner that may look something up, or do something, by command.
func rights() map[string][]Role {
	return map[string][]Role{
		"player show":             {Support, Economy, Security},
		"player search":           {Support, Economy, Security},
		"player freeze":           {Support, Security},
		"player unfreeze":         {Security},
		"player score":            {Economy},
		"player whitelist add":    {Economy},
		"player whitelist remove": {Economy},
		"player sign-in-link":     {},
		"order show":              {Support, Economy, Security},
		"reward list":             {Support, Economy, Security},
		"reward redo":             {Support, Economy},
		"reward assign":           {Economy},
		"shop list":               {Support, Economy},
		"shop assign":             {Economy},
		"shop release":            {Economy},
		"shop forgive":            {Economy},
		"gas show":                {Support, Economy, Security},
		"gas raise":               {Economy},
		"token refresh":           {Support, Economy},
		"support list":            {Support},
		"address delete":          {Support},
		"audit list":              {Security},
		"odds announce":           {},
		"index rebuild":           {},
		"key init":                {},
		"key rotate":              {},
		"wallet restore":          {},
		"wallet copy":             {},
		"move freeze":             {},
		"move retake":             {},
		"move cancel":             {},
		"move finish":             {},
		"move give":               {},
		"operator list":           {Security},
		"operator add":            {},
		"operator invite":         {},
		"operator role":           {},
		"operator remove":         {},
	}
}

// Commands returns all that rights are about, sorted.
func Commands() []string { return slices.Sorted(maps.Keys(rights())) }

// May reports whether a role has the right to do something, given as its command, such as "player freeze". Nobody has one to what is
// not in the table.
func (r Role) May(command string) bool {
	roles, known := rights()[command]
	return known && (r == Owner || slices.Contains(roles, r))
}

// Rights returns the commands that a role has the right to, sorted.
func (r Role) Rights() []string {
	return slices.DeleteFunc(Commands(), func(c string) bool { return !r.May(c) })
}

// Check returns fault.Forbidden if a role has no right to a command.
func (r Role) Check(command string) error {
	if r.May(command) {
		return nil
	}
	return fault.New(fault.Forbidden, "The role %s has no right to this (%s). Ask somebody who has.", r, command).WithReason("role")
}

func (r Role) known() bool { return slices.Contains(Roles(), r) }
