-- A consumer that is deleted and created again has its first generation again, so a request to release it names its last
-- write too.
alter table proposal add column consumer_written_at timestamptz(3);
update proposal p set consumer_written_at = c.written_at from consumer c
where c.id = p.consumer_id and c.generation = p.consumer_generation and c.written_at <= p.at;
