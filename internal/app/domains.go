package app

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	netmail "net/mail"
	"slices"
	"time"

	"greenroom/internal/account"
	"greenroom/internal/admin"
	"greenroom/internal/audit"
	"greenroom/internal/auth"
	"greenroom/internal/catalog"
	"greenroom/internal/certificate"
	"greenroom/internal/discuss"
	"greenroom/internal/fn"
	"greenroom/internal/inbox"
	"greenroom/internal/key"
	"greenroom/internal/learn"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
	"greenroom/internal/quiz"
	"greenroom/internal/rest"
	"greenroom/internal/review"
	"greenroom/internal/saved"
	"greenroom/internal/storage"
	"greenroom/internal/teach"
	"greenroom/internal/video"
	"greenroom/internal/visitor"
	"greenroom/internal/waitlist"
)

// domains are the product's nouns.
type domains struct {
	app     *App
	limits  *limit.Limits
	mail    *mail.Outbox
	auth    *auth.Service
	catalog *catalog.Catalog
	desk    *admin.Desk
	lists   *waitlist.Lists
	inbox   *inbox.Inbox
	visitor *visitor.Desk
	storage *storage.Service
	video   *video.Service
	learn   *learn.Service
	studio  *teach.Studio
	papers  *certificate.Service
	quiz    *quiz.Service
	discuss *discuss.Service
	reviews *review.Service
}

func (a *App) openDomains(ctx context.Context) (*domains, error) {
	d := &domains{app: a}
	secret, err := key.Kept(ctx, a.db, a.box, "limits", id.Secret)
	if err != nil {
		return nil, err
	}
	// Of another use, and so another key; of the same secret, and so without another trip at each start.
	leaving, err := hkdf.Key(sha256.New, []byte(secret), nil, "links by which lists are left", sha256.Size)
	if err != nil {
		return nil, err
	}
	d.limits = limit.New(limit.Options{DB: a.db, Secret: []byte(secret), Off: !a.config.RateLimits})
	d.mail, err = mail.New(mail.Options{
		DB: a.db, Box: a.box, From: a.config.MailFrom, Inbox: a.config.Inbox, Support: a.config.Support,
		SMTPURL: a.config.SMTPURL, Folder: a.config.MailFolder(), SiteURL: a.config.SiteURL, Limits: d.limits, Proven: a.accounts.Proven, Log: a.log,
	})
	if err != nil {
		return nil, err
	}
	d.desk = admin.New(a.db, d.mail)
	if d.auth, err = d.openAuth(ctx); err != nil {
		return nil, err
	}
	d.catalog = catalog.New(a.db, a.log)
	d.lists = waitlist.New(waitlist.Options{
		DB: a.db, Outbox: d.mail, Limits: d.limits, SiteURL: a.config.SiteURL, Changed: d.catalog.Raise, Log: a.log,
	})
	d.inbox = inbox.New(a.db, d.mail, d.limits)
	d.catalog.Launched = func(ctx context.Context, tx *db.Tx, course catalog.Course) error {
		return d.lists.Launched(ctx, tx, course.ID)
	}
	d.catalog.Held = certificate.Held
	d.papers = d.openCertificates()
	d.visitor = &visitor.Desk{
		DB: a.db, Limits: d.limits, Enqueue: d.mail.Enqueue, SiteURL: a.config.SiteURL, Address: a.addresses.Of, Keepers: d.visitorKeepers(),
		Secret: string(leaving),
	}
	d.storage = d.openStorage()
	d.video = d.openVideo()
	d.learn = d.openLearn()
	d.discuss = d.openDiscuss()
	d.reviews = review.New(review.Options{
		DB: a.db, Limits: d.limits, Secret: []byte(secret), Changed: d.catalog.Changed, Name: account.NameIn, Confirms: a.config.ConfirmEmail,
	})
	d.studio = teach.New(teach.Options{
		DB: a.db, Limits: d.limits, Storage: d.storage, Videos: d.video, Changed: d.catalog.Changed, Joined: d.reviews.Teaches,
	})
	d.catalog.Rated = review.Rated
	d.quiz = quiz.New(quiz.Options{DB: a.db, Limits: d.limits, Learn: d.learn, Studio: d.studio})
	d.studio.PublishQuiz = d.quiz.Publish
	d.video.Probed, d.catalog.Written, d.catalog.Gone = d.studio.Probed, teach.Counted, d.studio.Gone
	d.auth.Keepers = d.keepers()
	return d, errors.Join(d.catalog.Install(ctx), d.lists.Install(ctx))
}

func (d *domains) openAuth(ctx context.Context) (*auth.Service, error) {
	a := d.app
	pepper, err := key.Kept(ctx, a.db, a.box, "codes", id.Secret)
	if err != nil {
		return nil, err
	}
	var providers []auth.Provider
	for _, p := range a.config.Providers {
		providers = append(providers, auth.Provider{Name: p.Name, Issuer: p.Issuer, ClientID: p.ClientID, ClientSecret: p.ClientSecret})
	}
	return auth.New(auth.Options{
		Providers: providers,
		DB:        a.db, Keys: a.tokens, Accounts: a.accounts, Limits: d.limits, Enqueue: d.mail.Enqueue, Box: a.box, IsService: a.isService, Pepper: []byte(pepper),
		SiteName: "Greenroom", SiteURL: a.config.SiteURL, RedirectURLs: a.config.RedirectURLs,
		ConfirmEmail: a.config.ConfirmEmail, Guests: a.config.Anonymous, NoEmailSignIn: a.config.EmailSignIn == "off", PasswordMin: a.config.PasswordMin, PasswordList: a.config.PasswordList, Log: a.log,
	})
}

