-- A change of a row drops the sketch of its time, as on SQLite. Bits are not packed, and stay beside their row: they are read
-- all together.
delete from sketches;
alter table sketches alter column parts set storage plain;

create function drop_sketch(of_table text, at timestamptz) returns void language sql as $$
  delete from sketches where table_name = of_table and ends >= (extract(epoch from at) * 1000000)::bigint
    and begins < (extract(epoch from at) * 1000000)::bigint
$$;

create function drop_sketches() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform drop_sketch(tg_table_name, old.created_at);
  end if;
  if tg_op <> 'DELETE' then
    perform drop_sketch(tg_table_name, new.created_at);
  end if;
  return null;
end
$$;

create trigger course_waitlist_sketch after insert or delete or update of course_title, email, name, created_at
  on course_waitlist for each row execute function drop_sketches();
create trigger course_recommendations_sketch
  after insert or delete or update of course_title, course_description, instructor_name, email, created_at
  on course_recommendations for each row execute function drop_sketches();
