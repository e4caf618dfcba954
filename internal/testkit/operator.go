package testkit

import (
	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/operator"
	"pantheon/internal/store"
	"pantheon/internal/store/operators"
)

// Operator returns what operators do on a database. Gas budgets, scores, drop tables and links need more than it.
func Operator(db *store.DB, c clock.Clock) *operator.Service {
	return operator.NewService(operator.Options{
		Store: operators.New(db), Clock: c, ShopName: "shop",
		FrozenText: func(reason string) string { return account.FrozenFault(reason).Message },
	})
}

// By returns an operator with a reason.
func By(reason string) operator.By { return operator.By{Who: "root@test", Reason: reason} }
