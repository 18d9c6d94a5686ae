package app

import (
	"context"
	netmail "net/mail"

	"greenroom/internal/admin"
	"greenroom/internal/catalog"
	"greenroom/internal/fn"
	"greenroom/internal/key"
	"greenroom/internal/mail"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
	"greenroom/internal/rest"
)

// domains are the product's nouns.
type domains struct {
	app     *App
	limits  *limit.Limits
	mail    *mail.Outbox
	catalog *catalog.Catalog
	desk    *admin.Desk
}

func (a *App) openDomains(ctx context.Context) (*domains, error) {
	d := &domains{app: a}
	secret, err := key.Kept(ctx, a.db, a.box, "limits", id.Secret)
	if err != nil {
		return nil, err
	}
	d.limits = limit.New(limit.Options{DB: a.db, Secret: []byte(secret), Off: !a.config.RateLimits})
	d.mail, err = mail.New(mail.Options{
		DB: a.db, Box: a.box, From: a.config.MailFrom, Inbox: a.config.Inbox, Support: a.config.Support,
		SMTPURL: a.config.SMTPURL, Folder: a.config.MailFolder(), SiteURL: a.config.SiteURL, Log: a.log,
	})
	if err != nil {
		return nil, err
	}
	d.desk = admin.New(a.db, d.mail)
	d.catalog = catalog.New(a.db, a.log)
	return d, d.catalog.Install(ctx)
}

// tables is all that the data API may touch; what admins write there goes into the audit trail.
func (d *domains) tables() []rest.Table {
	var all []rest.Table
	for _, declared := range [][]rest.Table{d.catalog.Tables(), d.app.accounts.Tables()} {
		all = append(all, declared...)
	}
	return admin.Watch(all)
}

// functions is all that can be called by name.
func (d *domains) functions() []fn.Function {
	return d.desk.Functions()
}

func (d *domains) workers() []func(context.Context) {
	return []func(context.Context){
		d.catalog.Run, d.mail.Run,
		func(ctx context.Context) { d.limits.Run(ctx, d.app.log) },
	}
}

// supportAddress is the bare address that the pages show.
func (a *App) supportAddress() string {
	parsed, err := netmail.ParseAddress(a.config.Support)
	if err != nil {
		return a.config.Support
	}
	return parsed.Address
}
