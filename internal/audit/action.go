package audit

import "slices"

// actions is everything that the trail can tell of: a noun and a verb each. The admin panel has words for all of them
// (web/src/features/admin/acts.json), which a test compares; what does not stand here cannot be recorded.
var actions = []string{
	"address.change",
	"address.confirm",
	"address.prove",
	"admin.course.add",
	"admin.course.change",
	"admin.course.delete",
	"admin.grant",
	"admin.letter.resend",
	"admin.list.export",
	"admin.message.add",
	"admin.message.delete",
	"admin.revoke",
	"admin.waitlist.add",
	"admin.waitlist.delete",
	"admin.workshop.change",
	"bucket.change",
	"data.erase",
	"data.export",
	"data.request",
	"factor.add",
	"factor.remove",
	"factor.verify",
	"guest.adopt",
	"identity.connect",
	"identity.disconnect",
	"letter.open",
	"link.generate.email_change_current",
	"link.generate.email_change_new",
	"link.generate.invite",
	"link.generate.magiclink",
	"link.generate.recovery",
	"link.generate.signup",
	"object.add",
	"object.change",
	"object.remove",
	"passkey.add",
	"passkey.change",
	"passkey.remove",
	"password.change",
	"recovery_codes.make",
	"recovery_codes.use",
	"session.confirm",
	"session.end",
	"session.open",
	"session.refresh",
	"session.try",
	"user.change",
	"user.create",
	"user.delete",
	"user.import",
	"user.invite",
	"user.magic_link",
	"user.reauthenticate",
	"user.recover",
	"user.resend",
	"user.sign_up",
}

func known(action string) bool {
	_, found := slices.BinarySearch(actions, action)
	return found
}
