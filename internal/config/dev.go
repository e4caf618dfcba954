package config

import "time"

// Dev configures the development world.
type Dev struct {
	// How far the blocks of the development chains may run ahead of the clock, at least 500ms. Each is a second later than the one
	// before, so in a burst transactions share blocks. Longer for load tests: 1h for a block each.
	DevBlockLead time.Duration `env:"DEV_BLOCK_LEAD" envDefault:"750ms" min:"500ms"`
	// Port of this machine on which the development beacon answers, as drand's relays do; 0 for any free one.
	DevBeaconPort int `env:"DEV_BEACON_PORT" envDefault:"8547"`
}

func (d *Dev) check(f *faults) {
	f.check(d.DevBeaconPort >= 0 && d.DevBeaconPort <= 65535, "DEV_BEACON_PORT", "must be a port, or 0 for any free one")
}
