// Package column has the Go types of database columns that are of another type in SQL: both engines store times and flags
// as numbers.
package column

import (
	"database/sql/driver"
	"fmt"
	"time"
)

// Time is a time in UTC, stored in milliseconds since 1970. The zero time is stored as 0.
type Time struct{ time.Time }

// At returns t as a column.
func At(t time.Time) Time { return Time{t} }

// Millis returns t as it is stored.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// Of returns the stored time.
func Of(millis int64) time.Time {
	if millis == 0 {
		return time.Time{}
	}
	return time.UnixMilli(millis).UTC()
}

// Value returns the milliseconds.
func (t Time) Value() (driver.Value, error) { return Millis(t.Time), nil }

// Scan reads milliseconds.
func (t *Time) Scan(src any) error {
	ms, ok := src.(int64)
	if !ok {
		return fmt.Errorf("column: cannot read %T as a time", src)
	}
	t.Time = Of(ms)
	return nil
}

// Flag is a bool, stored as 0 or 1.
type Flag bool

// Value returns 0 or 1.
func (f Flag) Value() (driver.Value, error) {
	if f {
		return int64(1), nil
	}
	return int64(0), nil
}

// Scan reads 0 as false and any other number as true.
func (f *Flag) Scan(src any) error {
	n, ok := src.(int64)
	if !ok {
		return fmt.Errorf("column: cannot read %T as a flag", src)
	}
	*f = n != 0
	return nil
}
