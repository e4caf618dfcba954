package wallet

import (
	"fmt"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/eth"
)

func connectedEmail(site string, w eth.Address) email.Message {
	return email.Compose(site, "A wallet was connected to your account", 0,
		fmt.Sprintf("This wallet was connected to your account at %s just now:", email.Host(site)),
		"",
		"    "+w.Checksum(),
		"",
		"You can send to it what is in your wallet here, after the time that a new wallet has to wait.",
		"If it was not you, choose a new password at once. It signs everybody out and cancels what waits to be sent:",
		"",
		site+"/forgot-password")
}

func disconnectedEmail(site string, w eth.Address) email.Message {
	return email.Compose(site, "Your wallet was disconnected from your account", 0,
		fmt.Sprintf("This wallet was disconnected from your account at %s just now:", email.Host(site)),
		"",
		"    "+w.Checksum(),
		"",
		"If it was not you, choose a new password at once. It signs everybody out and cancels what waits to be sent:",
		"",
		site+"/forgot-password")
}
