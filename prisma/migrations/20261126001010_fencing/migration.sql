-- Hosts that are fenced by a machine, by Redfish or by a command.
CREATE TABLE "fencing" (
    "id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'running',
    "who" TEXT NOT NULL,
    "reason" TEXT,
    "request" TEXT,
    "approved" JSONB,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "deadline_at" TIMESTAMPTZ(3) NOT NULL,
    "orders" INTEGER NOT NULL DEFAULT 0,
    "accepted" BOOLEAN,
    "log" JSONB NOT NULL DEFAULT '[]',
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "fencing_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "fencing_host_id_asked_at_idx" ON "fencing"("host_id", "asked_at");

ALTER TABLE "fencing" ADD CONSTRAINT "fencing_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One at a time for a host.
create unique index fencing_open on fencing (host_id) where ended_at is null;

alter table fencing
  add constraint fencing_method_known check (method in ('redfish', 'command')),
  add constraint fencing_state_known check (state in ('running', 'verified', 'unverified', 'failed')),
  add constraint fencing_ended check ((state = 'running') = (ended_at is null)),
  add constraint fencing_orders_counted check (orders >= 0),
  add constraint fencing_log_shape check (log @? 'strict $ ? (@.type() == "array" && !exists(@[*] ? (!(@.at.type() == "number" && @.says.type() == "string") || ((@.at.type() == "number" && @.says.type() == "string") is unknown))))');
comment on constraint fencing_method_known on fencing is 'expected a way to fence';
comment on constraint fencing_state_known on fencing is 'expected the state of a fencing';
comment on constraint fencing_ended on fencing is 'expected a time of its end, and only then';
comment on constraint fencing_orders_counted on fencing is 'expected how often it was ordered';
comment on constraint fencing_log_shape on fencing is 'expected what the machine answered: a list of times and texts';

-- Where a second person has to approve it.
alter table proposal drop constraint proposal_kind;
alter table proposal
  add constraint proposal_kind check (
  (kind = 'host-status' and host_id is not null and status is not null)
  or (kind = 'heal' and plan_id is not null)
  or (kind = 'evacuation' and plan_id is not null and host_id is not null)
  or (kind = 'fencing' and host_id is not null)
  or (kind = 'release' and consumer_id is not null and consumer_generation is not null));
create unique index proposal_one_open_fencing on proposal (host_id) where state = 'open' and kind = 'fencing';