// providerNames are the places that the pages offer to sign in with.
func (a *App) providerNames() []string {
	names := []string{}
	for _, p := range a.config.Providers {
		names = append(names, p.Name)
	}
	return names
}

// isService tells whether a bearer is the operator's key.
func (a *App) isService(token string) bool {
	role, known := a.keys.Role(token)
	return known && role == who.Service
}

// keepers are the domains that hold rows about people; what else there is goes with the account's row.
func (d *domains) keepers() []auth.Keeper {
	return []auth.Keeper{
		// First, for it holds courses, as whoever raises the catalogue's version has done before.
		{Name: "course_reviews", About: review.About, Forget: d.reviews.Forget, Keep: d.reviews.Keep},
		{Name: "review_replies", About: review.AboutReplies},
		{Name: "review_reports", About: review.AboutReports},
		{Name: "saved_courses", About: saved.About, Move: saved.Move},
		{Name: "course_waitlist", About: d.lists.About, Forget: d.lists.Forget},
		{Name: "course_recommendations", About: d.inbox.About, Forget: d.inbox.Forget},
		{Name: "letters", About: d.mail.About, Forget: d.mail.Forget},
		{Name: "stored_files", About: storage.About, Forget: storage.Forget},
		{Name: "course_teachers", About: teach.About, Forget: d.studio.Forget},
		{Name: "enrollments", About: learn.AboutEnrollments},
		{Name: "lesson_progress", About: learn.AboutProgress},
		{Name: "learner_settings", About: learn.AboutSettings},
		{Name: "lesson_news", About: learn.AboutNews},
		{Name: "lists_left", About: visitor.AboutLeft},
		{Name: "quiz_attempts", About: quiz.About},
		{Name: "certificates", About: certificate.About, Forget: d.papers.Forget},
		{Name: "lesson_notes", About: discuss.AboutNotes},
		{Name: "lesson_questions", About: discuss.AboutQuestions, Forget: discuss.Forget, Keep: discuss.Keep},
		{Name: "lesson_answers", About: discuss.AboutAnswers},
		{Name: "post_reports", About: discuss.AboutReports},
	}
}

// visitorKeepers are the domains that hold rows about people without an account.
func (d *domains) visitorKeepers() []visitor.Keeper {
	// Rows without an account are asked for under the name of nobody: a new id is nobody's.
	keeper := func(name string, about func(context.Context, *db.Tx, string, string) ([]map[string]any, error), forget func(context.Context, *db.Tx, string, string) error) visitor.Keeper {
		return visitor.Keeper{
			Name: name,
			About: func(ctx context.Context, tx *db.Tx, address string) ([]map[string]any, error) {
				return about(ctx, tx, id.New(), address)
			},
			Forget: func(ctx context.Context, tx *db.Tx, address string) error { return forget(ctx, tx, id.New(), address) },
		}
	}
	return []visitor.Keeper{
		keeper("course_waitlist", d.lists.About, d.lists.Forget),
		keeper("course_recommendations", d.inbox.About, d.inbox.Forget),
		{Name: "letters", About: d.mail.AboutVisitor, Forget: d.mail.ForgetVisitor},
	}
}

// tables is all that the data API may touch; what admins write there goes into the audit trail.
func (d *domains) tables() []rest.Table {
	var all []rest.Table
	for _, declared := range [][]rest.Table{
		d.catalog.Tables(), saved.Tables(d.limits), d.lists.Tables(), d.inbox.Tables(), d.app.accounts.Tables(),
		d.learn.Tables(), d.studio.Tables(), d.papers.Tables(), d.quiz.Tables(), d.discuss.Tables(), d.reviews.Tables(),
	} {
		all = append(all, declared...)
	}
	return admin.Watch(all)
}

// functions is all that can be called by name.
func (d *domains) functions() []fn.Function {
	return slices.Concat(d.inbox.Functions(), d.desk.Functions(), d.auth.Functions(), d.video.Functions(), d.learn.Functions(), d.studio.Functions(),
		d.papers.Functions(), d.quiz.Functions(), d.discuss.Functions(), d.reviews.Functions())
}

func (d *domains) workers() []func(context.Context) {
	return []func(context.Context){
		d.catalog.Run, d.lists.Run, d.mail.Run, d.auth.Run, d.storage.Run, d.video.Run, d.learn.Run, d.discuss.Run,
		func(ctx context.Context) { d.app.db.SweepEvery(ctx, sweepEvery, d.app.log, d.over) },
	}
}

const sweepEvery = 5 * time.Minute

// over is all that is swept, whatever the domain.
func (d *domains) over(now time.Time) []db.Old {
	return slices.Concat(d.auth.Over(now), d.limits.Over(now), d.catalog.Over(), visitor.Over(now), audit.Over(now, d.app.config.AuditKept()),
		waitlist.Over(now, d.app.config.RetainRegistrations), inbox.Over(now, d.app.config.RetainMessages))
}

// supportAddress is the bare address that the pages show.
func (a *App) supportAddress() string {
	parsed, err := netmail.ParseAddress(a.config.Support)
	if err != nil {
		return a.config.Support
	}
	return parsed.Address
}
