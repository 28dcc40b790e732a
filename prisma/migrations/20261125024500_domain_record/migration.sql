-- What Berth remembers of libvirt domains, and how their hosts are reached.
CREATE TABLE "domain_record" (
    "instance" UUID NOT NULL,
    "version" BIGINT NOT NULL,
    "record" JSONB NOT NULL,

    CONSTRAINT "domain_record_pkey" PRIMARY KEY ("instance")
);

alter table domain_record
  add constraint domain_record_record_shape check (record @? 'strict $ ? (@.type() == "object")'),
  add constraint domain_record_version_whole check (version between 1 and 9007199254740991);
comment on constraint domain_record_record_shape on domain_record is 'expected a record';
comment on constraint domain_record_version_whole on domain_record is 'expected a whole number from 1 to 2^53 − 1';
