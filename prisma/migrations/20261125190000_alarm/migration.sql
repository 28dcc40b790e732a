-- Alarms: conditions that held, who took note of them, and what was sent about them.
CREATE TABLE "alarm" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "says" TEXT NOT NULL,
    "raised_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "acknowledged_at" TIMESTAMPTZ(3),
    "acknowledged_by" TEXT,

    CONSTRAINT "alarm_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "alarm_mute" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "alarm_mute_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "alarm_delivery" (
    "id" UUID NOT NULL,
    "alarm_id" UUID,
    "event" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "given_up_at" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "alarm_delivery_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "alarm_raised_at_id_idx" ON "alarm"("raised_at", "id");
CREATE INDEX "alarm_delivery_made_at_id_idx" ON "alarm_delivery"("made_at", "id");
CREATE INDEX "alarm_delivery_alarm_id_idx" ON "alarm_delivery"("alarm_id");
ALTER TABLE "alarm_delivery" ADD CONSTRAINT "alarm_delivery_alarm_id_fkey" FOREIGN KEY ("alarm_id") REFERENCES "alarm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One alarm about one thing at a time, however many servers look; and what is due is found without the log.
create unique index alarm_open on alarm (kind, subject) where ended_at is null;
create index alarm_delivery_due on alarm_delivery (next_at) where sent_at is null and given_up_at is null;

alter table alarm
  add constraint alarm_severity_known check (severity in ('critical', 'warning')),
  add constraint alarm_ended_after check (seen_at >= raised_at and (ended_at is null or ended_at >= raised_at)),
  add constraint alarm_acknowledged_by_whom check ((acknowledged_at is null) = (acknowledged_by is null));
comment on constraint alarm_severity_known on alarm is 'expected critical or warning';
comment on constraint alarm_ended_after on alarm is 'expected times in their order';
comment on constraint alarm_acknowledged_by_whom on alarm is 'expected who and when, or neither';

alter table alarm_delivery
  add constraint alarm_delivery_event_known check (event in ('raised', 'ended', 'test')),
  add constraint alarm_delivery_channel_known check (channel in ('webhook', 'mail')),
  add constraint alarm_delivery_attempts_range check (attempts >= 0),
  add constraint alarm_delivery_body_shape check (body @? 'strict $ ? (@.type() == "object")');
comment on constraint alarm_delivery_event_known on alarm_delivery is 'expected raised, ended or test';
comment on constraint alarm_delivery_channel_known on alarm_delivery is 'expected webhook or mail';
comment on constraint alarm_delivery_attempts_range on alarm_delivery is 'expected a number from 0';
comment on constraint alarm_delivery_body_shape on alarm_delivery is 'expected an object';
