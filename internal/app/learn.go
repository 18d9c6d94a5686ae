package app

import (
	"context"
	"strings"
	"time"

	"greenroom/internal/account"
	"greenroom/internal/certificate"
	"greenroom/internal/discuss"
	"greenroom/internal/learn"
	"greenroom/internal/platform/who"
	"greenroom/internal/storage"
	"greenroom/internal/visitor"
)

// fileTime is how long the address of a lesson's file works, if the lesson stays open.
const fileTime = time.Hour

func (d *domains) openLearn() *learn.Service {
	return learn.New(learn.Options{
		DB: d.app.db, Limits: d.limits, Play: d.video.Grant, Joined: d.lists.Joined, Completed: d.papers.Issue, Name: account.NameIn, Log: d.app.log,
		Enqueue: d.mail.Enqueue, SiteURL: strings.TrimRight(d.app.config.SiteURL, "/"), Left: visitor.OpenedLessons.Left,
		Leave: func(user string) (string, error) { return d.visitor.LeaveLink(user, visitor.OpenedLessons) },
		Link: func(ctx context.Context, a who.Actor, lesson string, f learn.Stored) (string, error) {
			return d.storage.Link(ctx, a, lesson, storage.Linked{ID: f.ID, Version: f.Version, Bucket: f.Bucket, Name: f.Name}, fileTime)
		},
	})
}

func (d *domains) openCertificates() *certificate.Service {
	return certificate.New(certificate.Options{
		DB: d.app.db, Limits: d.limits, Enqueue: d.mail.Enqueue, Changed: d.catalog.Raise, Name: account.NameIn,
		Address: d.app.addresses.Of, SiteURL: strings.TrimRight(d.app.config.SiteURL, "/"), Log: d.app.log,
	})
}

func (d *domains) openDiscuss() *discuss.Service {
	return discuss.New(discuss.Options{
		DB: d.app.db, Limits: d.limits, Learn: d.learn, Enqueue: d.mail.Enqueue, SiteURL: strings.TrimRight(d.app.config.SiteURL, "/"), Log: d.app.log,
	})
}
