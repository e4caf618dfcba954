package config

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/caarlos0/env/v11"
)

// fileSuffix marks the variable that names the file of a setting's value: X_FILE for the setting X.
const fileSuffix = "_FILE"

// maxValueFile is the size of the largest file of a value, in bytes.
const maxValueFile = 64 << 10

// readFiles sets the settings whose files are named. It returns what is wrong with those files, by variable.
func readFiles(known []Variable, values map[string]string) (faults map[string]string) {
	faults = map[string]string{}
	for _, v := range known {
		file := values[v.Name+fileSuffix]
		if file == "" {
			continue
		}
		if values[v.Name] != "" {
			faults[v.Name+fileSuffix] = "must not be set together with " + v.Name
			continue
		}
		text, err := readValue(file)
		if err != nil {
			faults[v.Name+fileSuffix] = "must name a file that can be read: " + err.Error()
			continue
		}
		values[v.Name] = text
	}
	return faults
}

// Lookup returns the value of a setting that is needed before Load, from the environment or from the file that NAME_FILE names; "" for
// none.
func Lookup(environ []string, name string) (string, error) {
	values := env.ToMap(environ)
	if wrong := readFiles([]Variable{{Name: name}}, values)[name+fileSuffix]; wrong != "" {
		return "", &Error{Faults: []string{name + fileSuffix + ": " + wrong}}
	}
	return values[name], nil
}

// readValue returns the text of a file without the white space around it. Errors do not contain the path: it may be a secret that
// was given in the wrong variable.
func readValue(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", withoutPath(err)
	}
	defer func() { _ = f.Close() }() // only read
	b, err := io.ReadAll(io.LimitReader(f, maxValueFile+1))
	switch text := strings.TrimSpace(string(b)); {
	case err != nil:
		return "", withoutPath(err)
	case len(b) > maxValueFile:
		return "", errors.New("it is larger than 64 KiB")
	case text == "":
		return "", errors.New("it is empty")
	default:
		return text, nil
	}
}

func withoutPath(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	return err
}

var (
	// Kubernetes and Docker describe services in the environment (https://kubernetes.io/docs/concepts/services-networking/service).
	injectedName = regexp.MustCompile(`_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$`)
	injectedPort = regexp.MustCompile(`^(tcp|udp|sctp)://[^/]+:[0-9]+$`)
)

// isInjected reports whether a variable describes a service of the cluster. A service called smtp has SMTP_PORT=tcp://10.0.0.1:25.
func isInjected(name, value string) bool {
	return injectedName.MatchString(name) || strings.HasSuffix(name, "_PORT") && injectedPort.MatchString(value)
}

// lookalike is a variable that is not a setting but looks like one.
type lookalike struct {
	name  string
	meant string // the setting of which it is a misspelling; "" where only the first word is a setting's
}

// lookalikes returns the variables that look like settings, in alphabetical order: misspelled ones, and those that have the first word
// of a setting. HTTP_PROXY is Go's own, and OTEL_* are OpenTelemetry's.
func lookalikes(settings []Variable, values map[string]string) (out []lookalike) {
	known, words := map[string]bool{"HTTP_PROXY": true}, map[string]bool{}
	for _, v := range settings {
		known[v.Name], known[v.Name+fileSuffix] = true, true
		if word, _, more := strings.Cut(v.Name, "_"); more && len(word) > 1 {
			words[word] = true
		}
	}
	for name, value := range values {
		if known[name] || isInjected(name, value) || strings.HasPrefix(name, "OTEL_") {
			continue
		}
		meant := ""
		for _, v := range settings {
			if isMisspelling(name, v.Name) || isMisspelling(name, v.Name+fileSuffix) {
				meant = v.Name
				break
			}
		}
		word, _, _ := strings.Cut(name, "_")
		if meant != "" || words[word] {
			out = append(out, lookalike{name, meant})
		}
	}
	slices.SortFunc(out, func(a, b lookalike) int { return strings.Compare(a.name, b.name) })
	return out
}

// isMisspelling reports whether a name is another one in other case or without its underscores, or differs in one of five characters.
func isMisspelling(name, setting string) bool {
	bare := func(s string) string {
		return strings.ToUpper(strings.NewReplacer("_", "", "-", "", ".", "").Replace(s))
	}
	return bare(name) == bare(setting) || distance(strings.ToUpper(name), setting) <= max(len(name), len(setting))/5
}

// distance returns the optimal string alignment distance: how many insertions, deletions, replacements and swaps of neighbours lead
// from one text to the other.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range len(b) {
			replaced := last[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = min(replaced, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}

// Warnings returns what an operator should know of a valid configuration, one line each: accepted risks, what needs the operator,
// and variables of the environment that look like settings and have no effect.
func (c *Config) Warnings() (out []string) {
	if c.Environment == prod {
		accepted, _ := c.Risks()
		for _, r := range accepted {
			out = append(out, "accepted risk "+r.Name+": "+r.Setting+" "+r.Must)
		}
	}
	if c.ThawBySupport() {
		out = append(out, "PLAYFAB_RECOVERY_TEMPLATE_ID is not set: who freezes their own account has to ask you for pantheon player unfreeze")
	}
	if currency := c.Brand.Collections.Currency(); currency.Symbol != "USDC" {
		var defaults []string
		for _, s := range []struct{ name, value, usual string }{
			{"TRADE_RISK_PER_DAY", c.Trades.RiskPerDay, "25"}, {"TRADE_RISK_UNKNOWN", c.Trades.Unknown, "25"},
			{"TRADE_ONE_SELLER", c.Trades.OneSeller, "200"}, {"LISTING_PRICE_MIN", c.Listings.MinPrice, "0.01"},
			{"WITHDRAWAL_USDC_PER_DAY", c.Withdrawals.USDC, "5000"},
		} {
			if s.value == s.usual {
				defaults = append(defaults, s.name+" "+s.value)
			}
		}
		if len(defaults) > 0 {
			out = append(out, "the market's currency is "+currency.Symbol+", and these defaults are meant for US dollars: "+
				strings.Join(defaults, ", "))
		}
	}
	for _, l := range c.lookalikes {
		if l.meant != "" && c.Environment == prod {
			continue // an accepted risk
		}
		text := l.name + " is not a setting and has no effect"
		if l.meant != "" {
			text += "; " + l.meant + " is one"
		}
		out = append(out, text)
	}
	return out
}
