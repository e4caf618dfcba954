package securitylog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Verifier checks a chain entry by entry. It goes on after a fault, so that each fault is found.
type Verifier struct {
	head   Head // of what was read
	heads  map[int64]string
	pruned string // detail of the newest entry of a removal
	faults []string
	more   int
}

// maxFaults is how many faults are listed.
const maxFaults = 100

// NewVerifier returns a Verifier of the entries after a head, which must have the hashes of published heads. Heads before it are left out.
func NewVerifier(after Head, published []PublishedHead) *Verifier {
	v := &Verifier{head: after, heads: map[int64]string{}}
	for _, h := range published {
		if h.Sequence < after.Sequence {
			continue
		}
		if was, ok := v.heads[h.Sequence]; ok && was != h.Hash {
			v.fault("two hashes were published of entry %d", h.Sequence)
		}
		v.heads[h.Sequence] = h.Hash
		if h.Sequence == after.Sequence && h.Hash != after.Hash {
			v.fault("the last removed entry, %d, does not have the hash that was published of it", h.Sequence)
		}
	}
	return v
}

func (v *Verifier) fault(format string, args ...any) {
	if len(v.faults) >= maxFaults {
		v.more++
		return
	}
	v.faults = append(v.faults, fmt.Sprintf(format, args...))
}

// Add checks the next entry.
func (v *Verifier) Add(e Entry) {
	switch next := v.head.Sequence + 1; {
	case e.Sequence == next:
		if want := v.head.Next(e); want.Hash != e.Hash {
			v.fault("entry %d (%s, %s) was changed, or the one before it: its hash does not follow", e.Sequence, e.ID, e.At.Format(time.RFC3339))
		}
	case e.Sequence > next+1:
		v.fault("entries %d to %d are missing", next, e.Sequence-1)
	case e.Sequence > next:
		v.fault("entry %d is missing", next)
	default:
		v.fault("entry %d (%s) stands after entry %d", e.Sequence, e.ID, v.head.Sequence)
		return
	}
	if want, ok := v.heads[e.Sequence]; ok && want != e.Hash {
		v.fault("entry %d (%s, %s) does not have the hash that was published of it: the chain was rewritten up to it", e.Sequence, e.ID,
			e.At.Format(time.RFC3339))
	}
	if e.Event == LogPruned && e.Kind == Portal {
		v.pruned = e.Detail
	}
	v.head = Head{e.Sequence, e.Hash}
}

// Verified is what was found.
type Verified struct {
	Entries   int64    `json:"entries"`          // that were checked
	First     int64    `json:"first"`            // the first of them
	Head      Head     `json:"head"`             // the newest
	Published int      `json:"published"`        // how many published heads it was compared with
	Unchained int64    `json:"unchained"`        // the newest, which are not in the chain yet
	Faults    []string `json:"faults"`           // at most 100
	More      int      `json:"more,omitzero"`    // further faults
	Elapsed   string   `json:"elapsed,omitzero"` // how long it took
}

// End returns what was found, when all entries were added up to a head.
func (v *Verifier) End(end Head) Verified {
	switch {
	case v.head.Sequence < end.Sequence:
		v.fault("entries %d to %d are missing at the end", v.head.Sequence+1, end.Sequence)
	case v.head.Hash != end.Hash:
		v.fault("entry %d does not have the hash with which the chain ends", end.Sequence)
	}
	for _, n := range v.sequences() {
		if n > v.head.Sequence {
			v.fault("entry %d was published and is missing", n)
		}
	}
	return Verified{Head: v.head, Published: len(v.heads), Faults: v.faults, More: v.more}
}

func (v *Verifier) sequences() (out []int64) {
	for n := range v.heads {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// Reader reads the log.
type Reader interface {
	// Chain returns the ends of the chain: its newest entry, and the last that was removed because of its age.
	Chain(ctx context.Context) (head, removed Head, err error)
	// EntriesFrom returns entries of the chain in order, after a place in it.
	EntriesFrom(ctx context.Context, after int64, limit int) ([]Entry, error)
	// Unchained returns how many entries are not in the chain yet.
	Unchained(ctx context.Context) (int64, error)
	// Entries returns the entries that match, the newest first.
	Entries(ctx context.Context, f Filter) ([]Entry, error)
}

// Filter selects entries. Kind is set alone.
type Filter struct {
	Subject string
	// Acts leaves out, of what operators did, all but acts that were done: looks at something, sign-ins and refusals. It counts with
	// Subject or Kind.
	Acts   bool
	Event  Event
	Kind   Kind
	Since  time.Time
	Before Place // the place in the list before the page; zero for the beginning, without an ID for all before a time
	Limit  int
}

// Place is an entry's place in a list.
type Place struct {
	At time.Time
	ID string
}

// publishedWithin is how much later than an entry its head may be published: the portal may have been down.
const publishedWithin = 24 * time.Hour

// pageSize is how many entries are read at once.
const pageSize = 2000

// Verify checks the whole log against published heads. Entries older than keep are pruned: the entry of a head must still be there
// unless the head was published keep less publishedWithin ago, or earlier. Verify calls each, unless that is nil, with the entries in
// order, and ignores entries that are added while it reads.
func Verify(ctx context.Context, r Reader, published []PublishedHead, keep time.Duration, now time.Time, each func(Entry) error) (
	out Verified, err error,
) {
	head, removed, err := r.Chain(ctx)
	if err != nil {
		return out, err
	}
	v := NewVerifier(removed, published)
	for _, h := range published {
		if h.Sequence <= removed.Sequence && h.At.After(now.Add(publishedWithin-keep)) {
			v.fault("entry %d was published at %s and is not old enough to be removed", h.Sequence, h.At.Format(time.RFC3339))
		}
	}
	for v.head.Sequence < head.Sequence {
		page, err := r.EntriesFrom(ctx, v.head.Sequence, pageSize)
		if err != nil {
			return out, err
		}
		if len(page) == 0 || page[0].Sequence > head.Sequence {
			break
		}
		for _, e := range page {
			if e.Sequence > head.Sequence {
				break
			}
			if out.Entries++; out.First == 0 {
				out.First = e.Sequence
			}
			e.Previous = v.head.Hash
			v.Add(e)
			if each != nil {
				if err := each(e); err != nil {
					return out, err
				}
			}
		}
	}
	if removed.Sequence > 0 && v.pruned != Pruned(removed, time.Time{}).Detail {
		v.fault("entries 1 to %d were not removed because of their age: the log does not say so", removed.Sequence)
	}
	beyond, err := r.EntriesFrom(ctx, head.Sequence, 1)
	if err != nil {
		return out, err
	}
	nowHead, nowRemoved, err := r.Chain(ctx)
	if err != nil {
		return out, err
	}
	if len(beyond) > 0 && nowHead == head {
		v.fault("there are entries after %d, with which the chain ends", head.Sequence)
	}
	if nowRemoved != removed {
		return out, ErrPruned
	}
	first, n := out.First, out.Entries
	out = v.End(head)
	out.First, out.Entries = first, n
	out.Unchained, err = r.Unchained(ctx)
	return out, err
}

// ErrPruned means that old entries were removed while the log was checked.
var ErrPruned = errors.New("old entries were removed while the log was checked: start again")
