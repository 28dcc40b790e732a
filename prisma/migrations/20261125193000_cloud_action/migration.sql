-- What people had Nova do, and hosts that they attested to be powered off.
CREATE TABLE "cloud_action" (
    "id" UUID NOT NULL,
    "cloud_id" UUID NOT NULL,
    "verb" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "followed" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "says" TEXT,
    "nova_request" TEXT,
    "who" TEXT NOT NULL,
    "reason" TEXT,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "cloud_action_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "cloud_fence" (
    "cloud_id" UUID NOT NULL,
    "host" TEXT NOT NULL,
    "since" BIGINT NOT NULL,
    "who" TEXT NOT NULL,
    "reason" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "cloud_fence_pkey" PRIMARY KEY ("cloud_id","host")
);

CREATE INDEX "cloud_action_cloud_id_subject_asked_at_idx" ON "cloud_action"("cloud_id", "subject", "asked_at");

ALTER TABLE "cloud_action" ADD CONSTRAINT "cloud_action_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "cloud_fence" ADD CONSTRAINT "cloud_fence_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Those that are followed are asked for every few seconds.
create index cloud_action_open on cloud_action (cloud_id) where ended_at is null;

alter table cloud_action
  add constraint cloud_action_verb_known check (verb in ('live-migrate', 'migrate', 'resize', 'confirm', 'revert', 'evacuate', 'shelve', 'unshelve', 'start', 'stop', 'reboot', 'reset-state', 'abort', 'force-complete', 'enable', 'disable', 'force-down', 'force-up')),
  add constraint cloud_action_state_known check (state in ('sending', 'accepted', 'unanswered', 'not-sent', 'refused', 'done', 'failed')),
  add constraint cloud_action_followed_shape check (followed @? 'strict $ ? (@.type() == "object")');
comment on constraint cloud_action_verb_known on cloud_action is 'expected an action of Nova';
comment on constraint cloud_action_state_known on cloud_action is 'expected the state of an action';
comment on constraint cloud_action_followed_shape on cloud_action is 'expected what is followed';
