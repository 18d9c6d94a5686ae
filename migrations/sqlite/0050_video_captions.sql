-- What is said in a video, as WebVTT that we wrote ourselves; one for each language.
create table video_captions (
  id text primary key,
  video_id text not null references videos (id) on delete cascade,
  language text not null,
  label text not null,
  content text not null,
  created_at integer not null,
  constraint video_captions_video_id_language_key unique (video_id, language)
) strict;
