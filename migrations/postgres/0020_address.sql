-- A registration's key is its address with the letters of ASCII in lower case, nothing else. It was Unicode's lower case,
-- which made one key of some addresses that differ; the other way round no two keys can become one.
update course_waitlist set email_key = lower(email) where email_key is not null;
