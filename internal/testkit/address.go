package testkit

import "net"

// FreeAddress returns an address of the loopback interface, as host:port, that nobody listens on. Another program may take
// it before it is used: whoever can be told to listen on port 0 should be.
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
