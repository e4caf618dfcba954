package testkit

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
)

// given are the addresses that this process got. What was given is not bound at once, and must not be given again.
var given = struct {
	sync.Mutex
	addresses map[string]bool
}{addresses: map[string]bool{}}

// FreeAddress returns an unused address of the loopback interface, as host:port. Its port is below the ephemeral ports (from 32768 by
// default on Linux), so that the system does not give it to another socket before it is used; another caller may draw the same one,
// which is unlikely. Listen on port 0 instead where possible.
func FreeAddress() (string, error) {
	given.Lock()
	defer given.Unlock()
	for range 100 {
		address := fmt.Sprintf("127.0.0.1:%d", 20_000+rand.IntN(12_000))
		if given.addresses[address] {
			continue
		}
		if l, err := net.Listen("tcp", address); err == nil {
			given.addresses[address] = true
			return address, l.Close()
		}
	}
	return "", errors.New("testkit: no free port between 20000 and 32000")
}
