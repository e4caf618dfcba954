package realtime

import (
	"slices"
	"strconv"
)

// may reports why the client's role does not permit the action, in group; nil if it does.
func (s *session) may(role, group string) *errorDetail {
	switch {
	case group == "" || len(group) > maxGroupName:
		return &errorDetail{Name: errForbidden, Message: "group must have 1 to " + strconv.Itoa(maxGroupName) + " bytes"}
	case !slices.Contains(s.roles, role) && !slices.Contains(s.roles, role+"."+group):
		return &errorDetail{Name: errForbidden, Message: "not allowed to use this group"}
	default:
		return nil
	}
}
