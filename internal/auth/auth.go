// Package auth speaks the protocol of Supabase Auth (GoTrue) under /auth/v1: signing up and in, staying signed in,
// recovering an account. The official client library works against it unmodified.
package auth

// Options say what to serve.
type Options struct {
	// SiteName and SiteURL are what nobody may build a password of, and where links lead.
	SiteName, SiteURL string
	// PasswordMin is the shortest password; PasswordList a file of further passwords that nobody may choose.
	PasswordMin  int
	PasswordList string
}
