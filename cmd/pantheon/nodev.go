//go:build nodev

package main

// development has no commands: this binary is for servers, without development chains and the brand's drawings.
type development struct{}
