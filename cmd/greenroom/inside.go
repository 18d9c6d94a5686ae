package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"time"

	"greenroom/internal/app"
	"greenroom/internal/platform/config"
	"greenroom/internal/platform/metrics"
	"greenroom/internal/platform/web"
)

// insideBounds are those of the listener for whoever runs the server: a few readers.
var insideBounds = web.Bounds{
	Header: 5 * time.Second, Body: 5 * time.Second, Stall: 10 * time.Second, Idle: 2 * time.Minute, Connections: 32, PerAddress: 32,
}

// openInside opens the listener for metrics and profiles, if there is to be one.
func openInside(ctx context.Context, c config.Config, a *app.App, log *slog.Logger) (stop func(), err error) {
	if c.ListenMetrics == "" {
		return func() {}, nil
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.ListenMetrics)
	if err != nil {
		return nil, errors.New("GREENROOM_METRICS_LISTEN " + c.ListenMetrics + " cannot be listened on: " + err.Error())
	}
	a.Figures().Read("greenroom_build_info", "Which version this is.", metrics.Standing, func(_ context.Context, emit metrics.Emit) error {
		emit(1, "version", version)
		return nil
	})
	server, _ := insideBounds.Serve(listener, nil, web.Secured(metrics.Inside(a.Figures()), false), nil, log)
	log.InfoContext(ctx, "metrics", "address", listener.Addr().String())
	if at, err := netip.ParseAddrPort(listener.Addr().String()); err == nil && !at.Addr().IsLoopback() {
		log.WarnContext(ctx, "metrics and profiles can be read by whoever reaches their listener: a firewall must keep the internet away", "address", at.String())
	}
	return func() { _ = server.Close() }, nil
}
