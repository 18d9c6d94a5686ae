-- SQLite has its triggers since 0033; PostgreSQL gets them now. What is sketched is sketched anew.
delete from sketches;
