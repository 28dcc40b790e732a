-- Halves of a move that a client of the Placement API made by one request: the consumer that took over remembers from whom.
ALTER TABLE "consumer" ADD COLUMN     "swapped_at" TIMESTAMPTZ(3),
ADD COLUMN     "swapped_from" UUID;

alter table consumer add constraint consumer_swap_whole check (
  (swapped_from is null) = (swapped_at is null) and swapped_from is distinct from id) not valid;
comment on constraint consumer_swap_whole on consumer is 'expected another consumer and the time of the swap, or neither';

create index consumer_swapped on consumer (swapped_from) where swapped_from is not null;
