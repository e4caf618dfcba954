package wallet

import (
	"fmt"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/eth"
)

const noticeKind = "wallet"

func connectedEmail(site string, w eth.Address) email.Message {
	return email.NewNotice(site, "A wallet was connected to your account", 0, noticeKind, email.MostNotices,
		fmt.Sprintf("This wallet was connected to your account at %s just now:", email.Host(site)),
		"",
		"    "+w.Checksum(),
		"",
		"You can send to it what is in your wallet here, after the time that a new wallet has to wait.")
}

func disconnectedEmail(site string, w eth.Address) email.Message {
	return email.NewNotice(site, "Your wallet was disconnected from your account", 0, noticeKind, email.MostNotices,
		fmt.Sprintf("This wallet was disconnected from your account at %s just now:", email.Host(site)),
		"",
		"    "+w.Checksum())
}
