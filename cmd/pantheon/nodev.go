//go:build nodev

package main

// development has no commands in a binary for servers, which lacks the development chains and the brand's drawings.
type development struct{}
