package flags

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"os"
	"sync"
	"time"

	"gopkg.in/yaml.v3"
)

// defaults is the file used if none is configured.
//
//go:embed defaults.yaml
var defaults []byte

// file holds the flags of the last valid version of the file. It is safe for concurrent use.
type file struct {
	path   string // "" for the defaults, which never change
	report func(error)

	mu     sync.Mutex
	looked time.Time
	read   time.Time // the file's modification time when last read
	flags  map[string]flag
}

// lookEvery is the minimum interval between checks of the file's modification time.
const lookEvery = time.Second

// openFile reads the file, or the defaults if path is "".
func openFile(path string, report func(error)) (*file, error) {
	f := &file{path: path, report: report}
	text := defaults
	if path != "" {
		var err error
		if text, err = f.load(); err != nil {
			return nil, err
		}
	}
	var err error
	f.flags, err = parse(text)
	return f, err
}

// current returns the flags by key, after reloading the file if it has changed. The map is replaced, never modified:
// callers may keep it.
func (f *file) current() map[string]flag {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" || time.Since(f.looked) < lookEvery {
		return f.flags
	}
	f.looked = time.Now()
	if info, err := os.Stat(f.path); err != nil || info.ModTime().Equal(f.read) {
		return f.flags
	}
	text, err := f.load()
	if err == nil {
		var flags map[string]flag
		if flags, err = parse(text); err == nil {
			f.flags = flags
		}
	}
	if err != nil {
		f.report(err)
	}
	return f.flags
}

func (f *file) load() ([]byte, error) {
	info, err := os.Stat(f.path)
	if err != nil {
		return nil, fmt.Errorf("flags file: %w", err)
	}
	f.read = info.ModTime()
	text, err := os.ReadFile(f.path)
	if err != nil {
		return nil, fmt.Errorf("flags file: %w", err)
	}
	return text, nil
}

// entry is one flag in the file.
type entry struct {
	Key         string      `yaml:"key"`
	Enabled     bool        `yaml:"enabled"`
	Description string      `yaml:"description"`
	Rules       []entryRule `yaml:"rules"`
}

type entryRule struct {
	Environments []string `yaml:"environments"`
	Projects     []string `yaml:"projects"`
	Percent      *float64 `yaml:"percent"`
	Enabled      *bool    `yaml:"enabled"`
}

// parse compiles the file's rules. It reports every error.
func parse(text []byte) (map[string]flag, error) {
	var doc struct {
		Flags []entry `yaml:"flags"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&doc); err != nil {
		return nil, fmt.Errorf("flags file: %w", err)
	}
	flags := make(map[string]flag, len(doc.Flags))
	var faults []error
	for i, e := range doc.Flags {
		if e.Key == "" {
			faults = append(faults, fmt.Errorf("entry %d has no key", i+1))
		}
		if _, twice := flags[e.Key]; twice {
			faults = append(faults, fmt.Errorf("%q is there twice", e.Key))
		}
		f := flag{on: e.Enabled}
		for n, r := range e.Rules {
			compiled, err := r.compile()
			if err != nil {
				faults = append(faults, fmt.Errorf("%q, rule %d: %w", e.Key, n+1, err))
			}
			f.rules = append(f.rules, compiled)
		}
		flags[e.Key] = f
	}
	for _, key := range Keys() {
		if _, ok := flags[key]; !ok {
			faults = append(faults, fmt.Errorf("%q is missing", key))
		}
	}
	if len(faults) > 0 {
		return nil, fmt.Errorf("flags file: %w", errors.Join(faults...))
	}
	return flags, nil
}

func (r entryRule) compile() (rule, error) {
	out := rule{environments: r.Environments, projects: r.Projects}
	var faults []error
	if r.Enabled == nil {
		faults = append(faults, errors.New("says not whether the flag is enabled"))
	} else {
		out.on = *r.Enabled
	}
	if len(r.Environments) == 0 && len(r.Projects) == 0 && r.Percent == nil {
		faults = append(faults, errors.New("has no condition: give environments, projects or percent"))
	}
	if p := r.Percent; p != nil {
		if !(*p >= 0 && *p <= 100) { // NaN is neither
			faults = append(faults, errors.New("percent must be from 0 to 100"))
		} else {
			out.share = share{limited: true, of: uint64(math.Round(*p * wholeShare / 100))}
		}
	}
	return out, errors.Join(faults...)
}
