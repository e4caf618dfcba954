// Package panics turns a panic into an error with its stack, so that it can be logged, and raised again in another goroutine.
package panics

import (
	"fmt"
	"runtime/debug"
)

// Panic is a panic that was recovered.
type Panic struct {
	Value any
	Stack []byte // of the goroutine that panicked
}

// Error returns the value as text.
func (p *Panic) Error() string { return fmt.Sprint("panic: ", p.Value) }

// New returns the Panic of a value that recover has returned; it must be called by the deferred function. A *Panic that was raised
// again is returned as it is.
func New(value any) *Panic {
	if p, ok := value.(*Panic); ok {
		return p
	}
	return &Panic{Value: value, Stack: debug.Stack()}
}

// Call calls f, and returns a panic of it as a *Panic.
func Call(f func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = New(value)
		}
	}()
	return f()
}
