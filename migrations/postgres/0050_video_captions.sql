-- What is said in a video, as WebVTT that we wrote ourselves; one for each language.
create table video_captions (
  id uuid primary key,
  video_id uuid not null references videos (id) on delete cascade,
  language text collate "C" not null,
  label text collate "C" not null,
  content text collate "C" not null,
  created_at timestamptz not null,
  constraint video_captions_video_id_language_key unique (video_id, language)
);
