package linear_test

import (
	"math/rand/v2"
	"sync"
	"testing"
)

// fleet is the replicas that clients may ask.
type fleet struct {
	mu      sync.Mutex
	changed *sync.Cond
	at      [replicas]*process // nil while one is down
}

func (f *fleet) init() { f.changed = sync.NewCond(&f.mu) }

// any returns one of the replicas; it waits while there is none.
func (f *fleet) any() *process {
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		for i, first := 0, rand.IntN(replicas); i < replicas; i++ {
			if p := f.at[(first+i)%replicas]; p != nil {
				return p
			}
		}
		f.changed.Wait()
	}
}

// has reports whether nobody has killed the replica.
func (f *fleet) has(p *process) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, q := range f.at {
		if p == q {
			return true
		}
	}
	return false
}

func (f *fleet) put(i int, p *process) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at[i] = p
	f.changed.Broadcast()
}

// kill kills a replica with what it is doing.
func (f *fleet) kill(i int) *process {
	f.mu.Lock()
	p := f.at[i]
	f.at[i] = nil
	f.mu.Unlock()
	p.kill()
	return p
}

func (f *fleet) stop(t testing.TB) {
	for _, p := range f.at {
		if p == nil {
			continue
		}
		if err := p.stop(); err != nil {
			t.Error("stopping a replica:", err)
		}
	}
}
