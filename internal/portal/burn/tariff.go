package burn

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"pantheon/internal/kit/section"
)

// Tariff is a version of a tariff: what each kind K of token gives.
type Tariff[K any] struct {
	Version int       `yaml:"version"` // from 1, each one more than the version before
	From    time.Time `yaml:"from"`    // burns in blocks from this time on are paid by it, in whole seconds, UTC
	Kinds   []K       `yaml:"kinds"`   // in display order, at least one
}

// Versions are all versions of a tariff. The zero value has none.
type Versions[K any] struct {
	name string // the section's
	list section.List[Tariff[K]]
}

// fault reports what is wrong with a field of a kind.
type fault func(field, why string, args ...any)

// parse reads the named section; see section.Read. check reports the faults of a kind; before holds the kinds above it in the
// same version. The error has every fault by line, version and field.
func parse[K any](name string, files section.Files, check func(kind K, before []K, bad fault)) (Versions[K], error) {
	list, err := section.Read[Tariff[K]](name, files)
	if err != nil {
		return Versions[K]{}, err
	}
	v := Versions[K]{name, list}
	versions := list.Entries
	if len(versions) == 0 {
		return v, fmt.Errorf("%s: %s: there is none", list.Place(), name)
	}
	var faults []error
	for i := range versions {
		t := &versions[i]
		t.From = t.From.UTC()
		bad := func(field, why string, path ...any) {
			faults = append(faults, v.fault(i, field, why, path...))
		}
		if t.Version != i+1 {
			bad("version", fmt.Sprintf("must be %d", i+1), "version")
		}
		if year := t.From.Year(); year < 1970 || year > 9999 || t.From.Nanosecond() != 0 {
			bad("from", "must be a time in whole seconds, from 1970 to 9999", "from")
		} else if i > 0 && !t.From.After(versions[i-1].From) {
			bad("from", fmt.Sprintf("must be after that of version %d", i), "from")
		}
		if len(t.Kinds) == 0 {
			bad("kinds", "is missing", "kinds")
		}
		for j, kind := range t.Kinds {
			check(kind, t.Kinds[:j], func(field, why string, args ...any) {
				bad(fmt.Sprintf("kinds[%d].%s", j, field), fmt.Sprintf(why, args...), "kinds", j, field)
			})
		}
	}
	return v, errors.Join(faults...)
}

// fault returns a fault of version i with its place in the file.
func (v Versions[K]) fault(i int, field, why string, path ...any) error {
	return fmt.Errorf("%s: %s %d: %s: %s", v.list.Place(append([]any{i}, path...)...), v.name, v.list.Entries[i].Version, field, why)
}

// At returns the version in force at a time; the zero Tariff, which gives nothing, before the first.
func (v Versions[K]) At(at time.Time) (found Tariff[K]) {
	for _, t := range v.list.Entries {
		if !at.Before(t.From) {
			found = t // later versions come later
		}
	}
	return found
}

// Next returns the version that follows the one in force at a time, or nil.
func (v Versions[K]) Next(at time.Time) *Tariff[K] {
	all := v.list.Entries
	if i := slices.IndexFunc(all, func(t Tariff[K]) bool { return at.Before(t.From) }); i >= 0 {
		return &all[i]
	}
	return nil
}

// Follows checks that the versions may take the place of those before: what has begun by now stays as it was. What has not
// begun yet may change.
func (v Versions[K]) Follows(before Versions[K], now time.Time) error {
	var faults []error
	has, had := v.list.Entries, before.list.Entries
	begun := func(in []Tariff[K], i int) bool { return i < len(in) && !in[i].From.After(now) }
	for i := range max(len(has), len(had)) {
		switch {
		case begun(had, i) && i >= len(has):
			faults = append(faults, fmt.Errorf("%s: %s %d: was in force and cannot go", v.list.Place(), v.name, i+1))
		case begun(had, i) && !reflect.DeepEqual(has[i], had[i]):
			faults = append(faults, v.fault(i, "version", "was in force and cannot change; add a version", "version"))
		case begun(has, i) && !begun(had, i):
			faults = append(faults, v.fault(i, "from", has[i].From.Format(time.RFC3339)+" is over; a version is announced before it begins", "from"))
		}
	}
	return errors.Join(faults...)
}
