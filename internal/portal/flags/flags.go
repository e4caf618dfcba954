// Package flags switches parts of the portal on and off while it runs. The flags are read from a YAML file, which is
// looked at again when it changes; a broken file keeps the last good one.
package flags

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"gopkg.in/yaml.v3"
)

// The keys the portal itself asks for.
const (
	Maintenance   = "maintenance_mode"
	Collections   = "2" // the Collections menu
	OtherGames    = "4" // the Other Games menu
	PowerPacks    = "power_packs"
	AllowPurchase = "purchase"
	AllowListing  = "listing"
	AllowOpening  = "pack_opening"
	AllowWebstore = "webstore"
	AllowClaims   = "claims"
)

// defaults is the file that is used where none is configured.
//
//go:embed defaults.yaml
var defaults []byte

// Flag is one switch as it is evaluated.
type Flag struct {
	Enabled bool   `json:"enabled" doc:"Whether it is on."`
	Value   bool   `json:"value" doc:"The same, as the value of a boolean flag."`
	Variant string `json:"variant" doc:"on or off."`
	Reason  string `json:"reason" doc:"How it came about: STATIC."`
}

type entry struct {
	Key         string `yaml:"key"`
	Enabled     bool   `yaml:"enabled"`
	Description string `yaml:"description"`
}

// Service evaluates flags. It is safe for concurrent use.
type Service struct {
	path   string // "" for the defaults
	report func(error)

	mu     sync.Mutex
	looked time.Time
	read   time.Time // the file's time of change when it was last read
	flags  map[string]Flag
}

// lookEvery bounds how often the file's time of change is asked for.
const lookEvery = time.Second

// New reads the file, or the defaults where path is "". It fails on a file that cannot be read or is malformed, listing
// every fault; report hears of a file that becomes so later.
func New(path string, report func(error)) (*Service, error) {
	s := &Service{path: path, report: report}
	text := defaults
	if path != "" {
		var err error
		if text, err = s.load(); err != nil {
			return nil, err
		}
	}
	flags, err := parse(text)
	s.flags = flags
	return s, err
}

// All returns every flag by its key.
func (s *Service) All() map[string]Flag {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refresh()
	return s.flags
}

// Enabled reports whether a flag is on; one that the file does not have is off.
func (s *Service) Enabled(key string) bool { return s.All()[key].Enabled }

// refresh reads the file again if it has changed. The map is replaced, never changed: callers keep theirs.
func (s *Service) refresh() {
	if s.path == "" || time.Since(s.looked) < lookEvery {
		return
	}
	s.looked = time.Now()
	if info, err := os.Stat(s.path); err != nil || info.ModTime().Equal(s.read) {
		return
	}
	text, err := s.load()
	if err == nil {
		var flags map[string]Flag
		if flags, err = parse(text); err == nil {
			s.flags = flags
		}
	}
	if err != nil {
		s.report(err)
	}
}

func (s *Service) load() ([]byte, error) {
	info, err := os.Stat(s.path)
	if err != nil {
		return nil, fmt.Errorf("flags file: %w", err)
	}
	s.read = info.ModTime()
	text, err := os.ReadFile(s.path)
	if err != nil {
		return nil, fmt.Errorf("flags file: %w", err)
	}
	return text, nil
}

func parse(text []byte) (map[string]Flag, error) {
	var file struct {
		Flags []entry `yaml:"flags"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("flags file: %w", err)
	}
	flags := make(map[string]Flag, len(file.Flags))
	var faults []error
	for i, e := range file.Flags {
		if e.Key == "" {
			faults = append(faults, fmt.Errorf("entry %d has no key", i+1))
		}
		if _, twice := flags[e.Key]; twice {
			faults = append(faults, fmt.Errorf("%q is there twice", e.Key))
		}
		f := Flag{Enabled: e.Enabled, Value: e.Enabled, Variant: "off", Reason: "STATIC"}
		if e.Enabled {
			f.Variant = "on"
		}
		flags[e.Key] = f
	}
	for _, key := range []string{Maintenance, Collections, OtherGames, PowerPacks, AllowPurchase, AllowListing, AllowOpening, AllowWebstore, AllowClaims} {
		if !slices.ContainsFunc(file.Flags, func(e entry) bool { return e.Key == key }) {
			faults = append(faults, fmt.Errorf("%q is missing", key))
		}
	}
	if len(faults) > 0 {
		return nil, fmt.Errorf("flags file: %w", errors.Join(faults...))
	}
	return flags, nil
}
