package column_test

import (
	"math"
	"testing"
	"time"

	"pantheon/internal/store/column"
)

func TestTime_IsStoredInMilliseconds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		at   time.Time
		want int64
	}{
		{time.Time{}, 0},
		{time.UnixMilli(1), 1},
		{time.UnixMilli(-1), -1},
		{time.UnixMilli(1_700_000_000_123).Add(999 * time.Microsecond), 1_700_000_000_123},
		{time.UnixMilli(math.MaxInt64), math.MaxInt64}, // a listing without an end
	} {
		v, err := column.At(c.at).Value()
		if err != nil || v != c.want {
			t.Errorf("%s is stored as %v (%v), want %d", c.at, v, err, c.want)
		}
		var back column.Time
		if err := back.Scan(c.want); err != nil || column.Millis(back.Time) != c.want || back.Location() != time.UTC {
			t.Errorf("%d is read as %s (%v)", c.want, back, err)
		}
	}
	var none column.Time
	if err := none.Scan(int64(0)); err != nil || !none.IsZero() {
		t.Errorf("0 is read as %s (%v)", none, err)
	}
	if err := none.Scan("1"); err == nil {
		t.Error("a text is read as a time")
	}
}

func TestFlag_IsStoredAsZeroOrOne(t *testing.T) {
	t.Parallel()
	for flag, want := range map[column.Flag]int64{false: 0, true: 1} {
		v, err := flag.Value()
		if err != nil || v != want {
			t.Errorf("%t is stored as %v (%v), want %d", flag, v, err, want)
		}
		back := !flag
		if err := back.Scan(want); err != nil || back != flag {
			t.Errorf("%d is read as %t (%v)", want, back, err)
		}
	}
	var f column.Flag
	if err := f.Scan("1"); err == nil {
		t.Error("a text is read as a flag")
	}
}
