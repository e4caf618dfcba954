package config

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"pantheon/internal/collections"
)

// Metadata configures where tokens' names, traits and pictures come from.
type Metadata struct {
	// Comma-separated slugs of collections whose tokens are described by their contracts (tokenURI, uri), although the catalogue
	// describes them. Tokens that the catalogue lacks are described by their contracts in any case.
	FromChain []string `env:"METADATA_FROM_CHAIN"`
	// Comma-separated addresses of gateways by which ipfs:// is read, the preferred first; public ones when empty.
	IPFS []string `env:"IPFS_GATEWAYS"`
	// Comma-separated addresses of gateways by which ar:// is read, the preferred first; arweave.net when empty.
	Arweave []string `env:"ARWEAVE_GATEWAYS"`
	// Comma-separated origins, such as http://gateway.internal:8080, that metadata may be read from although they are in a private network
	// or use http. All others must be public and use https.
	Private []string `env:"METADATA_PRIVATE_HOSTS"`
	// The age at which metadata is read again. Contracts that announce changes (ERC-4906) are read at once.
	Refresh time.Duration `env:"METADATA_REFRESH" envDefault:"168h"`
	// The folder of tokens' pictures, which all replicas must share; pictures in DATA_DIR when empty.
	Pictures string `env:"PICTURES_DIR"`
	// Bucket at S3_ENDPOINT for tokens' pictures, instead of a folder: bucket, or bucket/prefix.
	Bucket string `env:"PICTURES_BUCKET"`
}

// S3 configures access to an S3-compatible object store.
type S3 struct {
	// URL of an S3-compatible object store, such as https://s3.eu-central-1.amazonaws.com.
	Endpoint string `env:"S3_ENDPOINT"`
	// Region of the object store.
	Region string `env:"S3_REGION" envDefault:"us-east-1"`
	// Access key id. The key needs permission to list, read, write and delete in the buckets.
	AccessKey string `env:"S3_ACCESS_KEY"`
	// Secret access key.
	SecretKey Secret `env:"S3_SECRET_KEY"`
}

func (s *S3) check(f *faults, pictures string, others ...string) {
	if s.Endpoint == "" && pictures == "" && strings.Join(others, "") == "" {
		return
	}
	f.check(isURL(s.Endpoint, "http", "https") && strings.Count(strings.TrimSuffix(s.Endpoint, "/"), "/") == 2, "S3_ENDPOINT",
		"must be the URL of an object store, without a path")
	f.check(s.AccessKey != "", "S3_ACCESS_KEY", "must come with S3_ENDPOINT")
	f.check(s.SecretKey != "", "S3_SECRET_KEY", "must come with S3_ENDPOINT")
	f.check(pictures == "" || bucketPattern.MatchString(pictures), "PICTURES_BUCKET",
		"must be bucket, or bucket/prefix")
}

var bucketPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._-]+)*/?$`)

func (m *Metadata) complete() {
	if len(m.IPFS) == 0 {
		m.IPFS = []string{"https://ipfs.io", "https://dweb.link", "https://gateway.pinata.cloud"}
	}
	if len(m.Arweave) == 0 {
		m.Arweave = []string{"https://arweave.net"}
	}
}

func (m *Metadata) check(f *faults, registry *collections.Registry) {
	for _, slug := range m.FromChain {
		_, known := registry.Of(slug)
		f.check(known, "METADATA_FROM_CHAIN", slug+" is the slug of no collection")
	}
	for name, addresses := range map[string][]string{
		"IPFS_GATEWAYS": m.IPFS, "ARWEAVE_GATEWAYS": m.Arweave, "METADATA_PRIVATE_HOSTS": m.Private,
	} {
		bad := slices.ContainsFunc(addresses, func(a string) bool { return !isURL(a, "http", "https") })
		f.check(!bad, name, "must be http:// or https:// addresses")
	}
	long := slices.ContainsFunc(m.Private, func(a string) bool { return strings.Count(a, "/") > 2 })
	f.check(!long, "METADATA_PRIVATE_HOSTS", "must be origins: a scheme, a host and perhaps a port, without a path")
	f.check(m.Refresh >= time.Minute, "METADATA_REFRESH", "must be at least a minute")
}
