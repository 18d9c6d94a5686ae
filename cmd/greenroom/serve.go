package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"greenroom/internal/app"
	"greenroom/internal/platform/config"
	"greenroom/internal/platform/safe"
	"greenroom/web"
)

// How long each part of a request may take. A streamed answer extends its own deadline.
const (
	headerTime = 10 * time.Second
	readTime   = 30 * time.Second
	writeTime  = 60 * time.Second
	idleTime   = 120 * time.Second
	stopTime   = 20 * time.Second
	mostHeader = 64 << 10
)

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
	a, err := app.Open(ctx, c, app.Options{Log: log, Build: web.Dist(), Exclusive: true})
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
	log.Info("serving", "version", version, "address", listener.Addr().String(), "site", c.SiteURL, "database", a.DB().Engine)
	if c.SMTPURL == "" {
		log.Warn("no mail server is set (GREENROOM_SMTP_URL): letters are written as files", "folder", c.MailFolder())
	}
	return serveUntil(ctx, a, listener, log)
}

// serveUntil serves until the context ends, then lets the requests and workers under way finish.
func serveUntil(ctx context.Context, a *app.App, listener net.Listener, log *slog.Logger) error {
	server := &http.Server{
		Handler: a.Handler(), ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime,
		IdleTimeout: idleTime, MaxHeaderBytes: mostHeader, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	var workers safe.Group
	working, stopWorkers := context.WithCancel(context.WithoutCancel(ctx))
	workers.Go(func() { safe.Keep(working, log, a.Work) })
	workers.Go(safe.Func(log, func() { a.Warm(working) }))
	failed := make(chan error, 1)
	safe.Go(log, func() { failed <- safe.Try(func() error { return server.Serve(listener) }) })
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		log.Info("stopping")
		a.Stopping()
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
		err = server.Shutdown(ending)
		cancel()
	}
	stopWorkers()
	workers.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// newLog writes lines for a person on a terminal and JSON elsewhere.
func newLog(form string) *slog.Logger {
	if form == "" {
		form = "json"
		if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			form = "text"
		}
	}
	options := &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Value.Kind() == slog.KindTime {
			a.Value = slog.TimeValue(a.Value.Time().UTC())
		}
		return a
	}}
	if form == "text" {
		return slog.New(slog.NewTextHandler(os.Stderr, options))
	}
	return slog.New(slog.NewJSONHandler(os.Stderr, options))
}
