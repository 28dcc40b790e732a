-- Power is observed by surveys and kept beside the records; what people ask about it is kept with the instance.
create table "guest_power" (
    "host_id" uuid not null,
    "instance_id" uuid not null,
    "state" text not null,
    "reason" text,
    "since" timestamptz(3) not null,
    "ran_before" boolean not null,
    "resume_asked_at" timestamptz(3),

    constraint "guest_power_pkey" primary key ("host_id", "instance_id"),
    constraint "guest_power_state" check (state in ('running', 'paused', 'shutdown', 'crashed', 'unknown')),
    constraint "guest_power_finite" check (isfinite(since) and isfinite(resume_asked_at)),
    constraint "guest_power_host_id_fkey" foreign key ("host_id") references "host"("id") on delete cascade on update cascade
);
create index "guest_power_instance_id_idx" on "guest_power"("instance_id");

alter table "host" add column "resumes_guests" boolean not null default false;

alter table "instance" add column "power_request" jsonb;
alter table "instance" add constraint "instance_power_request" check (power_request is null or (
  jsonb_typeof(power_request) = 'object'
  and coalesce(power_request ->> 'action' in ('start', 'stop', 'reboot', 'pause', 'resume'), false)
  and coalesce(jsonb_typeof(power_request -> 'at') = 'number', false)
  and coalesce(jsonb_typeof(power_request -> 'dueAt') = 'number', false)
  and coalesce(jsonb_typeof(power_request -> 'who') = 'string', false)));
create index "instance_power_request_idx" on "instance"("id") where power_request is not null;

alter table "instance" drop constraint "instance_vm_state";
alter table "instance" add constraint "instance_vm_state"
  check (vm_state in ('building', 'active', 'paused', 'stopped', 'shelved', 'error', 'deleting'));
