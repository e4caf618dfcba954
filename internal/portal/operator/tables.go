package operator

import (
	"context"
	"fmt"
	"strings"

	"pantheon/internal/portal/draw"
)

// Tables keeps drop tables.
type Tables interface {
	// KeptTables returns the drop tables that are known.
	KeptTables(ctx context.Context) ([]draw.Table, error)
	// Announce keeps the new editions of drop tables. It fails unless they may take the place of the known ones.
	Announce(ctx context.Context, tables *draw.Tables, e Entry) error
}

// AnnounceTables checks that drop tables may take the place of the known ones and keeps the new editions: they can never change from then
// on.
func (s *Service) AnnounceTables(ctx context.Context, tables *draw.Tables, by By) error {
	e, err := s.entry(by, "odds announce", "", "")
	if err != nil {
		return err
	}
	kept, err := s.o.Tables.KeptTables(ctx)
	if err != nil {
		return err
	}
	known := map[[32]byte]bool{}
	for _, t := range kept {
		known[t.Hash()] = true
	}
	var added []string
	for _, t := range tables.All() {
		if !known[t.Hash()] {
			added = append(added, fmt.Sprintf("%s %d", t.Kind, t.Edition))
		}
	}
	if e.Subject = strings.Join(added, ", "); len(added) == 0 {
		e.Subject = "nothing new"
	}
	return s.o.Tables.Announce(ctx, tables, e)
}
