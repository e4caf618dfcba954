package app

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
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

// startBeacon starts the development beacon on a free port of this machine and sets it in the configuration. Its key is
// made in the data folder.
func (d *Development) startBeacon(c *config.Config, o *Options) error {
	secret, err := devSecret(filepath.Join(c.DataDir, "beacon.key"))
	if err != nil {
		return err
	}
	signer := beacon.NewSigner(sha256.Sum256([]byte(secret)))
	server := &beacon.Server{Signer: signer, Genesis: time.Unix(devBeaconGenesis, 0), Period: devBeaconPeriod * time.Second, Clock: o.Clock}
	if server.Clock == nil {
		server.Clock = clock.System{}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("development beacon: %w", err)
	}
	d.beacon = &http.Server{Handler: server.Handler(), ReadHeaderTimeout: 5 * time.Second}
	d.group.Go(func() error {
		if err := d.beacon.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	c.Beacon = config.Beacon{
		URLs: []string{"http://" + listener.Addr().String()}, PublicKey: hex.EncodeToString(signer.PublicKey().Bytes()),
		Genesis: devBeaconGenesis, Period: devBeaconPeriod,
	}
	return nil
}
