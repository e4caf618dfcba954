//go:build !nodev

package app

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"time"

	"pantheon/internal/beacon"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
)

// The development beacon's rounds.
const (
	devBeaconGenesis = 1767225600 // 2026-01-01
	devBeaconPeriod  = 1          // second
)

// devBeaconID is the beacon's name.
const devBeaconID = "pantheon-dev"

// listenBeacon listens on the port of the development beacon, for this machine only; port 0 is any free one.
func listenBeacon(port int) (net.Listener, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("DEV_BEACON_PORT: the development beacon needs a port that no other program uses, or 0 for any free one: %w", err)
	}
	return listener, nil
}

// startBeacon starts the development beacon on its listener and sets it in the configuration. Its key is made in the data folder.
func (d *Development) startBeacon(c *config.Config, o *Options) error {
	secret, err := devSecret(filepath.Join(c.DataDir, "beacon.key"))
	if err != nil {
		return err
	}
	signer := beacon.NewSigner(sha256.Sum256([]byte(secret)))
	server := &beacon.Server{
		Signer: signer, ID: devBeaconID, Genesis: time.Unix(devBeaconGenesis, 0), Period: devBeaconPeriod * time.Second, Clock: o.Clock,
	}
	if server.Clock == nil {
		server.Clock = clock.System{}
	}
	d.beacon = &http.Server{Handler: server.Handler(), ReadHeaderTimeout: 5 * time.Second}
	d.group.Go(func() error {
		if err := d.beacon.Serve(d.listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	c.Beacon = config.Beacon{
		// With the chain's hash: after a new start with another key, nobody may take cached rounds for the new beacon's.
		URLs:      []string{fmt.Sprintf("http://%s/%x", d.listener.Addr(), server.Info().Hash())},
		PublicKey: hex.EncodeToString(signer.PublicKey().Bytes()), Genesis: devBeaconGenesis, Period: devBeaconPeriod,
	}
	return nil
}
