// Package rest speaks PostgREST's dialect over the tables that the domains declare, and over nothing else.
//
// A domain says beside its own code what the data API may touch, and for whom. What is not said is forbidden:
//
//	// Tables says what the data API may touch, and for whom.
//	func (l *Lists) Tables() []rest.Table {
//		return []rest.Table{{
//			Name: "course_waitlist",
//			Columns: []rest.Column{
//				{Name: "id", Type: rest.UUID},
//				{Name: "user_id", Type: rest.UUID, Nullable: true, Write: rest.OnInsert},
//				{Name: "course_title", Type: rest.Text, Write: rest.OnInsert},
//				{Name: "email", Type: rest.Text, Write: rest.OnInsert},
//				{Name: "name", Type: rest.Text, Nullable: true, Write: rest.OnInsert},
//				{Name: "created_at", Type: rest.Timestamp},
//			},
//			Uniques:     []rest.Unique{{Name: "course_waitlist_user_id_course_title_key", Columns: []string{"user_id", "course_title"}}},
//			ForeignKeys: []rest.ForeignKey{{Column: "user_id", Table: "users"}},
//			Read:        rest.Own("user_id").OrAdmin(),
//			Insert: rest.Insert{
//				If: rest.Own("user_id").Or(rest.Null("user_id")), Do: l.join,
//				Quota: rest.Quota{Take: l.limits.Quota(limit.WaitPerAccount), Judge: l.limits.Judge},
//			},
//			Delete:      rest.Delete{If: rest.Own("user_id").OrAdmin(), After: l.promote},
//		}}
//	}
//
// A Policy is a condition in the query, never a filter after it: rows that a caller may not see are absent from
// reads, counts, updates and deletes. An insert is refused (42501) when its policy does not admit the new row; an
// update also when the changed row would leave the policy.
//
// A policy may ask another table (Has): whether the caller teaches the row's course, whether that course is on offer. It is a
// part of the same condition; an insert asks in its transaction, before anything is stored. A column may be Hidden, for
// policies and the server alone, and one may tell a caller which rows are theirs (MineBy) in its place.
//
// An insert that has rules goes through a verb (Insert.Do): it gets the checked values of one row inside the
// transaction, stores them, and returns the row's key. Without a verb the row is stored as declared: the values
// given, and each column's Default for the others. After, on any of the three, is called once a request inside the
// same transaction with the rows that were stored, changed or deleted; its error undoes all of it.
//
// What one account adds is bounded: 100 rows a call, and the table's Quota in a span of time and in all.
//
// A verb's errors are faults (platform/fault) or the database's own constraint errors; both are written in the
// dialect, with PostgreSQL's codes and texts on either engine. A refusal by permission is fault.Forbidden.
package rest
