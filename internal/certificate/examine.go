package certificate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Examine tries what a Keeper with these options needs, and changes nothing. An error is what would keep it from ordering; notes are
// hints for the operator. Whether the authority can reach this machine is not known before an order.
func Examine(ctx context.Context, o Options) (notes []string, err error) {
	folder, err := folderOf(o.Folder, o.Directory)
	if err != nil {
		return nil, err
	}
	if err := isWritable(folder); err != nil {
		return nil, err
	}
	s := store{folder: folder}
	for _, domain := range o.Domains {
		switch c, err := s.certificate(domain); {
		case errors.Is(err, errNone):
			notes = append(notes, "there is none for "+domain+" yet: pantheon serve orders it")
		case err != nil:
			notes = append(notes, fmt.Sprintf("that of %s cannot be used, pantheon serve orders another one: %v", domain, err))
		case !o.Clock.Now().Before(c.Leaf.NotAfter):
			notes = append(notes, fmt.Sprintf("that of %s has ended at %s", domain, c.Leaf.NotAfter.UTC().Format(time.RFC3339)))
		}
		if note := resolve(ctx, domain); note != "" {
			notes = append(notes, note)
		}
	}
	client, done := (&Keeper{options: o}).client()
	defer done()
	if _, err := client.Discover(ctx); err != nil {
		return notes, fmt.Errorf("TLS_ACME_URL: %w", err)
	}
	return notes, nil
}

// isWritable returns an error if files cannot be made in a folder, or the folder itself where there is none.
func isWritable(folder string) error {
	const enterAndWrite = 1 | 2 // X_OK and W_OK of access(2)
	for {
		err := syscall.Access(folder, enterAndWrite)
		parent := filepath.Dir(folder)
		if !errors.Is(err, fs.ErrNotExist) || parent == folder {
			if err != nil {
				err = &os.PathError{Op: "write to", Path: folder, Err: err}
			}
			return err
		}
		folder = parent
	}
}

// resolveTimeout is how long the lookup of a name may take.
const resolveTimeout = 2 * time.Second

// resolve returns what is remarkable about the addresses of a domain; "" for nothing.
func resolve(ctx context.Context, domain string) string {
	ctx, cancel := context.WithTimeout(ctx, resolveTimeout) // a resolver that hangs leaves time for the authority
	defer cancel()
	addresses, err := net.DefaultResolver.LookupNetIP(ctx, "ip", domain)
	if err != nil {
		return fmt.Sprintf("%s does not resolve, so the authority cannot check it: %v", domain, err)
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return ""
	}
	isOwn := func(a netip.Addr) bool {
		return slices.ContainsFunc(own, func(o net.Addr) bool {
			prefix, err := netip.ParsePrefix(o.String())
			return err == nil && prefix.Addr() == a.Unmap()
		})
	}
	var foreign []string
	for _, a := range addresses {
		if !isOwn(a) {
			foreign = append(foreign, a.Unmap().String())
		}
	}
	if len(foreign) == 0 {
		return ""
	}
	return fmt.Sprintf("%s resolves to %s, which is no address of this machine: right if ports 80 and 443 there lead here", domain,
		strings.Join(foreign, ", "))
}
