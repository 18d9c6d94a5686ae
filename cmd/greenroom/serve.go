package main

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"time"

	"greenroom/internal/app"
	"greenroom/internal/platform/config"
	"greenroom/internal/platform/safe"
	"greenroom/internal/platform/web"
	"greenroom/internal/video"
	build "greenroom/web"
)

// stopTime is how long requests under way may take once the listener is closed.
const stopTime = 20 * time.Second

func serve(ctx context.Context, args []string, _ io.Writer) error {
	if len(args) != 0 {
		return errUsage
	}
	c, err := config.Load(config.Environment(os.Environ()))
	if err != nil {
		return err
	}
	log := newLog(c.Log)
	slog.SetDefault(log)
	a, err := app.Open(ctx, c, app.Options{Log: log, Build: build.Dist(), Exclusive: true})
	if err != nil {
		return err
	}
	defer func() {
		if err := a.Close(); err != nil {
			log.Error("close", "error", err)
		}
	}()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return errors.New("GREENROOM_LISTEN " + c.Listen + " cannot be listened on: " + err.Error())
	}
	front, err := newFront(ctx, c, a, ours(c), log)
	if err != nil {
		return err
	}
	closeInside, err := openInside(ctx, c, a, log)
	if err != nil {
		return err
	}
	defer closeInside()
	log.Info("serving", "version", version, "address", listener.Addr().String(), "site", c.SiteURL, "database", a.DB().Engine)
	front.ready()
	if c.SMTPURL == "" {
		log.Warn("no mail server is set (GREENROOM_SMTP_URL): emails are written as files", "folder", c.MailFolder())
	}
	if c.VideoWork && !video.FindTools().There() {
		log.Warn("no videos are prepared here", "advice", video.Missing)
	}
	return errors.Join(serveUntil(ctx, a, listener, front.secure, log, c), front.close(context.WithoutCancel(ctx)))
}

// serveUntil serves until the context ends. Then it says that it is not ready and serves on for the drain time, so
// that a balancer has looked elsewhere before the listener closes; requests and workers under way finish.
func serveUntil(ctx context.Context, a *app.App, listener net.Listener, secure *tls.Config, log *slog.Logger, c config.Config) error {
	var workers safe.Group
	working, stopWorkers := context.WithCancel(context.WithoutCancel(ctx))
	workers.Go(func() { safe.Keep(working, log, a.Work) })
	workers.Go(safe.Func(log, func() { a.Warm(working) }))
	bounds := web.UsualBounds
	bounds.Spare = a.Spare()
	server, failed := bounds.Serve(listener, secure, a.Handler(), ours(c), log)
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		a.Stopping()
		log.Info("stopping", "drain", c.Drain.String())
		select {
		case err = <-failed:
		case <-time.After(c.Drain):
			err = shut(context.WithoutCancel(ctx), server)
		}
	}
	stopWorkers()
	workers.Wait()
	return err
}

// shut closes the listener, waits for the requests under way, and cuts those that do not end.
func shut(ctx context.Context, server *http.Server) error {
	ending, cancel := context.WithTimeout(ctx, stopTime)
	defer cancel()
	if err := server.Shutdown(ending); err != nil {
		return errors.Join(err, server.Close())
	}
	return nil
}

// ours tells which addresses stand for many clients: the proxies that we trust, and this machine, where a proxy may
// stand that nobody named.
func ours(c config.Config) func(netip.Addr) bool {
	proxies := web.Addresses(c.TrustedProxies)
	return func(address netip.Addr) bool { return address.IsLoopback() || proxies.Trusts(address) }
}

// newLog writes lines for a person on a terminal and JSON elsewhere.
func newLog(form string) *slog.Logger {
	if form == "" {
		form = "json"
		if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			form = "text"
		}
	}
	if form == "text" {
		return slog.New(web.UTC{Handler: slog.NewTextHandler(os.Stderr, nil)})
	}
	return slog.New(web.NewLines(os.Stderr))
}
