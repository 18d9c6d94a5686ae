-- Whose a review was that its author left behind: a keyed mark of their mailbox, which nobody can read an address out of. Who comes
-- back by it has reviewed the course.
alter table course_reviews add column author_mark text;
create unique index course_reviews_author_mark_course_id_key on course_reviews (author_mark, course_id);
