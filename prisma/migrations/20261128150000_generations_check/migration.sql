-- Two JSON paths, one with a regular expression, cost 3 % of a claim in PostgreSQL. `prisma/functions/column.sql` adds a
-- check of the same name that calls a function.

alter table outbox
  drop constraint outbox_raised_keys,
  drop constraint outbox_raised_shape;
