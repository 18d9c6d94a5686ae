package main

import (
	"context"
	"fmt"
	"io"

	content "greenroom/demo"
	"greenroom/internal/app"
	"greenroom/internal/demo"
)

// demonstrate puts a curriculum into one of the built-in courses, for somebody who wants to see what Greenroom does.
func demonstrate(ctx context.Context, args []string, out io.Writer) error {
	if len(args) != 0 {
		return errUsage
	}
	return withApp(ctx, func(a *app.App) error {
		done, err := demo.Install(ctx, content.Files, a.Inside())
		if err != nil {
			return err
		}
		asked, err := a.SampleQuestions(ctx, done.Course)
		if err != nil {
			return err
		}
		said, err := a.SampleReviews(ctx, done.Course)
		if err != nil {
			return err
		}
		if done.Changes+asked+said == 0 {
			fmt.Fprintf(out, "%s has its sample lessons already. Nothing was changed.\n", done.Title)
		} else {
			fmt.Fprintf(out, "%s has %d lessons now, two of them films.\n", done.Title, done.Lessons)
		}
		site := a.SiteURL()
		fmt.Fprintf(out, `
Look at it, with the server running:
  %s/course/%s
      the course: its trailer, its outline, and a lesson for everybody
  %s/learn/%s/%s
      that lesson; then sign up, press Enroll for Free, and take the others
  %s/teach/%s
      the studio, for whoever greenroom admin grant EMAIL has named
`, site, done.Course, site, done.Course, done.First, site, done.Course)
		return nil
	})
}
