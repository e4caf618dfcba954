package testkit

import "net"

// FreeAddress returns an unused address of the loopback interface, as host:port. Another program may take
// it before it is used: listen on port 0 instead where possible.
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
