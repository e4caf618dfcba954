package app

import (
	"context"
	"net/url"
	"path/filepath"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/health"
	"pantheon/internal/realtime"
)

// hubName is the name of the realtime hub, built-in and on Azure.
const hubName = "portal"

// live is the realtime channel: the built-in hub, or Azure Web PubSub if configured.
type live struct {
	realtime.Publisher
	hub  *realtime.Hub  // nil if Azure Web PubSub delivers the messages
	nats *realtime.NATS // by which replicas reach each other; nil unless it is external
}

// newLive opens the realtime channel.
func newLive(ctx context.Context, b *base) (live, error) {
	if b.config.AzureURL != "" {
		azure, err := realtime.NewAzure(realtime.AzureOptions{ConnectionString: b.config.AzureURL.Reveal(), Hub: hubName, Clock: b.clock})
		return live{Publisher: azure}, err
	}
	messages := realtime.NATSConfig{URL: b.config.NATSURL.Reveal(), Name: "pantheon", Wait: true, Logger: b.log}
	if messages.URL == "" {
		messages.DataDir = filepath.Join(b.config.DataDir, "messages")
	}
	nats, err := realtime.StartNATS(messages)
	if err != nil {
		return live{}, err
	}
	b.onClose(func() error { nats.Close(); return nil })
	hub, err := realtime.New(ctx, realtime.Options{
		JetStream: nats.JetStream(), Name: hubName, SigningKeys: b.keys("realtime"), PublicURL: b.config.PublicURL,
		SiteOf: b.config.SiteOf, Clock: b.clock, Logger: b.log, Metrics: b.registry, Reopen: nats.Reopen,
		Replicas: b.config.MessageReplicas(),
	})
	if err != nil {
		return live{}, err
	}
	b.health.Add(health.Check{Name: "messages", Impairs: health.Live, Run: func(context.Context) error {
		if err := hub.Ready(); err != nil {
			return fault.New(fault.Unavailable, "%v", err)
		}
		return nil
	}})
	l := live{Publisher: hub, hub: hub}
	if messages.URL != "" {
		l.nats = nats
	}
	return l, nil
}

// connectOrigins returns the other origins that browsers must be allowed to connect to: Azure's, if it delivers the
// messages.
func (l live) connectOrigins(publicURL string) ([]string, error) {
	if l.hub != nil {
		return nil, nil
	}
	access, err := l.AccessURL("nobody", "none", publicURL)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(access)
	if err != nil {
		return nil, err
	}
	return []string{u.Scheme + "://" + u.Host}, nil
}
