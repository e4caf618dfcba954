package app

import (
	"bytes"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/api"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/config"
	"pantheon/internal/kit/version"
	"pantheon/internal/store"
)

// Version is what this program was built from and for.
type Version struct {
	version.Info
	Schema    int64             `json:"schema"`    // of the database
	Contracts map[string]string `json:"contracts"` // hashes of their code, with zeros in the place of immutables
}

// GetVersion returns what this program was built from and for.
func GetVersion() (Version, error) {
	v := Version{Info: version.Get(), Schema: store.SchemaVersion(), Contracts: map[string]string{}}
	for _, name := range contracts.Required {
		built, err := contracts.Artifact(name)
		if err != nil {
			return v, err
		}
		v.Contracts[name] = built.CodeHash().String()
	}
	return v, nil
}

// alive returns the answer of /healthz.
func alive() api.Health {
	v := version.Get()
	return api.Health{Status: "ok", Version: v.Version, Commit: v.Commit, Schema: store.SchemaVersion()}
}

// registryOf returns the registry that pages carry: the brand's, with the version that a page tells in the browser's console.
func registryOf(c config.Config) []byte {
	told := fmt.Appendf(nil, `{"version":%q,`, version.Get())
	return append(told, bytes.TrimPrefix(c.Brand.Registry(), []byte("{"))...)
}

// tellVersion logs what runs, and registers it as a metric.
func (b *base) tellVersion() error {
	v, schema := version.Get(), store.SchemaVersion()
	b.log.Info("starting", "version", v.Version, "commit", v.Commit, "modified", v.Modified, "schema", schema, "go", v.Go,
		"replica", b.process.Replica, "process", b.process.ID)
	info := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: "pantheon", Name: "build_info", Help: "Always 1; the labels say what runs.",
	}, []string{"version", "commit", "schema", "go"})
	info.WithLabelValues(v.Version, v.Commit, fmt.Sprint(schema), v.Go).Set(1)
	return b.registry.Register(info)
}
