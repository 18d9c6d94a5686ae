package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"

	"greenroom/internal/app"
	"greenroom/internal/platform/config"
	"greenroom/internal/video"
)

// work prepares videos until it is told to stop; a job under way is then given back.
func work(ctx context.Context, args []string, _ io.Writer) error {
	rebuild := slices.Equal(args, []string{"--rebuild"})
	if len(args) != 0 && !rebuild {
		return errUsage
	}
	c, err := config.Load(config.Environment(os.Environ()))
	if err != nil {
		return err
	}
	if err := exists(c); err != nil {
		return err
	}
	if !video.FindTools().There() {
		return errors.New(strings.TrimSuffix(video.Missing, "."))
	}
	log := newLog(c.Log)
	slog.SetDefault(log)
	a, err := app.Open(ctx, c, app.Options{Log: log})
	if err != nil {
		return err
	}
	stop, err := openInside(ctx, c, a, log)
	if err != nil { // on the server's machine its settings are ours, and the port is the server's
		log.Warn("this worker tells no figures of its own", "reason", err.Error())
		stop = func() {}
	}
	defer stop()
	log.Info("working", "version", version, "database", a.DB().Engine)
	return errors.Join(a.Prepare(ctx, rebuild), a.Close())
}

// lookAtVideo tries the tools as a job would.
func lookAtVideo(ctx context.Context, c config.Config) finding {
	f, tools := finding{about: "video"}, video.FindTools()
	switch {
	case !c.VideoWork:
		f.said = "is prepared elsewhere (GREENROOM_VIDEO_WORK is off)"
		return f
	case !tools.There():
		f.said, f.advice = "is not prepared here", video.Missing
		return f
	}
	said, shut, err := tools.Version(ctx)
	switch f.said = said; {
	case err != nil:
		f.wrong = err
	case !shut:
		f.advice = "This machine does not let us shut ffmpeg off from the network (user namespaces): it reads uploads with the other limits alone."
	}
	return f
}
