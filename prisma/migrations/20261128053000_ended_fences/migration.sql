-- The clean-up of a leftover used to store the largest number there is as the fence of an instance that had ended. An
-- instance adopted under that id later was refused every operation. The fence of an ended instance is the time now, and
-- a new instance with a record begins at the time of its own creation.

update domain_record set version = version + 1,
  record = jsonb_set(record, '{generation}', to_jsonb((extract(epoch from now()) * 1000)::bigint))
where record ->> 'generation' = '9007199254740991';
